"""Crashes while the code of a sign-in is redeemed: crash points x who dies x the issuer's fates. Needs a FAULTS build.

usage: redeeming.py [--quick] [--seed S] [--seconds N] [--only WORD]

After the restart either the account is there, whole, with the tokens that landed, or nothing of it is, and whoever signed
in was told. A code is never redeemed twice, and an account that was to be renewed is never lost. Where the answer had
landed, or the courier lived on, there must be an account. --quick draws cells by the seed, every point among them.
"""
import argparse
import collections
import itertools
import os
import random
import struct
import subprocess
import sys
import threading
import time
import traceback

from cells import STAGE, WAITED_FOR, all_points
from scene import BACKENDS, PARTS, PATIENCE, Scene, program, refuse_root
from trial import FATES, LATE, Wrong

Cell = collections.namedtuple("Cell", "backend point victim fate renews is_forged")
NOTHING, ACCOUNT = "nothing is left", "the account is there"
# Steps that a sign-in does not have.
ELSEWHERE = ["r0", "r1", "r5", "r6", "r7"]
# Before these, one that was told to go goes on without its daemon.
UNDER_WAY = ["may_go", "may_send", "departed", "answered", "landed"]
SENT = ["answered", "landed", "storing", "stored"]
COUNTED = ["token_posts", "code_grants", "code_reuse", "reuse", "jwks_fetches"]
UNKNOWN_ACCOUNT = b"unknown-account"


def cells():
    for backend, point in itertools.product(BACKENDS, all_points()):
        other = "keyring" if backend == "sealed-file" else "sealed"
        if point in ELSEWHERE or point.startswith(other):
            continue
        is_courier = point.startswith(("courier", "pad"))
        victims = ["daemon", "courier", "both"] if is_courier or point in WAITED_FOR else ["daemon"]
        fates = ["ok", "not_sent"]
        if STAGE[point] not in SENT:
            fates += ["req_lost", "resp_lost", "late"]
        for victim, fate, renews in itertools.product(victims, fates, (False, True)):
            yield Cell(backend, point, victim, fate, renews, False)
            if victim == "both" and fate == "ok" and STAGE[point] in ("marked", "may_go", "may_send", "departed"):
                yield Cell(backend, point, victim, fate, renews, True)


def expected(cell):
    """What there is afterwards, and the most requests."""
    stage, is_answered = STAGE[cell.point], cell.fate in ("ok", "not_sent")
    if cell.victim == "courier" and stage in ("early", "marked", "may_go", "may_send"):
        # Nothing was sent, and another courier is.
        return (ACCOUNT if is_answered else NOTHING), 1
    if stage in ("storing", "stored") or stage == "landed":
        return ACCOUNT, 1
    if cell.victim == "daemon" and stage in UNDER_WAY:
        return (ACCOUNT if is_answered else NOTHING), 1
    return NOTHING, 1 if stage == "answered" else 0


