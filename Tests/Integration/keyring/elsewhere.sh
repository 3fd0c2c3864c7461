#!/bin/sh
# Runs a command as if on another machine or as another user: elsewhere.sh MACHINE-ID-FILE UID COMMAND...
# Files of ours belong to UID in there. Needs unprivileged user namespaces.
set -eu
exec unshare --user --map-root-user --mount sh -c '
  mount --bind "$1" /etc/machine-id
  uid=$2
  shift 2
  exec unshare --user --map-user="$uid" --map-group="$uid" "$@"' _ "$@"
