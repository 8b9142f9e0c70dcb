/**
 * Entry of a kernel process: tslab with its output losses mended.
 * Arguments: the path of a connection file, then optionally `--js` for JavaScript in place of TypeScript.
 */
import { attributeToCells } from "./attribution.js";
import { showChildOutput } from "./children.js";
import { deliverEverything, endAfterShutdown, ignoreStrangers } from "./delivery.js";
import { showWithoutHooks } from "./inspection.js";
import { holdLifeline } from "./lifeline.js";
import { replyWithErrors, startRecordingErrors } from "./replies.js";
import { loadTslab } from "./tslab.js";
import { noticeUnseenErrors } from "./unseen.js";
import { surviveChangedPackages } from "./watching.js";

const [configPath, language] = process.argv.slice(2);
if (configPath === undefined) throw new Error("the path of a connection file is needed");

const tell = holdLifeline();
surviveChangedPackages();
const tslab = loadTslab();
deliverEverything(tslab.server);
ignoreStrangers(tslab.server);
endAfterShutdown(tslab.server);
attributeToCells(tslab);
showWithoutHooks();
replyWithErrors(tslab);
noticeUnseenErrors((error) => tell({ type: "unseen-error", ...error }));
showChildOutput();
startRecordingErrors(tslab, { configPath, enableFindLocal: false, jsKernel: language === "--js", globalVersion: "" });
