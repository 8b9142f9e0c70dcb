import { LOGGED_IN, type RemoteScript } from "../remote/remote.js";

/**
 * What every script begins with. Parameters come one after another, each closed by a zero byte, after the script's last
 * line; everything is in functions, so half a script that a lost connection left does nothing.
 *
 * `enter` reads the box's name and goes to its folder; `alone` keeps a second step out while a first one, perhaps cut
 * from its connection, is still at work; `going` prints the id of the run that goes on now. A process is known by pid,
 * start time and boot, since a pid alone may belong to somebody else by now. `list` reads a list of names, before any
 * lock is taken: a connection that died while it was sent would hold the lock until the system gives it up.
 */
const COMMON = String.raw`
set -u
export LC_ALL=C
printf '${LOGGED_IN}\n' >&2
fail() { printf 'BOX-ERROR %s %s\n' "$1" "$2" >&2; exit 3; }
param() { IFS= read -r -d '' "$1" || fail CONNECTION_LOST "the connection broke before everything was said"; }
enter() {
  param name
  base="$HOME/batching-box/$name"
  umask 077
  mkdir -p "$base/results" || fail BOX_FAILED "the box's folder cannot be made"
  cd "$base" || fail BOX_FAILED "the box's folder cannot be entered"
}
alone() {
  command -v flock > /dev/null || return 0 # setup refuses such a machine, so nothing can be at work on it
  exec 9>"$base/lock"
  flock -w 30 9 || fail BOX_BUSY "another step is still at work on the box, perhaps one that lost its connection: try again in a minute"
}
list() {
  wanted="$base/wanted.$$"; trap 'rm -f "$wanted" "$wanted.tmp"' EXIT
  timeout 900 cat > "$wanted.tmp"
  [ "$(tr -cd '\0' < "$wanted.tmp" | wc -c)" -eq "$1" ] || fail CONNECTION_LOST "the list of files came only in part"
  sort -z "$wanted.tmp" > "$wanted" || fail DISK_FULL "no room for the list of files"
}
keep() { printf '%s' "$2" > "$1" && [ "$(cat "$1")" = "$2" ] || fail DISK_FULL "no room for $(basename "$1")"; }
identity() { local stat; stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- "$1" $(printf '%s' "\${stat##*) }"); [ "$2" != Z ] || return 1; printf '%s %s %s' "$1" "\${21}" "$(cat /proc/sys/kernel/random/boot_id)"; }
current() { [ -f "$base/current" ] && cat "$base/current"; }
alive() { local was; [ -f "$base/results/$1/exit" ] && return 1; was=$(cat "$base/results/$1/pid" 2>/dev/null) || return 1
  [ -n "$was" ] && [ "$(identity "\${was%% *}")" = "$was" ]; }
ended() { local code=; read -r code 2> /dev/null < "$base/results/$1/exit"; printf '%s' "$code"; }
going() { local id; id=$(current) && alive "$id" && printf '%s' "$id"; }
not_going() { local id; id=$(going) && fail RUN_IN_PROGRESS "run $id is going on: this step would disturb it"; true; }
node_path() { [ -f "$base/node-path" ] || fail NOT_SET_UP "the box has no Node yet"; PATH="$(cat "$base/node-path"):$PATH"; export PATH npm_config_update_notifier=false; }
`.replaceAll("\\${", "${");

/** A script whose work is `main`, with everything above in reach. */
export function script(name: string, main: string): RemoteScript {
	return { name, text: `${COMMON}\nmain() {\n${main.trim()}\n}\nmain; exit` };
}
