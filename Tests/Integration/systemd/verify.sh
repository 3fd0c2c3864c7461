#!/bin/sh
# Lets systemd itself judge the units: unknown or misplaced settings, missing programs.
# usage: verify.sh    any user; needs no running systemd
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" XDG_RUNTIME_DIR="$work"

ln -s /bin/true "$work/almonerd"
sh "$here/install-units.sh" "$work" "$work/units" "$work/dbus"
systemd-analyze verify --user --man=no --recursive-errors=yes "$work/units/almoner.socket" "$work/units/almoner.service"

# What the courier's life rests on, and what must not come back: see almoner-security(7).
for setting in Type=notify KillMode=process Restart=on-failure OOMPolicy=continue TimeoutStopSec=40 LimitCORE=0 \
  NoNewPrivileges=yes MemoryDenyWriteExecute=yes SystemCallFilter=@system-service; do
  grep -qx "$setting" "$work/units/almoner.service" || {
    echo "verify: almoner.service lost $setting" >&2
    exit 1
  }
done
if grep -E '^(StateDirectory|PrivateUsers|ProtectSystem|ProtectHome|CapabilityBoundingSet|PrivateDevices)' \
  "$work/units/almoner.service" >&2; then
  echo "verify: these fail or do nothing in a user unit" >&2
  exit 1
fi

# The activation file starts the daemon itself where no systemd runs.
grep -qx "Exec=$work/almonerd" "$work/dbus/org.almoner.Almoner1.service" || {
  echo "verify: Exec= of the D-Bus file starts something else" >&2
  exit 1
}
echo "systemd units: ok"
