import { type Figure, showChart as showFigure } from "../charts/index.js";
import { tell } from "./tell.js";

const NO_RUN =
	"There is no valid run to draw here. Where the machine was too busy, runs are marked INVALID and left out; what was wrong with each stands in the record.";

/**
 * Shows a chart, or says that there is nothing to draw.
 *
 * @param otherwise what is said then. @default that every run which would be in it was INVALID, or not made
 */
export async function showChart(figure: Figure | null, otherwise: string = NO_RUN): Promise<void> {
	if (figure === null) tell(otherwise);
	else await showFigure(figure);
}
