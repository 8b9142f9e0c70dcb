import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../process.js";
import type { Login } from "../state/schema.js";
import { copyFailure, scriptFailure, silent } from "./failure.js";
import { LOGGED_IN, type Remote } from "./remote.js";
import { ALIAS, CONFIG_FILE, writeKnownHosts, writeSshConfig } from "./ssh-config.js";

export interface SshOptions {
	/** The folder of the state: key, pinned host key and configuration lie there. */
	readonly folder: string;
	readonly login: Login;
	readonly signal?: AbortSignal;
	/** Seconds between signs of life; after three without an answer the connection counts as lost. @default 15 */
	readonly aliveSeconds?: number;
}

const KEYSCAN_MS = 30_000;
/** rsync splits this at its spaces, so it is a constant; the configuration is found by the working folder. */
const RSYNC_WAY = `ssh -F ${CONFIG_FILE}`;

/** Reaches a box by the system's own ssh and rsync. */
export function openSsh({ folder, login, signal, aliveSeconds = 15 }: SshOptions): Remote {
	// ssh bounds the connection and the exchange of keys, and listens for signs of life once it is in: what lies between is ours to bound
	const loginSeconds = 10 + aliveSeconds * 4;
	const sign = { text: LOGGED_IN, ms: loginSeconds * 1000, late: () => silent(loginSeconds) };
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
				sign,
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
			// a link that leads out of the results could make a later copy, or a deletion, hit something else
			return rsync(["--safe-links", "--partial", "--partial-dir=.rsync-partial", `${ALIAS}:${from}/`, join(to, "/")]);
		},
		async hostKeys() {
			const args = ["-T", "5", "-p", String(login.port), "-t", "ed25519,ecdsa,rsa", login.host];
			// its own limit counts from connection to connection, and it makes one for each type of key
			const timeout = AbortSignal.timeout(KEYSCAN_MS);
			const ended = local.signal === undefined ? timeout : AbortSignal.any([local.signal, timeout]);
			const scanned = runProgram("ssh-keyscan", args, { ...local, signal: ended });
			const stdout = await scanned.then(
				(finished) => finished.stdout,
				(error: unknown) => {
					if (timeout.aborted && !local.signal?.aborted) return "";
					throw error;
				},
			);
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
