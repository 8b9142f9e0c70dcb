import { createHash } from "node:crypto";
import { existsSync, lstatSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { CodedError } from "../../base/index.js";
import type { Login } from "../state/schema.js";

/** The name that ssh and rsync know the machine by: everything about it is in the file that `writeSshConfig` writes. */
export const ALIAS = "box";
const HOST_KEY_ALIAS = "batching-box";
/** Files of the state's folder, which is the working folder of every ssh: a path is never part of an argument or a setting. */
export const CONFIG_FILE = "ssh_config";
export const KNOWN_HOSTS = "known_hosts";
export const KEY_FILE = "key";

/** `SHA256:…` of a host key `type base64`, as ssh-keygen shows it. */
export function fingerprint(key: string): string {
	const blob = Buffer.from(key.split(" ")[1] ?? "", "base64");
	return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

/** Writes `ssh_config`: strict host keys from our own file, no questions, and a sign of life every `aliveSeconds`. */
export function writeSshConfig(folder: string, login: Login, aliveSeconds: number): void {
	const lines = [
		`Host ${ALIAS}`,
		`HostName ${login.host}`,
		`User ${login.user}`,
		`Port ${login.port}`,
		...(existsSync(join(folder, KEY_FILE)) ? [`IdentityFile ${KEY_FILE}`, "IdentitiesOnly yes"] : []),
		`UserKnownHostsFile ${KNOWN_HOSTS}`,
		"GlobalKnownHostsFile /dev/null",
		`HostKeyAlias ${HOST_KEY_ALIAS}`,
		"StrictHostKeyChecking yes",
		"CheckHostIP no",
		"UpdateHostKeys no",
		"BatchMode yes",
		"ConnectTimeout 10",
		`ServerAliveInterval ${aliveSeconds}`,
		"ServerAliveCountMax 3",
		"ClearAllForwardings yes",
		"RequestTTY no",
	];
	writeFileSync(join(folder, CONFIG_FILE), `${lines.join("\n")}\n`, { mode: 0o600 });
}

/** Writes the only host keys that will be accepted. */
export function writeKnownHosts(folder: string, keys: readonly string[]): void {
	writeFileSync(join(folder, KNOWN_HOSTS), keys.map((key) => `${HOST_KEY_ALIAS} ${key}\n`).join(""), { mode: 0o600 });
}

/**
 * Makes a user's own key file known under a plain name, by a link, so that its path need not be quoted anywhere.
 *
 * @throws {CodedError} `IDENTITY_MISSING`
 */
export function linkIdentity(folder: string, identity: string): void {
	const target = resolve(identity);
	if (!existsSync(target)) {
		throw new CodedError("IDENTITY_MISSING", `there is no key file ${target}`, {
			hint: "--identity takes a private key",
		});
	}
	const link = join(folder, KEY_FILE);
	if (existsSync(link) && !lstatSync(link).isSymbolicLink()) {
		throw new CodedError("IDENTITY_TAKEN", `${link} is this box's own key`, { hint: "give this box another --name" });
	}
	rmSync(link, { force: true });
	symlinkSync(target, link);
}
