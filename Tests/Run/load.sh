#!/bin/sh
# Crowds, trouble, bad manners, shortage and time. `./dev test` runs it with --quick.
#
# usage: load.sh [--quick] [--soak MINUTES]
cd "$(dirname "$0")/../.." || exit 1
load=full
soak=
while [ $# -gt 0 ]; do
  case $1 in
  --quick) load=quick ;;
  --soak)
    soak=${2-}
    case $soak in '' | *[!0-9.]*) soak=- ;; esac
    shift
    ;;
  *) soak=- ;;
  esac
  [ "$soak" != - ] || {
    echo "usage: ./dev load [--quick] [--soak MINUTES]" >&2
    exit 2
  }
  shift
done
. Tests/Run/steps.sh
bin=$place/release
run=step
[ ! -t 1 ] || run=shown

# Root looks where the daemon lets nobody look: how many descriptors it has.
eyes=
looking=
if [ "$(id -u)" = 0 ]; then
  eyes=$place/eyes
  rm -f "$eyes"
  python3 "$place/tree/Tests/Integration/load/eyes.py" "$(id -u "$user")" "$eyes" >/dev/null 2>&1 &
  looking=$!
fi

tried() { # NAME
  as_user env ALMONER_LOAD="$load" ALMONER_SOAK="$soak" ALMONER_EYES="$eyes" \
    python3 "$place/tree/Tests/Integration/load/test_$1.py"
}

step "release build" publish release
$run "load: thousands of callers cause one refresh" tried crowd
$run "load: many accounts run out in the same second" tried accounts
$run "load: one account's trouble is no other's" tried trouble
$run "load: clients without manners" tried rude
$run "load: no descriptors, no memory, no processes" tried exhaustion
$run "load: a machine that slept" tried clocks
$run "load: everything at once, and nothing grows" tried soak
[ -z "$looking" ] || kill "$looking"
verdict
