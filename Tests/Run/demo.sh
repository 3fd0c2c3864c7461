#!/bin/sh
# The main job against the sandbox issuer, in front of your eyes. Leaves nothing behind.
set -eu
cd "$(dirname "$0")/../.."
sh Tests/Run/setup.sh
echo "Building (the first time takes some minutes) ..."
built=$(sh Tests/Run/build.sh release | tail -n 1)
place=$(mktemp -d /tmp/almoner-demo-XXXXXX)
trap 'rm -rf "$place"' EXIT INT TERM
chmod 755 "$place"
mkdir -p "$place/bin" "$place/Tests"
for name in almoner almonerd almoner-courier almoner-callback almoner-sandbox; do cp "$built/$name" "$place/bin/"; done
cp -R Tests/Integration Tests/Run "$place/Tests/"
chmod -R a+rX "$place"
if [ "$(id -u)" = 0 ]; then
  # Root is not who Almoner is for: the demo runs as nobody.
  setpriv --reuid=nobody --regid=nogroup --clear-groups env -i PATH="$PATH" LANG=C.UTF-8 ALMONER_BIN="$place/bin" \
    python3 "$place/Tests/Run/demo.py"
else
  env ALMONER_BIN="$place/bin" python3 "$place/Tests/Run/demo.py"
fi
