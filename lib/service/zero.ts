import type { PredictReply } from "./protocol.js";

/**
 * A score of -0 keeps its sign. JSON can say `-0`, but JavaScript's own number-to-text, which fast-json-stringify
 * uses, writes `0`, and then one bit of the float32 is lost. These two write the same text as the reply schemas.
 */
export const hasNegativeZero = ({ score }: PredictReply): boolean => score === 0 && Object.is(score, -0);

export function writeRow(row: PredictReply): string {
	const { customerId, month, score, batchSize, batchId } = row;
	const number = hasNegativeZero(row) ? "-0" : String(score);
	return `{"customerId":${customerId},"month":${JSON.stringify(month)},"score":${number},"batchSize":${batchSize},"batchId":${batchId}}`;
}

export const writeList = (rows: readonly PredictReply[]): string => `{"predictions":[${rows.map(writeRow).join(",")}]}`;
