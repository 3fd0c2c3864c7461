#!/bin/sh
# Runs the tests that need a Secret Service: run-store-tests.sh [TEST-PROGRAM]
# Each part gets a private bus, home and runtime directory of its own. A part that runs no test has failed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tests=${1-$here/../../../.build/debug/almonerPackageTests.xctest}

if [ "$(id -u)" = 0 ]; then
  echo "run-store-tests.sh: run me as an ordinary user: as root, checks of owners and modes pass for the wrong reason" >&2
  exit 1
fi
for program in dbus-run-session dbus-monitor gdbus gnome-keyring-daemon secret-tool keepassxc keepassxc-cli; do
  command -v $program >/dev/null || {
    echo "run-store-tests.sh: $program is not installed" >&2
    exit 1
  }
done

work=$(mktemp -d "${TMPDIR:-/tmp}/almoner-keyring.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
export ALMONER_TEST_KEYRING_CONTROL="$here/control.sh" SWIFT_BACKTRACE=enable=no

# part NAME COUNT SETUP FILTER [CHECK]: on a fresh bus runs SETUP, then the tests whose name matches FILTER, of which
# COUNT must pass, then CHECK, which sees the bus traffic in $work/NAME/bus and a fake service's log in $work/NAME/calls.
part() {
  mkdir -m 700 -p "$work/$1/home" "$work/$1/run"
  if ! env -u DISPLAY -u WAYLAND_DISPLAY HOME="$work/$1/home" XDG_RUNTIME_DIR="$work/$1/run" XDG_DATA_HOME= \
    ALMONER_TEST_PART="$work/$1" timeout 120 dbus-run-session --config-file="$here/bus.conf" -- sh -c '
      set -eu
      dbus-monitor --session >"$ALMONER_TEST_PART/bus" 2>&1 & monitor=$!
      finish() {
        kill $monitor
        [ ! -e "$XDG_RUNTIME_DIR/keyring.pid" ] || kill -KILL "$(cat "$XDG_RUNTIME_DIR/keyring.pid")" 2>/dev/null || true
        [ ! -e "$XDG_RUNTIME_DIR/fake.pid" ] || kill "$(cat "$XDG_RUNTIME_DIR/fake.pid")"
      }
      trap finish EXIT
      eval "$1"
      "$2" --testing-library swift-testing --filter "$3"
    ' part "$3" "$tests" "$4" >"$work/$1/out" 2>&1 </dev/null; then
    cat "$work/$1/out" >&2
    echo "keyring tests: $1: FAILED" >&2
    exit 1
  fi
  if ! grep -Eq "Test run with $2 tests? .*passed" "$work/$1/out"; then
    cat "$work/$1/out" >&2
    echo "keyring tests: $1: not exactly $2 tests ran and passed" >&2
    exit 1
  fi
  if [ -n "${5-}" ] && ! (cd "$work/$1" && eval "$5"); then
    echo "keyring tests: $1: what was seen on the bus is not what should be: $5" >&2
    exit 1
  fi
  echo "keyring tests: $1: ok ($2 tests)"
}

fake() { echo "/usr/bin/python3 '$here/fake_service.py' $1 \"\$ALMONER_TEST_PART/calls\" & echo \$! >\"\$XDG_RUNTIME_DIR/fake.pid\"; gdbus wait --session --timeout 10 org.freedesktop.secrets; export ALMONER_TEST_SERVICE=$1"; }
keyring() { echo "sh '$here/control.sh' $1; export ALMONER_TEST_KEYRING=1"; }

no_prompt='! grep -q "Secret.Prompt; member=Prompt" bus'
# The one is the unlocking that was asked for.
one_prompt='[ "$(grep -c "Secret.Prompt; member=Prompt" bus)" = 1 ]'
# KeePassXC puts every change off to a prompt, of which it shows nothing.
some_prompt='grep -q "Secret.Prompt; member=Prompt" bus'
# The password that control.sh sends in the clear shows that a secret on the bus would be seen.
no_secret='grep -aq test-password bus && ! grep -aq SENTINEL bus'

part contract 12 "$(keyring start)" StoreContractTests "$no_prompt"
part keepassxc 12 "python3 '$here/keepassxc.py' start; export ALMONER_TEST_KEYRING=1" StoreContractTests "$some_prompt"
for name in contract keepassxc; do
  grep -q 'backend → keyring' "$work/$name/out" || {
    echo "keyring tests: $name: the keyring did not take part" >&2
    exit 1
  }
done
part keyring 13 "$(keyring start)" StoresTests.KeyringTests "$one_prompt && $no_secret"
part no-collection 1 "$(keyring start-locked)" KeyringWithoutCollectionTests "$no_prompt"
part no-service 1 "export ALMONER_TEST_SERVICE=none" KeyringAbsentTests
part no-bus 2 "export ALMONER_TEST_BUS=none; unset DBUS_SESSION_BUS_ADDRESS" BusAbsentTests

part plain 1 "$(fake plain)" FakePlainTests "! grep -q CreateItem calls"
part prompt-complete 1 "$(fake prompt-complete)" FakePromptCompleteTests '[ "$(grep -c "^Prompt$" calls)" = 1 ]'
part prompt-dismiss 1 "$(fake prompt-dismiss)" FakePromptDismissTests '[ "$(grep -c "^Prompt$" calls)" = 1 ]'
part prompt-hang 2 "$(fake prompt-hang)" FakePromptHangTests \
  '[ "$(grep -c "^Prompt$" calls)" = 3 ] && [ "$(grep -c "^Dismiss$" calls)" = 3 ]'
part prompt-dead 1 "$(fake prompt-dead)" FakePromptDeadTests '[ "$(grep -c "^Prompt$" calls)" = 2 ]'
part create-prompt 1 "$(fake create-prompt)" FakeCreatePromptTests 'grep -q "^Dismiss$" calls'
part create-prompt-locked 1 "$(fake create-prompt-locked)" FakeCreatePromptLockedTests \
  '! grep -q "^Prompt$" calls && grep -q "^Dismiss$" calls'
part delete-prompt 1 "$(fake delete-prompt)" FakeDeletePromptTests 'grep -q "^Dismiss$" calls'
part hidden 2 "$(fake hidden)" FakeHiddenTests '! grep -q "^Prompt$" calls'
part listed 1 "$(fake listed)" FakeListedTests
part item-locked 1 "$(fake item-locked)" FakeItemLockedTests 'grep -q "^Unlock .*/i0$" calls'
part many 1 "$(fake many)" FakeManyTests
part odd-locked 1 "$(fake odd-locked)" FakeOddLockedTests
part collection-gone 1 "$(fake no-collection)" FakeNoCollectionTests
part session-collection 1 "$(fake session-collection)" FakeSessionCollectionTests
