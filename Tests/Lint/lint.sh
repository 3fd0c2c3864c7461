#!/bin/sh
# Everything `./dev lint` checks. Prints what is wrong and goes on to the next check; status 1 if anything was.
set -u
cd "$(dirname "$0")/../.." || exit 1
lint=Tests/Lint
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

check() { # NAME COMMAND...
  name=$1
  shift
  if "$@"; then echo "lint: $name: ok"; else
    echo "lint: $name: FAILED" >&2
    failed=1
  fi
}

# Scripts are read by the shell they name, Python programs are parsed.
scripts_parse() {
  find dev Tests -type f \( -name dev -o -name '*.sh' \) >"$scratch/scripts"
  status=0
  while IFS= read -r script; do
    case $(head -n 1 "$script") in
    *bash) bash -n "$script" || status=1 ;;
    *) sh -n "$script" || status=1 ;;
    esac
  done <"$scratch/scripts"
  find Tests -name '*.py' -exec python3 -c '
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name).read(), name)' {} + || status=1
  return $status
}

manuals_are_clean() {
  [ -d man ] || return 0
  find man -type f -exec mandoc -T lint -W warning {} +
}

swift package --scratch-path "$scratch/build" dump-package >"$scratch/package.json" || exit 1
check "swift format" swift format lint --strict -r Sources Tests Package.swift
check "imports" python3 $lint/imports.py . "$scratch/package.json"
check "lint sees what is planted" sh $lint/planted.sh "$scratch/package.json"
check "text" python3 $lint/text.py .
check "list of cases" python3 $lint/cases.py .
check "scripts" scripts_parse
check "desktop entry" desktop-file-validate Sources/Commands/Callback/org.almoner.Almoner.desktop
check "man pages" manuals_are_clean
check "man pages tell the truth" python3 $lint/manual.py .
exit $failed
