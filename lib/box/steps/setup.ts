import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { CodedError } from "../../base/index.js";
import { type Box, now, type Step } from "../box.js";
import { plainWord } from "../options.js";
import { keyValues } from "../parse.js";
import { projectFiles, sha256File } from "../project-files.js";
import { remoteFolder } from "../remote/remote.js";
import { INSTALL, NODE, PROBE, PRUNE } from "../scripts/setup.js";

const DEFAULT_FREE_MB = 3000;
/** Node's names for what `uname -m` says. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
	x86_64: "x64",
	aarch64: "arm64",
	arm64: "arm64",
	armv7l: "armv7l",
	ppc64le: "ppc64le",
	s390x: "s390x",
};

async function installNode(box: Box, architecture: string): Promise<string> {
	const { name } = box.state;
	const { nodeTarball } = box.options;
	const word = ARCHITECTURES[architecture];
	if (word === undefined) {
		throw new CodedError("NO_NODE", `there is no official Node for ${architecture}`, {
			exitCode: 1,
			hint: "install Node there",
		});
	}
	if (nodeTarball === undefined) {
		box.say(`Node ${process.version} for ${word}: the box downloads it from nodejs.org`);
		await box.remote().run(NODE, [name, process.version, word, "", ""]);
		return "downloaded";
	}
	const file = resolve(nodeTarball);
	if (!existsSync(file) || !statSync(file).isFile()) {
		throw new CodedError("NO_TARBALL", `there is no file ${file}`, {
			hint: "--node-tarball takes node-vX-linux-ARCH.tar.gz",
		});
	}
	const tarball = plainWord("--node-tarball's file name", basename(file));
	box.say(`Node ${process.version} for ${word}: copying ${tarball}`);
	await box.remote().push(dirname(file), remoteFolder(name, "incoming"), [tarball]);
	await box.remote().run(NODE, [name, process.version, word, tarball, await sha256File(file)]);
	return "copied";
}

export const setup: Step = {
	name: "setup",
	does: "puts Node and the project on it, and installs its packages",
	needs: ["wait"],
	plan: ({ state, options, projectRoot }) => [
		`look at processor, free space (at least ${options.freeMb ?? DEFAULT_FREE_MB} MB), tools and Node ${process.version}`,
		options.nodeTarball === undefined
			? `unless it has Node ${process.version}: the box downloads the official tarball and checks its sha256`
			: `unless it has Node ${process.version}: copy ${options.nodeTarball} and check its sha256`,
		`rsync --checksum of what git lists in ${projectRoot}${options.data === false ? "" : ", and data/"}, to ${remoteFolder(state.name, "project")}`,
		"delete there what is not on the list; npm ci",
	],
	async run(box) {
		const { name } = box.state;
		const remote = box.remote();
		const facts = keyValues(await remote.run(PROBE, [name, process.version]));
		const fact = (key: string) => facts.get(key)?.[0] ?? "";
		const missing = facts.get("missing") ?? [];
		if (missing.length > 0) {
			throw new CodedError("TOOL_MISSING", `the box has no ${missing.join(", no ")}`, {
				exitCode: 1,
				hint: "install them there",
			});
		}
		if (fact("going") !== "") {
			throw new CodedError("RUN_IN_PROGRESS", `run ${fact("going")} is going on: setting up would disturb it`, {
				exitCode: 1,
			});
		}
		const freeMb = Number(fact("freeMb"));
		const neededMb = box.options.freeMb ?? DEFAULT_FREE_MB;
		// what an earlier setup left there, whole or cut, is a part of what needs the room
		if (freeMb + Number(fact("ownMb")) < neededMb) {
			throw new CodedError("DISK_FULL", `the box has ${freeMb} MB free, and needs ${neededMb}`, {
				exitCode: 1,
				hint: "free some space there, or give --free-mb",
			});
		}
		box.update({ setup: undefined, verify: undefined });
		const node =
			fact("node") === "none" ? await installNode(box, fact("architecture")) : `there already (${fact("node")})`;
		const project = await projectFiles(box.projectRoot, box.options.data ?? true);
		if (project.untracked.length > 0) {
			const some = project.untracked.slice(0, 5).join(", ");
			box.say(
				`${project.untracked.length} files stay here, since git does not know them (git add sends them): ${some}`,
			);
		}
		box.say(`${project.files.length} files go over`);
		await remote.push(box.projectRoot, remoteFolder(name, "project"), project.files);
		await remote.run(PRUNE, [name, String(project.files.length)], {
			payload: project.files.map((file) => `${file}\0`).join(""),
		});
		box.say("npm ci");
		await remote.run(INSTALL, [name]);
		const { commit, changed } = project;
		box.update({
			setup: {
				at: now(),
				node: process.version,
				architecture: fact("architecture"),
				files: project.files.length,
				commit,
				changed,
			},
		});
		return {
			message: `Node ${process.version} ${node}; ${project.files.length} files of commit ${commit.slice(0, 12)}${changed > 0 ? ` with ${changed} changed since` : ""}; packages installed (${fact("system")}, ${fact("cores")} core${fact("cores") === "1" ? "" : "s"})`,
			data: { node, files: project.files.length, commit, changed },
		};
	},
};
