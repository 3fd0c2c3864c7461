"""What can be crashed, how, and what the model says of it.

A cell is one refresh with at most one crash: who dies at which point, what the issuer does with each request, how the
journal is tampered with before the restart, and how long the outage lasts.
"""
import collections
import itertools
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Model"))
import rotation_model as model  # noqa: E402
from scene import BACKENDS, program  # noqa: E402

Cell = collections.namedtuple("Cell", "policy backend point victim fates is_torn outage")

# Where on its way a rotation is. Whatever is not named here is no point that can be tried.
STAGES = {
    "early": ["r0", "r1", "r2", "courierReady", "courierConnected", "r3"],
    "marked": ["intentWritten", "intentSynced", "r4"],
    "may_go": ["courierMayGo"],
    "may_send": ["courierMarked"],
    "departed": ["courierDeparted"],
    "answered": ["courierFirstByte", "courierAnswered"],
    "landed": ["padWritten", "padSynced"],
    "storing": ["r5", "r6", "sealedBegun", "sealedWritten", "sealedSynced", "keyringBegun"],
    "stored": ["sealedRenamed", "sealedDirectorySynced", "sealedReadBack", "keyringReplaced", "keyringReadBack", "r7",
               "idleWritten", "idleSynced"],
}
STAGE = {point: stage for stage, points in STAGES.items() for point in points}
# Points of a courier's life, and those of the daemon at which a courier waits for it.
COURIERS = [point for point in STAGE if point.startswith(("courier", "pad"))]
WAITED_FOR = ["r3", "intentWritten", "intentSynced", "r4"]
# Points at which a flight ends by being refused, so that the next one gets there.
BEFORE_BOARDING = ["r0", "r1", "r2"]
SHORT, MIDDLE, LONG = model.OUTAGES


def all_points():
    """The points that the program says it has."""
    listed = subprocess.run([program("almonerd"), "--crash-points"], capture_output=True, check=True, text=True)
    points = listed.stdout.split()
    unknown = set(points) ^ set(STAGE)
    assert not unknown, "points that only one side knows: " + ", ".join(sorted(unknown))
    return points


def backends_of(point):
    if point and point.startswith("sealed"):
        return ["sealed-file"]
    return ["secret-service"] if point and point.startswith("keyring") else BACKENDS


def victims_of(point):
    if point in COURIERS:
        return ["daemon", "courier", "both"]
    return ["daemon", "courier", "both"] if point in WAITED_FOR else ["daemon"]


def has_pad(point, victim):
    """Whether an answer lies on the pad when both are gone, and not in the store."""
    stage = STAGE[point]
    if victim == "daemon":
        return stage in ("may_go", "may_send", "departed", "answered", "landed", "storing")
    return victim == "both" and stage == "landed"


def points_and_fates():
    """Every point, who can die there, every fate of the first request; torn where a pad could be."""
    for point in all_points():
        for policy, backend, victim, fate in itertools.product(
                model.POLICIES, backends_of(point), victims_of(point), model.FATES):
            for is_torn in (False, True) if has_pad(point, victim) else (False,):
                yield Cell(policy, backend, point, victim, (fate, "ok"), is_torn, SHORT)


# How a crash of the model is brought about in the daemon.
CRASHES = {"before_marker": "r2", "after_marker": "intentSynced", "waiting": "courierDeparted", "got_before_store": "r5",
           "stored_before_serve": "r7", "served_before_store": "r6", None: None}


def scenarios():
    """The model's scenarios, with who dies being the daemon."""
    for number, (policy, (crash, fates, outage)) in enumerate(itertools.product(model.POLICIES, model.scenarios())):
        point = CRASHES[crash]
        if crash == "waiting" and fates[0] == "not_sent":
            point = "r2"
        yield (crash, Cell(policy, BACKENDS[number % 2], point, "daemon", fates, False, outage))


def expected(cell):
    """The model's run for a cell."""
    fates = [fate for fate in cell.fates if fate != "not_sent"]
    crash, nth, fates = translated(cell, fates)
    return model.Run(cell.policy, "courier", crash, fates, cell.outage, nth)


def translated(cell, fates):
    """The crash of the model that a cell is, at which sending, and the fates as the one who dies makes them."""
    if cell.point is None:
        return None, 1, fates
    stage = STAGE[cell.point]
    answer = fates.index("ok") if "ok" in fates else len(fates)
    lost = [*fates[:answer], "resp_lost", *fates[answer + 1:]]
    if cell.victim == "courier":
        if stage in ("early", "marked", "may_go", "may_send"):
            return None, 1, ["not_sent", *fates]
        if stage == "departed":
            return None, 1, ["req_lost", *fates]
        return (None, 1, lost) if stage == "answered" else (None, 1, fates)
    if cell.is_torn and stage in ("may_go", "may_send", "departed"):
        # What landed is torn: if the first request had an answer, it is lost.
        return "waiting", 1, ["resp_lost" if answer == 0 else fates[0], *fates[1:]]
    if cell.is_torn and stage in ("answered", "landed", "storing"):
        return "waiting", answer + 1, lost
    if stage == "early":
        return "before_marker", 1, fates
    if stage == "marked" or (stage == "may_go" and cell.victim == "both"):
        return "after_marker", 1, fates
    if stage in ("may_send", "departed") and cell.victim == "both":
        return "waiting", 1, ["req_lost", *fates]
    if stage in ("may_go", "may_send", "departed"):
        return "waiting", 1, fates
    if stage == "answered" and cell.victim == "both":
        return "waiting", answer + 1, lost
    if stage in ("answered", "landed"):
        return "waiting", answer + 1, fates
    return ("got_before_store" if stage == "storing" else "stored_before_serve"), 1, fates
