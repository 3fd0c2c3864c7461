#!/bin/sh
# Root's part of the relay tests: a policy that lets a page of the tests' own host start its handler, and the tests' own
# authority, in a mount namespace of their own. Everything else runs as the unprivileged user.
#
# usage: relay.sh USER BIN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
user=$1 bin=$2
if [ "${3-}" != inside ]; then exec unshare --mount --propagation private "$0" "$user" "$bin" inside; fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=Almoner test authority" \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
  -keyout "$scratch/ca.key" -out "$scratch/ca.pem" 2>"$scratch/log"
openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=app.almoner.test" \
  -keyout "$scratch/site.key" -out "$scratch/site.csr" 2>>"$scratch/log"
printf 'subjectAltName=DNS:app.almoner.test\nextendedKeyUsage=serverAuth\n' >"$scratch/extensions"
openssl x509 -req -in "$scratch/site.csr" -CA "$scratch/ca.pem" -CAkey "$scratch/ca.key" -days 2 -CAcreateserial \
  -extfile "$scratch/extensions" -out "$scratch/site.pem" 2>>"$scratch/log"
rm "$scratch/ca.key"
chown "$user" "$scratch" "$scratch/site.key" "$scratch/site.pem"

mkdir -p /etc/chromium/policies "$scratch/policies/managed"
cat >"$scratch/policies/managed/almoner-test.json" <<POLICY
{
  "AutoLaunchProtocolsFromOrigins": [{"protocol": "almoner", "allowed_origins": ["https://app.almoner.test"]}],
  "CACertificates": ["$(openssl x509 -in "$scratch/ca.pem" -outform DER | base64 -w 0)"]
}
POLICY
chmod -R a+rX "$scratch/policies"
mount --bind "$scratch/policies" /etc/chromium/policies

setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs env -i HOME="$scratch" PATH="$PATH" LANG=C.UTF-8 \
  SWIFT_BACKTRACE=enable=no ALMONER_BIN="$bin" ALMONER_SITE="$scratch" ALMONER_SCREENSHOTS="${ALMONER_SCREENSHOTS-}" \
  python3 -m unittest discover -s "$here" -p 'relay_*.py'
