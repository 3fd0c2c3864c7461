#!/bin/sh
# Crashes, faults and lost power. `./dev test` runs it with --quick.
#
# usage: crash.sh [--quick] [--kills N] [--seed S]
#   --kills N   so many for each victim: the daemon, its courier, both (10,000)
cd "$(dirname "$0")/../.." || exit 1
kills="--kills 10000"
quick=
seed=
while [ $# -gt 0 ]; do
  case $1 in
  --quick)
    kills=--quick
    quick=--quick
    ;;
  --kills)
    kills="--kills $2"
    shift
    ;;
  --seed)
    seed="--seed $2"
    shift
    ;;
  *)
    echo "usage: ./dev crash [--quick] [--kills N] [--seed S]" >&2
    exit 2
    ;;
  esac
  shift
done
. Tests/Run/steps.sh
bin=$place/faults
faults=$place/faults
run=step
[ ! -t 1 ] || run=shown

python() { # SCRIPT ARGUMENT...
  script=$1
  shift
  as_user python3 "$place/tree/Tests/Integration/crash/$script" "$@"
}

step "faults build" publish faults
step "crash cases" python_tests crash
# shellcheck disable=SC2086
$run "crash points, fates and the model" python matrix.py $quick $seed
# shellcheck disable=SC2086
$run "a sign-in that crashes leaves an account or nothing" python redeeming.py $quick $seed
# shellcheck disable=SC2086
$run "kills of the daemon lose nothing, and of the courier only what is on the wire" python kills.py $kills $seed
# shellcheck disable=SC2086
step "without the landing, kills do lose sessions" python kills.py --kills 30 --no-landing $seed
# shellcheck disable=SC2086
$run "calls that fail lose nothing" python errors.py $quick $seed
# shellcheck disable=SC2086
$run "a power cut anywhere leaves the old tokens or the new" python power.py $quick $seed
step "a disk that is full" "$place/tree/Tests/Integration/crash/full.sh" "$user" "$bin"
step "a state directory that is taken away" python taken.py
verdict
