"""The homes that checks begin with: who lives there, and what was read of photos. Each is prepared once in a run."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tablesight_tools.browser.daemon import SAMPLES, Daemon
from tablesight_tools.browser.invented import CORRECTED, FOODS, PIN, diaries, shopper

MENU = SAMPLES / "menus/pub-english.jpg"
LABEL = SAMPLES / "labels/fish-pie.jpg"
COOKIES = SAMPLES / "labels/oat-cookies.jpg"
# Lines of it belong to no dish; which, depends on the machine.
CARDS = SAMPLES / "layouts/images/cards-00.jpg"
NOTHING = SAMPLES / "bad/blank.jpg"
RECEIPT = SAMPLES / "documents/receipt-baeckerei.jpg"
MUSSELS = SAMPLES / "barcodes/mussels-curved.jpg"
SPREAD = SAMPLES / "barcodes/spread-ean13.jpg"
NUTRITION = SAMPLES / "documents/nutrition-muesli.jpg"
LONG_MENU = SAMPLES / "layouts/images/tapas-00.jpg"
SCATTERED, BEGUN = (SAMPLES / f"boards/coloured-{name}.jpg" for name in ("scattered", "boat-begun"))


def full(daemon: Daemon) -> None:
    """Lists, prices, diaries, and a PIN."""
    shopper(daemon)
    diaries(daemon)
    daemon.call("PUT", "/v1/me/pin", {"pin": PIN}, member="Cleo")


def maria(daemon: Daemon) -> None:
    """Maria, whose diary has a PIN."""
    daemon.call("PUT", "/v1/people/Maria", {"allergens": {"milk": "severe"}})
    daemon.call("PUT", "/v1/me/pin", {"pin": PIN}, member="Maria")


def house(daemon: Daemon) -> None:
    """Also Jonas, and the child Leo."""
    daemon.call("PUT", "/v1/people/Jonas", {"allergens": {"celery": "high"}})
    daemon.call("PUT", "/v1/people/Leo", {"allergens": {"peanuts": "severe"}, "role": "child"})


@dataclass(frozen=True)
class Home:
    """What a daemon begins with: another home, what is added to it, and the readings of photos.

    The photos themselves are not in it: a check sends those that it needs, which are then judged without being read.
    """

    base: str
    add: Callable[[Daemon], None] = lambda daemon: None
    photos: tuple[Path, ...] = ()
    board: tuple[Path, ...] = ()

    def prepare(self, program: Path, base: Path | None, place: Path) -> None:
        with Daemon(program, foods=() if base else FOODS, home=base) as daemon:
            self.add(daemon)
            daemon.keep(place)
        if not self.photos:
            return
        with Daemon(program, home=place) as daemon:
            for photo in self.photos:
                daemon.upload(photo)
            for count, photo in enumerate(self.board, 1):
                daemon.drop(photo, "table")
                daemon.board(count)
            daemon.stop()
            with closing(sqlite3.connect(place / DATABASE)) as database, database:
                database.execute("ATTACH ? AS other", (str(daemon.place / DATABASE),))
                database.execute("INSERT OR IGNORE INTO reading SELECT * FROM other.reading")


DATABASE = "inbox.tablesight/tablesight.sqlite"
READ = (
    MENU, LABEL, COOKIES, CARDS, NOTHING, RECEIPT, MUSSELS, SPREAD, NUTRITION, LONG_MENU, CORRECTED,
)  # fmt: skip
# Of any other name there is no home: the daemon begins with nothing.
HOMES = {
    "people": Home("", Daemon.store_people),
    "read": Home("people", photos=READ, board=(SCATTERED, BEGUN)),
    "full": Home("read", full),
    "maria": Home("", maria),
    "house": Home("maria", house, photos=(MENU,)),
}
