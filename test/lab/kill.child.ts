/** Runs the tiny sweep in the folder argv[2]; says each line of progress. */
import { openTiny } from "./tiny.js";

const folder = process.argv[2] ?? "";
const run = await openTiny(folder);
await run.sweep({ onProgress: ({ text }) => void process.stdout.write(`${text}\n`) });
run.close();
