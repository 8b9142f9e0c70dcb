#!/usr/bin/env node
// A committed file, so that npm can link the command before the library is compiled.
try {
	await import("../dist/cli/main.js");
} catch (error) {
	// Whatever cannot even be loaded gets one line; what a command throws is told by cli/main.
	const [, missing] = /^Cannot find (?:package|module) '([^']+)'/.exec(error?.message ?? "") ?? [];
	if (missing === undefined) throw error;
	const what = missing.endsWith("cli/main.js")
		? "the library is not compiled: npm run build compiles it"
		: `the package ${missing} is missing: npm ci installs it`;
	process.stderr.write(`workbook: ${what}\n`);
	process.exitCode = 1;
}
