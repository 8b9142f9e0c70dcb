import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openAssets, openModel, prepareAssets, rebuildAssets } from "batching-lab/model";
import { DEFAULT_SHOP_SEED, openStore, syntheticShop } from "batching-lab/shop";

const root = mkdtempSync(join(tmpdir(), "assets-"));
after(() => rmSync(root, { recursive: true }));
const made = join(root, "made");
const FILES = ["ft.onnx", "gbt.onnx", "manifest.json", "mlp.onnx", "requests.json", "store.sqlite"];
/** A copy of the folder that the first build made. */
const copy = (name: string) => {
	cpSync(made, join(root, name), { recursive: true });
	return join(root, name);
};
const manifestText = (dataDir: string) => readFileSync(join(dataDir, "manifest.json"), "utf8");
const flipByte = (path: string, at: number) => {
	const bytes = readFileSync(path);
	bytes[at] = (bytes[at] ?? 0) ^ 1;
	writeFileSync(path, bytes);
};

const shares: number[] = [];
before(async () => {
	await prepareAssets(made, { onProgress: ({ done, total }) => shares.push(done / total) });
});

test("a fresh folder gets store, requests, three models and a manifest, and nothing else", () => {
	assert.deepEqual(readdirSync(made).sort(), FILES);
	const { manifest } = openAssets(made);
	assert.equal(manifest.shop.source, "synthetic");
	assert.equal(manifest.shop.testRows, 26_851);
	assert.equal(manifest.shop.trainRows, 61_678);
	assert.ok(manifest.models.gbt.testAveragePrecision >= 0.53, `AP ${manifest.models.gbt.testAveragePrecision}`);
	assert.ok(manifest.models.gbt.maxLeaves <= 31);
});

test("progress rises from 0 to 1", () => {
	assert.equal(shares[0], 0);
	assert.equal(shares.at(-1), 1);
	assert.ok(shares.every((share, index) => index === 0 || share >= Number(shares[index - 1])));
});

test("a second call builds nothing", async () => {
	const before = FILES.map((file) => statSync(join(made, file)).mtimeMs);
	await prepareAssets(made, { onProgress: () => assert.fail("something is being built") });
	assert.deepEqual(
		FILES.map((file) => statSync(join(made, file)).mtimeMs),
		before,
	);
});

for (const [file, what] of [
	["gbt.onnx", "a model"],
	["store.sqlite", "the store"],
	["requests.json", "the request list"],
] as const)
	test(`one changed bit in ${what} stops everything, and the message says what to rebuild`, async () => {
		const dataDir = copy(`changed-${file}`);
		flipByte(join(dataDir, file), 200);
		const mismatch = { code: "MANIFEST_MISMATCH", message: new RegExp(`^${file} in .*workbook data reset`) };
		assert.throws(() => openAssets(dataDir), mismatch);
		await assert.rejects(prepareAssets(dataDir), mismatch);
	});

test("a missing model is made again, to the byte", async () => {
	const dataDir = copy("missing");
	rmSync(join(dataDir, "mlp.onnx"));
	assert.throws(() => openAssets(dataDir), { code: "MANIFEST_MISMATCH", message: /^mlp\.onnx is missing/ });
	await prepareAssets(dataDir);
	assert.equal(manifestText(dataDir), manifestText(made));
});

test("a store of an imported shop that is lost is not replaced by a made-up one", async () => {
	const dataDir = copy("imported");
	const manifest = JSON.parse(manifestText(dataDir));
	manifest.shop = { ...manifest.shop, source: "imported", seed: undefined, importedSha256: "0".repeat(64) };
	writeFileSync(join(dataDir, "manifest.json"), JSON.stringify(manifest));
	rmSync(join(dataDir, "store.sqlite"));
	await assert.rejects(prepareAssets(dataDir), { code: "MANIFEST_MISMATCH", message: /workbook data import FILE/ });
});

