import { script } from "./common.js";

/**
 * Stops what wakes up by itself: timers, cron and at, updates, the cloud's own agents. What is stopped is added to a
 * list on the box before it stops, so that no cut connection loses it. Parameter: name. Output: one unit a line, the
 * whole list.
 */
export const QUIET = script(
	"quiet",
	String.raw`
enter
alone
command -v systemctl > /dev/null && systemctl list-units > /dev/null 2>&1 || fail NO_SYSTEMD "the box has no systemd, so its timers and cron cannot be stopped from here; start works without"
touch stopped
units=$(systemctl list-units --type=timer --state=active --plain --no-legend | awk '{ print $1 }'
  for unit in cron crond atd anacron unattended-upgrades apt-daily apt-daily-upgrade packagekit snapd \
    amazon-ssm-agent snap.amazon-ssm-agent.amazon-ssm-agent fwupd udisks2 multipathd; do
    systemctl is-active --quiet "$unit.service" && echo "$unit.service"; done
  systemctl is-active --quiet snapd.socket && echo snapd.socket)
for unit in $units; do
  grep -qxF -- "$unit" stopped || echo "$unit" >> stopped || fail DISK_FULL "no room to note what is to be stopped, so nothing was"
done
if [ -n "$units" ]; then
  sudo -n true 2> /dev/null || fail SUDO_DENIED "timers and services can only be stopped with sudo, which asks for a password here; stop them yourself, or start without: $(echo $units)"
  sudo -n systemctl stop -- $units || fail QUIET_FAILED "systemctl could not stop: $(echo $units)"
fi
cat stopped
`,
);

/** Starts again what QUIET stopped. Parameter: name. Output: one unit a line. */
export const RESTORE = script(
	"restore",
	String.raw`
enter
alone; not_going
[ -s stopped ] || exit 0
sudo -n systemctl start -- $(cat stopped) || fail QUIET_FAILED "systemctl could not start: $(tr '\n' ' ' < stopped)"
cat stopped
rm -f stopped
`,
);
