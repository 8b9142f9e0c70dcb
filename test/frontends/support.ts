import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installKernelspecs } from "batching-lab/notebook";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const run = promisify(execFile);
const requirements = join(root, "test", "frontends", "requirements.txt");

/**
 * Jupyter and its friends in a throw-away Python environment, made once for a set of versions and kept in the system's
 * temporary folder. Returns the environment's folder of programs.
 */
export async function pythonEnvironment(): Promise<string> {
	const version = await run("python3", ["--version"]).catch(() => {
		throw new Error("these tests need Python 3 with venv (Debian: apt-get install python3-venv)");
	});
	const key = createHash("sha256").update(version.stdout).update(readFileSync(requirements)).digest("hex").slice(0, 12);
	const folder = join(tmpdir(), `workbook-frontends-${key}`);
	const complete = join(folder, "complete");
	await holding(`${folder}.lock`, async () => {
		if (existsSync(complete)) return;
		await rm(folder, { recursive: true, force: true });
		await run("python3", ["-m", "venv", folder]).catch((error: Error) => {
			throw new Error(`python3 -m venv failed (Debian: apt-get install python3-venv): ${error.message}`);
		});
		const pip = ["install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
		await run(join(folder, "bin", "pip"), pip, { timeout: 600_000 });
		await writeFile(complete, "");
	});
	return join(folder, "bin");
}

/** One process at a time; a lock older than ten minutes was left by one that was killed. */
async function holding(lock: string, task: () => Promise<void>): Promise<void> {
	for (;;) {
		try {
			await mkdir(lock);
			break;
		} catch {
			const age = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0;
			if (age > 600_000) await rm(lock, { recursive: true, force: true });
			await new Promise((resolve) => setTimeout(resolve, 500));
		}
	}
	try {
		await task();
	} finally {
		await rm(lock, { recursive: true, force: true });
	}
}

/** Path of Chromium; a browser is a tool of these tests only. */
export function chromium(): string {
	const path = process.env.CHROMIUM ?? "/usr/bin/chromium";
	if (existsSync(path)) return path;
	throw new Error(`these tests need Chromium at ${path} (Debian: apt-get install chromium; or set CHROMIUM)`);
}

/** A folder inside the project, so that notebooks in it find the library; gone when the file is done. */
export function folderInProject(): string {
	const folder = mkdtempSync(join(root, "outputs", "frontends-"));
	after(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** An environment in which Jupyter sees our kernel and nothing of whoever runs the tests. */
export async function jupyterEnvironment(folder: string): Promise<NodeJS.ProcessEnv> {
	const prefix = join(folder, "prefix");
	await installKernelspecs({ prefix });
	return {
		...process.env,
		JUPYTER_PATH: join(prefix, "share", "jupyter"),
		JUPYTER_CONFIG_DIR: join(folder, "config"),
		JUPYTER_DATA_DIR: join(folder, "data"),
		JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
		JUPYTERLAB_SETTINGS_DIR: join(folder, "settings"),
		JUPYTERLAB_WORKSPACES_DIR: join(folder, "workspaces"),
		JUPYTER_PLATFORM_DIRS: "1",
		IPYTHONDIR: join(folder, "ipython"),
	};
}
