#!/bin/sh
# Feeds what a fuzzer makes up to everything that reads bytes of strangers. `./dev test` runs it with --quick.
#
# usage: fuzz.sh                       lists the targets
#        fuzz.sh --quick               replays every corpus, then fuzzes each target for a few seconds, always alike
#        fuzz.sh TARGET [SECONDS]      fuzzes one target (600 s), goes on from what earlier runs found in .build/fuzzing
cd "$(dirname "$0")/../.." || exit 1
corpus=Tests/Fuzz/Corpus
seconds=${2-600}
case ${1-} in
'')
  echo "usage: ./dev fuzz TARGET [SECONDS]    TARGET is one of: $(ls $corpus | tr '\n' ' ')"
  exit 0
  ;;
--quick) ;;
*)
  if [ ! -d "$corpus/$1" ] || [ -n "$(printf %s "$seconds" | tr -d 0-9)" ]; then
    echo "usage: ./dev fuzz [--quick | TARGET [SECONDS]]" >&2
    exit 2
  fi
  ;;
esac
. Tests/Run/steps.sh

# Most inputs of one target in a quick run, and the seconds after which it ends all the same.
runs=20000
most=3

build() {
  built=$(sh Tests/Run/build.sh fuzz | tail -n 1) || return 1
  mkdir -p "$place/fuzz"
  cp "$built/almoner-fuzz" "$place/fuzz/" || return 1
  chmod -R a+rX "$place/fuzz"
  for target in $(ls $corpus); do mkdir -p "$place/fuzzed/$target" "$place/found/$target"; done
  [ "$(id -u)" != 0 ] || chown -R "$user" "$place/fuzzed" "$place/found"
}

# libFuzzer with its corpus in a place of its own. No leak check: a child without ptrace cannot be looked at.
fuzz() { # TARGET OPTION...
  target=$1
  shift
  dictionary=Tests/Fuzz/Words/$target.dict
  [ ! -e "$dictionary" ] || set -- "-dict=$place/tree/$dictionary" "$@"
  as_user TMPDIR=/tmp ASAN_OPTIONS=detect_leaks=0 ALMONER_FUZZ_TARGET="$target" "$place/fuzz/almoner-fuzz" \
    -timeout=20 -rss_limit_mb=2048 -detect_leaks=0 -print_final_stats=1 "-artifact_prefix=$place/found/$target/" \
    "$@" "$place/fuzzed/$target" "$place/tree/$corpus/$target"
}

quick() {
  status=0
  for target in $(ls $corpus); do
    fuzz "$target" -seed=1 "-runs=$runs" "-max_total_time=$most" >"$place/fuzz.log" 2>&1 || {
      status=1
      echo "-- $target"
      grep -vE '^(#|NEW|REDUCE)' "$place/fuzz.log" | tail -n 30
    }
    sed -n "s/^stat::number_of_executed_units: */measured: inputs to $target: /p" "$place/fuzz.log"
  done
  return $status
}

# What was found stays, so that the next run goes on from there; what failed can be fed again.
long() {
  kept=.build/fuzzing/$1
  mkdir -p "$kept/corpus" "$kept/failed"
  find "$kept/corpus" -type f -exec cp {} "$place/fuzzed/$1/" \;
  chmod -R a+rX "$place/fuzzed/$1"
  status=0
  fuzz "$1" "-max_total_time=$seconds" || status=1
  find "$place/fuzzed/$1" -type f -exec cp {} "$kept/corpus/" \;
  find "$place/found/$1" -type f -exec cp {} "$kept/failed/" \;
  [ $status = 0 ] || echo "what failed is in $kept/failed"
  return $status
}

step "fuzz build" build
if [ "$1" = --quick ]; then
  step "fuzz" quick
else
  shown "fuzz $1 for $seconds s" long "$1"
fi
verdict
