"""Compares what the man pages say with what is there: the keys of the configuration, the commands that show a promise.

usage: manual.py ROOT
"""

import pathlib
import re
import sys

CASE = re.compile(r'^\s*case (\w+)(?: = "([a-z-]+)")?$', re.MULTILINE)
ENDPOINT = re.compile(r'^  case \w+ = "([a-z_]+)"$', re.MULTILINE)
ITEM = re.compile(r"^\.It Cm ([a-z-]+) Ns = ", re.MULTILINE)
PROMISE = re.compile(r"^\.It Ic \./dev (\w+) ?(.*)$", re.MULTILINE)
STEP = re.compile(r'^ *(?:step|shown|\$run|campaign) "?([^"\n]+)', re.MULTILINE)
SUITES = re.compile(r"^for suite in ([\w ]+); do", re.MULTILINE)


def absent_evidence(root):
    """Commands of almoner-security(7) that `dev` does not have, and words that choose no step of `./dev test`."""
    commands = set(re.findall(r"^(\w+)\) ", (root / "dev").read_text(), re.MULTILINE))
    test = (root / "Tests/Run/test.sh").read_text()
    steps = STEP.findall(test) + [name for names in SUITES.findall(test) for name in names.split()]
    promises = PROMISE.findall((root / "man/almoner-security.7").read_text())
    if not promises:
        yield "no promise"
    for command, words in promises:
        if command not in commands:
            yield f"./dev {command}"
        if command == "test":
            yield from (f"./dev test {word}" for word in words.split() if not any(word in step for step in steps))


def main(root):
    root = pathlib.Path(root)
    absent = list(absent_evidence(root))
    if absent:
        print(f"manual: almoner-security(7) names what is not there: {', '.join(absent)}", file=sys.stderr)
        return 1
    meaning = root / "Sources/Configuration/Meaning"
    source = "".join((meaning / name).read_text() for name in ("ConfigurationKeys.swift", "IssuerOptionKeys.swift"))
    endpoints = ENDPOINT.findall((root / "Sources/OAuth/ServerEndpoint.swift").read_text())
    endpoints = [name.replace("pushed_authorization_request", "par").replace("_", "-") for name in endpoints]
    known = sorted([raw or name for name, raw in CASE.findall(source)] + endpoints)
    described = sorted(ITEM.findall((root / "man/almoner.conf.5").read_text()))
    if known == described:
        return 0
    print(f"manual: the code has the keys {known}, almoner.conf(5) describes {described}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
