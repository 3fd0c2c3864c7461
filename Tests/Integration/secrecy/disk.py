"""A file system of its own for the state, in a file whose raw bytes can be searched; and a piece of swap. By root."""
import os
import subprocess

BLOCK = 4096


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def blocks(path):
    """The bytes of a file that are not zero, block by block; neighbours stay together."""
    found, is_gap = [], False
    with open(path, "rb") as file:
        while data := file.read(BLOCK):
            if data.count(0) < len(data):
                found.append(data)
                is_gap = False
            elif not is_gap:
                found.append(b"\0")
                is_gap = True
    return b"".join(found)


class Disk:
    """An ext4 of 32 MiB, mounted where only this mount namespace sees it."""

    def __init__(self, place, owner):
        self.image, self.path = os.path.join(place, "disk.img"), os.path.join(place, "disk")
        with open(self.image, "wb") as file:
            file.truncate(32 << 20)
        os.mkdir(self.path)
        run("mkfs.ext4", "-q", "-F", self.image)
        run("mount", "-o", "loop", self.image, self.path)
        os.chown(self.path, owner, -1)

    def raw(self):
        """What the disk holds, files that were removed included."""
        run("sync", "-f", self.path)
        return blocks(self.image)

    def end(self):
        run("umount", "--lazy", self.path)


class Swap:
    """32 MiB of swap in a file."""

    def __init__(self, place):
        self.file = os.path.join(place, "swap.img")
        with open(self.file, "wb") as file:
            file.write(bytes(32 << 20))
        self.loop = run("losetup", "--find", "--show", self.file).strip()
        try:
            run("mkswap", self.loop)
            run("swapon", self.loop)
        except (OSError, subprocess.CalledProcessError):
            run("losetup", "--detach", self.loop)
            raise

    def raw(self):
        run("sync", self.loop)
        return blocks(self.file)

    def end(self):
        run("swapoff", self.loop)
        run("losetup", "--detach", self.loop)
