import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "./temp.js";

/** Stands in for the command on the box: it runs in a moment, and shows everything that the steps look at. */
const COMMAND = `#!/usr/bin/env node
import { appendFileSync, mkdirSync, writeFileSync, symlinkSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
const [command, ...rest] = process.argv.slice(2);
const option = (name) => rest[rest.indexOf(name) + 1];
if (command === "run") {
  const profile = option("--profile");
  const outputs = process.env.BATCHING_LAB_OUTPUTS;
  const folder = join(outputs, "toy-run");
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(outputs, "latest"))) symlinkSync("toy-run", join(outputs, "latest"));
  appendFileSync(join(folder, "starts"), process.pid + (rest.includes("--resume") ? " resumed" : "") + "\\n");
  const line = (text) => {
    appendFileSync(join(folder, "progress.log"), new Date().toISOString() + " " + text + "\\n");
    const device = process.env.BATCHING_LAB_CONSOLE;
    if (device) appendFileSync(device, "BATCHING-PROGRESS " + text + "\\n");
  };
  line("run 1 of 2");
  // held: until the test lets it go, however slow the machine is
  while (profile === "held" && !existsSync(join(outputs, "let-go"))) await new Promise((resolve) => setTimeout(resolve, 50));
  await new Promise((resolve) => setTimeout(resolve, profile === "long" ? 60_000 : profile === "short" ? 1500 : 200));
  if (profile === "fails") { console.error("the toy failed"); process.exit(3); }
  line("run 2 of 2");
  writeFileSync(join(folder, "record.bin"), randomBytes(Number(process.env.TOY_BYTES ?? 1000)));
} else if (command === "report") {
  console.log(JSON.stringify({ bytes: readFileSync(join(rest[0], "record.bin")).length }));
} else if (command === "demo") {
  console.log("a tiny demo");
  writeFileSync(option("--save"), "{}");
} else process.exit(2);
`;

const manifest = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** A project in git with the workbook's name, an awkward file name, an ignored file and one that git does not know. */
export function makeToyProject(): string {
	const root = tempFolder("toy");
	const write = (path: string, content: string | Uint8Array) => {
		mkdirSync(join(root, path, ".."), { recursive: true });
		writeFileSync(join(root, path), content);
	};
	const lib = { name: "batching-lab", version: "1.0.0", type: "module", bin: { workbook: "bin/workbook.js" } };
	const top = { name: "batching-workbook", version: "1.0.0", workspaces: ["lib"] };
	write("package.json", manifest({ ...top, private: true, type: "module", dependencies: { "batching-lab": "1.0.0" } }));
	write("lib/package.json", manifest(lib));
	write(
		"package-lock.json",
		manifest({
			...top,
			lockfileVersion: 3,
			requires: true,
			packages: {
				"": { ...top, dependencies: { "batching-lab": "1.0.0" } },
				lib: { name: lib.name, version: lib.version, bin: lib.bin },
				"node_modules/batching-lab": { resolved: "lib", link: true },
			},
		}),
	);
	write("lib/bin/workbook.js", COMMAND);
	write('notebooks/it\'s a "name" $HOME `id`.md', "an awkward name\n");
	write("notebooks/two\nlines.md", "a more awkward one\n");
	write("big.bin", randomBytes(300_000));
	write(".gitignore", "node_modules/\noutputs/\ndata/\ndist/\n");
	write("data/manifest.json", "{}\n");
	write("data/store.sqlite", randomBytes(5000));
	const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { stdio: "pipe" });
	git("init", "-q");
	git("add", ".");
	git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "a toy");
	write("unknown.txt", "git does not know this\n");
	return root;
}
