import { CodedError } from "../../base/index.js";
import { type Box, now } from "../box.js";
import { isYoung, type Machine } from "../cloud/cloud.js";

/**
 * Whether the rented machine has ended, which is then written down. A cloud's lists lag behind a launch, so a young machine
 * that it does not know yet has not.
 */
export function goneNow(box: Box, id: string, machine: Machine | undefined): CodedError | undefined {
	const { launch } = box.state;
	if (machine === undefined && launch !== undefined && isYoung(launch.at)) return undefined;
	const state = machine?.state ?? "gone";
	if (state !== "gone" && state !== "terminated" && state !== "shutting-down" && !state.startsWith("stop")) {
		return undefined;
	}
	if (launch !== undefined) box.update({ launch: { ...launch, endedAt: launch.endedAt ?? now() } });
	return new CodedError("BOX_GONE", `${id} is ${state}`, {
		exitCode: 1,
		hint: "the cloud took it away, or it reached its last hour",
	});
}
