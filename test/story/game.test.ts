import assert from "node:assert/strict";
import { test } from "node:test";
import { busGame, TRIP_MINUTES } from "batching-lab/story";

test("one seat and no wait: everybody travels alone, one trip after the other", async () => {
	const day = await busGame({ seats: 1, waitMinutes: 0 });
	assert.equal(day.trips.length, day.arrivals.length);
	for (const [index, trip] of day.trips.entries()) {
		assert.equal(trip.passengers, 1);
		const before = day.trips[index - 1];
		if (before !== undefined) assert.ok(trip.leavesAt >= before.leavesAt + TRIP_MINUTES);
	}
});

test("as many seats as people and a long wait: one full bus leaves when the last one comes", async () => {
	const day = await busGame({ seats: 12, waitMinutes: 60 });
	assert.deepEqual(day.trips, [{ leavesAt: day.arrivals.at(-1), passengers: 12 }]);
	assert.equal(day.journeys.at(-1), TRIP_MINUTES);
});

test("nobody is left behind, and nobody arrives before the trip is over", async () => {
	for (const rules of [
		{ seats: 4, waitMinutes: 0 },
		{ seats: 4, waitMinutes: 3 },
		{ seats: 2, waitMinutes: 10 },
	]) {
		const day = await busGame(rules);
		assert.equal(
			day.trips.reduce((sum, { passengers }) => sum + passengers, 0),
			day.arrivals.length,
		);
		for (const minutes of day.journeys) assert.ok(minutes >= TRIP_MINUTES);
	}
});

test("the same rules give the same morning", async () => {
	const [one, other] = await Promise.all([
		busGame({ seats: 3, waitMinutes: 2 }),
		busGame({ seats: 3, waitMinutes: 2 }),
	]);
	assert.deepEqual([one.trips, one.journeys], [other.trips, other.journeys]);
});

test("a bus without seats is refused by name and value", async () => {
	await assert.rejects(busGame({ seats: 0, waitMinutes: 0 }), { code: "BAD_GAME", message: /seats .* got 0/ });
	await assert.rejects(busGame({ seats: 2, waitMinutes: Number.NaN }), { code: "BAD_GAME" });
});
