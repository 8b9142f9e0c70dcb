import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus, release } from "node:os";
import { promisify } from "node:util";

/** Where a copy was executed. Only what stays the same between two runs on one machine and one commit. */
export interface CopyEnvironment {
	readonly platform: string;
	readonly arch: string;
	readonly cpu: string;
	/** CPUs this process may use. */
	readonly cores: number;
	/** Version of the operating system's kernel. */
	readonly kernel: string;
	readonly node: string;
	readonly tslab: string;
	readonly onnxruntime: string;
	/** `<sha>`, with `+changes` when the checkout was not clean; "not available" outside a repository. */
	readonly gitCommit: string;
}

const require = createRequire(import.meta.url);

/** Looks at the machine and at the repository around `folder`. Takes some milliseconds; nothing is loaded. */
export async function copyEnvironment(folder: string): Promise<CopyEnvironment> {
	return {
		platform: process.platform,
		arch: process.arch,
		cpu: cpus()[0]?.model.trim() ?? "not available",
		cores: availableParallelism(),
		kernel: release(),
		node: process.versions.node,
		tslab: packageVersion("tslab"),
		onnxruntime: packageVersion("onnxruntime-node"),
		gitCommit: await gitCommit(folder),
	};
}

function packageVersion(name: string): string {
	try {
		const parsed: { readonly version?: unknown } = JSON.parse(
			readFileSync(require.resolve(`${name}/package.json`), "utf8"),
		);
		return typeof parsed.version === "string" ? parsed.version : "not available";
	} catch {
		return "not available";
	}
}

async function gitCommit(folder: string): Promise<string> {
	const git = (...args: string[]) => promisify(execFile)("git", ["-C", folder, ...args], { timeout: 5_000 });
	try {
		const { stdout: commit } = await git("rev-parse", "HEAD");
		const { stdout: changes } = await git("status", "--porcelain", "--untracked-files=no");
		return commit.trim() + (changes.trim() === "" ? "" : "+changes");
	} catch {
		return "not available";
	}
}
