import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { makeBox, sshOptions, type TestBox, until, untilEnded } from "./harness.js";
import { type Loopback, startLoopback } from "./loopback.js";
import { makeToyProject } from "./toy.js";

let loopback: Loopback;
let project: string;
let box: TestBox;
before(async () => {
	loopback = await startLoopback();
	project = makeToyProject();
	box = makeBox(sshOptions(loopback, project, "fault"));
	await box.run("check");
	await box.run("wait");
});
after(async () => {
	box.remove();
	rmSync(project, { recursive: true });
	await loopback.close();
});
const remove = (name: string) => rmSync(join(loopback.bin, name));

test("too little room on the box is found before anything is copied", async () => {
	const error = await box.fails("DISK_FULL", "setup", { freeMb: 1e9 });
	assert.match(error.message, /the box has \d+ MB free, and needs 1000000000/);
	assert.ok(!existsSync(join(loopback.home, "batching-box/fault/project")));
});

test("a disk that fills up while files go over stops the step, which works once there is room", async () => {
	const full = 'rsync: [receiver] write failed on "x": No space left on device (28)';
	loopback.program("rsync", `#!/bin/sh\necho '${full}' >&2\nexit 11\n`);
	await box.fails("DISK_FULL", "setup");
	remove("rsync");
	loopback.program("npm", "#!/bin/sh\necho 'npm error code ENOSPC'\nexit 1\n");
	loopback.program("node", `#!/bin/sh\nexec ${process.execPath} "$@"\n`); // npm is looked for beside node
	await box.fails("DISK_FULL", "setup");
	for (const name of ["npm", "node"]) remove(name);
	await box.run("setup");
	await box.run("verify");
});

test("packages that cannot be installed are told with npm's own words", async () => {
	loopback.program("npm", "#!/bin/sh\necho 'npm error 404 no such package'\nexit 1\n");
	loopback.program("node", `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
	assert.match((await box.fails("NPM_CI_FAILED", "setup")).message, /404 no such package/);
	for (const name of ["npm", "node"]) remove(name);
	await box.run("setup");
	await box.run("verify");
});

test("a box with another Node gets the right one: from a tarball that is checked, or the message says how", async () => {
	loopback.program("node", "#!/bin/sh\necho v18.0.0\n");
	loopback.program("curl", "#!/bin/sh\nexit 6\n");
	assert.match((await box.fails("NODE_DOWNLOAD", "setup")).message, /give --node-tarball node-v/);
	await box.fails("NO_TARBALL", "setup", { nodeTarball: join(project, "nowhere.tar.gz") });
	const made = join(loopback.folder, "made/node");
	mkdirSync(join(made, "bin"), { recursive: true });
	writeFileSync(join(made, "bin/node"), `#!/bin/sh\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
	writeFileSync(join(made, "bin/npm"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
	const tarball = join(loopback.folder, "node.tar.gz");
	execFileSync("tar", ["-czf", tarball, "-C", join(made, ".."), "node"]);
	assert.match((await box.run("setup", { nodeTarball: tarball })).message, /copied/);
	assert.match((await box.run("setup")).message, /there already \(own\)/);
	for (const name of ["node", "curl"]) remove(name);
	rmSync(join(loopback.home, "batching-box/fault/node"), { recursive: true });
	await box.run("setup");
	await box.run("verify");
});

test("without sudo quiet stops nothing and says what would have been stopped", async () => {
	loopback.program("sudo", "#!/bin/sh\nexit 1\n");
	loopback.program(
		"systemctl",
		'#!/bin/sh\ncase "$1" in list-units) exit 0;; is-active) [ "$3" = cron.service ];; *) exit 1;; esac\n',
	);
	assert.match(
		(await box.fails("SUDO_DENIED", "quiet")).message,
		/asks for a password here; stop them yourself, or start without: cron\.service/,
	);
	for (const name of ["systemctl", "sudo"]) remove(name);
});

test("a run that fails says so, and its results still come home", async () => {
	await box.run("start", { profile: "fails" });
	assert.match((await untilEnded(box)).message, /run\.log: the toy failed[\s\S]*it failed \(exit code 3\)/);
	const { message } = await box.run("fetch");
	assert.match(message, /results safe: .*the run itself failed \(exit code 3\), see run\.log/);
});

test("a run that was killed on the box is seen as dead; start begins another, --resume goes on with the same", async () => {
	await box.run("start", { profile: "long" });
	const first = box.state().start?.id ?? "";
	const folder = join(loopback.home, "batching-box/fault/results");
	const end = (id: string) =>
		process.kill(-Number(readFileSync(join(folder, id, "pid"), "utf8").split(" ")[0]), "SIGKILL");
	end(first);
	await box.run("start", { profile: "long" });
	assert.ok(box.said.some((line) => line === `run ${first} died; its outputs stay by that name`));
	const second = box.state().start?.id ?? "";
	assert.notEqual(second, first);
	assert.ok(existsSync(join(folder, first, "run.log")), "what the first left stays by its name");
	await until(() => existsSync(join(folder, second, "outputs/toy-run/starts")));
	end(second);
	assert.match((await untilEnded(box)).message, /it died/);
	await box.run("start", { resume: true });
	assert.equal(box.state().start?.id, second);
	const starts = () =>
		readFileSync(join(folder, second, "outputs/toy-run/starts"), "utf8")
			.trim()
			.split("\n");
	await until(() => starts().length === 2);
	assert.match(starts()[1] ?? "", /resumed$/);
	end(second);
	await untilEnded(box);
	assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith("20")).length, 3);
});

test("a key that is not let in, and a user that does not exist, are told apart from a lost way", async () => {
	const stranger = makeBox({ ...sshOptions(loopback, project, "stranger"), host: "nobody-here@127.0.0.1" });
	await stranger.run("check");
	assert.match(
		(await stranger.fails("SSH_DENIED", "wait")).hint ?? "",
		/check the user in --host and the key in --identity/,
	);
	stranger.remove();
});

test("a host key that was named is the only one that is taken", async () => {
	const wrong = makeBox({ ...sshOptions(loopback, project, "wrong"), hostKey: "SHA256:nothing" });
	await wrong.fails("HOST_KEY_CHANGED", "check");
	wrong.remove();
});
