"""Checks what no compiler does: the length of files, words that this code does without, and where grants are made.

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
# What a token request is made of (RFC 6749 section 1.3). The sandbox issuer, who reads them, shares no code.
GRANT, GRANTS = re.compile(r'"grant_type", *"([^"]*)"'), "Sources/OAuth"
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


def grants(root):
    """A grant is a file of its own: nobody but the standard's layer knows what they are called, and each is there once."""
    places = {}
    for path in sources(root):
        name = str(path.relative_to(root))
        if path.suffix != ".swift" or not name.startswith("Sources/") or name.startswith("Sources/almoner-sandbox/"):
            continue
        text = path.read_text()
        if '"grant_type"' in text and not name.startswith(GRANTS):
            yield f"{name}: a grant is a request of {GRANTS}"
        for value in GRANT.findall(text):
            if value in places:
                yield f"{name}: the grant {value} is there already, in {places[value]}"
            places[value] = name


def main(root):
    root = pathlib.Path(root)
    found = [*problems(root), *grants(root)]
    for problem in found:
        print(f"text: {problem}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
