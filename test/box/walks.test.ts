import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CodedError, deriveSeed, seededRandom } from "batching-lab/base";
import { type BoxOptions, runStep, STEP_NAMES, type StepName, type StepParts } from "batching-lab/box";
import { type Endpoint, type Fault, startEndpoint } from "./endpoint.js";
import { fastBoxes } from "./fast-remote.js";
import { tempFolder } from "./temp.js";
import { makeToyProject } from "./toy.js";

const WALKS = 200;
const FAULTS: readonly Fault[] = ["throttled", "denied", "expired", "broken", "lost-before", "lost-after"];

let endpoint: Endpoint;
let project: string;
before(async () => {
	endpoint = await startEndpoint();
	project = makeToyProject();
});
after(async () => {
	await endpoint.close();
	rmSync(project, { recursive: true });
});

test(`after teardown nothing is left, in ${WALKS} random walks through the steps with random faults`, async (context) => {
	const tally = { steps: 0, faults: 0, errors: 0, interrupted: 0, vanished: 0, rented: 0 };
	for (let walk = 0; walk < WALKS; walk++) {
		const random = seededRandom(deriveSeed("walk", walk));
		const chance = (share: number) => random() < share;
		const pick = <T>(items: readonly [T, ...T[]] | readonly T[]): T => items[Math.floor(random() * items.length)] as T;
		const folder = tempFolder("walk");
		const boxes = fastBoxes(project);
		const { world } = endpoint;
		boxes.alive = () => world.living().some(({ state }) => state === "running");
		const rough = random() * 0.2; // a walk of its own roughness: from calm to hopeless
		boxes.fault = () => (chance(rough) ? pick(["before", "after"] as const) : undefined);
		endpoint.fault = () => {
			if (!chance(rough)) return undefined;
			tally.faults++;
			return pick(FAULTS);
		};
		world.pendingLooks = Math.floor(random() * 3);
		world.lag = Math.floor(random() * 3);
		world.console = () =>
			chance(0.5)
				? ""
				: "-----BEGIN SSH HOST KEY KEYS-----\nssh-ed25519 AAAAC3 root@x\n-----END SSH HOST KEY KEYS-----";
		const options: BoxOptions = {
			name: `walk-${walk}`,
			provider: "ec2",
			statePath: join(folder, "state.json"),
			project,
			address: "192.0.2.7",
			to: join(folder, "results"),
			waitSeconds: 1,
			ssh: true,
		};
		const perform = async (
			step: StepName,
			more: BoxOptions = {},
			signal?: AbortSignal,
		): Promise<StepName | null | undefined> => {
			const parts: StepParts = { openRemote: boxes.open, secondMs: 0, ...(signal === undefined ? {} : { signal }) };
			tally.steps++;
			try {
				return (await runStep(step, { ...options, ...more }, parts)).next;
			} catch (error) {
				tally.errors++;
				assert.ok(error instanceof CodedError, String(error));
				assert.notEqual(error.code, "BOX_INTERNAL", `${step}: ${error.message}`);
				assert.match(
					error.hint ?? "",
					/box "walk-\d+" \(ec2.*(?:next: npx workbook box [a-z]+|nothing is left to do)/,
					error.message,
				);
				if (error.code === "INTERRUPTED") tally.interrupted++;
				return undefined;
			} finally {
				assert.ok(world.living().length <= 1, "never two machines");
			}
		};
		let next: StepName | null | undefined = "check";
		const length = 10 + Math.floor(random() * 12);
		for (let count = 0; count < length; count++) {
			const step: StepName = chance(0.85) && next ? next : pick(STEP_NAMES);
			const signal = chance(0.1) ? AbortSignal.timeout(Math.floor(random() * 12)) : undefined;
			const went = await perform(step, { discard: chance(0.2), again: chance(0.2) }, signal);
			next = went ?? next;
			const [machine] = world.living();
			if (machine !== undefined && chance(0.02)) {
				world.vanish(machine);
				tally.vanished++;
			}
		}
		endpoint.fault = () => undefined;
		boxes.fault = () => undefined;
		assert.notEqual(
			await perform("teardown", { discard: true }),
			undefined,
			"teardown does its work once the faults are over",
		);
		assert.deepEqual(world.resources(), [], `walk ${walk}`);
		tally.rented += world.machines.size;
		world.machines.clear();
		rmSync(folder, { recursive: true });
	}
	const { steps, faults, errors, interrupted, vanished, rented } = tally;
	context.diagnostic(
		`${WALKS} walks: ${steps} steps, ${endpoint.calls.length} calls, ${faults} faults of the cloud, ${errors} steps that ended in an error (${interrupted} interrupted), ${rented} machines rented, ${vanished} taken away, 0 left`,
	);
	assert.ok(rented > WALKS / 2 && faults > WALKS && errors > WALKS, "the walks went somewhere, and met faults");
});
