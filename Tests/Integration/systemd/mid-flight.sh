#!/bin/sh
# The daemon under a real `systemd --user`, killed and stopped while a refresh is on its way.
# usage: mid-flight.sh USER BINDIR    root starts it; everything of ours runs as USER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# USER may not be able to read the tree that root works in.
copy=$(mktemp -d /tmp/almoner-mid-flight-XXXXXX)
trap 'rm -rf "$copy"' EXIT
cp -R "$here" "$here/../lib" "$here/../sandbox" "$copy/"
chmod -R a+rX "$copy"
ALMONER_BIN=$2 "$here/with-user-manager.sh" "$1" "$2" python3 "$copy/systemd/mid_flight.py"
