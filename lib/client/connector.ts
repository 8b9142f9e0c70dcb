import type { Socket } from "node:net";
import { buildConnector } from "undici";

export type Connector = buildConnector.connector;

const CONNECT_TIMEOUT_MS = 5000;

export function createConnector(): Connector {
	return buildConnector({ timeout: CONNECT_TIMEOUT_MS });
}

/** A socket to the service at `url`, over TLS where the URL says so. */
export function openSocket(connector: Connector, { hostname, host, protocol, port }: URL): Promise<Socket> {
	return new Promise((resolve, reject) => {
		// an IPv6 address stands in brackets in a URL, and without them everywhere else
		connector({ hostname: hostname.replace(/^\[|\]$/g, ""), host, protocol, port }, (error, socket) => {
			if (error) reject(error);
			else resolve(socket);
		});
	});
}
