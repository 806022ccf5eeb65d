"""Lists and prices under load: comparisons over many prices, and many writers on one list.

Prices are written into the daemon's database before it starts, as an import would; the quotes of the comparison are
made by the program itself (`tablesight prices measure`).
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.invented import Member
from tablesight_tools.measures import percentile
from tablesight_tools.paths import REPOSITORY

ENTRIES = 60
PLACES = 500
TARGET_MS = 100.0
WRITERS = 50
KEPT = 8
FIRST_DAY = 20_000


def fill(database: Path, prices: int, generator: random.Random) -> list[int]:
    """Writes places, products and prices; gives the products of the list, which every place has."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous = OFF")
    with connection:
        connection.executemany(
            "INSERT INTO grocery_place (id, uid, name, chain) VALUES (?, ?, ?, ?)",
            ((place, f"bench:{place}", f"Shop {place}", "shop") for place in range(1, PLACES + 1)),
        )
        # Every product is seen eight times at every place.
        products = max(ENTRIES, prices // (PLACES * 8))
        connection.executemany(
            "INSERT INTO grocery_product (id, name, words, pack, dimension) VALUES (?, ?, ?, 500000, 'mass')",
            ((product, f"Product {product}", f"product {product}") for product in range(1, products + 1)),
        )
        usual = [generator.randint(5_000, 100_000) for _ in range(products)]

        def rows() -> Any:
            for number in range(prices):
                product = number % products
                place = number // products % PLACES + 1
                amount = round(usual[product] * generator.uniform(0.8, 1.25))
                day = FIRST_DAY + generator.randint(0, 700)
                yield product + 1, place, amount, day, f"Person {generator.randint(0, 2000)}"

        connection.executemany(
            """INSERT INTO grocery_price (product, place, amount, currency, per, isDiscounted, day, proof, confidence,
                contributor) VALUES (?, ?, ?, 'EUR', 'piece', 0, ?, 'receipt', 1, ?)""",
            rows(),
        )
    connection.close()
    return generator.sample(range(1, products + 1), ENTRIES)


def compare(program: Path, prices: int, times: int) -> bool:
    """True if the 99th percentile of a comparison meets the target."""
    generator = random.Random(22)
    with Daemon(program) as daemon:
        database = daemon.results / "tablesight.sqlite"
        started = time.monotonic()
        chosen = fill(database, prices, generator)
        print(f"{prices} prices written in {time.monotonic() - started:.0f} s", flush=True)
        started = time.monotonic()
        subprocess.run([program, "prices", "measure", "--database", database], check=True, cwd=REPOSITORY)
        print(f"quotes made in {time.monotonic() - started:.0f} s", flush=True)
        client = Member(daemon, "Ada")
        number = client.make_list("Bench")
        for product in chosen:
            client.add(number, name=f"Product {product}", anyway=True)
        taken: list[float] = []
        for _ in range(times):
            started = time.monotonic()
            answer = client.call("GET", f"/v1/compare?list={number}")
            taken.append((time.monotonic() - started) * 1000)
        group = answer["currencies"][0]
        assert answer["entries"] == ENTRIES and group["eligible"] == PLACES, answer
    p99 = percentile(taken, 0.99)
    print(
        f"{times} comparisons of {ENTRIES} entries over {PLACES} places and {prices} prices: "
        f"median {percentile(taken, 0.5):.1f} ms, p99 {p99:.1f} ms (target {TARGET_MS:.0f})"
    )
    return p99 <= TARGET_MS


class Writer(threading.Thread):
    """Adds, changes, completes and removes its own entries until the time is over."""

    def __init__(self, client: Member, number: int, target: int, until: float) -> None:
        super().__init__()
        self.client = client
        self.number = number
        self.target = target
        self.until = until
        self.kept: dict[int, int] = {}
        self.history: set[int] = set()
        self.writes = 0
        self.failures: list[str] = []

    def run(self) -> None:
        step = 0
        while time.monotonic() < self.until:
            try:
                self.write(step)
            except (urllib.error.URLError, OSError) as error:
                self.failures.append(str(error))
            step += 1

    def write(self, step: int) -> None:
        item = self.client.add(self.target, name=f"Thing {self.number} {step}", anyway=True)["id"]
        quantity = (step % 9 + 1) * 1000
        self.client.call("PATCH", f"/v1/items/{item}", {"quantity": quantity})
        self.kept[item] = quantity
        self.writes += 2
        if len(self.kept) > KEPT:
            oldest = min(self.kept)
            self.client.call("DELETE", f"/v1/items/{oldest}")
            del self.kept[oldest]
            self.history.add(oldest)
            self.writes += 1


def writers(program: Path, seconds: float) -> bool:
    """True if every entry of every writer is there, in the order of the additions."""
    with Daemon(program) as daemon:
        owner = Member(daemon, "Owner")
        number = owner.make_list("Bench")
        clients = [Member(daemon, f"Writer {index}") for index in range(WRITERS)]
        for index in range(WRITERS):
            owner.call("PUT", f"/v1/lists/{number}/people/Writer%20{index}")
        until = time.monotonic() + seconds
        threads = [Writer(client, index, number, until) for index, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        items = owner.call("GET", f"/v1/items?list={number}")
    expected = {item: quantity for thread in threads for item, quantity in thread.kept.items()}
    found = {item["id"]: item["quantity"] for item in items}
    order = [item["id"] for item in items]
    failures = [failure for thread in threads for failure in thread.failures]
    writes = sum(thread.writes for thread in threads)
    is_stable = order == sorted(order)
    print(
        f"{WRITERS} writers for {seconds:.0f} s: {writes} writes, {len(found)} of {len(expected)} entries, "
        f"order {'stable' if is_stable else 'changed'}, {len(failures)} failed requests"
    )
    return found == expected and is_stable and not failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/bench-groceries", description=__doc__)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--only", choices=["compare", "writers"])
    parser.add_argument("--prices", type=int, default=2_000_000)
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    is_good = True
    if options.only != "writers":
        is_good = compare(options.program, options.prices, options.times)
    if options.only != "compare":
        is_good = writers(options.program, options.seconds) and is_good
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
