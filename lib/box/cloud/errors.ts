import { CodedError } from "../../base/index.js";
import { interrupted } from "../process.js";

interface Meaning {
	readonly code: string;
	readonly text: string;
	readonly hint: string;
}

/** What EC2's codes mean to the person at the keyboard. The cloud's own message is kept beside it. */
const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
	[
		/^(?:Expired(?:Token|Credentials)|RequestExpired|TokenRefreshRequired|ExpiredTokenException)/,
		{
			code: "CLOUD_EXPIRED",
			text: "the credentials have expired",
			hint: "sign in again the way you do for the aws command; a rented box goes on and ends itself at its hour",
		},
	],
	[
		/^(?:AuthFailure|InvalidClientTokenId|SignatureDoesNotMatch|UnrecognizedClientException|InvalidAccessKeyId)/,
		{
			code: "CLOUD_CREDENTIALS",
			text: "the credentials are not accepted",
			hint: "check AWS_PROFILE or the keys in use",
		},
	],
	[
		/^(?:UnauthorizedOperation|AccessDenied|Client\.UnauthorizedOperation|OptInRequired|Blocked)/,
		{
			code: "CLOUD_DENIED",
			text: "this account may not do that",
			hint: "ask for the EC2 rights that `npx workbook box check --dry-run` lists",
		},
	],
	[
		/^(?:Throttling|RequestLimitExceeded|TooManyRequests|SlowDown|EC2ThrottledException)/,
		{ code: "CLOUD_THROTTLED", text: "the cloud asks to slow down", hint: "wait a minute" },
	],
	[
		/^(?:VcpuLimitExceeded|InstanceLimitExceeded|MaxSpotInstanceCountExceeded)/,
		{
			code: "CLOUD_LIMIT",
			text: "the account's limit of machines is reached",
			hint: "another machine runs in this region, or the limit must be raised",
		},
	],
	[
		/^(?:InsufficientInstanceCapacity|Unsupported|InsufficientHostCapacity)/,
		{
			code: "CLOUD_CAPACITY",
			text: "the cloud has no such machine free here",
			hint: "try again later, another --instance-type or another region",
		},
	],
	[
		/^IdempotentParameterMismatch/,
		{
			code: "CLOUD_ASKED_BEFORE",
			text: "another machine was asked for by this request before",
			hint: "`teardown` deletes what it may have rented, and the next `check` begins anew",
		},
	],
	[
		/^(?:CredentialsProviderError|CredentialsError)/,
		{
			code: "CLOUD_CREDENTIALS",
			text: "no credentials were found",
			hint: "set them up as for the aws command: AWS_PROFILE, a config file or environment variables",
		},
	],
];

const NETWORK =
	/ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|TimeoutError|socket hang up|NetworkingError|UND_ERR/;

function nameOf(error: unknown): string {
	return error instanceof Error ? error.name : "";
}

/** EC2's own code for an error of its client, `InvalidGroup.NotFound`; the error's class name where there is none. */
export function cloudCode(error: unknown): string {
	if (error instanceof Error && "Code" in error && typeof error.Code === "string") return error.Code;
	return nameOf(error);
}

/** Turns what the client threw into what a person can act on. The message never holds a credential. */
export function cloudFault(call: string, error: unknown): CodedError {
	if (error instanceof CodedError) return error;
	if (nameOf(error) === "AbortError") return interrupted();
	const code = cloudCode(error);
	const said = withoutSecrets(error instanceof Error ? error.message : String(error));
	const known = MEANINGS.find(([pattern]) => pattern.test(code));
	if (known !== undefined) {
		const [, { code: ours, text, hint }] = known;
		return new CodedError(ours, `${text} (${call}: ${code}: ${said})`, { cause: error, exitCode: 1, hint });
	}
	if (/Region is missing/.test(said)) {
		return new CodedError("CLOUD_REGION", "no region is set", {
			cause: error,
			hint: "set AWS_REGION, for example eu-west-1",
		});
	}
	if (NETWORK.test(code) || NETWORK.test(said) || /^5/.test(httpStatus(error))) {
		return new CodedError("CLOUD_UNREACHABLE", `the cloud did not answer (${call}: ${code}: ${said})`, {
			cause: error,
			exitCode: 1,
			hint: "check the network; whether the request was carried out is looked up when the step runs again",
		});
	}
	if (/^4/.test(httpStatus(error))) {
		return new CodedError("CLOUD_REFUSED", `the cloud refuses (${call}: ${code}: ${said})`, {
			cause: error,
			exitCode: 1,
			hint: "nothing was done by this request: mend what it names",
		});
	}
	return new CodedError("CLOUD_FAILED", `${call} failed (${code}: ${said})`, { cause: error, exitCode: 1 });
}

const SECRETS = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] as const;

/** A message may repeat what was sent, and a program that gives out credentials may print them when it fails. */
function withoutSecrets(text: string): string {
	const named = SECRETS.map((name) => process.env[name] ?? "").filter((value) => value.length >= 8);
	const hidden = named.reduce((rest, value) => rest.replaceAll(value, "…"), text);
	return hidden.replaceAll(/\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b|\b[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/g, "…");
}

function httpStatus(error: unknown): string {
	if (typeof error !== "object" || error === null || !("$metadata" in error)) return "";
	const metadata = error.$metadata;
	return typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata
		? String(metadata.httpStatusCode)
		: "";
}

/** @throws {CodedError} the one that `cloudFault` makes of it */
export async function ask<T>(call: string, send: () => Promise<T>): Promise<T> {
	try {
		return await send();
	} catch (error) {
		throw cloudFault(call, error);
	}
}
