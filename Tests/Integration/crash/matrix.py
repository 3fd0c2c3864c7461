"""Crash points x issuer fates x journal x issuer class, each cell compared with the model. Needs a FAULTS build.

usage: matrix.py [--quick] [--seed S] [--seconds N] [--only WORD]

First every point with every fate of the first request, then the scenarios of the model with the daemon in the place of
a strategy. --quick draws cells by the seed, every point among them, for as many seconds as --seconds says (65); without
it all of them are tried. Fails when the daemon does worse than the model's `courier` in any cell.
"""
import argparse
import collections
import queue
import random
import sys
import threading
import time
import traceback

from cells import expected, model, points_and_fates, scenarios
from scene import Scene, refuse_root
from trial import Trial, Wrong

REPEATS = 3


class Matrix:
    def __init__(self, cells, must, seconds, workers):
        """`must` of the cells, the first ones, are tried however long it takes."""
        self.must = {cell for cell, _ in cells[:must]}
        self.until = time.monotonic() + seconds if seconds else None
        self.queues = collections.defaultdict(queue.SimpleQueue)
        for cell, scenario in cells:
            self.queues[cell.policy, cell.backend].put((cell, scenario))
        self.total, self.workers = len(cells), workers
        self.lock = threading.Lock()
        self.done, self.wrong, self.slow, self.better = [], [], [], []

    def run(self):
        threads = [threading.Thread(target=self.work, args=(kind, own)) for kind, own in self.queues.items()
                   for _ in range(self.workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def work(self, kind, own):
        policy, backend = kind
        scene = None
        try:
            while True:
                cell, scenario = own.get_nowait()
                if self.until and time.monotonic() > self.until and cell not in self.must:
                    break
                scene = scene or Scene(backend, policy)
                if not self.attempt(scene, cell, scenario):
                    scene.end()
                    scene = None
        except queue.Empty:
            pass
        except Exception:
            with self.lock:
                self.wrong.append((kind, traceback.format_exc()))
        finally:
            if scene:
                scene.end()

    def attempt(self, scene, cell, scenario):
        """Returns whether the scene can be used again."""
        run = simulated(cell, scenario, "courier") if scenario else expected(cell)
        for _ in range(REPEATS):
            trial = Trial(scene, cell, run)
            try:
                is_done = trial.run()
                trial.clean()
            except Exception as error:
                why = str(error) if isinstance(error, Wrong) else traceback.format_exc()
                self.note(self.wrong, (cell, "%s\n  %s %s" % (why, evidence(scene, trial), log(scene))))
                return False
            if is_done:
                self.note(self.done, (cell, trial, scenario))
                if trial.is_better():
                    self.note(self.better, cell)
                return True
        self.note(self.slow, cell)
        return True

    def note(self, where, what):
        with self.lock:
            where.append(what)
            if sys.stdout.isatty():
                count = len(self.done) + len(self.wrong) + len(self.slow)
                print("\r%d of %d cells, %d wrong " % (count, self.total, len(self.wrong)), end="", flush=True)


def simulated(cell, scenario, strategy):
    return model.Run(cell.policy, strategy, scenario["crash"], cell.fates, cell.outage)


def evidence(scene, trial):
    """What is known of a cell that went wrong."""
    after = scene.issuer.counters
    return "after %.1f s: %s; more of %s; journal %s" % (
        time.monotonic() - trial.begun, trial.why, {name: after[name] - trial.before[name] for name in after
                                                    if trial.before and after[name] != trial.before[name]},
        scene.journal.numbers)


def log(scene):
    with open(scene.place.log, errors="replace") as file:
        return "\n" + file.read()[-500:]


def chosen(options, chance):
    """The cells to try, and how many of the first ones have to be: every point and victim, if not all are."""
    cells = [(cell, None) for cell in points_and_fates()]
    whole = [(cell, {"crash": crash}) for crash, cell in scenarios()]
    if options.only:
        cells = [pair for pair in cells if options.only in repr(pair[0])]
        whole = [pair for pair in whole if options.only in repr(pair[0])]
    if not options.quick:
        return cells + whole, 0
    chance.shuffle(cells)
    chance.shuffle(whole)
    seen, early, late = set(), [], []
    for pair in cells:
        cell = pair[0]
        # Every point and victim once with the plain answer, in every place that has it.
        mark = (cell.point, cell.victim) if cell.fates == ("ok", "ok") and not cell.is_torn else None
        (late if mark is None or mark in seen else early).append(pair)
        seen.add(mark)
    mixed = [pair for both in zip(whole, late) for pair in both]
    return early + mixed, len(early)


def table(matrix):
    """The rows of the model over the scenarios that were tried, and the daemon's."""
    rows = collections.defaultdict(collections.Counter)
    for cell, trial, scenario in matrix.done:
        if not scenario:
            continue
        avoidable = model.is_avoidable(cell.policy, scenario["crash"], cell.fates, cell.outage)
        for strategy in ("marker_probe", "courier"):
            model.count(rows[cell.policy, strategy], simulated(cell, scenario, strategy), avoidable)
        model.count(rows[cell.policy, "DAEMON"], Measured(trial), avoidable)
    order = [(p, s) for p in model.POLICIES for s in ("marker_probe", "courier", "DAEMON") if (p, s) in rows]
    return {key: rows[key] for key in order}


class Measured:
    """A trial in the words of the model."""

    def __init__(self, trial):
        self.is_whole, self.outcome, self.posts = trial.outcome == "ok", trial.outcome, trial.posts
        self.served, self.disk = 0, 0
        self.server = collections.namedtuple("Server", "reuse")(trial.reused)


def worse(rows):
    """Where the daemon's row is worse than another's."""
    for policy in model.POLICIES:
        ours = rows.get((policy, "DAEMON"))
        for strategy in ("marker_probe", "courier"):
            theirs = rows.get((policy, strategy))
            for column in ("sign_in", "avoidable", "offline", "reuse_seen", "served_but_lost", "most_posts"):
                if ours and ours[column] > theirs[column]:
                    yield "%s: %s %d, where %s has %d" % (policy, column, ours[column], strategy, theirs[column])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--seconds", type=int, default=65)
    options.add_argument("--only", help="only cells in whose description this occurs")
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    cells, must = chosen(options, random.Random(options.seed))
    begun = time.monotonic()
    matrix = Matrix(cells, must, options.seconds if options.quick else None, 1 if options.quick else 2)
    matrix.run()
    report(matrix, cells, time.monotonic() - begun, options)


def report(matrix, cells, seconds, options):
    print()
    for cell, why in matrix.wrong[:20]:
        print("WRONG %s\n  %s" % (cell, why))
    if matrix.slow:
        print("not done here: %d cells, this machine was too slow for them: %s" % (len(matrix.slow), matrix.slow[:5]))
    rows = table(matrix)
    model.show(rows)
    problems = list(worse(rows))
    if not options.only:
        reached = {(cell.point, cell.victim) for cell, _, _ in matrix.done}
        wanted = {(cell.point, cell.victim) for cell, _ in cells if cell.point}
        problems += ["never tried: %s %s" % point for point in sorted(wanted - reached)]
    for problem in problems:
        print("WRONG " + problem)
    print("measured: crash matrix, %d of %d cells in %d s, %d wrong, %d better than the model, most requests %d" % (
        len(matrix.done), matrix.total, seconds, len(matrix.wrong) + len(problems), len(matrix.better),
        max((trial.posts for _, trial, _ in matrix.done), default=0)))
    sys.exit(1 if matrix.wrong or problems or not matrix.done else 0)


if __name__ == "__main__":
    main()
