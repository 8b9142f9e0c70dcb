import type { RemoteScript } from "../remote/remote.js";

/**
 * What every script begins with. Parameters come one after another, each closed by a zero byte, after the script's last
 * line; everything is in functions, so half a script that a lost connection left does nothing.
 *
 * `enter` reads the box's name and goes to its folder; `alone` keeps a second step out while a first one, perhaps cut
 * from its connection, is still at work; `going` prints the id of the run that goes on now. A process is known by pid,
 * start time and boot, since a pid alone may belong to somebody else by now.
 */
const COMMON = String.raw`
set -u
export LC_ALL=C
fail() { printf 'BOX-ERROR %s %s\n' "$1" "$2" >&2; exit 3; }
param() { IFS= read -r -d '' "$1" || fail CONNECTION_LOST "the connection broke before everything was said"; }
enter() {
  param name
  base="$HOME/batching-box/$name"
  umask 077
  mkdir -p "$base/results" || fail DISK_FULL "the box's folder cannot be made"
  cd "$base" || fail BOX_FAILED "the box's folder cannot be entered"
}
alone() {
  exec 9>"$base/lock"
  flock -w 30 9 || fail BOX_BUSY "another step is still at work on the box"
}
identity() { local stat; stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$1" $(printf '%s' "\${stat##*) }"); [ "$2" != Z ] || return 1; printf '%s %s %s' "$1" "\${21}" "$(cat /proc/sys/kernel/random/boot_id)"; }
current() { [ -f "$base/current" ] && cat "$base/current"; }
alive() { local was; [ -f "$base/results/$1/exit" ] && return 1; was=$(cat "$base/results/$1/pid" 2>/dev/null) || return 1
  [ -n "$was" ] && [ "$(identity "\${was%% *}")" = "$was" ]; }
going() { local id; id=$(current) && alive "$id" && printf '%s' "$id"; }
not_going() { local id; id=$(going) && fail RUN_IN_PROGRESS "run $id is going on: this step would disturb it"; true; }
node_path() { [ -f "$base/node-path" ] || fail NOT_SET_UP "the box has no Node yet"; PATH="$(cat "$base/node-path"):$PATH"; export PATH npm_config_update_notifier=false; }
`.replaceAll("\\${", "${");

/** A script whose work is `main`, with everything above in reach. */
export function script(name: string, main: string): RemoteScript {
	return { name, text: `${COMMON}\nmain() {\n${main.trim()}\n}\nmain; exit` };
}
