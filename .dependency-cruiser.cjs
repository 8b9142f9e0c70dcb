/** Imports point one way; each room names what it may import. Everything may import `base`. */
const MAY_IMPORT = {
	base: [],
	batcher: [],
	record: [],
	stats: [],
	shop: ["base"],
	model: ["base", "shop"],
	service: ["base", "shop", "model", "batcher"],
	client: ["base", "stats", "record"],
	sim: ["base", "batcher", "stats", "client"],
	charts: ["base", "stats", "record"],
	lab: ["base", "shop", "model", "batcher", "service", "client", "record", "stats"],
	report: ["base", "shop", "model", "batcher", "service", "client", "record", "stats", "sim", "charts", "lab"],
	story: ["base", "shop", "model", "batcher", "service", "client", "record", "stats", "sim", "charts", "lab", "report"],
	notebook: ["base", "record", "stats", "lab", "charts"],
	box: ["base", "record", "lab", "notebook"],
};
const rooms = Object.entries(MAY_IMPORT).map(([room, allowed]) => ({
	name: `${room}-imports`,
	severity: "error",
	comment: `lib/${room} may import ${["itself", ...allowed].join(", ")}`,
	from: { path: `^lib/${room}/` },
	to: { path: "^lib/", pathNot: [`^lib/(${[room, ...allowed].join("|")})/`, "node_modules"] },
}));
const faces = Object.keys(MAY_IMPORT).map((room) => ({
	name: `${room}-public-face`,
	severity: "error",
	comment: `other rooms import lib/${room} through its index.ts`,
	from: { path: "^lib/", pathNot: `^lib/${room}/` },
	to: { path: `^lib/${room}/`, pathNot: `^lib/${room}/index\\.ts$` },
}));
module.exports = {
	forbidden: [
		...rooms,
		...faces,
		{ name: "no-circles", severity: "error", from: {}, to: { circular: true } },
		{ name: "nothing-imports-cli", severity: "error", from: { path: "^lib/", pathNot: "^lib/cli/" }, to: { path: "^lib/cli/" } },
	],
	options: {
		doNotFollow: { path: "node_modules" },
		exclude: { path: "(^|/)dist/" },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: "lib/tsconfig.json" },
		enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"], extensions: [".ts", ".js"] },
	},
};
