/** The process entry: `node main.js '{"dataDir":…}'`, started by `startService` only. */
import { CodedError } from "../base/index.js";
import { hostService } from "./host.js";
import { openParts } from "./parts.js";
import type { ServiceConfig } from "./protocol.js";

function readConfig(text: string | undefined): ServiceConfig {
	// Written by startService a moment ago, in the same version: not checked again.
	if (text === undefined || process.send === undefined)
		throw new CodedError("USAGE", "this process is started by startService only", {
			hint: "workbook serve is for people",
		});
	return JSON.parse(text);
}

await hostService(readConfig(process.argv[2]), ({ dataDir, model }) => openParts(dataDir, model));
