import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { computeNumbers, openSource } from "batching-lab/report";
import Database from "better-sqlite3";
import { makeLab, scratch } from "./lab.js";

function numbersOf(folder: string): ReadonlyMap<string, number> {
	const source = openSource(folder);
	try {
		return computeNumbers(source).numbers;
	} finally {
		source.close();
	}
}

test("a multiple of S stands with its smallest and largest round, each from the two closed loops of that round", (t) => {
	const folder = makeLab(scratch(t), { models: ["ft"], rateMultiples: [0.5] });
	const database = new Database(join(folder, "lab.sqlite"), { readonly: true });
	const rates = new Map(
		database
			.prepare(
				"SELECT setting || round AS place, summary ->> '$.answeredPerSecond' AS rate FROM run WHERE kind = 'closed'",
			)
			.all()
			.map((row) => {
				assert.ok(typeof row === "object" && row !== null && "place" in row && "rate" in row);
				return [String(row.place), Number(row.rate)] as const;
			}),
	);
	database.close();
	const times = [1, 2, 3, 4, 5].map((round) => (rates.get(`b32w0${round}`) ?? 0) / (rates.get(`none${round}`) ?? 0));
	const numbers = numbersOf(folder);
	const key = "saturation/ft/b32w0";
	assert.equal(numbers.get(`${key}/timesSLow`), Math.min(...times));
	assert.equal(numbers.get(`${key}/timesSHigh`), Math.max(...times));
	assert.equal(numbers.get(`${key}/timesSRounds`), 5);
	const middle = numbers.get(`${key}/timesS`) ?? 0;
	assert.ok(Math.min(...times) <= middle && middle <= Math.max(...times));
	assert.equal(numbers.has("saturation/ft/none/timesSLow"), false);
});

test("a round that lacks one of the two has no multiple", (t) => {
	const folder = makeLab(scratch(t), { models: ["ft"], rateMultiples: [0.5] });
	const database = new Database(join(folder, "lab.sqlite"));
	database.exec("UPDATE run SET verdict = 'INVALID' WHERE kind = 'closed' AND setting = 'none' AND round = 2");
	database.close();
	const numbers = numbersOf(folder);
	assert.equal(numbers.get("saturation/ft/b32w0/timesSRounds"), 4);
	assert.equal(numbers.get("saturation/ft/b32w0/rounds"), 5);
});
