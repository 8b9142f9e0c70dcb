import type { Command } from "commander";
import { CodedError } from "../../base/index.js";
import type { KernelspecChange } from "../../notebook/index.js";

interface Place {
	readonly user?: boolean;
	readonly prefix?: string;
}

export function registerKernel(program: Command): void {
	const kernel = program
		.command("kernel")
		.description("the TypeScript kernel for Jupyter, with its output losses mended");

	kernel
		.command("install")
		.description("install the kernelspecs tslab (TypeScript) and jslab (JavaScript); others of that name are set aside")
		.option("--user", "into your own Jupyter folder (the default)")
		.option("--prefix <dir>", "into <dir>/share/jupyter/kernels, a Python environment for instance")
		.action(async (place: Place) => {
			const { installKernelspecs } = await import("../../notebook/index.js");
			say(await installKernelspecs(placeOf(place)));
		});

	kernel
		.command("uninstall")
		.description("remove what install installed, and put back what it set aside")
		.option("--user", "from your own Jupyter folder (the default)")
		.option("--prefix <dir>", "from <dir>/share/jupyter/kernels")
		.action(async (place: Place) => {
			const { uninstallKernelspecs } = await import("../../notebook/index.js");
			say(await uninstallKernelspecs(placeOf(place)));
		});
}

function placeOf({ user, prefix }: Place): { readonly prefix?: string } {
	if (user === true && prefix !== undefined)
		throw new CodedError("BAD_OPTION", "--user and --prefix exclude each other");
	if (prefix === "") throw new CodedError("BAD_OPTION", "--prefix takes the path of a folder");
	return prefix === undefined ? {} : { prefix };
}

function say(changes: readonly KernelspecChange[]): void {
	const words: Readonly<Record<KernelspecChange["action"], string>> = {
		installed: "installed",
		"set-aside": "set aside the one that was there, as",
		removed: "removed",
		restored: "put back the one that was there before",
		absent: "nothing to remove at",
		"not-ours": "left alone, since another program installed it:",
	};
	for (const { name, file, action } of changes) process.stdout.write(`${name}: ${words[action]} ${file}\n`);
}
