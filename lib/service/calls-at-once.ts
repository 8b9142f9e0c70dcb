/** As many rows as one full batch of the usual B may stand before the model together. */
const ROWS_AT_ONCE = 32;

/**
 * How many model calls a turn of the loop may launch. With W = 0 and a small B the batches that one turn forms are
 * launched together and run back to back; one call a turn would read the sockets between any two, which costs
 * `b1w0` a third of its answers (0.61 instead of 0.88 × S, 16 connections, `gbt`), `b8w0` a tenth (1.34 instead of
 * 1.52 × S), and `b32w0` nothing either way (1.54 × S). A row that is launched can no longer be dropped, so no
 * more than one batch of 32 would hold; and who waits on purpose (W above 0) keeps to one call.
 */
export function callsAtOnce(maxBatchSize: number, maxWaitMs: number): number {
	return maxWaitMs > 0 ? 1 : Math.max(1, Math.floor(ROWS_AT_ONCE / maxBatchSize));
}
