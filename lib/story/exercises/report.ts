import { CodedError } from "../../base/index.js";
import type { Report } from "../../report/index.js";
import { notMeasured } from "../values.js";
import type { Exercise } from "./check.js";

/** A made-up model: a large fixed cost, and rows that are cheap. */
const MADE_UP = { fixedUs: 2000, rowUs: 10, rows: 32 };
const LONG_WAIT_SECONDS = 0.01;

/** Two questions whose numbers come from the reader's own report, and whose answers do not stand in it. */
export function reportExercises(report: Report | undefined): readonly Exercise[] {
	const value = (key: string, what: string): number => {
		if (report === undefined)
			throw new CodedError("NOT_MEASURED", "the exercises of notebook 06 need its report", { exitCode: 1 });
		const found = report.numbers.get(key);
		if (found === undefined) throw notMeasured(what, "story.measureAll");
		return found;
	};
	const elsewhereUs = () =>
		value("coreTime/ft/none/restOfServiceUs", "where the core's time goes for ft") +
		value("coreTime/ft/none/clientUs", "where the core's time goes for ft");
	return [
		{
			tolerance: 0.05,
			expected: () => {
				const { fixedUs, rowUs, rows } = MADE_UP;
				return (elsewhereUs() + fixedUs + rowUs) / (elsewhereUs() + fixedUs / rows + rowUs);
			},
			hint: "Add up what an answer costs alone, then what it costs in company: the rest of the service and the client stay, one row stays, and the fixed cost is shared by thirty-two. Divide the first sum by the second.",
			because:
				"The core has as many answers in a second as their cost fits into it. The fixed part, shared, almost disappears; everything else stays, and sets the limit.",
		},
		{
			tolerance: 0.05,
			expected: () => value("sweep/gbt/none/x0.5/ratePerSecond", "gbt at half of S") * LONG_WAIT_SECONDS,
			hint: "The head of the table of results says how many requests come in a second at half of S. Ten milliseconds are a hundredth of that second.",
			because:
				"Compare it with the thirty-two seats: if it is smaller, the bus leaves with empty seats after everybody has waited; if it is larger, the bus is full before the wait is over. The wait does not make more people come.",
		},
	];
}
