import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../process.js";
import type { Login } from "../state/schema.js";
import { copyFailure, scriptFailure } from "./failure.js";
import type { Remote } from "./remote.js";
import { ALIAS, CONFIG_FILE, writeKnownHosts, writeSshConfig } from "./ssh-config.js";

export interface SshOptions {
	/** The folder of the state: key, pinned host key and configuration lie there. */
	readonly folder: string;
	readonly login: Login;
	readonly signal?: AbortSignal;
	/** Seconds between signs of life; after three without an answer the connection counts as lost. @default 15 */
	readonly aliveSeconds?: number;
}

/** rsync splits this at its spaces, so it is a constant; the configuration is found by the working folder. */
const RSYNC_WAY = `ssh -F ${CONFIG_FILE}`;

/** Reaches a box by the system's own ssh and rsync. */
export function openSsh({ folder, login, signal, aliveSeconds = 15 }: SshOptions): Remote {
	const local = { cwd: folder, ...(signal === undefined ? {} : { signal }) };
	const configure = () => writeSshConfig(folder, login, aliveSeconds);
	const rsync = async (args: readonly string[], input?: string): Promise<void> => {
		configure();
		const common = ["-rlptz", "--timeout", String(aliveSeconds * 4), "-e", RSYNC_WAY];
		const finished = await runProgram("rsync", [...common, ...args], {
			...local,
			...(input === undefined ? {} : { input }),
		});
		const failure = copyFailure(finished);
		if (failure !== undefined) throw failure;
	};
	return {
		async run(script, parameters, { payload = "", onLine } = {}) {
			configure();
			// bash reads its program from the same stream byte by byte, so what follows the last line is the script's own input
			const head = `${script.text}\n${parameters.map((value) => `${value}\0`).join("")}`;
			const finished = await runProgram("ssh", ["-F", CONFIG_FILE, ALIAS, "exec bash -s"], {
				...local,
				input: Buffer.concat([Buffer.from(head), Buffer.from(payload)]),
				...(onLine === undefined ? {} : { onLine }),
			});
			const failure = scriptFailure(script.name, finished);
			if (failure !== undefined) throw failure;
			return finished.stdout;
		},
		push: (from, to, files) =>
			// by content, not by time and size: what is there must be what is here
			rsync(
				["--checksum", "--files-from=-", "--from0", join(from, "/"), `${ALIAS}:${to}/`],
				files.map((file) => `${file}\0`).join(""),
			),
		pull(from, to) {
			mkdirSync(to, { recursive: true });
			return rsync(["--partial", "--partial-dir=.rsync-partial", `${ALIAS}:${from}/`, join(to, "/")]);
		},
		async hostKeys() {
			const args = ["-T", "5", "-p", String(login.port), "-t", "ed25519,ecdsa,rsa", login.host];
			const { stdout } = await runProgram("ssh-keyscan", args, local);
			return stdout.split("\n").flatMap((line) => {
				const [, type, key] = line.split(" ");
				return line.startsWith("#") || type === undefined || key === undefined ? [] : [`${type} ${key}`];
			});
		},
		pin(keys) {
			writeKnownHosts(folder, keys);
			configure();
		},
	};
}
