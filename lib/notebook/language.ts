import { CodedError } from "../base/index.js";
import type { Notebook } from "./format.js";

/**
 * Whether a notebook is JavaScript rather than TypeScript; one that does not say is taken for TypeScript.
 *
 * @throws {CodedError} `UNSUPPORTED_KERNEL` for a notebook in another language.
 */
export function isJavaScript({ metadata }: Notebook, path: string): boolean {
	const { kernelspec, language_info: info } = metadata;
	const language = (kernelspec?.language ?? info?.name ?? "typescript").toLowerCase();
	if (language === "typescript") return false;
	if (language === "javascript") return true;
	throw new CodedError("UNSUPPORTED_KERNEL", `${path} is written in ${language}; TypeScript or JavaScript is expected`);
}
