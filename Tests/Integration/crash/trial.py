"""One cell, tried: what the daemon made of it, measured at the issuer, the store, the journal and the callers."""
import time

from cells import LONG, MIDDLE, STAGE
from scene import HASTE, LIFETIME, PATIENCE

# Seconds of the daemon's clock. The old access token of a long outage has no more than this.
SHORT_LIFE = 150
# Longer than this, and the clock has outrun what the cell is about: tried again on a quieter machine.
TOO_SLOW = {"none": 0.7 * LIFETIME / HASTE, "window": 7.5, "until_used": 0.7 * LIFETIME / HASTE}
# Seconds after which a request that nobody waits for any more is processed.
LATE = 0.6
FATES = {"ok": "answer", "req_lost": "lose_request", "resp_lost": "lose_answer", "late": {"fate": "late", "ms": int(1000 * LATE)}}
SIGN_IN_REQUIRED = 3
# After so many seconds nothing moves by itself any more, unless a fate is unknown.
STANDSTILL, SETTLING = 1.2, 5


class Wrong(Exception):
    """The daemon did not keep a promise."""


class Trial:
    def __init__(self, scene, cell, expected):
        self.scene, self.cell, self.expected = scene, cell, expected
        self.begun, self.before = time.monotonic(), None
        self.asked, self.forced_at, self.sent_at, self.recovered_at = 0, None, None, None
        self.has_torn, self.has_crashed, self.reused, self.posts, self.outcome, self.why = False, False, 0, 0, None, ""

    def run(self):
        """Returns False when it took too long to mean anything."""
        self.prepare()
        self.pursue()
        limit = TOO_SLOW[self.cell.policy] + (SHORT_LIFE / HASTE if self.cell.outage == LONG else 0)
        is_slow = time.monotonic() - self.begun > limit
        if not is_slow:
            self.judge()
        return not is_slow

    def prepare(self):
        scene, life = self.scene, SHORT_LIFE if self.cell.outage == LONG else LIFETIME
        scene.issuer.fates()
        scene.refuse("")
        scene.issuer.control("POST", "set", {"access_lifetime": life})
        for _ in range(3):
            self.begun = time.monotonic()
            answer = scene.ask("--force")
            if answer.get("refreshed"):
                break
            scene.restart()
        else:
            raise Wrong("a refresh between two cells failed: %s" % answer)
        self.old = answer["generation"]
        self.expiry = self.begun + life / HASTE
        scene.issuer.control("POST", "set", {"access_lifetime": LIFETIME})
        self.settle(self.old)
        scene.handed_out = [answer["accessToken"]]
        self.before = scene.issuer.counters
        scene.issuer.fates(*(FATES[fate] for fate in self.cell.fates if fate != "not_sent"))
        scene.refuse("".join("r" if fate == "not_sent" else "." for fate in self.cell.fates))
        scene.restart(self.cell.point and "%s %s" % (self.cell.point, self.cell.victim))

    def settle(self, generation):
        """Returns when the store holds the generation and the journal is idle."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            stored, numbers = self.scene.stored(), self.scene.journal.numbers
            if stored and stored.generation == generation and (
                    numbers["intent"] is None or numbers["intent"][0] == generation):
                return stored
            time.sleep(0.01)
        raise Wrong("generation %d was not stored: %s" % (generation, stored and stored.generation))

    def pursue(self):
        """Asks again and again, as callers do, through the crash and beyond it."""
        scene, until = self.scene, time.monotonic() + PATIENCE
        while time.monotonic() < until:
            answer = scene.ask("--timeout", "60s", *(["--force"] if self.may_force() else []))
            if not scene.is_running:
                self.recover()
            elif answer.get("status") == SIGN_IN_REQUIRED:
                self.outcome, self.why = "sign_in", answer["error"].strip()
                return
            elif answer.get("generation", self.old) > self.old:
                self.outcome, self.final = "ok", answer
                return self.await_crash()
            else:
                time.sleep(0.02)
        raise Wrong("no end in %d s: %s" % (PATIENCE, answer))

    def may_force(self):
        """Once in a daemon's life, then only where nothing moves by itself: a caller that forces when all is mended
        begins the next rotation, which is not what is measured. The first question to a new daemon forces nothing."""
        now, self.asked = time.monotonic(), self.asked + 1
        if self.has_crashed and self.asked == 1:
            return False
        standstill = SETTLING if self.cell.victim == "daemon" and self.is_unresolved else STANDSTILL
        if self.forced_at and now - self.forced_at < standstill:
            return False
        # What is late is judged by the rotation that it belongs to: none may begin before it came.
        if "late" in self.cell.fates and self.sent_at and now - self.sent_at < LATE + 0.3:
            return False
        if not self.forced_at and self.has_crashed and self.is_unresolved and now - self.recovered_at < standstill:
            return False
        self.forced_at, self.sent_at = now, self.sent_at or now
        return True

    @property
    def is_unresolved(self):
        """Whether the daemon has to find out what became of a request: none is under way, and no answer landed."""
        journal = self.scene.journal
        return self.has_torn or (journal.has_departed and not journal.has_landed)

    def await_crash(self):
        """The point may come after the caller got its token."""
        if self.has_crashed or self.cell.point is None or self.cell.victim == "courier":
            return
        until = time.monotonic() + PATIENCE
        while self.scene.is_running:
            if time.monotonic() > until:
                raise Wrong("the point was never reached")
            time.sleep(0.005)
        self.recover()
        self.pursue()

    def recover(self):
        if self.has_crashed or self.cell.point is None or self.cell.victim == "courier":
            raise Wrong("the daemon died by itself")
        scene, self.has_crashed = self.scene, True
        scene.place.daemon.wait()
        scene.place.daemon = None
        scene.wait_for_courier()
        stored = self.whole(scene.stored())
        if stored.generation not in (self.old, self.old + 1):
            raise Wrong("generation %d is stored after %d" % (stored.generation, self.old))
        self.served = max(scene.grant(token)["number"] for token in scene.handed_out)
        if self.cell.is_torn and scene.journal.has_landed and stored.generation == self.old:
            scene.journal.tear()
            self.has_torn = True
        if self.cell.outage == MIDDLE:
            time.sleep(MIDDLE / HASTE)
        if self.cell.outage == LONG:
            time.sleep(max(0, self.expiry + 0.2 - time.monotonic()))
        scene.start()
        self.asked, self.forced_at, self.recovered_at = 0, None, time.monotonic()
        self.check_served()

    def check_served(self):
        """What a caller ever got has to be in what is durable. (A torn pad that was synced is nothing a disk does.)"""
        if self.cell.is_torn:
            return
        answer = self.scene.ask("--timeout", "60s")
        if "accessToken" in answer:
            now = self.scene.grant(answer["accessToken"])["number"]
            if now < self.served:
                raise Wrong("a caller had grant %d before the crash, after it there is %d" % (self.served, now))

    def whole(self, stored):
        grants = [self.scene.grant(token) for token in stored.tokens] if stored else []
        if [grant["kind"] for grant in grants] != ["access", "refresh", "id"]:
            raise Wrong("the stored set is %s" % grants)
        if len({(grant["session"], grant["number"]) for grant in grants}) != 1:
            raise Wrong("the stored set is mixed: %s" % grants)
        return stored

    def judge(self):
        if "late" in self.cell.fates:
            time.sleep(LATE + 0.1)
        scene, after = self.scene, self.scene.issuer.counters
        self.reused = after["reuse"] - self.before["reuse"]
        self.posts = after["token_posts"] - self.before["token_posts"]
        if self.outcome == "ok":
            # A caller that forces may come after the daemon mended it by itself, and begins the next rotation.
            self.posts -= self.final["generation"] - self.old - 1
            self.whole(self.settle(self.final["generation"]))
            if scene.issuer.session(self.final["accessToken"]).status != 200:
                raise Wrong("the issuer does not know the last access token")
        if self.reused > self.expected.server.reuse:
            raise Wrong("the issuer saw reuse; outcome %s" % self.outcome)
        if self.posts > self.expected.posts:
            raise Wrong("%d requests, where the model sends %d" % (self.posts, self.expected.posts))
        if self.outcome != "ok" and self.expected.is_whole:
            raise Wrong("an avoidable sign-in: " + self.why)

    def is_better(self):
        return self.outcome == "ok" and not self.expected.is_whole

    def clean(self):
        """Leaves a scene in which the next cell can begin."""
        scene = self.scene
        if scene.is_running and self.outcome == "ok":
            return
        scene.restart()
        scene.sign_in()
