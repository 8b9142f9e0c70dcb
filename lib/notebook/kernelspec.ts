import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { KERNEL_PROGRAM } from "./process.js";
import { makeFolder, saveWhole } from "./write.js";

/** Where Jupyter looks for kernels. */
export interface KernelspecPlace {
	/** `PREFIX/share/jupyter/kernels`, a Python environment for instance. @default the user's own folder */
	readonly prefix?: string | undefined;
}

/** What was done to one kernelspec; `set-aside` and `restored` concern one that was there before. */
export interface KernelspecChange {
	readonly name: string;
	readonly file: string;
	readonly action: "installed" | "set-aside" | "removed" | "restored" | "absent" | "not-ours";
}

/** Names and languages as tslab's own installer has them, so that notebooks need not say whose kernel they want. */
const SPECS = [
	{ name: "tslab", display_name: "TypeScript", language: "typescript", flags: [] },
	{ name: "jslab", display_name: "JavaScript", language: "javascript", flags: ["--js"] },
] as const;
const ASIDE = "kernel.json.before-workbook";

/**
 * Installs the kernelspecs of a tslab that loses no output. One that is there from somebody else is set aside.
 *
 * @throws {CodedError} `OUTPUT_NOT_WRITABLE`, `DISK_FULL`.
 */
export async function installKernelspecs(place: KernelspecPlace = {}): Promise<KernelspecChange[]> {
	const changes: KernelspecChange[] = [];
	for (const { name, display_name, language, flags } of SPECS) {
		const folder = join(kernelsFolder(place), name);
		const file = join(folder, "kernel.json");
		await makeFolder(folder);
		if (existsSync(file) && !(await isOurs(file))) {
			await rename(file, join(folder, ASIDE));
			changes.push({ name, file: join(folder, ASIDE), action: "set-aside" });
		}
		const argv = [process.execPath, KERNEL_PROGRAM, "{connection_file}", ...flags];
		const spec = { argv, display_name, interrupt_mode: "signal", language, metadata: { workbook: true } };
		await saveWhole(file, `${JSON.stringify(spec, null, 1)}\n`);
		changes.push({ name, file, action: "installed" });
	}
	return changes;
}

/** Removes what `installKernelspecs` installed, and puts back what it set aside. Others' kernels are left alone. */
export async function uninstallKernelspecs(place: KernelspecPlace = {}): Promise<KernelspecChange[]> {
	const changes: KernelspecChange[] = [];
	for (const { name } of SPECS) {
		const folder = join(kernelsFolder(place), name);
		const file = join(folder, "kernel.json");
		if (!existsSync(file)) {
			changes.push({ name, file, action: "absent" });
		} else if (!(await isOurs(file))) {
			changes.push({ name, file, action: "not-ours" });
		} else {
			await rm(file);
			changes.push({ name, file, action: "removed" });
			if (existsSync(join(folder, ASIDE))) {
				await rename(join(folder, ASIDE), file);
				changes.push({ name, file, action: "restored" });
			} else if ((await readdir(folder)).length === 0) await rmdir(folder);
		}
	}
	return changes;
}

/** Jupyter's own rule for its data folder. */
function kernelsFolder({ prefix }: KernelspecPlace): string {
	if (prefix !== undefined) return join(resolve(prefix), "share", "jupyter", "kernels");
	const { JUPYTER_DATA_DIR, APPDATA, XDG_DATA_HOME } = process.env;
	if (JUPYTER_DATA_DIR) return join(JUPYTER_DATA_DIR, "kernels");
	if (process.platform === "darwin") return join(homedir(), "Library", "Jupyter", "kernels");
	if (process.platform === "win32" && APPDATA) return join(APPDATA, "jupyter", "kernels");
	return join(XDG_DATA_HOME || join(homedir(), ".local", "share"), "jupyter", "kernels");
}

async function isOurs(file: string): Promise<boolean> {
	try {
		const spec: { readonly metadata?: { readonly workbook?: unknown } } = JSON.parse(await readFile(file, "utf8"));
		return spec.metadata?.workbook === true;
	} catch {
		return false;
	}
}
