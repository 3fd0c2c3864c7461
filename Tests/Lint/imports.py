"""Compares the import table with Package.swift and with every `import` line in Sources.

usage: imports.py ROOT DUMP    DUMP is the output of `swift package dump-package`
"""

import json
import pathlib
import re
import sys

SYSTEM = {"Glibc", "Synchronization"}
IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
)
# Linked for what it does to `free`, never imported.
LINKED_ONLY = {"CZeroFree"}
FREE_C_MODULES = {"CLinux", "CZeroFree"}


class Table:
    """The table as written: targets in order, each with its layer and what it may import."""

    def __init__(self, path):
        self.allowed, self.layer, self.apart, self.problems = {}, {}, [], []
        self.order, layer = [], None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if line.startswith("["):
                layer = line.strip("[]")
            elif layer == "apart":
                pair, _, shared = line.partition(":")
                self.apart.append((pair.split(), set(shared.split())))
            else:
                self.add(*line.partition(":")[::2], layer, f"{path.name}:{number}")

    def add(self, target, imports, layer, place):
        if target in self.allowed:
            self.problems.append(f"{place}: {target} is listed twice")
        for module in imports.split():
            if module not in SYSTEM and module not in self.allowed:
                self.problems.append(f"{place}: the arrow {target} -> {module} goes up, or {module} is not listed")
            if self.is_foreign_door(target, module, layer):
                self.problems.append(f"{place}: only a door may import {module}")
        self.allowed[target] = set(imports.split())
        self.layer[target] = layer
        self.order.append(target)

    def is_foreign_door(self, target, module, layer):
        if self.layer.get(module) != "c" or module in FREE_C_MODULES:
            return False
        return layer != "doors" or any(module in imports for imports in self.allowed.values())

    def reach(self, target):
        """Everything the target links, by way of others included."""
        found, waiting = set(), [target]
        while waiting:
            for module in self.allowed.get(waiting.pop(), ()):
                if module not in SYSTEM and module not in found:
                    found.add(module)
                    waiting.append(module)
        return found

    def meetings(self):
        for (left, right), shared in self.apart:
            extra = (self.reach(left) | {left}) & (self.reach(right) | {right}) - shared
            if extra:
                yield f"{left} and {right} may not share {', '.join(sorted(extra))}"


def manifest_targets(dump):
    """Name -> (type, declared dependencies)."""
    targets = {}
    for target in json.loads(pathlib.Path(dump).read_text())["targets"]:
        names = {(d.get("byName") or d.get("target"))[0] for d in target["dependencies"]}
        targets[target["name"]] = (target["type"], names - LINKED_ONLY)
    return targets


def manifest_problems(table, targets):
    ours = {name: declared for name, (kind, declared) in targets.items() if kind != "test"}
    for name in sorted(set(ours) | set(table.allowed)):
        if name not in table.allowed:
            yield f"Package.swift declares {name}, the table does not list it"
        elif name not in ours:
            yield f"the table lists {name}, Package.swift does not declare it"
        elif ours[name] != table.allowed[name] - SYSTEM:
            odd = sorted(ours[name] ^ (table.allowed[name] - SYSTEM))
            yield f"{name}: Package.swift and the table disagree about {', '.join(odd)}"


def imports_in(folder):
    for path in sorted(folder.rglob("*.swift")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := IMPORT.match(line):
                yield path, number, match.group(1)


def source_problems(root, table, targets):
    for folder in sorted(p for p in (root / "Sources").iterdir() if p.is_dir()):
        if folder.name not in table.allowed:
            yield f"Sources/{folder.name} belongs to no target of the table"
            continue
        for path, number, module in imports_in(folder):
            if module not in table.allowed[folder.name]:
                yield f"{path.relative_to(root)}:{number}: {folder.name} may not import {module}"
    for name, (kind, declared) in sorted(targets.items()):
        if kind != "test":
            continue
        for path, number, module in imports_in(root / "Tests" / name):
            if module not in declared | SYSTEM | {"Testing"}:
                yield f"{path.relative_to(root)}:{number}: {name} does not declare {module}"


def main(root, dump):
    root = pathlib.Path(root)
    table = Table(root / "Tests/Lint/imports.txt")
    targets = manifest_targets(dump)
    problems = [
        *table.problems, *manifest_problems(table, targets), *table.meetings(), *source_problems(root, table, targets)
    ]
    for problem in problems:
        print(f"imports: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
