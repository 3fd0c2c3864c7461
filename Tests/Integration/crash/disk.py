"""A model of what a disk may hold after a power cut, from the file operations that were seen.

What was synced is there. Of the rest anything may be missing: a write whole, or from some sector on, or up to it; the
length with nothing in it; the last changes of a directory, in their order. A file's data and its name do not wait for
each other.
"""
import itertools
import os

SECTOR = 512
REMOVE_DIRECTORY = 0x200  # AT_REMOVEDIR
MOST = 64


class File:
    def __init__(self, content=b""):
        self.durable = content
        self.pending = []  # (offset, bytes)


class Directory:
    def __init__(self):
        self.names = {}  # what programs see: name -> File or Directory
        self.durable = {}
        self.pending = []  # changes: (name, what it means from now on, or None)

    def change(self, *changes):
        """Changes that take effect together."""
        for name, target in changes:
            apply(self.names, name, target)
        self.pending.append(changes)

    def sync(self):
        for changes in self.pending:
            for name, target in changes:
                apply(self.durable, name, target)
        self.pending = []


def apply(names, name, target):
    if target is None:
        names.pop(name, None)
    else:
        names[name] = target


class Disk:
    def __init__(self, root):
        """As it is on the real disk now, all of it synced."""
        self.root = root
        self.top = self.read(root)

    def read(self, path):
        found = Directory()
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                found.names[entry.name] = self.read(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    found.names[entry.name] = File(file.read())
        found.durable = dict(found.names)
        return found

    def find(self, path):
        """The directory that a path is in, and its last name; None for what is not below the root."""
        path = os.path.normpath(path)
        if path == self.root:
            return None, ""
        if not path.startswith(self.root + "/"):
            return None, None
        *parents, name = os.path.relpath(path, self.root).split("/")
        directory = self.top
        for parent in parents:
            directory = directory.names[parent]
        return directory, name

    def do(self, operation):
        directory, name = self.find(operation.path)
        if name is None:
            return
        target = self.top if directory is None else directory.names.get(name)
        if operation.kind == "open" and target is None:
            directory.change((name, File()))
        elif operation.kind == "write":
            target.pending.append((operation.offset, operation.data))
        elif operation.kind in ("fsync", "fdatasync"):
            if isinstance(target, Directory):
                target.sync()
            elif target is not None:
                for offset, data in target.pending:
                    target.durable = written(target.durable, offset, data)
                target.pending = []
        elif operation.kind == "mkdir":
            directory.change((name, Directory()))
        elif operation.kind == "unlink":
            directory.change((name, None))
        elif operation.kind == "rename":
            other, new = self.find(operation.data.decode())
            assert other is directory, "a rename across directories"
            directory.change((name, None), (new, target))
        elif operation.kind == "link":
            other, new = self.find(operation.data.decode())
            other.change((new, target))

    def states(self, chance):
        """What may be there after a power cut now: each a dictionary of path -> bytes, None for a directory."""
        choices = []  # (object, its possible outcomes), both for directories and for files
        seen = []

        def visit(directory):
            choices.append((directory, range(len(directory.pending) + 1)))
            for target in [*directory.durable.values(), *directory.names.values()]:
                if any(target is other for other in seen):
                    continue
                seen.append(target)
                if isinstance(target, Directory):
                    visit(target)
                else:
                    choices.append((target, list(contents(target))))
        visit(self.top)
        sizes = [range(len(outcomes)) for _, outcomes in choices]
        count = 1
        for size in sizes:
            count *= len(size)
        if count <= MOST:
            picks = list(itertools.product(*sizes))
        else:
            # Everything lost, everything kept, each alone lost or kept, and some at random.
            last = [len(size) - 1 for size in sizes]
            picks = [tuple([0] * len(sizes)), tuple(last)]
            for index, size in enumerate(sizes):
                for value in size:
                    picks.append(tuple(value if at == index else 0 for at in range(len(sizes))))
                    picks.append(tuple(value if at == index else last[at] for at in range(len(sizes))))
            picks += [tuple(chance.choice(size) for size in sizes) for _ in range(MOST // 2)]
        found = []
        for pick in picks:
            outcome = {id(target): outcomes[index] for (target, outcomes), index in zip(choices, pick)}
            state = {}
            collect(self.top, "", outcome, state)
            if state not in found:
                found.append(state)
        return found


def collect(directory, path, outcome, state):
    names = dict(directory.durable)
    for changes in directory.pending[:outcome.get(id(directory), 0)]:
        for name, target in changes:
            apply(names, name, target)
    for name, target in names.items():
        inner = os.path.join(path, name)
        if isinstance(target, Directory):
            state[inner] = None
            collect(target, inner, outcome, state)
        else:
            state[inner] = outcome.get(id(target), target.durable)


def written(content, offset, data):
    content = content.ljust(offset, b"\0")
    return content[:offset] + data + content[offset + len(data):]


def torn(offset, data):
    """The ways in which a write may be on the disk in part, by sectors. The middle, and the ends."""
    edges = [edge - offset for edge in range(offset - offset % SECTOR + SECTOR, offset + len(data), SECTOR)]
    for edge in sorted({edges[0], edges[len(edges) // 2], edges[-1]} if edges else ()):
        yield [(offset, data[:edge])]
        yield [(offset + edge, data[edge:])]


def contents(file):
    """What the file may hold: first nothing of the pending writes, last all of them."""
    ways = [[[], *torn(offset, data), [(offset, data)]] for offset, data in file.pending]
    count = 1
    for way in ways:
        count *= len(way)
    chosen = itertools.product(*ways) if count <= MOST else ([way[index] for way in ways] for index in (0, -1))
    found = []
    for parts in chosen:
        content = file.durable
        for offset, data in itertools.chain(*parts):
            content = written(content, offset, data)
        if content not in found:
            found.append(content)
    whole = max(map(len, found))
    # The length may be there, and nothing in it.
    if len(file.durable) < whole:
        found.insert(1, file.durable.ljust(whole, b"\0"))
    return found
