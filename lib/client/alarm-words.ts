/** The words that the loop and its alarm thread share, as indices of an Int32Array. */
export const STATE = 0;
/** Rises whenever the thread wakes the loop. */
export const BELL = 1;
/** The first arrival that the loop has not dealt with. */
export const NEXT = 2;
/** Nobody rings here except `stop`: the thread sleeps on it. */
export const PILLOW = 3;
/** 1: the loop does not want to be woken; it clears and rings this when it does. */
export const HUSH = 4;
export const WORDS = 5;

export const WAITING = 0;
export const RUNNING = 1;
export const STOPPED = 2;

export interface AlarmData {
	/** Float64, ns since the epoch. */
	readonly arrivals: SharedArrayBuffer;
	/** Int32, see above. */
	readonly words: SharedArrayBuffer;
	/** One BigInt64: the epoch, written before STATE says RUNNING. */
	readonly epoch: SharedArrayBuffer;
}
