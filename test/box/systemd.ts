import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Loopback } from "./loopback.js";

/** A systemd for the box's user: one file an active unit, in the box's home. */
const SYSTEMCTL = `#!/bin/bash
units="$HOME/units"
command=$1; shift
case "$command" in
  list-units) if [ "$1" = --type=timer ]; then cd "$units" && for unit in *.timer; do [ -e "$unit" ] && echo "$unit loaded active waiting x"; done; fi; true;;
  is-active) [ -e "$units/$2" ];;
  stop) shift; for unit in "$@"; do rm "$units/$unit" || exit 1; done;;
  start) shift; for unit in "$@"; do touch "$units/$unit" || exit 1; done;;
  *) exit 1;;
esac
`;

export interface FakeSystemd {
	active(): string[];
	/** Starts what is named, nothing else. */
	set(units: readonly string[]): void;
}

/** Puts systemctl, and a sudo that asks nothing, into the box's PATH. */
export function fakeSystemd(loopback: Loopback): FakeSystemd {
	const folder = join(loopback.home, "units");
	loopback.program("systemctl", SYSTEMCTL);
	loopback.program("sudo", '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n');
	return {
		active: () => readdirSync(folder).sort(),
		set(units) {
			rmSync(folder, { recursive: true, force: true });
			mkdirSync(folder);
			for (const unit of units) writeFileSync(join(folder, unit), "");
			chmodSync(folder, 0o777); // the box's user is another one, where the test may make one
		},
	};
}
