import { validateHeaderName, validateHeaderValue } from "node:http";
import { CodedError } from "../base/index.js";

/** Where requests go and what they look like, apart from their bodies. */
export interface Target {
	readonly url: URL;
	readonly method: string;
	/** Name, value, name, value. */
	readonly headers: readonly string[];
}

/** @throws {CodedError} `BAD_URL` */
export function httpUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
		throw new CodedError("BAD_URL", `a URL begins with http:// or https://, got "${text}"`, {
			hint: "for example http://127.0.0.1:8080/predict",
		});
	}
	if (url.username !== "" || url.password !== "") {
		throw new CodedError("BAD_URL", "a URL with a name and a password in it is not taken", {
			hint: 'give them as a header: --header "authorization: Basic …"',
		});
	}
	return url;
}

/** Headers that belong to the connection or follow from the body, so that the client alone sets them. */
const OWN_HEADERS = ["connection", "content-length", "expect", "keep-alive", "transfer-encoding", "upgrade"];

/** @throws {CodedError} `BAD_HEADER` */
export function checkedHeaders(headers: readonly (readonly [name: string, value: string])[]): string[] {
	return headers.flatMap(([name, value]) => {
		if (OWN_HEADERS.includes(name.toLowerCase())) {
			throw new CodedError("BAD_HEADER", `the client sets "${name}" itself; leave that header out`);
		}
		try {
			validateHeaderName(name);
			validateHeaderValue(name, value);
		} catch (cause) {
			throw new CodedError("BAD_HEADER", `"${name}: ${value}" is not a header; expected "name: value"`, { cause });
		}
		return [name, value];
	});
}

/** @throws {CodedError} `BAD_METHOD` */
export function checkedMethod(method: string, hasBody: boolean): string {
	const name = method.toUpperCase();
	if (!/^[A-Z]+$/.test(name) || name === "CONNECT") {
		throw new CodedError("BAD_METHOD", `a method is a word such as GET or POST, got "${method}"`);
	}
	if (hasBody && (name === "GET" || name === "HEAD")) {
		throw new CodedError("BAD_METHOD", `${name} carries no body`, { hint: "leave the body out, or use POST" });
	}
	return name;
}
