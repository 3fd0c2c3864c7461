#!/bin/sh
# Everything: builds, lint, unit tests (plain, ASan, TSan), and the real programs as an unprivileged user.
#
# usage: test.sh [NAME...]   only the steps whose name contains one of the words, and what they need. A word that is in
#                           none lists them.
cd "$(dirname "$0")/../.." || exit 1
. Tests/Run/steps.sh
words="$*"

# One process for each test target, and one test after the other: tests that block would starve each other of the few
# threads there are, and a test that runs out of descriptors must not inherit those of another.
unit() { # KIND [EXCEPT]
  publish "$1" || return 1
  preload=
  if [ "$1" = tsan ]; then
    clang -D_GNU_SOURCE -O1 -shared -fPIC -o "$place/tsan-mutex.so" Tests/Run/tsan-mutex.c || return 1
    preload="LD_PRELOAD=$place/tsan-mutex.so"
  fi
  status=0
  for target in $(ls Tests | grep 'Tests$' | grep -vE "^(${2-nothing})Tests$"); do
    echo "-- $target"
    # No leak check at exit: tasks that wait for ever in a test that is over are counted as leaks, and a child under
    # seccomp cannot be traced for it.
    # shellcheck disable=SC2086
    as_user TMPDIR=/tmp ALMONER_TREE="$place/tree" ASAN_OPTIONS=detect_leaks=0 timeout 180 env $preload \
      "$place/$1/almonerPackageTests.xctest" --testing-library swift-testing --no-parallel --filter "^$target\\." \
      >"$place/unit.log" 2>&1 || status=1
    grep -vE '^. (Test|Suite|Test case) .*(started|passed)' "$place/unit.log"
    grep -qE 'Test run with [1-9]' "$place/unit.log" || {
      echo "no test ran: $target"
      status=1
    }
  done
  return $status
}

# Its network is its own: root makes it for the user, anybody else in a user namespace.
association() {
  ALMONER_BIN="$bin" sh "$place/tree/Tests/Integration/association/run.sh" "$user"
}

keyring_tests() {
  as_user sh "$place/tree/Tests/Integration/keyring/run-store-tests.sh" "$place/debug/almonerPackageTests.xctest"
}

bin=$place/release
faults=$place/faults
step "lint" sh Tests/Lint/lint.sh
step "unit" unit debug
step "release build" publish release
step "faults build" publish faults
step "openid and varlink: programs of strangers" strangers
for suite in callback sandbox cli main; do step "$suite" with release python_tests "$suite"; done
for suite in stepup openid device varlink; do step "$suite" with release,strangers python_tests "$suite"; done
for suite in systemd secrecy; do step "$suite" with release python_tests "$suite"; done
step "browser" with release,faults,strangers python_tests browser
step "association" with release association
step "systemd units" sh Tests/Integration/systemd/verify.sh
step "keyring" with debug keyring_tests
step "keyring in trouble, under the daemon" with release python_tests keyring
campaign crash --quick
campaign fuzz --quick
campaign load --quick
campaign bench --quick
if [ "$(id -u)" = 0 ]; then
  # Root makes what an ordinary user cannot, namespaces and a look into memory; what is tried runs as the user.
  step "systemd mid-flight" with release "$place/tree/Tests/Integration/systemd/mid-flight.sh" "$user" "$bin"
  step "secrecy of memory, disk and swap" with release python3 "$place/tree/Tests/Integration/secrecy/root.py" "$user" "$bin"
  step "secrecy of the journal" with release python3 "$place/tree/Tests/Integration/secrecy/journal.py" "$user" "$bin"
  step "relay page, to a desktop's handler" with release "$place/tree/Tests/Integration/browser/relay.sh" "$user" "$bin"
  step "unit under address sanitizer" unit asan
  # Its clone(2) cannot start a program as vfork(2) does, which is how couriers start.
  step "unit under thread sanitizer" unit tsan Courier
fi
verdict

