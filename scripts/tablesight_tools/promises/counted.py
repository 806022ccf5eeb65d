"""Checks that one photo has its consequences once, however its file is written."""

import hashlib
import os
import random
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablesight_tools.processes import wait_for
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.promises.daemon import Daemon
from tablesight_tools.scripted_worker import scripted, text_reading, wrapper

ENTRIES = "SELECT count(*) FROM diary_entry"
WAITING = "SELECT count(*) FROM grocery_review WHERE state = 'waiting'"
EVENTS = "SELECT count(*) FROM event WHERE kind = 'completed'"
GOODS = ("BROT", "KAESE", "TOMATEN", "ZWIEBELN")

# The worker's answer to a file that ends within its picture.
CUT = {
    "failure": {
        "stage": "imaging",
        "code": "truncated",
        "detail": "the picture ends early",
        "hint": "copy it again",
    }
}


def label(number: int, energy: int) -> dict[str, Any]:
    """A nutrition table of its own energy."""
    return text_reading(
        "Nutrition facts per 100 g",
        "Energy %d kJ / %d kcal" % (round(energy * 4.184), energy),
        "Fat 1.0 g",
        "Carbohydrate %d g" % (energy // 8),
        "Protein %d g" % (energy // 8),
    )


def receipt(number: int) -> dict[str, Any]:
    """A receipt of four lines of a shop that nobody knows."""
    prices = [100 + (number * 7 + 13 * at) % 800 for at in range(len(GOODS))]
    lines = ["%s %d,%02d EUR" % (name, price // 100, price % 100) for name, price in zip(GOODS, prices, strict=True)]
    total = sum(prices)
    return text_reading(
        "SUPERMARKT %d" % number, "12.11.2026 10:15", *lines, "SUMME EUR %d,%02d" % (total // 100, total % 100)
    )


class Writer:
    """Writes one photo in one of the ways of cameras, network drives and people."""

    def __init__(self, daemon: Daemon, path: Path, answer: dict[str, Any], other: dict[str, Any]) -> None:
        self.daemon, self.path = daemon, path
        self.answer, self.other, self.edition = answer, other, 0

    def bytes_of(self, answer: dict[str, Any]) -> bytes:
        """Bytes that no file had before."""
        self.edition += 1
        return scripted(answer=answer, name=str(self.path), edition=self.edition)

    def settle(self) -> None:
        """Waits until everything that follows the outcome of the file's bytes has happened."""
        content = b"sha256:" + hashlib.sha256(self.path.read_bytes()).hexdigest().encode()
        if not wait_for(lambda: content in self.daemon.out.read_bytes(), 20, 0.02):
            raise RuntimeError("%s was not read" % self.path.name)

    def write(self, data: bytes) -> None:
        self.path.write_bytes(data)
        self.settle()

    def slow(self) -> None:
        """A writer that closes the file between chunks, such as FTP and some network drives."""
        part = self.bytes_of(dict(self.answer, **CUT))
        self.write(part[: len(part) - 12])
        self.write(self.bytes_of(self.answer))

    def rotated(self) -> None:
        """A photo that is rotated and saved again, three times."""
        for _ in range(3):
            self.write(self.bytes_of(self.answer))

    def replaced(self) -> None:
        """Another photo takes the name, by renaming a file over it."""
        self.write(self.bytes_of(self.other))
        temporary = self.path.with_suffix(".tmp")
        temporary.write_bytes(self.bytes_of(self.answer))
        temporary.rename(self.path)
        self.settle()

    def deleted(self) -> None:
        """The first upload is deleted and sent again."""
        self.write(self.bytes_of(self.other))
        self.path.unlink()
        time.sleep(0.05)
        self.write(self.bytes_of(self.answer))

    def copied(self) -> None:
        """The same bytes arrive under a second name, and the first name gets other bytes and returns."""
        data = self.bytes_of(self.answer)
        self.write(data)
        copy = self.path.with_name("copy-" + self.path.name)
        shutil.copy(self.path, copy)
        wait_for(lambda: self.daemon.outcome(str(copy.relative_to(self.daemon.inbox))), pause=0.02)

    def touched(self) -> None:
        """A program changes times and mode, and moves the file away and back."""
        self.write(self.bytes_of(self.answer))
        os.utime(self.path)
        self.path.chmod(0o600)
        aside = self.path.with_name("moved-" + self.path.name)
        self.path.rename(aside)
        wait_for(lambda: self.daemon.outcome(str(aside.relative_to(self.daemon.inbox))), pause=0.02)

    def ways(self) -> list[Callable[[], None]]:
        return [self.slow, self.rotated, self.replaced, self.deleted, self.copied, self.touched]


def counted(bench: Bench) -> str:
    """Labels and receipts are written in every way. Each must count once: one meal, and each price once."""
    runs, chance = bench.size(6, 200), random.Random(11)
    inbox = bench.inbox()
    daemon = bench.daemon(real=True, environment={"TABLESIGHT_WORKER": wrapper(bench.folder), **QUICK})
    for folder in ("diary/Ada", "diary/Nobody", "receipts"):
        (inbox / folder).mkdir(parents=True)
    daemon.start()
    subprocess.run(
        [str(bench.program), "diary", "weight", "70", "--person", "Ada", "--database",
         str(daemon.output / "tablesight.sqlite")],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    wrong, meals, prices, energies = [], 0, 0, []
    for run in range(runs):
        energy = 100 + run
        eaten = Writer(daemon, inbox / "diary/Ada" / ("%03d.png" % run), label(run, energy), label(run, 600))
        paid = Writer(daemon, inbox / "receipts" / ("%03d.png" % run), receipt(run), receipt(run + 1000))
        way = run % len(eaten.ways()) if run < 12 else chance.randrange(len(eaten.ways()))
        eaten.ways()[way]()
        paid.ways()[way]()
        energies.append(energy)
        made, waiting = daemon.count(ENTRIES) - meals, daemon.count(WAITING) - prices
        meals, prices = meals + made, prices + waiting
        if (made, waiting) != (1, len(GOODS)):
            wrong.append("%s: %d meals, %d prices" % (eaten.ways()[way].__name__, made, waiting))
    bench.expect(daemon.is_alive(), "the daemon ended")
    (inbox / "diary/Nobody/a.png").write_bytes(scripted(answer=label(0, 100), name="nobody"))
    heard = wait_for(lambda: b"has a diary" in daemon.log.read_bytes(), 10)
    bench.expect(heard, "a photo for somebody without a diary is not in the log")
    logged = sorted(row[0] // 1000 for row in daemon.query("SELECT calories FROM diary_entry"))
    bench.expect(not wrong, "%d of %d runs counted wrongly, such as %s" % (len(wrong), runs, sorted(set(wrong))[:6]))
    bench.expect(logged == energies, "the meals have not the energies of the last bytes")
    return "%d photos of labels and %d of receipts, written in 6 ways: %d meals, %d waiting prices, %d events" % (
        runs, runs, daemon.count(ENTRIES), daemon.count(WAITING), daemon.count(EVENTS),
    )  # fmt: skip
