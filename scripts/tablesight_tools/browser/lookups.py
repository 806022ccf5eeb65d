"""Times of lookups and searches in a large catalogue, asked from the daemon over one HTTP connection.

    scripts/tool browser.lookups PRODUCTS CATALOGUE [--program FILE] [--count 1000]

PRODUCTS is the file of `scripts/make-catalogue` that CATALOGUE was imported from. COUNT of its records are drawn,
spread over the whole file. Each is looked up by its number and searched by the first words of its name and its brand,
then again without one letter of the longest word. A search counts as found if the record is among the answers.
Prints one line of JSON with milliseconds for each round.
"""

import argparse
import json
import random
import urllib.parse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Connection, Daemon
from tablesight_tools.measures import shares
from tablesight_tools.paths import REPOSITORY
from tablesight_tools.processes import memory


def records(products: Path, count: int) -> list[dict[str, Any]]:
    """Whole lines behind random places of the file."""
    draw, size, found = random.Random(7), products.stat().st_size, []
    with products.open("rb") as file:
        while len(found) < count:
            file.seek(draw.randrange(size))
            file.readline()
            line = file.readline()
            if line.strip():
                found.append(json.loads(line))
    return found


def words(record: dict[str, Any]) -> str:
    return " ".join(record["product_name"].split()[:2] + [record["brands"]])


def mistyped(text: str) -> str:
    """The text without the third letter of its longest word."""
    longest = max(text.split(), key=len)
    return text.replace(longest, longest[:2] + longest[3:], 1)


def asked(client: Connection, questions: Iterable[tuple[str, str]]) -> dict[str, float]:
    """Asks each path; an answer is right if it holds the text beside the path."""
    times, right = [], 0
    for path, expected in questions:
        _, body, seconds = client.call("GET", path)
        times.append(1000 * seconds)
        right += expected in body.decode()
    return {"asked": len(times), "found": right, **shares(times, 0.5, 0.95, 0.99)}


def search(text: str) -> str:
    return "/v1/search?" + urllib.parse.urlencode({"q": text})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("products", type=Path)
    parser.add_argument("catalogue", type=Path)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/release/tablesight")
    parser.add_argument("--count", type=int, default=1000)
    options = parser.parse_args()
    drawn = records(options.products, options.count)
    with Daemon(options.program.resolve(), {"TABLESIGHT_CATALOGUE": str(options.catalogue.resolve())}) as daemon:
        client, rounds = Connection(daemon), {}
        for name in ("first", "second"):
            rounds[name] = {
                "lookup": asked(client, ((f"/v1/products/{record['code']}", record["code"]) for record in drawn)),
                "search": asked(client, ((search(words(record)), record["code"]) for record in drawn)),
                "mistyped": asked(client, ((search(mistyped(words(record))), record["code"]) for record in drawn)),
                "health": asked(client, (("/healthz", "") for _ in drawn)),
            }
        print(json.dumps({**rounds, "peakMegabytes": memory(daemon.process.pid, "VmHWM")}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
