#!/bin/sh
# Builds a release and installs it below PREFIX (/usr/local), or below DESTDIR and PREFIX for packages.
# Prints each file that it installed: this list is what there is to remove again.
#
# usage: [DESTDIR=DIR] install.sh [PREFIX]
set -eu
cd "$(dirname "$0")/../.."
prefix=${1-/usr/local}
destination=${DESTDIR-}
case $prefix in
/*) ;;
*)
  echo "install: PREFIX must be an absolute path" >&2
  exit 2
  ;;
esac
prefix=${prefix%/}
if [ -z "$destination" ] && [ "$(id -u)" != 0 ]; then
  cat >&2 <<'TEXT'
install: the programs have to belong to root, so that the daemon's children cannot be read: run this as root.
To collect the files for a package instead, name a directory: DESTDIR=/some/where ./dev install
TEXT
  exit 1
fi
sh Tests/Run/setup.sh
echo "Building (the first time takes some minutes) ..." >&2
built=$(sh Tests/Run/build.sh release | tail -n 1)
owner=
[ "$(id -u)" != 0 ] || owner="-o root -g root"

put() { # MODE FILE DIRECTORY
  mkdir -p "$destination$3"
  # A running program is not written over: install(1) unlinks first.
  # shellcheck disable=SC2086
  install $owner -m "$1" "$2" "$destination$3/"
  echo "$3/${2##*/}"
}

units=$(mktemp -d)
trap 'rm -rf "$units"' EXIT INT TERM
sh Tests/Integration/systemd/install-units.sh "$prefix/bin" "$units/systemd" "$units/dbus"

echo "Installed below ${destination:-/}; to uninstall, remove these files:" >&2
for name in almonerd almoner-courier almoner-callback; do put 711 "$built/$name" "$prefix/bin"; done
for name in almoner almoner-qr almoner-sandbox; do put 755 "$built/$name" "$prefix/bin"; done
for page in man/*; do put 644 "$page" "$prefix/share/man/man${page##*.}"; done
for preset in Sources/Configuration/Presets/*.conf; do put 644 "$preset" "$prefix/share/almoner/presets"; done
for unit in "$units"/systemd/*; do put 644 "$unit" "$prefix/lib/systemd/user"; done
for service in "$units"/dbus/*; do put 644 "$service" "$prefix/share/dbus-1/services"; done
# What the desktop starts is what was installed here, whatever else is in a PATH.
sed "s|^Exec=almoner |Exec=$prefix/bin/almoner |" \
  Sources/Commands/Callback/org.almoner.Almoner.desktop \
  >"$units/org.almoner.Almoner.desktop"
put 644 "$units/org.almoner.Almoner.desktop" "$prefix/share/applications"
if [ -z "$destination" ] && command -v update-desktop-database >/dev/null; then
  update-desktop-database -q "$prefix/share/applications"
fi
