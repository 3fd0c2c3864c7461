"""Compares the keys that the configuration knows with those that almoner.conf(5) describes.

usage: manual.py ROOT
"""

import pathlib
import re
import sys

CASE = re.compile(r'^\s*case (\w+)(?: = "([a-z-]+)")?$', re.MULTILINE)
ITEM = re.compile(r"^\.It Cm ([a-z-]+) Ns = ", re.MULTILINE)


def main(root):
    root = pathlib.Path(root)
    source = (root / "Sources/Configuration/Meaning/ConfigurationKeys.swift").read_text()
    known = sorted(raw or name for name, raw in CASE.findall(source))
    described = sorted(ITEM.findall((root / "man/almoner.conf.5").read_text()))
    if known == described:
        return 0
    print(f"manual: the code has the keys {known}, almoner.conf(5) describes {described}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
