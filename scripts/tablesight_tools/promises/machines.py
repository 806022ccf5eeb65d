"""Two machines on one: network namespaces that a cable connects, each with a folder and a host file of its own."""

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.promises.bench import Bench, Skip

NAME = "kitchen.example"


class Machine:
    """One namespace. Its commands see its own folder as /mnt, and not the other's."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.namespace = bench, "promise-%d-%d" % (os.getpid(), number)
        self.cable, self.address = "p%d-%d" % (os.getpid() % 100_000, number), "10.99.0.%d" % number
        self.folder = bench.folder / ("machine-%d" % number)
        self.folder.mkdir()
        (self.folder / "hosts").write_text("127.0.0.1 localhost\n10.99.0.1 %s\n" % NAME)

    @property
    def prefix(self) -> list[str]:
        """Runs a command in the network of this machine, with the files of the test."""
        return ["ip", "netns", "exec", self.namespace]

    def run(self, script: str, environment: Mapping[str, str] | None = None, folder: str = "/mnt") -> None:
        """Starts a script in the background, in the network and with the files of this machine."""
        hide = 'mount --bind "$1" /mnt && mount --bind /mnt/hosts /etc/hosts && mount -t tmpfs none "$2" && cd "$3"'
        command = [*self.prefix, "unshare", "--mount", "bash", "-c", hide + ' && exec bash -c "$4"', "bash"]
        command += [str(self.folder), str(self.bench.folder), folder, script + "\nwait\n"]
        log = open(self.folder / "log", "ab")
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            env=dict(os.environ, HOME="/mnt", **(environment or {})),
        )
        log.close()
        self.bench.endings.append(lambda: _end(process))

    def said(self) -> str:
        return (self.folder / "log").read_text(errors="replace")


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, 9)
    except ProcessLookupError:
        pass
    process.wait()


def _ip(*words: str) -> bool:
    return subprocess.run(["ip", *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL).returncode == 0


def two_machines(bench: Bench) -> tuple[Machine, Machine]:
    """Two machines with a cable between them. They are removed at the end of the check."""
    if os.geteuid():
        raise Skip("network namespaces need root")
    try:
        found = _ip("netns", "list")
    except FileNotFoundError:
        raise Skip("ip is not installed: apt-get install iproute2") from None
    one, two = Machine(bench, 1), Machine(bench, 2)
    for machine in (one, two):
        if not found or not _ip("netns", "add", machine.namespace):
            raise Skip("network namespaces are not permitted here")
        bench.endings.append(lambda name=machine.namespace: _ip("netns", "delete", name))  # type: ignore[misc]
    if not _ip("link", "add", one.cable, "type", "veth", "peer", "name", two.cable):
        raise Skip("no pair of network devices can be made here")
    for machine in (one, two):
        _ip("link", "set", machine.cable, "netns", machine.namespace)
        inside = ["-n", machine.namespace]
        _ip(*inside, "addr", "add", machine.address + "/24", "dev", machine.cable)
        _ip(*inside, "link", "set", machine.cable, "up")
        _ip(*inside, "link", "set", "lo", "up")
    return one, two


def plug(machine: Machine, is_in: bool) -> None:
    """Takes the cable out of a machine, or puts it in."""
    _ip("-n", machine.namespace, "link", "set", machine.cable, "up" if is_in else "down")


def recipe(part: str) -> str:
    """The lines of docs/operations.md that a person types on one machine: `daemon` or `worker`."""
    page = (REPOSITORY / "docs/operations.md").read_text()
    found = re.search(r"```sh %s\n(.*?)```" % part, page, re.DOTALL)
    if not found:
        raise RuntimeError("docs/operations.md has no recipe for %s" % part)
    return found.group(1)


def copied(recipe: str, source: Path, target: Path) -> str:
    """Does what the recipe's `scp` does, and returns the other lines."""
    rest = []
    for line in recipe.splitlines():
        if not line.startswith("scp "):
            rest.append(line)
            continue
        for word in line.split()[1:-1]:
            file = source / word.split(":", 1)[1]
            place = target / file.name
            place.write_bytes(file.read_bytes())
            place.chmod(0o600)
    return "\n".join(rest)
