import type { BatchColumns, StampColumns } from "../../record/index.js";
import type { Counted } from "../../service/index.js";

/** Moments of `CLOCK_MONOTONIC` as plain ns since the run's epoch. Exact: a run is far shorter than 104 days. */
function sinceEpoch(moments: BigInt64Array, epochNs: bigint): Float64Array {
	return Float64Array.from(moments, (moment) => Number(moment - epochNs));
}

/** The service's columns on the run's own clock. Client and service share `CLOCK_MONOTONIC`: they are on one machine. */
export function offsetsOf(
	{ batches, stamps }: Pick<Counted, "batches" | "stamps">,
	epochNs: bigint,
): { readonly batches: BatchColumns; readonly stamps?: StampColumns } {
	const { firstSubmitNs, ...rest } = batches;
	const columns = { ...rest, firstSubmitNs: sinceEpoch(firstSubmitNs, epochNs) };
	if (stamps === undefined) return { batches: columns };
	return {
		batches: columns,
		stamps: {
			handlerStartNs: sinceEpoch(stamps.handlerStartNs, epochNs),
			rowReadyNs: sinceEpoch(stamps.rowReadyNs, epochNs),
			scoreBackNs: sinceEpoch(stamps.scoreBackNs, epochNs),
			replyWrittenNs: sinceEpoch(stamps.replyWrittenNs, epochNs),
		},
	};
}
