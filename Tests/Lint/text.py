"""Checks what no compiler does: the length of files, and words that this code does without.

usage: text.py ROOT
"""

import pathlib
import re
import sys

LONGEST = 400
SOURCE = {".swift", ".c", ".h", ".py", ".sh"}
# Each with the reason it is refused. Looked for outside of comments and string literals.
FORBIDDEN = [
    (re.compile(r"@unchecked\s+Sendable"), "say nonisolated(unsafe) on the one property, with its reason"),
    (re.compile(r"\btry!"), "throw, or handle the error"),
    (re.compile(r"\bas!"), "use as? and handle the refusal"),
    (re.compile(r"\bfatalError\s*\("), "throw; preconditionFailure is for our own broken invariants"),
    (re.compile(r"@testable\b"), "test what is package, through its interface"),
]
LITERAL = re.compile(r'"(?:\\.|[^"\\])*"')


def code_of(line):
    """The line without string literals and without a trailing comment."""
    return LITERAL.sub('""', line).split("//", 1)[0]


def sources(root):
    for top in ("Sources", "Tests", "Examples"):
        if (root / top).is_dir():
            yield from sorted(p for p in (root / top).rglob("*") if p.suffix in SOURCE and p.is_file())
    yield from (root / name for name in ("Package.swift", "dev") if (root / name).is_file())


def problems(root):
    for path in sources(root):
        name, lines = path.relative_to(root), path.read_text().splitlines()
        if len(lines) > LONGEST:
            yield f"{name}: {len(lines)} lines, the most is {LONGEST}"
        if path.suffix != ".swift":
            continue
        for number, line in enumerate(lines, 1):
            for pattern, advice in FORBIDDEN:
                if pattern.search(code_of(line)):
                    yield f"{name}:{number}: {pattern.search(line).group(0)}: {advice}"


def main(root):
    found = list(problems(pathlib.Path(root)))
    for problem in found:
        print(f"text: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
