import { now, type Step } from "../box.js";
import { plain } from "../parse.js";
import { DEMO } from "../scripts/run.js";

export const demo: Step = {
	name: "demo",
	does: "runs the demo there, after the run",
	needs: ["setup"],
	plan: () => ["npx workbook demo on the box, its output here and among the results; refused while a run goes on"],
	async run(box) {
		await box.remote().run(DEMO, [box.state.name], { onLine: (line) => box.say(plain(line)) });
		// results that came home earlier lack the demo's
		box.update({ demo: { at: now() }, fetch: undefined });
		return { message: "the demo ran; its output lies among the results, and comes home with `fetch`" };
	},
};
