import { script } from "./common.js";

/**
 * What runs on the box while nobody is logged in. It reads everything from the files in its own folder and leaves its
 * exit code there; nothing of it hangs on a connection.
 */
const DETACHED = String.raw`#!/bin/bash
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd); base=$(cd "$here/../.." && pwd); id=$(basename "$here")
console=$(cat "$here/console")
say() {
  echo "$(date -u +%FT%TZ) $1" >> "$here/start.log"
  [ -n "$console" ] && echo "$(cat "$here/mark") start $id: $1" 2> /dev/null >> "$console"
}
# the exit code comes last: whoever sees it finds every file as it will stay; it is written over room that was kept for
# it, since a disk that is full by now takes nothing new
finish() { say "ended, exit code $1"; printf '%-4s' "$1" 1<> "$here/exit.room" && mv "$here/exit.room" "$here/exit"; exit "$1"; }
export PATH="$(cat "$base/node-path"):$PATH"
# npm asks its registry for news now and then: not beside a measurement
export npm_config_update_notifier=false
export BATCHING_LAB_OUTPUTS="$here/outputs" BATCHING_LAB_CONSOLE="$console"
cd "$base/project" || finish 1
profile=$(cat "$here/profile"); cpus=$(cat "$here/cpus")
command=(npx --no workbook run --profile "$profile")
[ -f "$here/resume" ] && command+=(--resume)
[ -n "$cpus" ] && command=(taskset -c "$cpus" "\${command[@]}")
say "begins, profile $profile"
"\${command[@]}"
code=$?
if [ "$code" -eq 0 ] && [ -e "$here/outputs/latest" ]; then
  npx --no workbook report "$here/outputs/latest" --json > "$here/report.json.tmp" 2> "$here/report.err" \
    && mv "$here/report.json.tmp" "$here/report.json"
fi
finish "$code"
`.replaceAll("\\${", "${");

/**
 * Starts a run that no log-out ends, exactly once for each id. Parameters: name, id, profile, cores, console
 * (`auto`, a path, or nothing), progress mark, mode (`new`, `again` or `resume`), minutes to the box's own end (or
 * nothing). Output: `state=started|already|died`, `aside=id` for each earlier start whose outputs are kept by that name.
 */
export const START = script(
	"start",
	String.raw`
enter; param id; param profile; param cpus; param console; param mark; param mode; param minutes
alone; node_path
was=$(current); here="$base/results/$id"
if [ "$was" = "$id" ] && [ "$mode" != resume ]; then
  if alive "$id" || [ -f "$here/exit" ]; then echo state=already; else echo state=died; fi
  exit 0
fi
not_going
if [ "$mode" = new ] && [ -n "$was" ] && [ "$was" != "$id" ] && [ "$(ended "$was")" = 0 ]; then
  fail RUN_FINISHED "run $was has finished on the box: fetch it, or say --again to keep it by its name and run anew"
fi
[ "$mode" = resume ] && [ ! -d "$here" ] && fail NOTHING_TO_RESUME "there is no run $id on the box"
if [ "$console" = auto ]; then
  console=
  for tty in $(cat /sys/class/tty/console/active 2> /dev/null); do
    case "$tty" in ttyS*|ttyAMA*|hvc*) console="/dev/$tty";; esac
  done
  [ -n "$console" ] && [ ! -w "$console" ] && sudo -n chmod o+w "$console" 2> /dev/null
  [ -n "$console" ] && [ ! -w "$console" ] && console=
fi
if [ -n "$minutes" ] && [ ! -e /run/systemd/shutdown/scheduled ]; then sudo -n shutdown -P "+$minutes" > /dev/null 2>&1; fi
mkdir -p "$here" || fail DISK_FULL "no room for a run"
rm -f "$here/exit" "$here/pid" "$here/resume"
[ "$mode" = resume ] && keep "$here/resume" resume
keep "$here/profile" "$profile"; keep "$here/cpus" "$cpus"; keep "$here/console" "$console"; keep "$here/mark" "$mark"
keep "$here/exit.room" ----
keep current.tmp "$id"
cat > "$here/detached.sh" <<'DETACHED'
${DETACHED}DETACHED
[ "$(tail -n 1 "$here/detached.sh")" = 'finish "$code"' ] || fail DISK_FULL "no room for a run"
setsid nohup bash "$here/detached.sh" < /dev/null >> "$here/run.log" 2>&1 9>&- &
pid=$!
was=$(identity "$pid")
# a run that nobody could find again must not go on
{ printf '%s' "$was" > "$here/pid" && [ "$(cat "$here/pid")" = "$was" ] && mv current.tmp current; } \
  || { kill -KILL -- "-$pid" "$pid" 2> /dev/null; fail DISK_FULL "no room for a run"; }
echo state=started
printf 'pid=%s\nconsole=%s\n' "$pid" "$console"
for other in results/*/; do other=$(basename "$other"); [ "$other" != "$id" ] && printf 'aside=%s\n' "$other"; done
true
`,
);

/** How the newest run does. Parameters: name, number of lines. Output: `key=value` lines, then `line=…`. */
export const PROGRESS = script(
	"progress",
	`
enter; param count
id=$(current) || { echo run=; exit 0; }
here="$base/results/$id"
echo "run=$id"
if [ -f "$here/exit" ]; then echo "exit=$(ended "$id")"
elif alive "$id"; then echo going=yes
else echo exit=-1; fi
{ cat "$here/start.log" "$here"/outputs/*/progress.log 2> /dev/null | sort -s -k 1,1; } | tail -n "$count" | sed 's/^/line=/'
[ -f "$here/exit" ] && [ "$(ended "$id")" != 0 ] && tail -n 5 "$here/run.log" | sed 's/^/line=run.log: /'
true
`,
);

/** The demo. Parameter: name. Its output comes as it is, and stays in `results`. */
export const DEMO = script(
	"demo",
	String.raw`
enter
alone; not_going; node_path
mkdir -p results/demo
cd project || fail NOT_SET_UP "there is no project on the box"
npx --no workbook demo --save "$base/results/demo/demo.json" < /dev/null 2>&1 9>&- | tee "$base/results/demo/demo.txt"
[ "\${PIPESTATUS[0]}" -eq 0 ] || fail DEMO_FAILED "the demo failed on the box"
`.replaceAll("\\${", "${"),
);

/**
 * sha256 and size of every result. Parameters: name, `partial` or nothing. Output: `hash  size  path`, each closed by
 * a zero byte, and at last `END count`.
 */
export const HASH_RESULTS = script(
	"hash-results",
	String.raw`
enter; param partial
[ -n "$partial" ] || { alone; not_going; }
cd results || fail BOX_FAILED "there are no results on the box"
hashes() {
  local path sum count=0
  while IFS= read -r -d '' path; do
    sum=$(sha256sum < "$path") || { [ -n "$partial" ] && continue; fail BOX_FAILED "a result cannot be read: $path"; }
    printf '%s %s %s\0' "\${sum%% *}" "$(stat -c %s "$path")" "$path"
    count=$((count + 1))
  done
  printf 'END %s\0' "$count"
}
# no file of its own: a list that a full disk cut short would pass for the whole
set -o pipefail
find . -type f -printf '%P\0' | sort -z | hashes || [ -n "$partial" ]
`.replaceAll("\\${", "${"),
);
