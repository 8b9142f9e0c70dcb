import { runStep, STEP_NAMES } from "batching-lab/box";

/** One step in a process of its own, with keep-alives that a test can wait for: `step.js STEP OPTIONS-AS-JSON`. */
const [, , step, options = "{}"] = process.argv;
const name = STEP_NAMES.find((one) => one === step);
if (name === undefined) throw new Error(`no step ${step}`);
process.stdout.write("begins\n");
try {
	const { message, advice } = await runStep(name, JSON.parse(options), { aliveSeconds: 1, secondMs: 50 });
	process.stdout.write(`${message}\n${advice}\n`);
} catch (error) {
	const { code, hint } = Object(error);
	process.stdout.write(`${code}\n${hint}\n`);
	process.exitCode = 1;
}
