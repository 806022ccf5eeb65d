"""Makes deliberate faults and says which of them the tests find.

    scripts/test-mutations --checkout /tmp/tablesight      all of scripts/mutations.json, as a table

All faults are built at once, each behind its number: the variable FAULT chooses the one that a run has. The checkout
must be a clean clone that nobody works in, because its files are changed. Exit codes: 0 every fault was found · 1 a
fault was missed.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tablesight_tools.paths import REPOSITORY

GUARD = """
import Glibc
private let faultOfThisRun = getenv("FAULT").map { atoi($0) } ?? 0
"""


class Mutation(NamedTuple):
    """One deliberate fault."""

    area: str
    file: str
    """below the checkout"""
    code: str
    """a line of it, with « and » around the expression that the fault replaces"""
    fault: str
    tests: str
    """the filter of the tests that should find it"""

    def made(self, text: str, number: int) -> str:
        """The text with this fault behind its number."""
        before, expression, after = re.fullmatch("(.*)«(.*)»(.*)", self.code, re.DOTALL).groups()  # type: ignore[union-attr]
        line = before + expression + after
        if text.count(line) != 1:
            raise ValueError(f"{self.file} has {text.count(line)} times: {line}")
        guarded = f"(faultOfThisRun == {number} ? ({self.fault}) : ({expression}))"
        return text.replace(line, before + guarded + after) + ("" if GUARD in text else GUARD)


def listed() -> list[Mutation]:
    """The rows of scripts/mutations.json."""
    rows = json.loads((REPOSITORY / "scripts/mutations.json").read_text(encoding="utf-8"))["mutations"]
    return [Mutation(**row) for row in rows]


def made(checkout: Path, mutations: list[Mutation]) -> None:
    """Writes all faults into the checkout and builds it."""
    for number, mutation in enumerate(mutations, 1):
        file = checkout / mutation.file
        file.write_text(mutation.made(file.read_text(encoding="utf-8"), number), encoding="utf-8")
    subprocess.run(["swift", "build", "--build-tests"], cwd=checkout, check=True, stdout=subprocess.DEVNULL)


def failed(checkout: Path, number: int, tests: str) -> list[str]:
    """The tests that fail with this fault. Without a test that ran the answer means nothing, so that is an error."""
    command = ["swift", "test", "--skip-build", "--disable-xctest", "--filter", tests]
    run = subprocess.run(command, cwd=checkout, env=os.environ | {"FAULT": str(number)}, capture_output=True, text=True)
    said = run.stdout + run.stderr
    names = re.findall(r"^✘ Test (?!run|case)(.+?) (?:failed after|recorded)", said, re.MULTILINE)
    if not names and (run.returncode or not re.search("Test run with [1-9]", said)):
        # A program that ended without its summary was found too: the fault crashed the tests.
        return ["the test program ended"] if "Test run started" in said and run.returncode else sys.exit(said[-2000:])
    return list(dict.fromkeys(names))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkout", type=Path, required=True, help="a clean clone, whose files are changed")
    parser.add_argument("--only", type=int, action="append", help="a number; may be repeated")
    parser.add_argument("--built", action="store_true", help="the faults are in the checkout and built already")
    options = parser.parse_args()
    mutations = listed()
    if not options.built:
        made(options.checkout, mutations)
    print("| fault | tests that fail |\n| --- | --- |")
    missed = 0
    for number, mutation in enumerate(mutations, 1):
        if options.only and number not in options.only:
            continue
        names = failed(options.checkout, number, mutation.tests)
        missed += not names
        shown = f"{len(names)}, as {names[0]}" if names else "**none**"
        place = f"{number} {mutation.area}, `{Path(mutation.file).stem}`"
        print(f"| {place}: `{mutation.code}` → `{mutation.fault}` | {shown} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
