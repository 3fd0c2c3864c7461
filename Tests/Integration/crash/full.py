"""A disk that is full while the daemon runs. Needs a small file system that may be filled: see full.sh.

usage: full.py DIRECTORY
"""
import os
import pwd
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from place import program, refuse_root  # noqa: E402
from stage import Scene, demand, run, until  # noqa: E402


class FullDisk(Scene):
    def __init__(self, disk):
        self.ballast = os.path.join(disk, "ballast")
        super().__init__(disk)

    def end(self):
        super().end()
        shutil.rmtree(self.state, ignore_errors=True)
        if os.path.exists(self.ballast):
            os.unlink(self.ballast)

    def fill(self):
        """Leaves not one block free."""
        with open(self.ballast, "ab", buffering=0) as file:
            for size in (65536, 4096, 1):
                try:
                    while True:
                        file.write(b"x" * size)
                except OSError:
                    continue

    def give(self, owner):
        """Asks root to give the state directory away: see full.sh."""
        request = os.path.join(os.path.dirname(self.ballast), "give-to-" + owner)
        open(request, "w").close()
        until(lambda: os.stat(self.state).st_uid == pwd.getpwnam(owner).pw_uid, "nobody gave it away")

    def free(self):
        os.unlink(self.ballast)


def intent_without_room(scene):
    """C4: no room for an intent: nothing is sent, and the token is served while it lives"""
    # A journal never grows, so only one that has to be made anew finds no room.
    shutil.rmtree(os.path.join(scene.state, "journal"))
    scene.fill()
    before = scene.issuer.counters["refresh_grants"]
    status, told = scene.ask("token", "work", "--force")
    demand(status == 0 and not told["refreshed"], "not the token that is there: %r" % told)
    demand(scene.issuer.counters["refresh_grants"] == before, "something was sent")
    demand(scene.alive(told["accessToken"]), "the served token is not good")
    demand(not any("journal" in name for name in scene.state_files()), "a journal that has not its room")
    scene.free()
    scene.refreshed()


def store_without_room(scene):
    """C5: the answer landed and the store has no room: memory serves it, also after a kill, and it is stored later"""
    scene.fill()
    status, told = scene.ask("token", "work", "--force")
    demand(status == 0 and told["refreshed"], "the landed token is not served: %r" % told)
    demand(scene.alive(told["accessToken"]), "the token is not good")
    demand("space" in scene.almoner("status", "--json").stdout.decode(), "status does not say it")
    demand(scene.served() == told["accessToken"], "memory does not serve it")
    scene.restart()
    demand(scene.served() == told["accessToken"], "the pad was not read")
    before = os.stat(sealed(scene)).st_ino
    scene.free()
    until(lambda: os.stat(sealed(scene)).st_ino != before, "not stored when there was room")
    scene.refreshed()


def sign_in_without_room(scene):
    """a sign-in is refused before the browser opens, and leaves nothing"""
    before, files = scene.issuer.counters, scene.state_files()
    scene.fill()
    scene.refuses(scene.login("other")[1])
    demand(scene.issuer.counters == before, "the issuer was asked")
    scene.served()
    scene.free()
    scene.restart()
    until(lambda: scene.state_files() == files, "something is left")
    demand(scene.names() == ["work"], "an account is left")
    scene.refreshed()


def sign_out_without_room(scene):
    """signing out needs no room"""
    token = scene.served()
    scene.fill()
    status, told = scene.ask("logout", "work")
    demand(status == 0, "refused: %r" % told)
    demand(not scene.alive(token), "the session lives on")
    demand(scene.names() == [] and scene.state_files() == [], "something is left")
    scene.restart()
    demand(scene.names() == [], "it came back")


def sign_out_that_is_killed(scene):
    """the mark of a sign-out is durable without room: the next daemon goes on from it"""
    token = scene.served()
    scene.fill()
    scene.issuer.process.send_signal(signal.SIGSTOP)
    asking = subprocess.Popen([program("almoner"), "logout", "work"], env=scene.environment,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: any(marks(scene)), "no mark")
    scene.kill_daemon()
    asking.wait()
    scene.issuer.process.send_signal(signal.SIGCONT)
    scene.start_daemon()
    demand(scene.names() == [], "the account is back")
    until(lambda: not scene.alive(token), "the session lives on")
    scene.free()
    until(lambda: scene.state_files() == [], "something is left")


def given_away(scene):
    """C9: the state directory belongs to somebody else: nothing is written, the token is served"""
    token = scene.served()
    scene.give("root")
    status, told = scene.ask("token", "work", "--force")
    demand(status == 0 and told["accessToken"] == token, "not the token that is there: %r" % told)
    scene.refuses(scene.login("other")[1])
    scene.refuses(scene.ask("logout", "work")[1])
    scene.give(pwd.getpwuid(os.getuid()).pw_name)
    scene.refreshed()


def sealed(scene):
    directory = os.path.join(scene.state, "sealed")
    return os.path.join(directory, os.listdir(directory)[0])


def marks(scene):
    with open(os.path.join(scene.state, "signing-out"), "rb") as file:
        return file.read()


if __name__ == "__main__":
    refuse_root()
    run([intent_without_room, store_without_room, sign_in_without_room, sign_out_without_room,
         sign_out_that_is_killed, given_away], lambda: FullDisk(sys.argv[1]))
