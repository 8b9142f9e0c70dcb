import { execFile } from "node:child_process";

/** What a small system command prints, trimmed; null when it is missing, fails or takes longer than 3 s. */
export function outputOf(command: string, args: readonly string[], cwd?: string): Promise<string | null> {
	return new Promise((resolve) => {
		const options = { timeout: 3000, maxBuffer: 16 << 20, ...(cwd === undefined ? {} : { cwd }) };
		execFile(command, [...args], options, (error, stdout) => resolve(error === null ? stdout.trim() : null));
	});
}

/** The non-empty lines of a text. */
export function linesOf(text: string): string[] {
	return text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");
}
