#!/bin/sh
# Runs test_association.py in a network of its own: 203.0.113.0/24 (RFC 5737) and one private address on the loopback
# device, and names for them in a hosts file that nobody else sees.
#
# usage: run.sh [USER]   root makes the network and runs the test as USER; anybody else makes it with a user namespace.
#        ALMONER_BIN=DIRECTORY-WITH-PROGRAMS
set -eu
here=$(cd "$(dirname "$0")" && pwd)
user=${1-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT INT TERM
{
  echo "127.0.0.1 localhost"
  for name in listed other moved html huge packed slow gone broken untrusted; do echo "203.0.113.10 $name.example.test"; done
  echo "10.1.2.3 private.example.test"
  echo "127.0.0.1 loopback.example.test"
} >"$scratch/hosts"
chmod 755 "$scratch"
# shellcheck disable=SC2016
network='ip link set lo up && ip address add 203.0.113.10/24 dev lo && ip address add 10.1.2.3/32 dev lo &&
  echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start && mount --bind "$1/hosts" /etc/hosts'
if [ "$(id -u)" = 0 ]; then
  unshare -nm sh -c "$network"' && shift && exec "$@"' sh "$scratch" \
    setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs \
    env -i HOME=/nonexistent PATH="$PATH" LANG=C.UTF-8 TMPDIR=/tmp SWIFT_BACKTRACE=enable=no \
    ALMONER_BIN="$ALMONER_BIN" PYTHONDONTWRITEBYTECODE=1 python3 "$here/test_association.py"
else
  unshare -Urnm sh -c "$network"' && shift && exec "$@"' sh "$scratch" \
    unshare -U --map-user="$(id -u)" --map-group="$(id -g)" python3 "$here/test_association.py"
fi
