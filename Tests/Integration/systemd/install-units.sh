#!/bin/sh
# Copies the units and the D-Bus activation file with a directory in place of @bindir@.
# usage: install-units.sh BINDIR UNITDIR DBUSDIR
set -eu
top=$(cd "$(dirname "$0")/../../.." && pwd)
bindir=$1 unitdir=$2 dbusdir=$3
mkdir -p "$unitdir" "$dbusdir"
# The directory is a replacement text of sed: escape what means something there.
escaped=$(printf %s "$bindir" | sed 's/[\\&|]/\\&/g')
for file in "$top"/systemd/*.socket "$top"/systemd/*.service; do
  sed "s|@bindir@|$escaped|g" "$file" >"$unitdir/${file##*/}"
done
for file in "$top"/dbus/*.service; do
  sed "s|@bindir@|$escaped|g" "$file" >"$dbusdir/${file##*/}"
done
