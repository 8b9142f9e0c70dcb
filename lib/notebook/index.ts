export { executeNotebook } from "./execute.js";
