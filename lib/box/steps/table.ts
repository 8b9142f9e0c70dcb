import type { Step } from "../box.js";
import type { StepName } from "../state/situation.js";
import { access } from "./access.js";
import { check } from "./check.js";
import { cost } from "./cost.js";
import { demo } from "./demo.js";
import { fetch } from "./fetch.js";
import { launch } from "./launch.js";
import { quiet } from "./quiet.js";
import { report } from "./report.js";
import { setup } from "./setup.js";
import { start } from "./start.js";
import { status } from "./status.js";
import { teardown } from "./teardown.js";
import { verify } from "./verify.js";
import { wait } from "./wait.js";
import { watch } from "./watch.js";

/** Every step, in the lesson's order. */
export const STEPS: Readonly<Record<StepName, Step>> = {
	check,
	access,
	launch,
	wait,
	setup,
	verify,
	quiet,
	start,
	watch,
	demo,
	fetch,
	report,
	teardown,
	cost,
	status,
};
