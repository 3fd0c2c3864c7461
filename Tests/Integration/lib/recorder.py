"""Records a message bus whole, as bytes. Standard library only."""
import subprocess
import time

PROBE = "/org/almoner/probe"


class BusRecorder:
    """Every message of the session bus that `environment` names, from the moment that this returns."""

    def __init__(self, environment, path):
        self.environment, self.path, self.probes = environment, path, 0
        # Unbuffered into a file, so that what was seen is there even if the monitor is killed.
        self.file = open(path, "wb")
        self.process = subprocess.Popen(
            ["dbus-monitor", "--session", "--pcap"], env=environment, stdout=self.file, stderr=subprocess.DEVNULL)
        self.catch_up()

    def send(self, member, *arguments):
        subprocess.run(
            ["dbus-send", "--session", "--type=signal", PROBE, "org.almoner.Probe." + member, *arguments],
            env=self.environment, check=True)

    def catch_up(self):
        """Returns when everything that was sent before is in the record: the bus keeps the order."""
        until = time.monotonic() + 20
        self.probes += 1
        mark = "Mark%dx" % self.probes
        while mark.encode() not in self.bytes:
            assert time.monotonic() < until and self.process.poll() is None, "dbus-monitor sees nothing"
            self.send(mark)
            time.sleep(0.05)

    @property
    def bytes(self):
        with open(self.path, "rb") as file:
            return file.read()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.file.close()
