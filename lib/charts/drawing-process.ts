/** Entry of the drawing process: figures in over the process channel, SVG out; ends when its parent disconnects. */
import type { Figure } from "./figure.js";
import { createPage } from "./window.js";

/** parent → drawing process */
export interface DrawRequest {
	readonly id: number;
	readonly figure: Figure;
}

/** drawing process → parent */
export type DrawReply = { readonly id: number; readonly svg: string } | { readonly id: number; readonly error: string };

const page = createPage();
let queue: Promise<void> = Promise.resolve();
process.on("message", ({ id, figure }: DrawRequest) => {
	queue = queue
		.then(() => page.draw(figure))
		.then(
			(svg): DrawReply => ({ id, svg }),
			(error: unknown): DrawReply => ({ id, error: error instanceof Error ? error.message : String(error) }),
		)
		.then((reply) => void process.send?.(reply));
});
process.on("disconnect", () => process.exit(0));
