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
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  echo "Installing:$missing"
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
  echo "These packages are missing. As root:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends$missing" >&2
  exit 1
fi
