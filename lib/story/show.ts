import { type Figure, showChart as showFigure } from "../charts/index.js";
import { tell } from "./tell.js";

/** Shows a chart, or says that there is nothing to draw: every run that would be in it was INVALID, or not made. */
export async function showChart(figure: Figure | null): Promise<void> {
	if (figure === null)
		tell(
			"There is no valid run to draw here. Where the machine was too busy, runs are marked INVALID and left out; what was wrong with each stands in the record.",
		);
	else await showFigure(figure);
}