test("a store without a manifest keeps its rows and gets models of its own", async () => {
	const dataDir = join(root, "other-shop");
	const other = await rebuildAssets(dataDir, { shop: syntheticShop(DEFAULT_SHOP_SEED + 1) });
	const hash = other.manifest.files["store.sqlite"]?.sha256;
	assert.notEqual(hash, openAssets(made).manifest.files["store.sqlite"]?.sha256);
	for (const file of ["manifest.json", "gbt.onnx", "ft.onnx", "mlp.onnx"]) rmSync(join(dataDir, file));
	const again = await prepareAssets(dataDir);
	assert.deepEqual(again.manifest, other.manifest);
});

test("an interrupted rebuild leaves everything as it was", async () => {
	const dataDir = copy("interrupted");
	const controller = new AbortController();
	const build = rebuildAssets(dataDir, {
		shop: syntheticShop(DEFAULT_SHOP_SEED + 2),
		signal: controller.signal,
		onProgress: ({ text }) => {
			if (text.startsWith("training")) controller.abort();
		},
	});
	await assert.rejects(build, { code: "INTERRUPTED", exitCode: 130 });
	assert.deepEqual(readdirSync(dataDir).sort(), FILES);
	assert.equal(openAssets(dataDir).manifest.shop.seed, DEFAULT_SHOP_SEED);
});

test("a commit that was cut off half-way is finished by whoever comes next", () => {
	const dataDir = copy("pending");
	const pending = join(dataDir, ".pending");
	mkdirSync(pending);
	// Two files are in place already, the rest still waits; the old manifest describes neither state.
	for (const file of FILES.slice(2)) renameSync(join(dataDir, file), join(pending, file));
	writeFileSync(join(dataDir, "manifest.json"), "{}");
	assert.equal(openAssets(dataDir).manifest.shop.testRows, 26_851);
	assert.deepEqual(readdirSync(dataDir).sort(), FILES);
});

const child = (dataDir: string) =>
	spawn(
		process.execPath,
		[
			"--input-type=module",
			"--eval",
			`import { prepareAssets } from "batching-lab/model";
			await prepareAssets(${JSON.stringify(dataDir)}, { onProgress: ({ text }) => console.log(text) });`,
		],
		{ stdio: ["ignore", "pipe", "inherit"] },
	);

test("a killed build leaves nothing in the way, and two processes at once agree", async () => {
	const dataDir = join(root, "shared");
	const victim = child(dataDir);
	for await (const text of victim.stdout.setEncoding("utf8"))
		if (String(text).includes("training")) victim.kill("SIGKILL");
	assert.ok(readdirSync(dataDir).every((file) => !FILES.includes(file)));
	const both = [child(dataDir), child(dataDir)];
	for (const { stdout } of both) stdout.resume();
	const codes = await Promise.all(both.map(async (process) => (await once(process, "exit"))[0]));
	assert.deepEqual(codes, [0, 0]);
	assert.deepEqual(readdirSync(dataDir).sort(), FILES);
	assert.equal(manifestText(dataDir), manifestText(made));
});

test("no manifest, a foreign one, and models that nobody knows", async () => {
	assert.throws(() => openAssets(join(root, "nowhere")), { code: "ASSETS_MISSING" });
	const dataDir = copy("foreign");
	writeFileSync(join(dataDir, "manifest.json"), `{"format":99}`);
	await assert.rejects(prepareAssets(dataDir), { code: "MANIFEST_FOREIGN", message: /manifest\.json/ });
	const assets = openAssets(made);
	await assert.rejects(openModel(assets, "gtb"), { code: "UNKNOWN_MODEL", message: /"gtb"; there are gbt, ft, mlp/ });
	await assert.rejects(openModel(assets, "mine.onnx"), { code: "NO_MODEL_FILE", message: /mine\.onnx/ });
});

test("a model opens by name, or by the path of its file", async () => {
	const assets = openAssets(made);
	const store = openStore(assets.storePath);
	const features = Float32Array.from(store.lookup(13_085, "2011-11")?.features ?? []);
	store.close();
	for (const name of ["ft", assets.modelPaths.ft]) {
		const model = await openModel(assets, name);
		assert.equal(model.name, "ft");
		const [score] = await model.score({ features }, 1);
		assert.ok(Number(score) > 0 && Number(score) < 1);
		await model.close();
	}
});
