import { script } from "./common.js";

/** What answers. Parameter: name. */
export const HELLO = script(
	"hello",
	String.raw`
enter
printf '%s %s\n' "$(uname -m)" "$(. /etc/os-release 2>/dev/null; printf '%s' "$PRETTY_NAME")"
`,
);
