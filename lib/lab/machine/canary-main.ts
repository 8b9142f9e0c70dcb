/**
 * The canary's process: it sits on the measured core, asleep, and times the fixed work when asked. It lives as long as
 * the lab, so its code is compiled once; when its lab goes, it goes.
 */
import { timeCanary } from "./canary-work.js";

for (let i = 0; i < 20; i++) timeCanary(3); // compiled before the first question
process.on("message", () => process.send?.(timeCanary()));
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
