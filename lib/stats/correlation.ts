/**
 * Integrated autocorrelation time of a series: how many neighbours say the same thing once. 1 = independent; in a
 * queue near saturation it runs into the hundreds. Sums autocorrelations up to the first lag beyond five times the
 * sum so far (Sokal's window), which keeps the noise of far lags out. From a short series it comes out too small.
 */
export function correlationTime(series: ArrayLike<number>): number {
	const count = series.length;
	let mean = 0;
	for (let i = 0; i < count; i++) mean += (series[i] ?? Number.NaN) / count;
	let variance = 0;
	for (let i = 0; i < count; i++) variance += ((series[i] ?? Number.NaN) - mean) ** 2;
	if (variance === 0) return 1;
	let time = 1;
	for (let lag = 1; lag < count / 2; lag++) {
		let covariance = 0;
		for (let i = lag; i < count; i++)
			covariance += ((series[i] ?? Number.NaN) - mean) * ((series[i - lag] ?? Number.NaN) - mean);
		time += (2 * covariance) / variance;
		if (lag >= 5 * time) break;
	}
	return Math.max(1, time);
}

/** No block is a larger share of its series: fewer than ten blocks say nothing about how blocks scatter. */
export const LARGEST_BLOCK_SHARE = 0.1;

/**
 * Block length for the latencies of a queue: ten correlation times, so that neighbours that share one congestion stay
 * together; at least n^⅓ and at most a tenth of the series.
 */
export function blockLength(series: ArrayLike<number>): number {
	const wanted = Math.max(Math.cbrt(series.length), 10 * correlationTime(series));
	return Math.max(1, Math.min(Math.ceil(wanted), Math.floor(series.length * LARGEST_BLOCK_SHARE)));
}
