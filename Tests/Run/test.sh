#!/bin/sh
# Everything: builds, lint, unit tests (plain, ASan, TSan), and the real programs as an unprivileged user.
#
# usage: test.sh [NAME...]   only the steps whose name contains one of the words
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$(pwd)
sh Tests/Run/setup.sh || exit 1

# Root makes a user and never runs a program of ours itself. Anybody else is the unprivileged user.
user=$(id -un)
if [ "$(id -u)" = 0 ]; then
  user=almoner-test
  id "$user" >/dev/null 2>&1 || useradd --system --create-home --home-dir /var/lib/almoner-test --shell /bin/sh "$user"
fi
place=$(mktemp -d /tmp/almoner-test-XXXXXX)
chmod 755 "$place"
# Whatever a test left running ends here.
trap 'rm -rf "$place"; [ "$user" = almoner-test ] && pkill -KILL -u "$user" 2>/dev/null' EXIT
passed=0
failed=0
words="$*"

wanted() {
  [ -n "$words" ] || return 0
  for word in $words; do case $1 in *"$word"*) return 0 ;; esac; done
  return 1
}

step() { # NAME COMMAND...
  name=$1
  shift
  wanted "$name" || return 0
  began=$(date +%s)
  echo "== $name"
  if "$@" >"$place/log" 2>&1; then
    passed=$((passed + 1))
    grep -E '^(Ran |[0-9]+ passed|measured:)' "$place/log" || :
    tests=$(sed -n 's/.*Test run with \([0-9]*\) tests.*passed.*/\1/p' "$place/log" | awk '{n += $1} END {print n}')
    [ -z "$tests" ] || echo "   $tests tests passed"
    echo "   ok, $(($(date +%s) - began)) s"
  else
    failed=$((failed + 1))
    tail -n 60 "$place/log"
    echo "   FAILED: $name"
  fi
}

# Runs a command as the unprivileged user with an environment of its own.
as_user() {
  if [ "$(id -u)" = 0 ]; then
    setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs env -i HOME=/var/lib/almoner-test \
      PATH="$PATH" LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no ALMONER_BIN="${bin-}" ALMONER_FAULTS_BIN="${faults-}" \
      ALMONER_VENV="$place/venv" "$@"
  else
    env ALMONER_BIN="${bin-}" ALMONER_FAULTS_BIN="${faults-}" ALMONER_VENV="$place/venv" SWIFT_BACKTRACE=enable=no "$@"
  fi
}

# The user may not be able to read the tree, so what is run is copied to where it can.
publish() { # KIND
  directory=$(sh Tests/Run/build.sh "$1" | tail -n 1) || return 1
  mkdir -p "$place/$1"
  find "$directory" -maxdepth 1 -type f -perm -u+x \( -name 'almoner*' \) -exec cp {} "$place/$1/" \;
  chmod -R a+rX "$place/$1"
  [ -x "$place/$1/almonerd" ]
}

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

python_tests() { # DIRECTORY
  as_user python3 -m unittest discover -s "$place/tree/Tests/Integration/$1" -p 'test_*.py'
}

# An issuer and a client of our socket that nobody of this project wrote.
strangers() {
  mkdir "$place/venv" || return 1
  [ "$(id -u)" != 0 ] || chown "$user" "$place/venv" || return 1
  as_user sh "$place/tree/Tests/Integration/openid/install.sh" "$place/venv"
}

kills() {
  as_user python3 "$place/tree/Tests/Integration/crash/kills.py" "$@"
}

keyring_tests() {
  as_user sh "$place/tree/Tests/Integration/keyring/run-store-tests.sh" "$place/debug/almonerPackageTests.xctest"
}

mkdir -p "$place/tree/Sources/AlmonerClient"
cp -R Tests systemd dbus PROTOCOL.md "$place/tree/"
cp -R Sources/AlmonerClient/Examples "$place/tree/Sources/AlmonerClient/"
chmod -R a+rX "$place/tree"

step "lint" sh Tests/Lint/lint.sh
step "unit" unit debug
bin=$place/release
faults=$place/faults
step "release build" publish release
step "faults build" publish faults
step "openid and varlink: programs of strangers" strangers
for suite in callback sandbox cli main openid varlink systemd secrecy; do step "$suite" python_tests "$suite"; done
step "systemd units" sh Tests/Integration/systemd/verify.sh
step "keyring" keyring_tests
bin=$place/faults
step "300 kills in mid-refresh lose nothing" kills --kills 300
step "without the landing, kills do lose sessions" kills --kills 30 --no-landing
bin=$place/release
if [ "$(id -u)" = 0 ]; then
  # Root makes what an ordinary user cannot, namespaces and a look into memory; what is tried runs as the user.
  step "systemd mid-flight" "$place/tree/Tests/Integration/systemd/mid-flight.sh" "$user" "$bin"
  step "secrecy of memory" python3 "$place/tree/Tests/Integration/secrecy/memory.py" "$user" "$bin"
  step "unit under address sanitizer" unit asan
  # Its clone(2) cannot start a program as vfork(2) does, which is how couriers start.
  step "unit under thread sanitizer" unit tsan Courier
fi
echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
