#!/bin/sh
# Measures Almoner beside oidc-agent, ssh-agent, secret-tool and a C echo. `./dev test` runs it with --quick, which only
# shows that all of it works: no figure makes it fail.
#
# usage: bench.sh [--quick] [--json]
cd "$(dirname "$0")/../.." || exit 1
quick=
json=
for option in "$@"; do
  case $option in
  --quick) quick=--quick ;;
  --json) json=--json ;;
  *)
    echo "usage: ./dev bench [--quick] [--json]" >&2
    exit 2
    ;;
  esac
done
# The answer goes to where the caller reads; what else there is to say does not mix with JSON.
exec 3>&1
[ -z "$json" ] || exec 1>&2
. Tests/Run/steps.sh
bin=$place/release

# Others are compared with where they are there. The whole run as root installs them; as anybody else it says how.
opponents() {
  missing=
  for package in oidc-agent-cli openssh-client libsecret-tools glewlwyd; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    *" installed") ;;
    *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  # glewlwyd's own set-up would ask for a database server.
  case $missing in *glewlwyd*) missing="$missing dbconfig-no-thanks" ;; esac
  if [ "$(id -u)" != 0 ]; then
    echo "Compared with only what is installed. For the rest, as root:"
    echo "  apt-get update && apt-get install -y --no-install-recommends$missing"
    return 0
  fi
  echo "Installing:$missing"
  case $missing in
  *glewlwyd*) echo 'glewlwyd glewlwyd/config_type select No configuration' | debconf-set-selections ;;
  esac
  # shellcheck disable=SC2086
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } \
    >"$place/log" 2>&1 || {
    tail -n 20 "$place/log"
    return 1
  }
  # The package starts a server of its own, which nobody asked for.
  case $missing in
  *glewlwyd*) [ ! -d /run/systemd/system ] || systemctl disable --now glewlwyd >/dev/null 2>&1 || : ;;
  esac
}

tools() {
  mkdir -p "$place/bench" || return 1
  for name in client echo caller; do
    cc -O2 -Wall -Wextra -Werror -static -o "$place/bench/$name" "Tests/Integration/bench/$name.c" || return 1
  done
  chmod -R a+rX "$place/bench"
}

# Only root reads what a process that cannot be dumped shares with others: kilobytes for each pid that is asked about.
answer_shares() {
  while read -r pid <"$place/shares-asked"; do
    awk '/^Pss:/ {print $2}' "/proc/$pid/smaps_rollup" >"$place/shares-told" 2>/dev/null
  done
}

measure() {
  set -- --tools "$place/bench" $quick $json
  answering=
  if [ "$(id -u)" = 0 ]; then
    [ -p "$place/shares-asked" ] || mkfifo -m 666 "$place/shares-asked" "$place/shares-told" || return 1
    answer_shares &
    answering=$!
    set -- "$@" --shares "$place/shares-asked" "$place/shares-told"
  fi
  as_user python3 "$place/tree/Tests/Integration/bench/bench.py" "$@"
  status=$?
  [ -z "$answering" ] || kill "$answering"
  return $status
}

publish release >&2 || exit 1
if [ -n "$quick" ] && [ -z "$json" ] && [ -n "${ALMONER_TEST_PLACE-}" ]; then
  step "bench: its tools" tools
  step "bench: everything is measured, whatever comes out" measure
  verdict
  exit
fi
[ -n "$quick" ] || opponents || exit 1
tools || exit 1
measure >&3
