"""Measures Almoner beside other agents and prints what was found, with the bar that each figure has to reach.

usage: bench.py --tools DIR [--quick] [--json] [--shares REQUESTS ANSWERS]

ALMONER_BIN names the directory of a release build, --tools that of the load generator and the echo. --quick only
shows that everything works; its figures say little. The status tells whether everything could be measured, not how it
came out.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), HERE]
import cached  # noqa: E402
import refreshes  # noqa: E402
import standing  # noqa: E402
from load import Load  # noqa: E402
from opponents import Opponents  # noqa: E402
from place import refuse_root  # noqa: E402
from scene import Scene  # noqa: E402
from table import Table  # noqa: E402


class Effort:
    """How much is done, whole and quick."""

    def __init__(self, quick):
        self.rounds, self.milliseconds = (2, 150) if quick else (7, 1000)
        self.processes = 10 if quick else 200
        self.refreshes = 2 if quick else 20
        self.starts = 2 if quick else 15
        self.counts = (1, 100) if quick else (1, 100, 1000)
        self.accounts = 2 if quick else 100
        self.idle = 3 if quick else 60


class Shares:
    """Pss, which only root may read of a daemon that cannot be dumped: whoever started this answers by two pipes."""

    def __init__(self, names):
        self.names = names

    def megabytes(self, pid):
        if not self.names:
            return None
        with open(self.names[0], "w") as asked:
            asked.write("%d\n" % pid)
        with open(self.names[1]) as answer:
            word = answer.readline().strip()
        return int(word) / 1024 if word else None


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(scene, opponents, load, effort, shares, table):
    say("cached tokens")
    table.add(*cached.kept(scene, opponents, load))
    table.add(*cached.new(scene, opponents, load))
    table.add(*cached.whole_process(scene, opponents, effort.processes))
    say("forced refreshes")
    table.add(*refreshes.forced(scene, opponents, effort.refreshes))
    say("an issuer that hangs")
    table.add(*cached.while_another_hangs(scene, opponents, load))
    say("rest")
    table.add(standing.idle(scene, effort.idle))
    say("starts")
    table.add(*standing.starting(scene, effort.counts, effort.starts))
    say("memory")
    table.add(*standing.weight(scene, shares, effort.accounts))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--tools", required=True)
    options.add_argument("--quick", action="store_true")
    options.add_argument("--json", action="store_true")
    options.add_argument("--shares", nargs=2)
    options = options.parse_args()
    refuse_root()
    effort, table = Effort(options.quick), Table()
    scene = Scene()
    try:
        opponents = Opponents(scene.place, options.tools)
        try:
            scene.add_openid_accounts(opponents.issuers)
            load = Load(os.path.join(options.tools, "client"), effort.rounds, effort.milliseconds)
            measure(scene, opponents, load, effort, Shares(options.shares), table)
        except Exception:
            # What was measured until then is worth seeing.
            say(table.as_text())
            raise
        finally:
            opponents.stop()
            if opponents.missing:
                missing = ", ".join(opponents.missing)
                table.remarks.append("not done here: no comparison with what is not installed: " + missing)
    finally:
        scene.end()
    print(table.as_json() if options.json else table.as_text())


if __name__ == "__main__":
    main()
