#!/bin/sh
# Builds one kind and prints the directory of its programs as the last line.
set -eu
cd "$(dirname "$0")/../.."
kind=${1-debug}
case $kind in
debug) set -- ;;
release) set -- -c release ;;
faults) set -- -c release --scratch-path .build/faults; ALMONER_FAULTS=1; export ALMONER_FAULTS ;;
asan) set -- --scratch-path .build/asan --sanitize address; ALMONER_SANITIZE=1; export ALMONER_SANITIZE ;;
tsan) set -- --scratch-path .build/tsan --sanitize thread; ALMONER_SANITIZE=1; export ALMONER_SANITIZE ;;
fuzz)
  set -- -c release --scratch-path .build/fuzz --sanitize fuzzer --product almoner-fuzz
  ALMONER_SANITIZE=1 ALMONER_FUZZ=1
  export ALMONER_SANITIZE ALMONER_FUZZ
  ;;
*)
  echo "build: debug, release, faults, asan, tsan or fuzz" >&2
  exit 2
  ;;
esac
tests=
case $kind in debug | asan | tsan) tests=--build-tests ;; esac
# SwiftPM's notice about pkg-config's -pthread cannot be silenced, and is not about our code.
log=$(mktemp)
if swift build $tests "$@" >"$log" 2>&1; then
  rm -f "$log"
else
  grep -v 'prohibited flag' "$log" >&2
  rm -f "$log"
  exit 1
fi
swift build "$@" --show-bin-path 2>/dev/null
