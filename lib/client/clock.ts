/**
 * ns since an epoch on CLOCK_MONOTONIC, which all processes and threads of a machine share: stamps of the client, of its
 * alarm thread and of the service can be laid side by side. Whole ns; about 50 ns a call.
 */
export class RunClock {
	readonly epochNs: bigint;

	constructor(epochNs: bigint = process.hrtime.bigint()) {
		this.epochNs = epochNs;
	}

	now(): number {
		return Number(process.hrtime.bigint() - this.epochNs);
	}
}
