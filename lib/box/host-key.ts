import { CodedError } from "../base/index.js";
import { type Box, loginOf } from "./box.js";
import { fingerprint } from "./remote/ssh-config.js";
import type { Login } from "./state/schema.js";

type HostKey = NonNullable<Login["hostKey"]>;

/** The host keys that a machine printed on its serial console as it came up (cloud-init does), each `type base64`. */
export function consoleHostKeys(console: string): readonly string[] {
	const block = /-----BEGIN SSH HOST KEY KEYS-----([\s\S]*?)-----END SSH HOST KEY KEYS-----/.exec(console)?.[1] ?? "";
	return [...block.matchAll(/((?:ssh-|ecdsa-)[a-z0-9-]+) ([A-Za-z0-9+/=]+)/g)].map(([, type, key]) => `${type} ${key}`);
}

function pin(box: Box, keys: readonly string[], source: HostKey["source"]): HostKey {
	const hostKey: HostKey = { fingerprint: fingerprint(keys[0] ?? ""), source };
	box.remote().pin(keys);
	box.update({ login: { ...loginOf(box.state), hostKey } });
	return hostKey;
}

/** Pins what the machine itself printed where only the cloud can read it. */
export function pinConsoleKeys(box: Box, keys: readonly string[]): HostKey {
	return pin(box, keys, "console");
}

/**
 * Pins keys that came over the network: the one the user named, or all on trust, said aloud. Pinned once, a machine that
 * shows none of those keys any more is refused.
 *
 * @throws {CodedError} `HOST_KEY_CHANGED`
 */
export function pinHostKey(box: Box, keys: readonly string[]): HostKey {
	const login = loginOf(box.state);
	const wanted = box.options.hostKey ?? login.hostKey?.fingerprint;
	if (wanted === undefined) {
		const first = pin(box, keys, "first-use");
		box.say(
			`host key of ${login.host} taken on trust: ${first.fingerprint}. Compare it on the machine with: ssh-keygen -lf /etc/ssh/ssh_host_${(keys[0] ?? "").split(" ")[0]?.replace("ssh-", "")}_key.pub`,
		);
		return first;
	}
	const matching = keys.filter((key) => fingerprint(key) === wanted);
	if (matching.length === 0) {
		throw new CodedError("HOST_KEY_CHANGED", `${login.host} shows ${keys.map(fingerprint).join(", ")}, not ${wanted}`, {
			exitCode: 1,
			hint: "another machine may be answering at this address: do not log in before you know why",
		});
	}
	return pin(box, matching, box.options.hostKey === undefined ? (login.hostKey?.source ?? "first-use") : "given");
}
