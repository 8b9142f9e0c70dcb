import { Command, CommanderError } from "commander";
import { CodedError, hasCode } from "../base/index.js";
import { registrations } from "./commands/index.js";
import { writeJson } from "./io.js";

function exitCodeOf(error: unknown): number {
	if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
	if (error instanceof Error && "exitCode" in error && typeof error.exitCode === "number") return error.exitCode;
	return 1;
}

function report(error: unknown, json: boolean): void {
	if (error instanceof CommanderError) {
		if (json && error.exitCode !== 0)
			writeJson({
				error: { code: "USAGE", message: error.message.replace(/^error: /, ""), hint: "see workbook --help" },
			});
		return; // commander has said it on standard error
	}
	const message = error instanceof Error ? error.message : String(error);
	const hint = error instanceof Error && "hint" in error && typeof error.hint === "string" ? error.hint : undefined;
	const code = hasCode(error) ? error.code : "INTERNAL";
	if (json) writeJson({ error: { code, message, ...(hint === undefined ? {} : { hint }) } });
	process.stderr.write(`workbook: ${message}\n${hint === undefined ? "" : `  ${hint}\n`}`);
	if (code === "INTERNAL" && error instanceof Error && error.stack !== undefined)
		process.stderr.write(`${error.stack}\n`);
}

const program = new Command("workbook")
	.description("Does micro-batching pay for your model, what does it cost in latency, and how do you tell?")
	.showHelpAfterError("(workbook --help lists the commands)")
	.showSuggestionAfterError()
	.configureHelp({ sortSubcommands: false });
for (const register of registrations) register(program);
const strict = (command: Command): void => {
	command.exitOverride().allowExcessArguments(false);
	for (const child of command.commands) strict(child);
};
strict(program);

const json = process.argv.includes("--json");
try {
	if (process.argv.length <= 2) {
		program.outputHelp();
		throw new CodedError("USAGE", "a command is needed", { hint: "npm start runs the whole workbook" });
	}
	await program.parseAsync();
} catch (error) {
	report(error, json);
	process.exitCode = exitCodeOf(error);
}
