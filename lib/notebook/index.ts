export { Kernel } from "./kernel.js";
