#!/bin/sh
# Plants one violation at a time in a copy of the sources and sees that the checks find it.
# usage: planted.sh DUMP    run from the top level
set -eu
dump=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
missed=0

fresh() {
  rm -rf "$copy/tree"
  mkdir "$copy/tree"
  cp -R Package.swift Sources Tests "$copy/tree/"
}

# Passes when the check fails and names the planted thing.
expect() { # WORDS COMMAND...
  words=$1
  shift
  if "$@" >"$copy/said" 2>&1 || ! grep -q -- "$words" "$copy/said"; then
    echo "planted: not found: $words" >&2
    missed=1
  fi
}

imports() { python3 Tests/Lint/imports.py "$copy/tree" "$dump"; }
text() { python3 Tests/Lint/text.py "$copy/tree"; }

for line in "import Foundation" "package import Stores" "@preconcurrency import struct CSodium.X"; do
  fresh
  echo "$line" >"$copy/tree/Sources/Vault/Planted.swift"
  expect "Sources/Vault/Planted.swift:1: Vault may not import" imports
done

fresh
echo "import CCurl" >"$copy/tree/Sources/almonerd/Planted.swift"
expect "almonerd may not import CCurl" imports

fresh
sed -i 's/^Time:/Time: Vault/' "$copy/tree/Tests/Lint/imports.txt"
expect "the arrow Time -> Vault goes up" imports

fresh
sed -i 's/^Wire: JSON/Wire: JSON Sodium/' "$copy/tree/Tests/Lint/imports.txt"
expect "Wire: Package.swift and the table disagree about Sodium" imports
expect "almoner and almonerd may not share CSodium, Sodium" imports

fresh
sed -i 's/^Curl:/Curl: CSodium/' "$copy/tree/Tests/Lint/imports.txt"
expect "only a door may import CSodium" imports

for word in '@unchecked Sendable' 'try!' 'fatalError(' '@testable'; do
  fresh
  printf '%s\n' "let planted = 1  // fine" "$word" >"$copy/tree/Sources/Vault/Planted.swift"
  expect "Planted.swift:2: " text
done

fresh
yes "// filler" | head -n 401 >"$copy/tree/Sources/Vault/Planted.swift"
expect "401 lines, the most is 400" text

exit $missed
