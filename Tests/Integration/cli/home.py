"""A private home, runtime directory and installation for one test."""
import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DEADLINE = 60
# A shell that starts a test in the background lets it ignore what a terminal sends, and so its children.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Home:
    def __init__(self, program, script=None, daemon=True):
        self.root = tempfile.mkdtemp(prefix="almoner-cli-")
        for name in ("bin", "home", "run", "state", "tools"):
            os.mkdir(f"{self.root}/{name}", 0o700)
        shutil.copy(program, f"{self.root}/bin/almoner")
        if daemon:
            shutil.copy(f"{HERE}/fake_almonerd.py", f"{self.root}/bin/almonerd")
            os.chmod(f"{self.root}/bin/almonerd", 0o700)
        with open(f"{self.root}/state/script.json", "w") as file:
            json.dump(script or {}, file)
        self.environment = {
            "HOME": f"{self.root}/home", "XDG_RUNTIME_DIR": f"{self.root}/run", "XDG_STATE_HOME": f"{self.root}/state",
            "PATH": f"{self.root}/tools:/usr/bin:/bin", "LANG": "C.UTF-8", "SECRET_BACKEND": "file",
            "LD_LIBRARY_PATH": "/nowhere"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for event in self.seen("start"):
            try:
                os.kill(event["pid"], signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.root)

    def tool(self, name, text):
        """A program of this name in PATH."""
        path = f"{self.root}/tools/{name}"
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o700)
        return path

    def run(self, *words, **named):
        options = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": DEADLINE,
                   "env": {**self.environment, **named.pop("variables", {})}, **named}
        if "input" in options:
            options.pop("stdin")
        return subprocess.run([f"{self.root}/bin/almoner", *words], **options)

    def start(self, *words, **named):
        return subprocess.Popen([f"{self.root}/bin/almoner", *words], env=self.environment, text=True, **named)

    def seen(self, event=None, **members):
        """What the daemon wrote down so far."""
        lines = self.read("/state/seen.jsonl").splitlines()
        events = [json.loads(line) for line in lines if line.endswith("}")]
        return [e for e in events if (event is None or e["event"] == event) and members.items() <= e.items()]

    def read(self, name):
        """A file's text; none when there is no such file."""
        path = pathlib.Path(self.root + name)
        return path.read_text() if path.exists() else ""

    def await_file(self, name):
        """A file's text, once it has a whole line."""
        end = time.monotonic() + DEADLINE
        while not self.read(name).endswith("\n"):
            assert time.monotonic() < end, f"no {name}"
            select.select([], [], [], 0.01)
        return self.read(name)

    def wait_for(self, event, **members):
        end = time.monotonic() + DEADLINE
        while not self.seen(event, **members):
            assert time.monotonic() < end, f"no {event} {members} in {self.seen()}"
            select.select([], [], [], 0.01)


class Terminal:
    """A command on a terminal of its own; standard output is a pipe."""

    def __init__(self, home, *words, variables=None):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [f"{home.root}/bin/almoner", *words], env={**home.environment, **(variables or {})}, stdin=slave,
            stdout=subprocess.PIPE, stderr=slave, start_new_session=True, text=True,
            preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
        os.close(slave)
        self.shown = ""

    def expect(self, text, times=1):
        """Waits until the terminal showed `text` so many times."""
        end = time.monotonic() + DEADLINE
        while self.shown.count(text) < times:
            ready = select.select([self.master], [], [], max(0, end - time.monotonic()))[0]
            assert ready, f"waited for {text!r}, saw {self.shown!r}"
            try:
                self.shown += os.read(self.master, 4096).decode()
            except OSError:
                raise AssertionError(f"waited for {text!r}, the end came after {self.shown!r}") from None

    def type(self, text):
        os.write(self.master, text.encode())

    def echoes(self):
        import termios
        return bool(termios.tcgetattr(self.master)[3] & termios.ECHO)

    def end(self):
        output = self.process.communicate(timeout=DEADLINE)[0]
        while select.select([self.master], [], [], 0)[0]:
            try:
                self.shown += os.read(self.master, 4096).decode()
            except OSError:
                break
        return self.process.returncode, output
