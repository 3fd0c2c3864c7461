"""Checks the list of cases against the tests that it names.

Every case has a line of its own that begins with its name, and indented lines below it that say what shows it:

    B1  a thousand clients ask at expiry
        Tests/VaultTests/RotationTests.swift :: B1 a thousand callers at expiry cause one request

A file of tests and, after `::`, the very name of a test in it: a Swift raw identifier without its backticks, a function
or method of Python (`Class.test_name` if two have the name), or a text that a campaign prints as its own. Instead of, or
beside tests: `partly: what is missing`, `instead: in what we differ, and why`, or alone `does not apply: why`.

usage: cases.py ROOT [LIST]
"""

import ast
import pathlib
import re
import sys

SECTION = re.compile(r"^([A-Z]): ((?:\d+ ?)+)$")
CASE = re.compile(r"^([A-Z]\d+)  (\S.*)$")
FUNCTION = re.compile(r"func (?:`([^`]+)`|(\w+))\s*(?:<[^>]*>\s*)?\(")


def swift_tests(text):
    """The names of functions that are tests, and of those among them that never run."""
    names, last = {}, 0
    for found in FUNCTION.finditer(text):
        before = text[last:found.start()]
        last = found.end()
        if "@Test" in before:
            attributes = before[before.rindex("@Test"):]
            names[found.group(1) or found.group(2)] = ".disabled(" not in attributes
    return names


def python_tests(text):
    names = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            names.update({f"{node.name}.{part.name}": True for part in node.body if isinstance(part, ast.FunctionDef)})
        if isinstance(node, ast.FunctionDef):
            names[node.name] = not any("skip" in ast.unparse(part) and not isinstance(part, ast.Call)
                                       for part in node.decorator_list)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.setdefault(node.value, True)
    return names


def shell_tests(text):
    return {name: True for name in re.findall(r'^\s*(?:step|\$run) "([^"]+)"', text, re.MULTILINE)}


READERS = {".swift": swift_tests, ".py": python_tests, ".sh": shell_tests}


class List:
    def __init__(self, root, path):
        self.root, self.path = root, path
        self.expected, self.cases, self.known = [], {}, {}
        self.problems, self.open = [], []
        self.case = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line and not line.startswith("#"):
                self.read(number, line)
        self.compare()

    def complain(self, number, what):
        self.problems.append(f"{self.path.name}:{number}: {what}")

    def read(self, number, line):
        if section := SECTION.match(line):
            self.expected += [section.group(1) + index for index in section.group(2).split()]
        elif case := CASE.match(line):
            self.case = case.group(1)
            if self.case in self.cases:
                self.complain(number, f"{self.case} is there twice")
            self.cases[self.case] = []
        elif line.startswith("    ") and self.case:
            self.claim(number, line.strip())
        else:
            self.complain(number, "neither a case nor what shows it")

    def claim(self, number, claim):
        claims = self.cases[self.case]
        kind, _, reason = claim.partition(": ")
        if kind.rstrip(":") in ("partly", "instead", "does not apply"):
            kind = kind.rstrip(":")
            if not reason.strip():
                self.complain(number, f"{self.case}: {kind}, and no word why")
            if kind == "partly":
                self.open.append(self.case)
            claims.append(kind)
            return
        path, separator, name = claim.partition(" :: ")
        if not separator:
            self.complain(number, f"{self.case}: neither a test nor a reason")
        elif claim in claims:
            self.complain(number, f"{self.case} names one test twice")
        elif fault := self.fault(path, name):
            self.complain(number, f"{self.case}: {fault}")
        claims.append(claim)

    def fault(self, path, name):
        """What is wrong with a test that is named, nothing if it is there and runs."""
        if not path.startswith("Tests/") or path.rpartition(".")[2] not in ("swift", "py", "sh"):
            return f"{path} is no file of tests"
        if path not in self.known:
            file = self.root / path
            self.known[path] = READERS[file.suffix](file.read_text()) if file.is_file() else None
        if self.known[path] is None:
            return f"{path} is not there"
        if name not in self.known[path]:
            return f"{path} has no test “{name}”"
        return None if self.known[path][name] else f"“{name}” never runs"

    def compare(self):
        for name in self.expected:
            if name not in self.cases:
                self.problems.append(f"{self.path.name}: {name} is missing")
        for name, claims in self.cases.items():
            if name not in self.expected:
                self.problems.append(f"{self.path.name}: {name} is no case")
            if not claims:
                self.problems.append(f"{self.path.name}: nothing shows {name}")
            if "does not apply" in claims and len(claims) > 1:
                self.problems.append(f"{self.path.name}: {name} does not apply, and yet something shows it")


def main(root, path=None):
    root = pathlib.Path(root)
    found = List(root, pathlib.Path(path) if path else root / "Tests/cases.txt")
    for problem in found.problems:
        print(f"cases: {problem}", file=sys.stderr)
    if found.open:
        print(f"cases: {len(found.cases)} cases, shown in part only: {' '.join(dict.fromkeys(found.open))}")
    return 1 if found.problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
