/** Takes the machine's lock, says so, and holds it until it is killed. */
import { takeLock } from "batching-lab/lab";

takeLock("sweep quick", process.argv[2]);
process.stdout.write("held\n");
setInterval(() => {}, 1000);
