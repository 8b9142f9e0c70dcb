export type * from "./protocol.js";
export { parseSetting, type Setting } from "./setting.js";
