import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Query, toXml } from "./query.js";
import { Refusal, World } from "./world.js";

/** What may go wrong with one call: refused by the cloud, lost before it was carried out, lost after, or never answered. */
export type Fault = "throttled" | "denied" | "expired" | "broken" | "lost-before" | "lost-after" | "unanswered";

const REFUSALS = {
	throttled: new Refusal("RequestLimitExceeded", "Request limit exceeded.", 503),
	denied: new Refusal("UnauthorizedOperation", "You are not authorized to perform this operation.", 403),
	expired: new Refusal("RequestExpired", "Request has expired."),
	broken: new Refusal("InternalError", "An internal error has occurred", 500),
};

export interface Endpoint {
	readonly world: World;
	readonly url: string;
	/** Every action that was asked for, in order. */
	readonly calls: string[];
	/** Decides each call's fate; none by default. */
	fault: (action: string) => Fault | Refusal | undefined;
	close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part);
	return Buffer.concat(parts).toString();
}

/** Starts an EC2 of one's own on 127.0.0.1, and points this process's environment to it. */
export async function startEndpoint(): Promise<Endpoint> {
	const world = new World();
	const calls: string[] = [];
	const server = createServer((request, response) => {
		const serve = async (): Promise<void> => {
			const query = new Query(await bodyOf(request));
			const action = query.get("Action");
			calls.push(action);
			const fault = endpoint.fault(action);
			if (fault === "lost-before") return void request.socket.destroy();
			response.setHeader("content-type", "text/xml;charset=UTF-8");
			try {
				if (fault instanceof Refusal) throw fault;
				if (fault !== undefined && fault !== "lost-after" && fault !== "unanswered") throw REFUSALS[fault];
				const answer = toXml({ requestId: "r", ...Object(world.answer(query)) });
				if (fault === "lost-after") return void request.socket.destroy();
				if (fault === "unanswered") return;
				response.end(
					`<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/">${answer}</${action}Response>`,
				);
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				response.statusCode = error.status;
				const { code, message } = error;
				response.end(
					`<Response>${toXml({ Errors: { Error: { Code: code, Message: message } }, RequestID: "r" })}</Response>`,
				);
			}
		};
		serve().catch((error: unknown) => {
			response.statusCode = 500;
			response.end(String(error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const endpoint: Endpoint = {
		world,
		calls,
		url: `http://127.0.0.1:${port}`,
		fault: () => undefined,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	Object.assign(process.env, {
		AWS_ENDPOINT_URL_EC2: endpoint.url,
		AWS_REGION: "eu-test-1",
		AWS_ACCESS_KEY_ID: "AKIDTEST",
		AWS_SECRET_ACCESS_KEY: "secret-of-the-test",
		AWS_MAX_ATTEMPTS: "1",
		AWS_CONFIG_FILE: "/dev/null",
		AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
	});
	return endpoint;
}
