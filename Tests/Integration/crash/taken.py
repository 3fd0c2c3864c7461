"""C9: the state directory is deleted, replaced or opened to others while the daemon runs.

The daemon writes nothing through what it finds there, nor anywhere else, says so, and serves what it has.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import refuse_root  # noqa: E402
from stage import Scene, demand, run  # noqa: E402


def contents(path):
    found = {}
    for directory, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(directory, name), "rb") as file:
                found[os.path.relpath(file.name, path)] = file.read()
    return found


def spoilt(scene, taken, undo):
    """Whatever needs the disk is refused; `taken` stays as it is, and after `undo` all is well."""
    before = contents(taken)
    grants = scene.issuer.counters["refresh_grants"]
    token = scene.served()
    status, told = scene.ask("token", "work", "--force")
    demand(status == 0 and told["accessToken"] == token, "not the token that is there: %r" % told)
    demand(scene.issuer.counters["refresh_grants"] == grants, "something was sent")
    scene.refuses(scene.login("other")[1])
    scene.refuses(scene.ask("logout", "work")[1])
    demand(scene.served() == token, "the token is no longer served")
    demand(contents(taken) == before, "written through what was put in its place")
    demand(not os.path.exists(os.path.join(scene.home, "almoner")), "made elsewhere")
    undo()
    scene.refreshed()
    scene.restart()
    scene.refreshed()


def moved(scene):
    """the directory is gone, and its parent too"""
    aside = scene.root + "/aside"
    os.rename(os.path.dirname(scene.state), aside)
    spoilt(scene, scene.home, lambda: os.rename(aside, os.path.dirname(scene.state)))


def linked(scene):
    """a symbolic link in its place, to a copy of it"""
    aside, copy = scene.root + "/aside", scene.root + "/copy"
    clone(scene.state, copy)
    os.rename(scene.state, aside)
    os.symlink(copy, scene.state)

    def undo():
        os.unlink(scene.state)
        os.rename(aside, scene.state)
    spoilt(scene, copy, undo)


def replaced(scene):
    """another directory of ours in its place, a copy of it"""
    aside = scene.root + "/aside"
    os.rename(scene.state, aside)
    clone(aside, scene.state)
    taken = scene.state

    def undo():
        os.rename(scene.state, scene.root + "/copy")
        os.rename(aside, scene.state)
    spoilt(scene, taken, undo)


def opened(scene):
    """its mode is 0777"""
    os.chmod(scene.state, 0o777)
    spoilt(scene, scene.state, lambda: os.chmod(scene.state, 0o700))


def journal_opened(scene):
    """the mode of the journals' directory is 0777"""
    path = os.path.join(scene.state, "journal")
    os.chmod(path, 0o777)
    before = contents(path)
    grants = scene.issuer.counters["refresh_grants"]
    status, told = scene.ask("token", "work", "--force")
    demand(status == 0 and not told["refreshed"] and scene.issuer.counters["refresh_grants"] == grants, "sent")
    scene.refuses(scene.login("other")[1])
    demand(contents(path) == before, "written through it")
    os.chmod(path, 0o700)
    scene.refreshed()


def clone(source, target):
    for directory, _, names in os.walk(source):
        made = os.path.normpath(os.path.join(target, os.path.relpath(directory, source)))
        os.makedirs(made, mode=0o700, exist_ok=True)
        for name in names:
            with open(os.path.join(directory, name), "rb") as file:
                data = file.read()
            with open(os.open(os.path.join(made, name), os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
                file.write(data)


if __name__ == "__main__":
    refuse_root()
    run([moved, linked, replaced, opened, journal_opened], Scene)
