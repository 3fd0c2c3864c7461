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
cases() { python3 Tests/Lint/cases.py "$copy/tree"; }
list() { printf '%s\n' "$@" >"$copy/tree/Tests/cases.txt"; }

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

fresh
grant='extension TokenRequest { static var planted: Self { Self([Parameter("grant_type", "refresh_token")]) } }'
echo "$grant" >"$copy/tree/Sources/Vault/Planted.swift"
expect "Vault/Planted.swift: a grant is a request of Sources/OAuth" text
mv "$copy/tree/Sources/Vault/Planted.swift" "$copy/tree/Sources/OAuth/TokenRequest+Planted.swift"
expect "the grant refresh_token is there already" text

known=Tests/VaultTests/RotationTests.swift
fresh
sed -i '/^B1 /d' "$copy/tree/Tests/cases.txt"
expect "B1 is missing" cases
list "Z: 1" "Z1  a case" "    $known :: no such test"
expect "has no test .no such test" cases
list "Z: 1" "Z1  a case" "    Tests/None.swift :: a fresh token is served without a request"
expect "Tests/None.swift is not there" cases
list "Z: 1" "Z1  a case" "    $known :: a fresh token is served without a request" "Z1  a case" "    partly: a"
expect "Z1 is there twice" cases
list "Z: 1" "Z1  a case"
expect "nothing shows Z1" cases
list "Z: 1" "Z1  a case" "    does not apply: " "Z2  another" "    partly: all of it"
expect "Z1: does not apply, and no word why" cases
expect "Z2 is no case" cases
fresh
sed -i '/^  @Test func `B13 /s/@Test/@Test(.disabled("planted"))/' "$copy/tree/$known"
expect "B13 invalid_grant is terminal and sends nothing more.* never runs" cases

exit $missed