class Trial:
    def __init__(self, scene, cell):
        self.scene, self.cell, self.place = scene, cell, scene.place
        self.begun = time.monotonic()

    def run(self):
        self.prepare()
        done = self.sign_in()
        if self.cell.victim != "courier":
            self.recover()
        self.settle()
        if self.cell.fate == "late":
            time.sleep(LATE + 0.2)
        self.judge(done)

    def prepare(self):
        """Signed out, or signed in where the account is to be renewed."""
        scene = self.scene
        scene.issuer.fates()
        scene.refuse("")
        if self.cell.renews:
            if not self.accounts():
                status, said = self.sign_in()
                self.demand(status == 0, "cannot sign in: %s" % (said,))
        else:
            self.place.almoner("logout", "--all")
            self.demand(not self.files(), "left of the last cell: %s" % self.files())
        self.old = self.ids()
        fate = FATES.get(self.cell.fate)
        scene.restart("%s %s 0 %d" % (self.cell.point, self.cell.victim, self.time()))
        # Whatever a daemon fetches once is fetched.
        self.before = scene.issuer.counters
        scene.issuer.fates(*([fate] if fate else []))
        scene.refuse("r" if self.cell.fate == "not_sent" else "")

    def time(self):
        """The store is written before the browser opens, and again when the tokens are there."""
        return 2 if self.cell.point.startswith(("sealed", "keyring")) else 1

    def sign_in(self):
        """A listener of the last daemon may have the port for another moment: then nothing was begun."""
        until = time.monotonic() + PATIENCE
        while True:
            status, said = self.attempt()
            if b"sign-in-port-busy" not in said[1] or time.monotonic() > until:
                return status, said
            time.sleep(0.05)

    def attempt(self):
        asking = subprocess.Popen(
            [program("almoner"), "login", "work", "--yes", "--json"], env=self.place.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            said = asking.communicate(timeout=2 * PATIENCE)
        except subprocess.TimeoutExpired:
            asking.kill()
            raise Wrong("a sign-in has no end; it said %s" % (asking.communicate(),)) from None
        return asking.returncode, said

    def recover(self):
        until = time.monotonic() + PATIENCE
        while self.scene.is_running:
            self.demand(time.monotonic() < until, "the point was never reached")
            time.sleep(0.01)
        self.place.daemon.wait()
        self.place.daemon = None
        for path in self.journals():
            self.scene.wait_for_courier(path)
        if self.cell.is_forged:
            self.forge()
        self.scene.start()

    def forge(self):
        """Over the journal of the flight: a pad that has its number, and is not made by its courier."""
        paths = [path for path in self.journals() if os.path.basename(path) not in self.old]
        self.demand(len(paths) == 1, "there is no journal to forge")
        with open(paths[0], "r+b") as file:
            data = file.read()
            _, generation, flight = struct.unpack_from(">IQQ", data, PARTS["intent"])
            self.demand((generation, flight) == (0, 1), "this is no flight of a code: %s" % ((generation, flight),))
            file.seek(PARTS["pad"])
            file.write(struct.pack(">IQQ", 3000, generation, flight) + os.urandom(3000))

    def journals(self):
        folder = os.path.join(self.place.state, "journal")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, name) for name in names if not name.endswith(".new")]

    def settle(self):
        """Returns when nothing is unfinished any more, and the daemon shows what the index says."""
        until = time.monotonic() + PATIENCE
        while (b"standing=pending" in self.index() or b"standing=signing-out" in self.index()
               or self.index().count(b"[account ") != len(self.accounts())):
            self.demand(time.monotonic() < until, "unfinished for ever: %s" % self.index())
            time.sleep(0.01)

    def index(self):
        try:
            with open(os.path.join(self.place.state, "accounts.conf"), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def accounts(self):
        return self.place.json("list")["accounts"]

    def ids(self):
        return {account["id"] for account in self.accounts()}

    # What has to be true.

    def judge(self, done):
        outcome, most = expected(self.cell)
        status, said = done
        after, now = self.scene.issuer.counters, self.ids()
        more = {name: after[name] - self.before[name] for name in COUNTED}
        self.demand(more["code_grants"] <= 1 and more["token_posts"] <= most and more["code_reuse"] == 0
                    and more["reuse"] == 0, "%s, at most %d" % (more, most))
        is_new = bool(now - self.old)
        self.demand(status != 0 or is_new, "the sign-in succeeded, and there is no account")
        self.demand(status == 0 or said[1].strip(), "the person was told nothing")
        self.demand(is_new == (outcome == ACCOUNT), "not so: %s; %s; the sign-in said %d %s" % (outcome, more, status, said))
        if is_new:
            self.demand(len(now) == 1, "%d accounts" % len(now))
            self.is_whole(1)
        elif self.cell.renews:
            self.demand(now == self.old, "the account that was to be renewed is gone")
            self.is_whole(None)
        else:
            self.is_gone()

    def is_whole(self, generation):
        """The tokens that are served are the issuer's, those that are stored came with them, and they can be renewed."""
        scene = self.scene
        scene.issuer.fates()
        scene.refuse("")
        answer = scene.ask("--timeout", "30s")
        self.demand("accessToken" in answer, "no token: %s" % answer)
        self.demand(generation in (None, answer["generation"]), "generation %s" % answer["generation"])
        self.demand(scene.issuer.session(answer["accessToken"]).status == 200, "a token that is not good")
        stored = scene.stored()
        grants = [scene.grant(token) for token in stored.tokens]
        self.demand([grant["kind"] for grant in grants] == ["access", "refresh", "id"], "stored: %s" % grants)
        self.demand(len({(grant["session"], grant["number"]) for grant in grants}) == 1, "stored mixed: %s" % grants)
        self.demand(len(self.files()) == (2 if self.cell.backend == "sealed-file" else 1),
                    "left behind: %s" % self.files())
        again = scene.ask("--force", "--timeout", "30s")
        self.demand(again.get("refreshed") and again["generation"] == answer["generation"] + 1, "no refresh: %s" % again)
        self.demand(scene.issuer.counters["reuse"] == self.before["reuse"], "the issuer saw reuse")

    def is_gone(self):
        self.demand(not self.files(), "left behind: %s" % self.files())
        self.demand(self.cell.backend == "sealed-file" or self.place.keyring_items() == 0, "an item is left")
        said = self.place.almoner("token", "work", "--json", check=False).stderr
        self.demand(UNKNOWN_ACCOUNT in said, "not told that there is no such account: %s" % said)

    def files(self):
        """What belongs to an account."""
        return [name for name in self.place.state_files() if "/" in name]

    def demand(self, claim, what):
        if not claim:
            raise Wrong(what)


class Matrix:
    def __init__(self, found, must, seconds):
        self.must, self.found = must, found
        self.until = time.monotonic() + seconds if seconds else None
        self.lock, self.done, self.wrong = threading.Lock(), [], []

    def run(self):
        threads = [threading.Thread(target=self.work, args=(backend,)) for backend in BACKENDS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def work(self, backend):
        scene = None
        for cell in self.found:
            if cell.backend != backend or self.until and time.monotonic() > self.until and cell not in self.must:
                continue
            try:
                scene = scene or Scene(backend, "none")
                Trial(scene, cell).run()
                self.note(self.done, cell)
            except Exception as error:
                why = str(error) if isinstance(error, Wrong) else traceback.format_exc()
                self.note(self.wrong, "%s: %s" % (cell, why))
                if scene:
                    scene.end()
                scene = None
        if scene:
            scene.end()

    def note(self, where, what):
        with self.lock:
            where.append(what)
            if where is self.wrong:
                print("WRONG " + what, flush=True)
            elif sys.stdout.isatty():
                print("\r%d cells, %d wrong " % (len(self.done), len(self.wrong)), end="", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--only", default="", help="only cells in whose description this occurs")
    options = options.parse_args()
    refuse_root()
    print("seed %d" % options.seed, flush=True)
    chance = random.Random(options.seed)
    found = [cell for cell in cells() if options.only in repr(cell)]
    chance.shuffle(found)
    # Every point once in a quick run, however long that takes.
    must = {cell.point: cell for cell in found if cell.fate == "ok"}
    found.sort(key=lambda cell: cell not in must.values())
    matrix = Matrix(found, set(must.values()), options.seconds if options.quick else None)
    matrix.run()
    print("measured: %d of %d crashes of a sign-in, at %d points, %d wrong" % (
        len(matrix.done), len(found), len({cell.point for cell in matrix.done}), len(matrix.wrong)))
    sys.exit(1 if matrix.wrong or not matrix.done else 0)


if __name__ == "__main__":
    main()
