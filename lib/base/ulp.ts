/** Orders the bit patterns of floats as the numbers they stand for, so that neighbours differ by 1 (both zeros are 0). */
function rank(bits: number): number {
	return bits >= 0x8000_0000 ? -(bits - 0x8000_0000) : bits;
}

/** Units in the last place between two float32 numbers, given by their bits: how many floats lie from one to the other. */
export function ulpDistance(bits: number, otherBits: number): number {
	return Math.abs(rank(bits) - rank(otherBits));
}
