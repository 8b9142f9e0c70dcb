import assert from "node:assert/strict";
import { test } from "node:test";
import { functionModel } from "batching-lab/model";
import fc from "fast-check";
import { post, withService } from "./doubles.js";

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);
const bitsOf = (value: number): number => {
	float[0] = value;
	return bits[0] ?? 0;
};

/** A model that answers with the floats it was told to, in turn. */
function scripted() {
	const scores: number[] = [];
	const model = functionModel("script", [{ name: "x", type: "float32", width: 6 }], (_, rows) =>
		Float32Array.from({ length: rows }, () => scores.shift() ?? 0),
	);
	return { model, scores };
}

function scoresIn(body: unknown): number[] {
	assert.ok(typeof body === "object" && body !== null);
	if ("score" in body && typeof body.score === "number") return [body.score];
	assert.ok("predictions" in body && Array.isArray(body.predictions));
	return body.predictions.map(({ score }) => Number(score));
}

for (const setting of ["none", "b32w0"]) {
	test(`${setting}: a float32 score comes out of the JSON with the same 32 bits, -0 and subnormals too`, async () => {
		const { model, scores } = scripted();
		await withService(setting, { model }, async (_, url) => {
			const any = fc.float({ noNaN: true, noDefaultInfinity: true });
			const awkward = fc.constantFrom(
				-0,
				0,
				1,
				0.1,
				1.401298464324817e-45,
				3.4028234663852886e38,
				-1.1754943508222875e-38,
			);
			await fc.assert(
				fc.asyncProperty(fc.array(fc.oneof(any, awkward), { minLength: 1, maxLength: 8 }), async (values) => {
					scores.splice(0, scores.length, ...values);
					const body =
						values.length === 1
							? { customerId: 1 }
							: { customers: values.map((_, index) => ({ customerId: index + 1 })) };
					const reply = await post(url, body);
					assert.equal(reply.status, 200);
					assert.deepEqual(scoresIn(reply.body).map(bitsOf), values.map(Math.fround).map(bitsOf));
				}),
				{ numRuns: 150, examples: [[[-0]], [[-0, 1]]] },
			);
		});
	});
}
