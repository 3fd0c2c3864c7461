"""Asks servers over their sockets, in turn: A B C A B C, so that what disturbs the machine disturbs all alike."""
import json
import os
import statistics
import subprocess


class Target:
    """A server: where it listens, what it is asked, and how its answer ends."""

    def __init__(self, name, socket, request, end, directory):
        self.name, self.socket, self.end = name, socket, end
        self.request = os.path.join(directory, "request-" + name.replace(" ", "-"))
        with open(self.request, "wb") as file:
            file.write(request)


class Load:
    def __init__(self, client, rounds, milliseconds):
        self.client, self.rounds, self.milliseconds = client, rounds, milliseconds

    def once(self, target, mode, connections=1, milliseconds=None):
        done = subprocess.run(
            [self.client, target.socket, target.request, target.end, mode, str(connections),
             str(milliseconds or self.milliseconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError("%s: %s" % (target.name, done.stderr.strip()))
        figures = json.loads(done.stdout)
        figures["rate"] = figures["requests"] / figures["seconds"]
        return figures

    def compare(self, targets, mode, connections=1):
        """The medians of several rounds, by the name of the target."""
        found = {target.name: [] for target in targets}
        for number in range(self.rounds):
            # Who comes first changes, so that nobody always comes after the same neighbour.
            for target in targets[number % len(targets):] + targets[:number % len(targets)]:
                found[target.name].append(self.once(target, mode, connections))
        return {name: medians(rounds) for name, rounds in found.items()}


def medians(rounds):
    return {key: statistics.median(figures[key] for figures in rounds) for key in rounds[0]}

