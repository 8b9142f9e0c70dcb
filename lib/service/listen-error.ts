import { CodedError, hasCode } from "../base/index.js";

/** Why a port could not be had, in words that say what to do; anything else as it is. */
export function listenError(cause: unknown, port: number, host: string): unknown {
	if (!hasCode(cause)) return cause;
	const options = { cause, exitCode: 1 } as const;
	switch (cause.code) {
		case "EADDRINUSE":
			return new CodedError("PORT_IN_USE", `port ${port} of ${host} is in use`, {
				...options,
				hint: "end what listens there, take another port, or 0 for one the system gives",
			});
		case "EACCES":
			return new CodedError("PORT_FORBIDDEN", `this user may not listen on port ${port}`, {
				...options,
				hint: "take a port above 1023",
			});
		case "EADDRNOTAVAIL":
		case "ENOTFOUND":
			return new CodedError("UNKNOWN_HOST", `this machine has no address "${host}" to listen on`, options);
		default:
			return cause;
	}
}
