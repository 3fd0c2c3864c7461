#!/bin/sh
# Does one thing to the keyring daemon of a test: control.sh start|start-locked|stop|kill|freeze|thaw|lock|unlock
# HOME, XDG_RUNTIME_DIR and the session bus are the test's own; run-store-tests.sh makes them.
set -eu
pidfile=$XDG_RUNTIME_DIR/keyring.pid
password=test-password
default=/org/freedesktop/secrets/aliases/default

wait_for_name() { gdbus wait --session --timeout 10 org.freedesktop.secrets; }

# start INPUT PROGRAM…: without our descriptors, or whoever reads our output would wait for it.
start() {
  input=$1
  shift
  "$@" <"$input" >>"$HOME/keyring.log" 2>&1 &
  echo $! >"$pidfile"
  wait_for_name
}

# A zombie has ended too: not every init of a container reaps what it inherits.
wait_for_end() {
  for _ in $(seq 500); do
    grep -qs '^State:[[:space:]]*[^Z]' "/proc/$1/status" || return 0
    sleep 0.02
  done
  echo "control.sh: process $1 does not end" >&2
  exit 1
}

case $1 in
start)
  printf %s "$password" >"$XDG_RUNTIME_DIR/password"
  start "$XDG_RUNTIME_DIR/password" gnome-keyring-daemon --unlock --foreground --components=secrets
  ;;
start-locked) start /dev/null gnome-keyring-daemon --start --foreground --components=secrets ;;
stop | kill)
  pid=$(cat "$pidfile")
  if [ "$1" = kill ]; then kill -KILL "$pid"; else kill -TERM "$pid"; fi
  wait_for_end "$pid"
  ;;
freeze) kill -STOP "$(cat "$pidfile")" ;;
thaw) kill -CONT "$(cat "$pidfile")" ;;
lock)
  gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \
    --method org.freedesktop.Secret.Service.Lock "[objectpath '$default']" >/dev/null
  ;;
unlock) /usr/bin/python3 "$(dirname "$0")/unlock.py" "$password" ;;
*)
  echo "control.sh: unknown: $1" >&2
  exit 2
  ;;
esac
