import { script } from "./common.js";

/** What the machine is and has: one `key=value` a line. Parameters: name, Node version. */
export const PROBE = script(
	"probe",
	String.raw`
enter; param version
printf 'architecture=%s\n' "$(uname -m)"
printf 'system=%s\n' "$(. /etc/os-release 2>/dev/null; printf '%s' "$PRETTY_NAME")"
printf 'cores=%s\n' "$(nproc)"
printf 'freeMb=%s\n' "$(df -Pk "$base" | awk 'NR == 2 { print int($4 / 1024) }')"
printf 'ownMb=%s\n' "$(du -sk "$base/project" "$base/node" 2> /dev/null | awk '{ sum += $1 } END { print int(sum / 1024) }')"
printf 'going=%s\n' "$(going)"
printf 'current=%s\n' "$(current)"
for tool in rsync flock sha256sum setsid xargs comm timeout tar; do command -v "$tool" > /dev/null || printf 'missing=%s\n' "$tool"; done
if [ "$("$base/node/bin/node" --version 2>/dev/null)" = "$version" ]; then
  keep node-path "$base/node/bin"; echo node=own
elif [ "$(node --version 2>/dev/null)" = "$version" ] && command -v npm > /dev/null; then
  keep node-path "$(dirname "$(command -v node)")"; echo node=system
else echo node=none; fi
`,
);

/**
 * Puts Node below the box's folder. Parameters: name, version, architecture (Node's word), file in `incoming` or
 * nothing for a download, its sha256.
 */
export const NODE = script(
	"node",
	String.raw`
enter; param version; param architecture; param file; param hash
alone; not_going
mkdir -p incoming; cd incoming || fail DISK_FULL "no room for Node"
if [ -z "$file" ]; then
  file="node-$version-linux-$architecture.tar.gz"
  site="https://nodejs.org/dist/$version"
  get() { if command -v curl > /dev/null; then curl -fsSL --retry 3 --connect-timeout 20 --speed-limit 1000 --speed-time 60 -o "$2" "$1"; else wget -q -T 60 -t 3 -O "$2" "$1"; fi; }
  get "$site/SHASUMS256.txt" sums || fail NODE_DOWNLOAD "the box cannot reach nodejs.org: give --node-tarball $file"
  get "$site/$file" "$file" || fail NODE_DOWNLOAD "the box cannot download $file: give --node-tarball $file"
  hash=$(awk -v file="$file" '$2 == file { print $1 }' sums)
fi
printf '%s  %s\n' "$hash" "$file" | sha256sum -c --status || fail NODE_CORRUPT "$file on the box is not what it should be"
rm -rf fresh && mkdir fresh && tar -xf "$file" --strip-components=1 -C fresh || fail DISK_FULL "Node cannot be unpacked"
[ "$(fresh/bin/node --version 2>/dev/null)" = "$version" ] || fail NODE_WRONG "$file holds no Node $version that runs on this machine"
cd "$base" && rm -rf node && mv incoming/fresh node && rm -rf incoming
keep node-path "$base/node/bin"
`,
);

/**
 * Deletes what is not on the list: the project on the box is exactly what was sent, and what is built there. Parameters:
 * name, number of files; payload: their names, each closed by a zero byte.
 */
export const PRUNE = script(
	"prune",
	String.raw`
enter; param count
list "$count"
alone; not_going
cd project || fail BOX_FAILED "there is no project on the box"
set -o pipefail
find . \( -name node_modules -o -path ./outputs \) -prune -o ! -type d -printf '%P\0' | sort -z \
  | comm -z -13 "$wanted" - | xargs -0 -r rm -f -- || fail BOX_FAILED "what is not on the list cannot be deleted"
find . -mindepth 1 \( -name node_modules -o -path ./outputs \) -prune -o -type d -printf '%P\0' | sort -zr \
  | xargs -0 -r rmdir --ignore-fail-on-non-empty --
`,
);

/** Installs the packages of the lock file and compiles; what npm has kept from an earlier setup is not asked for again. Parameter: name. */
export const INSTALL = script(
	"install",
	String.raw`
enter
alone; not_going; node_path
cd project || fail BOX_FAILED "there is no project on the box"
npm ci --no-audit --no-fund --prefer-offline < /dev/null > ../npm-ci.log 2>&1 9>&- && exit 0
grep -q 'ENOSPC' ../npm-ci.log && fail DISK_FULL "npm ci found no space left on the box"
fail NPM_CI_FAILED "npm ci failed on the box: $(grep -vE '^npm (notice|warn)' ../npm-ci.log | tail -n 8 | tr '\n' '|')"
`,
);

/**
 * Hashes the files of the list, and names those that are there and not on it, `node_modules`, what is compiled and
 * what runs made aside. Parameters: name, number of files; payload as for PRUNE. Output: `H hash  path` or
 * `X path`, each closed by a zero byte.
 */
export const HASH_PROJECT = script(
	"hash-project",
	String.raw`
enter; param count
list "$count"
alone
cd project || fail NOT_SET_UP "there is no project on the box"
xargs -0 -r sha256sum -z -- < "$wanted" 2> /dev/null | sed -z 's/^/H /'
find . \( -name node_modules -o -name dist -o -path ./outputs -o -path ./data \) -prune -o ! -type d -printf '%P\0' \
  | sort -z | comm -z -13 "$wanted" - | sed -z 's/^/X /'
`,
);
