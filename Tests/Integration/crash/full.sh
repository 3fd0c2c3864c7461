#!/bin/sh
# Root makes a small file system in a mount namespace of its own; what fills it runs as the user.
#
# usage: full.sh USER DIRECTORY-OF-PROGRAMS
set -eu
user=$1
bin=$2
here=$(cd "$(dirname "$0")" && pwd)
if [ "$(id -u)" != 0 ]; then
  echo "not done here: a full disk, which only root can make"
  exit 0
fi
if [ -z "${ALMONER_SMALL_DISK-}" ]; then
  ALMONER_SMALL_DISK=$(mktemp -d /tmp/almoner-small-XXXXXX)
  export ALMONER_SMALL_DISK
  unshare -m true 2>/dev/null || {
    rmdir "$ALMONER_SMALL_DISK"
    echo "not done here: a full disk, for mount namespaces are not allowed"
    exit 0
  }
  status=0
  unshare -m "$0" "$user" "$bin" || status=$?
  rmdir "$ALMONER_SMALL_DISK"
  exit $status
fi
# What only root can do, when a file asks for it: gives the state directory to somebody else, and back.
givings() {
  while [ -d "$ALMONER_SMALL_DISK" ] && kill -0 $$ 2>/dev/null; do
    for owner in root "$user"; do
      if [ -e "$ALMONER_SMALL_DISK/give-to-$owner" ]; then
        rm "$ALMONER_SMALL_DISK/give-to-$owner"
        chown "$owner" "$ALMONER_SMALL_DISK/almoner"
      fi
    done
    sleep 0.1
  done
}
mount -t tmpfs -o "size=512k,mode=700,uid=$(id -u "$user"),gid=$(id -g "$user")" small "$ALMONER_SMALL_DISK"
givings &
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs env -i HOME=/ PATH="$PATH" LANG=C.UTF-8 \
  ALMONER_BIN="$bin" python3 "$here/full.py" "$ALMONER_SMALL_DISK"
