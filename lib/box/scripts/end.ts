import { script } from "./common.js";

/**
 * Ends the run that goes on, if one does: asked first, so that it ends what it started itself, and after 20 s forced.
 * Parameter: name. Output: `ended=id`.
 */
export const END_RUN = script(
	"end-run",
	String.raw`
enter
alone
id=$(going) || exit 0
read -r pid _ < "$base/results/$id/pid"
group_lives() {
  local file line
  for file in /proc/[0-9]*/stat; do
    read -r line 2> /dev/null < "$file" || continue
    set -- \${line##*) }
    [ "$3" = "$pid" ] && [ "$1" != Z ] && return 0
  done
  return 1
}
kill -TERM -- "-$pid"
for _ in $(seq 100); do group_lives || break; sleep 0.2; done
group_lives && kill -KILL -- "-$pid"
printf 'ended=%s\n' "$id"
`.replaceAll("\\${", "${"),
);

/** Deletes the box's folder. Parameter: name. */
export const REMOVE = script(
	"remove",
	`
enter
alone; not_going
cd "$HOME" && rm -rf -- "$HOME/batching-box/$name" || fail BOX_FAILED "the box's folder cannot be deleted"
rmdir "$HOME/batching-box" 2> /dev/null
true
`,
);
