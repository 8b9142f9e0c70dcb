/** Two gains closer than this, as a share, count as the same. */
const SAME = 0.03;

/** How much of a gain another one explains, in words. @param share of the gain; above a tenth */
export function partOfGain(share: number): string {
	if (share > 1 + SAME) return "more than the whole gain";
	if (share >= 1 - SAME) return "as much as the whole gain";
	if (share >= 0.8) return "nearly the whole gain";
	if (share >= 0.6) return "most of the gain";
	return share >= 0.4 ? "about half of the gain" : "a smaller part of the gain";
}
