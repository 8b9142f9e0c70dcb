import { Argument, type Command, Option } from "commander";
import { type BoxOptions, runStep, STEP_NAMES, STEPS, type StepName } from "../../box/index.js";
import { interruptible } from "../interrupt.js";
import { createProgress, numberOption, writeJson } from "../io.js";

interface Flags extends Omit<BoxOptions, "statePath" | "imageId" | "pricePerHour"> {
	readonly state?: string;
	readonly image?: string;
	readonly price?: number;
	readonly json?: boolean;
}

function table(): string {
	const width = Math.max(...STEP_NAMES.map((name) => name.length));
	const rows = STEP_NAMES.map((name) => {
		const { does, needs } = STEPS[name];
		return `  ${name.padEnd(width)}  ${does}${needs.length === 0 ? "" : ` [after ${needs.join(", ")}]`}`;
	});
	return `
Steps, in their order (each runs alone, and is safe to run twice):
${rows.join("\n")}

Providers: ec2 rents a machine (credentials, region and endpoint from the usual AWS environment); ssh takes any machine
that one can log in to (--host), and has nothing to rent or delete. Every message ends with the step to run next.

A first look, which rents nothing:
  npx workbook box launch --dry-run
  npx workbook box check --provider ssh --host pi@raspberrypi.local`;
}

export function registerBox(program: Command): void {
	program
		.command("box")
		.description("take the workbook to a machine where nothing else runs, and bring the results home")
		.addArgument(new Argument("<step>", "what to do").choices(STEP_NAMES))
		.addOption(new Option("--provider <p>", "where the machine is from").choices(["ec2", "ssh"]))
		.option("--name <name>", 'names the box (default: "lab")')
		.option("--state <file>", "the state (default: ~/.batching-workbook/box/<name>/state.json)")
		.option("--dry-run", "print what would be done, and do nothing")
		.option("--project <folder>", "the project that goes there (default: this one)")
		.option("--host <user@host>", "ssh: the machine")
		.option("--port <n>", "ssh: its port (default: 22)", numberOption("--port", { min: 1, max: 65_535, integer: true }))
		.option("--identity <file>", "ssh: a private key")
		.option("--host-key <SHA256:…>", "accept this host key and no other")
		.option("--address <ip>", "access: who may log in (default: this computer)")
		.option("--instance-type <type>", "launch (default: c7g.medium, one core)")
		.option("--image <ami>", "launch (default: the newest Ubuntu 24.04)")
		.option(
			"--max-hours <n>",
			"launch: it ends itself after so long (default: 6)",
			numberOption("--max-hours", { min: 1, max: 72 }),
		)
		.option("--wait-seconds <n>", "wait: at most so long (default: 600)", numberOption("--wait-seconds", { min: 1 }))
		.option("--node-tarball <file>", "setup: an official Node tarball to copy over")
		.option("--no-data", "setup: leave data/ here, so that the box makes its own shop and models")
		.option("--free-mb <n>", "setup: free space it must have (default: 3000)", numberOption("--free-mb", { min: 0 }))
		.option("--restore", "quiet: start again what was stopped")
		.option("--profile <p>", "start (default: full)")
		.option("--cpus <list>", "start: keep the run to these cores")
		.option("--console <file>", "start: where progress lines go, too (default with ec2: the serial console)")
		.option("--again", "start: run anew although a run has finished; its results stay there by their name")
		.option("--resume", "start: go on with a run that was cut short")
		.option("--ssh", "watch: log in, instead of reading the serial console")
		.option("--follow", "watch: until the run ends")
		.option("--partial", "fetch: what is there while the run goes on; nothing is marked safe")
		.option("--to <folder>", "fetch: where results go (default: outputs/box-<name>)")
		.option("--discard", "teardown: delete although results are not at home")
		.option(
			"--price <usd>",
			"cost: USD an hour (default: BATCHING_BOX_PRICE, else an assumption that is named)",
			numberOption("--price", { min: 0 }),
		)
		.option("--json", "print one JSON object")
		.addHelpText("after", table)
		.action(async (step: StepName, flags: Flags) => {
			const { state, image, price, json, ...same } = flags;
			const options: BoxOptions = {
				...same,
				...(state === undefined ? {} : { statePath: state }),
				...(image === undefined ? {} : { imageId: image }),
				...(price === undefined ? {} : { pricePerHour: price }),
			};
			const progress = createProgress();
			const result = await interruptible((signal) => runStep(step, options, { onSay: progress.line, signal }));
			if (json) writeJson(result);
			else process.stdout.write(`${result.message}\n${result.situation}\n${result.advice}\n`);
		});
}
