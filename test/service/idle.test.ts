import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { until, withService } from "./doubles.js";
import { openSocket, requestText } from "./sockets.js";

test("512 sockets that were idle for longer than Node's own 5 s are all used again", () =>
	withService("b32w0", {}, async (service, url) => {
		const clients = await Promise.all(Array.from({ length: 512 }, () => openSocket(url)));
		const askAll = async (round: number) => {
			for (const [index, { socket }] of clients.entries()) socket.write(requestText(1 + index));
			await until(
				() => clients.every((client) => client.replies().length === round),
				`${round} replies on every socket`,
			);
		};
		await askAll(1);
		await delay(6000);
		await askAll(2);
		assert.equal(service.answered, 1024);
		for (const client of clients) {
			assert.ok(client.replies().every(({ status }) => status === 200));
			client.socket.destroy();
		}
	}));
