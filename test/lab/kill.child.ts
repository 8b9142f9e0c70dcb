/** Runs the tiny sweep in the folder argv[2]; says each line of progress. */
import { openTiny, tinyProfile } from "./tiny.js";

const folder = process.argv[2] ?? "";
const run = await openTiny(folder, { profile: tinyProfile({ rateMultiples: [0.25, 0.5] }) });
await run.sweep({ onProgress: ({ text }) => void process.stdout.write(`${text}\n`) });
run.close();
