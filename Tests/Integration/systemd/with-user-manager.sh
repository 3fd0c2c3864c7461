#!/bin/bash
# Runs a command under a real `systemd --user` of its own, with Almoner's units and D-Bus activation file installed.
#
# usage: with-user-manager.sh USER BINDIR COMMAND [ARG...]
#
# Must be started by root, who builds private mount, PID and cgroup namespaces and then becomes USER for good: manager,
# daemon and COMMAND run as USER and end with COMMAND, whose status is returned. COMMAND finds a new HOME and
# XDG_RUNTIME_DIR (both removed afterwards), a session bus, and `systemctl --user`. ALMONER_* variables are passed on.
# With ALMONER_JOURNAL=FILE a journald of its own runs beside, and root exports its journal into FILE at the end.
set -eu
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  echo "usage: with-user-manager.sh USER BINDIR COMMAND [ARG...]" >&2
  exit 2
}

# Stage 1, root: a place of its own, and everything gone with it at the end.
outside() {
  [ $# -ge 3 ] || usage
  [ "$(id -u)" = 0 ] || { echo "with-user-manager: root must start it; it becomes $1" >&2; exit 2; }
  [ "$(id -u "$1")" != 0 ] || { echo "with-user-manager: $1 is root, and root passes checks for the wrong reason" >&2; exit 2; }
  place=$(mktemp -d /tmp/almoner-manager-XXXXXX)
  trap 'rm -rf "$place"' EXIT
  chmod 755 "$place"
  install -d -m 700 -o "$1" "$place/home" "$place/run"
  # USER may not be able to read the tree that root works in.
  tree=$place/tree/Tests/Integration
  mkdir -p "$tree"
  cp -R "$here" "$tree/"
  cp -R "$here/../../../systemd" "$here/../../../dbus" "$place/tree/"
  chmod -R a+rX "$place/tree"
  status=0
  unshare --mount --pid --cgroup --fork --kill-child --mount-proc "$tree/systemd/with-user-manager.sh" --inside "$place" "$@" ||
    status=$?
  return $status
}

# Stage 2, root inside the namespaces: what a user manager expects of a machine, then never root again.
inside() {
  place=$1 user=$2
  shift
  mount --make-rprivate /
  mkdir -p /run/systemd
  mount -t tmpfs none /run/systemd
  mkdir /run/systemd/system
  umount -l /sys/fs/cgroup 2>/dev/null || :
  mount -t cgroup2 none /sys/fs/cgroup
  group=/sys/fs/cgroup/${place##*/}
  mkdir "$group"
  chown -R "$user" "$group"
  echo $$ >"$group/cgroup.procs"
  passed=$(env | grep -E '^ALMONER_[A-Z_]+=' || :)
  mapfile -t passed <<<"$passed"
  [ -n "${passed[0]}" ] || passed=()
  cd /
  [ -z "${ALMONER_JOURNAL-}" ] || start_journald
  status=0
  setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --inh-caps=-all --no-new-privs \
    env -i PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 USER="$user" LOGNAME="$user" HOME="$place/home" XDG_RUNTIME_DIR="$place/run" \
    SWIFT_BACKTRACE=enable=no "${passed[@]}" "$here/with-user-manager.sh" --managed "$@" ||
    status=$?
  if [ -n "${ALMONER_JOURNAL-}" ]; then
    journalctl --sync
    journalctl --directory=/run/log/journal --output=export >"$ALMONER_JOURNAL"
  fi
  return $status
}

start_journald() {
  mkdir -p /run/log
  mount -t tmpfs none /run/log
  # Without this directory it would write into the machine's own.
  mkdir /run/log/journal
  mount -t tmpfs none /var/log
  /lib/systemd/systemd-journald >/dev/null 2>&1 &
  for _ in $(seq 100); do
    [ -S /run/systemd/journal/stdout ] && return
    sleep 0.1
  done
  echo "with-user-manager: journald did not start" >&2
  exit 1
}

# Stage 3, USER: the manager, and the command when it is up.
managed() {
  bindir=$2
  shift 2
  "$here/install-units.sh" "$bindir" "$HOME/.config/systemd/user" "$HOME/.local/share/dbus-1/services"
  # The bus asks the user database, not HOME, where its activation files are.
  export XDG_DATA_HOME="$HOME/.local/share"
  export DBUS_SESSION_BUS_ADDRESS="unix:path=$XDG_RUNTIME_DIR/bus"
  ulimit -l 8192
  /lib/systemd/systemd --user --log-target=console --log-level=warning 2>"$HOME/manager.log" &
  # The manager's own socket is its sign of life; it has ten seconds.
  for _ in $(seq 100); do
    [ -S "$XDG_RUNTIME_DIR/systemd/private" ] && break
    sleep 0.1
  done
  case $(systemctl --user is-system-running --wait) in
  running | degraded) ;;
  *)
    cat "$HOME/manager.log" >&2
    echo "with-user-manager: the manager did not start" >&2
    exit 1
    ;;
  esac
  "$@"
}

case ${1-} in
--inside) shift && inside "$@" ;;
--managed) shift && managed "$@" ;;
*) outside "$@" ;;
esac
