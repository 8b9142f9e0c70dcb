import { CodedError } from "../../base/index.js";
import type { Box } from "../box.js";
import type { Cloud } from "../cloud/cloud.js";
import { differences, manifestDigest, parseManifest, readManifest } from "../manifest.js";
import { HASH_RESULTS } from "../scripts/run.js";
import { resultsAtRisk } from "../state/situation.js";

const HINT = "`fetch` brings them home; --discard deletes without them";

function notSafe(message: string, hint = HINT): CodedError {
	return new CodedError("NOT_FETCHED", message, { exitCode: 1, hint });
}

/**
 * Deleting comes last: a start's results must be at home, and still be there as they were verified.
 *
 * @throws {CodedError} `NOT_FETCHED`
 */
export async function checkSafe(box: Box): Promise<void> {
	const { fetch, start } = box.state;
	if (resultsAtRisk(box.state)) throw notSafe(`the results of run ${start?.id} are not at home`);
	if (fetch === undefined) return;
	const manifest = readManifest(fetch.folder);
	const wrong =
		manifest === undefined || manifestDigest(manifest) !== fetch.digest
			? ["its list"]
			: await differences(fetch.folder, manifest);
	if (wrong.length > 0) {
		throw notSafe(`${fetch.folder} is not as it was verified any more: ${wrong.slice(0, 5).join(", ")}`);
	}
}

/** A machine that this state did not rent may hold results that it knows nothing of. */
export async function checkKnown(box: Box, cloud: Cloud): Promise<void> {
	const { launch, fetch, name } = box.state;
	if (fetch !== undefined || (launch !== undefined && !launch.adopted)) return;
	const [machine] = await cloud.machines(name);
	if (machine === undefined || machine.state === "shutting-down") return;
	throw notSafe(
		`${machine.id} was rented by a state that is lost: what results it holds is not known`,
		"--discard deletes it with all it holds",
	);
}

/** The same for a machine of one's own, which can be asked: everything that lies there must be at home. */
export async function checkAllHome(box: Box): Promise<void> {
	const there = parseManifest(await box.remote().run(HASH_RESULTS, [box.state.name, ""]));
	const home = box.state.fetch === undefined ? undefined : readManifest(box.state.fetch.folder);
	const lacking = [...there].filter(([path, { sha256 }]) => home?.get(path)?.sha256 !== sha256).map(([path]) => path);
	if (lacking.length > 0) {
		throw notSafe(
			`${lacking.length} results on the box are not at home as they are there: ${lacking.slice(0, 5).join(", ")}`,
			box.state.start === undefined ? "another state of this box made them; --discard deletes them" : HINT,
		);
	}
}
