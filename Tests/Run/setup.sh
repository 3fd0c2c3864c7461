#!/bin/sh
# Installs what is missing when run by root; otherwise prints the one line that does. Never calls sudo.
set -eu
here=$(dirname "$0")

if ! command -v swift >/dev/null 2>&1; then
  cat >&2 <<'TEXT'
There is no Swift toolchain in PATH. Almoner needs Swift 6.3 or later on Linux:
  1. get swift-6.3.1-RELEASE-debian12.tar.gz (or your distribution's) from https://www.swift.org/install/linux/
  2. unpack it:      tar xzf swift-6.3.1-RELEASE-debian12.tar.gz -C /opt
  3. put it in PATH: export PATH=/opt/swift-6.3.1-RELEASE-debian12/usr/bin:$PATH
TEXT
  exit 1
fi

missing=
for package in $(grep -v '^#' "$here/packages.txt"); do
  case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
  *" installed") ;;
  *) missing="$missing $package" ;;
  esac
done
if [ -n "$missing" ] && [ "$(id -u)" = 0 ]; then
  echo "Installing:$missing"
  log=$(mktemp)
  # glewlwyd's own set-up would ask for a database server.
  case $missing in
  *glewlwyd*) echo 'glewlwyd glewlwyd/config_type select No configuration' | debconf-set-selections ;;
  esac
  # shellcheck disable=SC2086
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
    >"$log" 2>&1 || {
    cat "$log" >&2
    rm -f "$log"
    exit 1
  }
  rm -f "$log"
  # Its package starts a server of its own, which nobody asked for.
  case $missing in
  *glewlwyd*) [ ! -d /run/systemd/system ] || systemctl disable --now glewlwyd >/dev/null 2>&1 || : ;;
  esac
elif [ -n "$missing" ]; then
  echo "These packages are missing. As root:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi

# The toolchain runs only now that its libraries are here.
version=$(swift --version 2>&1) || {
  echo "The Swift toolchain in PATH does not run:" >&2
  echo "$version" >&2
  exit 1
}
number=$(echo "$version" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
case $number in
6.[3-9] | 6.[1-9][0-9] | [7-9].* | [1-9][0-9].*) ;;
*)
  echo "Almoner needs Swift 6.3 or later; in PATH is ${number:-an unknown version}." >&2
  exit 1
  ;;
esac
