export { type ArrivalsOptions, poissonArrivals } from "./arrivals.js";
export { type ClientDone, type ClientProcess, type StartClientOptions, startClient } from "./process.js";
export * from "./protocol.js";
