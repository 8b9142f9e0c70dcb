/**
 * Average precision: AP = Σ (R_n − R_{n−1}) · P_n over the thresholds from high to low, P and R the precision and
 * recall among the rows that score at least the threshold. Rows of equal score come in together. No interpolation
 * (scikit-learn's definition, from Zhu 2004). NaN without a positive label.
 *
 * @param scores one a row, higher = more likely
 * @param labels 0 or 1 a row
 */
export function averagePrecision(scores: ArrayLike<number>, labels: ArrayLike<number>): number {
	if (scores.length !== labels.length)
		throw new RangeError(`${scores.length} scores for ${labels.length} labels: there must be one a row`);
	const order = Uint32Array.from({ length: scores.length }, (_, row) => row);
	order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
	let positives = 0;
	let positivesBefore = 0;
	let sum = 0;
	for (const [index, row] of order.entries()) {
		positives += labels[row] ?? 0;
		const next = order[index + 1];
		if (next !== undefined && scores[next] === scores[row]) continue;
		sum += (positives - positivesBefore) * (positives / (index + 1));
		positivesBefore = positives;
	}
	return sum / positives;
}
