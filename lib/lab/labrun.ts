import { CodedError } from "../base/index.js";
import { type Assets, findModel } from "../model/index.js";
import {
	type BitCheckRow,
	type EnvironmentRow,
	type GuessRow,
	type ModelAloneRow,
	openRecord,
	type RecordReader,
} from "../record/index.js";
import { saturationSettingsOf } from "./design.js";
import { isAloneComplete, measureAlone, measureBits } from "./part-a.js";
import type { Profile } from "./profiles.js";
import { measureSaturation, missingRuns, planSaturation, type Saturation, summariseSaturation } from "./saturation.js";
import type { OnProgress } from "./session/progress.js";
import type { OnChange, Session } from "./session/session.js";
import { withSession } from "./session/start.js";
import { isSweepComplete, measureSweep, type SweepSummary, summariseSweep } from "./sweep.js";

/** How to wait for a measurement. */
export interface MeasureOptions {
	readonly onProgress?: OnProgress;
	/** Aborting ends every process and rejects with `INTERRUPTED`; finished runs are safe. */
	readonly signal?: AbortSignal;
}

/** @internal */
export interface LabRunPlace {
	readonly folder: string;
	readonly recordPath: string;
	readonly root: string;
	readonly profile: Profile;
	readonly assets: Assets;
	readonly onChange: OnChange;
	readonly console?: string;
}

/**
 * One run of the laboratory. Every method finds its results in the record, or measures what is missing first; what was
 * measured once is never measured again. Get one from `openRun`.
 */
export class LabRun {
	/** Absolute; holds `lab.sqlite` and `progress.log`. */
	readonly folder: string;
	readonly profile: Profile;
	readonly assets: Assets;
	readonly #place: LabRunPlace;
	#reader: RecordReader | undefined;

	/** @internal */
	constructor(place: LabRunPlace) {
		this.folder = place.folder;
		this.profile = place.profile;
		this.assets = place.assets;
		this.#place = place;
	}

	/** Everything this run has measured so far. */
	get record(): RecordReader {
		this.#reader ??= openRecord(this.#place.recordPath);
		return this.#reader;
	}

	/** Names of the models that the profile has. */
	get models(): readonly string[] {
		return this.profile.models.map((model) => this.#name(model));
	}

	/** This machine, as of the last start of a measurement. */
	async environment(options: MeasureOptions = {}): Promise<EnvironmentRow> {
		if (this.record.environments().length === 0) await this.#measure("environment", [], options, async () => {});
		const last = this.record.environments().at(-1);
		if (last === undefined) throw new CodedError("NOT_MEASURED", `${this.record.path} describes no machine`);
		return last;
	}

	/** Writes a guess down, with its date and hash. After the first timed run it is marked as added later. */
	guess(guess: Pick<GuessRow, "key" | "text" | "value"> & { readonly author?: GuessRow["author"] }): void {
		const writer = openRecord(this.#place.recordPath, { readonly: false });
		try {
			writer.addGuess({ author: "reader", ...guess });
		} finally {
			writer.close();
		}
	}

	/** Part A: the rounds of one model, each a fresh process that timed every size. */
	async modelAlone(model: string, options: MeasureOptions = {}): Promise<ModelAloneRow[]> {
		const name = this.#name(model);
		if (!isAloneComplete(this.record.modelAlone(name), this.profile.aloneRounds)) {
			await this.#measure(`model alone, ${name}`, [model], options, (session) => measureAlone(session, model));
		}
		return this.record.modelAlone(name);
	}

	/** Are batched scores the single-row scores, bit for bit; with one thread, as the service runs. */
	async bitCheck(model: string, options: MeasureOptions = {}): Promise<BitCheckRow> {
		const name = this.#name(model);
		const found = () => this.record.bitChecks(name).find((check) => check.threads === 1);
		if (found() === undefined) {
			await this.#measure(`bit check, ${name}`, [model], options, (session) => measureBits(session, model));
		}
		const check = found();
		if (check === undefined) throw new CodedError("NOT_MEASURED", `${this.record.path} has no bit check of ${name}`);
		return check;
	}

	/**
	 * What the service answers at most: closed loops, interleaved. One entry a model, in the order asked for.
	 *
	 * @param options.models default: the profile's
	 * @param options.settings default: what the profile has for each model; of `none` it is S
	 */
	async saturation(
		options: MeasureOptions & { readonly models?: readonly string[]; readonly settings?: readonly string[] } = {},
	): Promise<Saturation[]> {
		const { models = this.profile.models, settings } = options;
		const specs = planSaturation(this.profile, models, settings);
		if (missingRuns(this.record, specs, (model) => this.#name(model)).length > 0) {
			await this.#measure("saturation", models, options, (session) => measureSaturation(session, specs));
		}
		return models.flatMap(
			(model) =>
				summariseSaturation(this.record, this.#name(model), settings ?? saturationSettingsOf(this.profile, model)) ??
				[],
		);
	}

	/** The open-loop sweep. Its runs are in `record.finishedRuns({ kind: "open" })`. */
	async sweep(options: MeasureOptions = {}): Promise<SweepSummary> {
		if (!isSweepComplete(this.record, this.profile, (model) => this.#name(model))) {
			// an answer is judged by its model's bit check, so that comes first
			for (const model of this.profile.models) await this.bitCheck(model, options);
			await this.#measure("sweep", this.profile.models, options, measureSweep);
		}
		return summariseSweep(this.record, this.profile);
	}

	/** Frees the record. The run can still be used: it opens again when it is asked something. */
	close(): void {
		this.#reader?.close();
		this.#reader = undefined;
	}

	#name(model: string): string {
		return findModel(this.assets, model).name;
	}

	#measure<T>(
		purpose: string,
		models: readonly string[],
		{ onProgress, signal }: MeasureOptions,
		action: (session: Session) => Promise<T>,
	): Promise<T> {
		const { folder, root, profile, assets, onChange, console: device } = this.#place;
		// the file may get another name; what is read afterwards is the one that takes its place
		if (onChange === "set-aside") this.close();
		return withSession(
			{
				folder,
				root,
				assets,
				profile,
				models: [...new Set([...profile.models, ...models])],
				purpose,
				onChange,
				...(device === undefined ? {} : { console: device }),
				...(onProgress === undefined ? {} : { onProgress }),
				...(signal === undefined ? {} : { signal }),
			},
			action,
		);
	}
}
