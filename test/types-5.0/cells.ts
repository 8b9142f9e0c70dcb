// What a notebook cell sees: every public face, resolved and type-checked as tslab does it (TypeScript 5.0.4, node10).
import * as base from "batching-lab/base";
import * as batcher from "batching-lab/batcher";
import * as box from "batching-lab/box";
import * as charts from "batching-lab/charts";
import * as client from "batching-lab/client";
import * as lab from "batching-lab/lab";
import * as model from "batching-lab/model";
import * as notebook from "batching-lab/notebook";
import * as record from "batching-lab/record";
import * as report from "batching-lab/report";
import * as service from "batching-lab/service";
import * as shop from "batching-lab/shop";
import * as sim from "batching-lab/sim";
import * as stats from "batching-lab/stats";
import * as story from "batching-lab/story";

export const rooms = {
	base,
	batcher,
	shop,
	model,
	service,
	client,
	record,
	stats,
	story,
	sim,
	charts,
	lab,
	report,
	notebook,
	box,
};
