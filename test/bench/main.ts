import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

// `npm run bench -- NAME [--check]`: one file a bench beside this one; with --check it exits 1 when a stated number is missed.
const here = fileURLToPath(new URL(".", import.meta.url));
const names = readdirSync(here)
	.filter((file) => file.endsWith(".js") && file !== "main.js" && !file.startsWith("_"))
	.map((file) => file.slice(0, -".js".length));
const [name, ...rest] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
	process.stderr.write(
		`bench: ${name === undefined ? "a name is needed" : `no bench "${name}"`}; there are: ${names.join(", ")}\n`,
	);
	process.exitCode = 2;
} else {
	const { status } = spawnSync(process.execPath, [`${here}${name}.js`, ...rest], { stdio: "inherit" });
	process.exitCode = status ?? 1;
}
