"""What was measured, row by row, as a table for a person and as JSON for a program."""
import json
import os
import platform


class Row:
    """One figure. `ratio` is ours by theirs; `reached` is None when there was nobody to compare with, or no bar."""

    def __init__(self, measure, value, unit, theirs=None, ratio=None, bar="", reached=None, note=""):
        self.measure, self.value, self.unit = measure, value, unit
        self.theirs, self.ratio, self.bar, self.reached, self.note = theirs or {}, ratio, bar, reached, note


def number(value):
    if abs(value) >= 10000:
        return format(round(value), ",")
    if abs(value) >= 100:
        return "%.0f" % value
    return "%.1f" % value if abs(value) >= 10 else "%.2f" % value


def verdict(row):
    if row.reached is None:
        return "-" if not row.bar else "not known"
    return "yes" if row.reached else "NO"


class Table:
    def __init__(self):
        self.rows = []
        self.remarks = []

    def add(self, *rows):
        self.rows += rows

    def as_text(self):
        lines = [("measure", "almoner", "others", "ratio", "bar", "reached")]
        for row in self.rows:
            theirs = ", ".join("%s %s" % (name, number(value)) for name, value in row.theirs.items())
            ratio = "" if row.ratio is None else "%.2f" % row.ratio if row.ratio >= 0.01 else "%.4f" % row.ratio
            lines.append((row.measure, "%s %s" % (number(row.value), row.unit), theirs, ratio, row.bar, verdict(row)))
        widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        text.insert(1, "  ".join("-" * width for width in widths))
        notes = ["%s: %s" % (row.measure, row.note) for row in self.rows if row.note]
        return "\n".join(text + [""] + notes + self.remarks)

    def as_json(self):
        rows = [{"measure": row.measure, "unit": row.unit, "almoner": row.value, "others": row.theirs,
                 "ratio": row.ratio, "bar": row.bar, "reached": row.reached, "note": row.note} for row in self.rows]
        machine = {"cpus": os.cpu_count(), "kernel": platform.release(), "architecture": platform.machine()}
        return json.dumps({"machine": machine, "rows": rows, "remarks": self.remarks}, indent=2)
