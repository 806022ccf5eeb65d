"""Corrects the dishes of real menus as a person does on a phone, and counts the taps.

    scripts/tool browser.corrected_menus --menus EVAL/menus EVAL/menus-2 --each 12 --program PROGRAM

The folders have photos with truth (gt.json); `score_menus.py` and `menu_pages.py` beside them match dishes by name. The
photos are chosen by the hash of their names; flat ones are left out. A tap is a click or a drag. Taps into a field are
counted apart. Also counted: typed fields, and screens that are scrolled.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from operator import add
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from tablesight_tools.browser.app import App, Look, chromium
from tablesight_tools.browser.checks.test_corrections import draw
from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.paths import REPOSITORY

PHONE = Look("phone 390", 390, 844)
# Milliseconds after a frame is drawn: Chromium takes a touch that follows at once for half of a double tap.
PAUSE = 500
MISREAD = 0.4  # a found name as like as this to a missing one is that dish, misread
SAME_LINE = 0.6  # a line as like as this to a missing dish is that dish
FRAME = 0.03  # height of a frame around a dish without any line, as a share of the photo


@dataclass
class Correction:
    """What one dish took."""

    kind: str
    dish: str
    taps: int = 0
    taps_into_fields: int = 0
    fields: int = 0
    screens: float = 0
    steps: list[str] = field(default_factory=list)
    refusal: str = ""

    @property
    def counts(self) -> tuple[int, int, int, float]:
        return self.taps, self.taps_into_fields, self.fields, self.screens


@dataclass
class Result:
    """One photo."""

    photo: str
    wrong: int
    before: float
    after: float
    wrong_after: int
    # Of "Read as" for a photo that was not read as a menu.
    page_taps: int
    corrections: list[Correction]

    @property
    def dishes(self) -> list[Correction]:
        """What each dish took, where one took two corrections too."""
        found: dict[str, Correction] = {}
        for one in self.corrections:
            if one.refusal:
                continue
            if known := found.get(one.dish):
                known = Correction(f"{known.kind}, then {one.kind}", one.dish, *map(add, known.counts, one.counts))
            found[one.dish] = known or one
        return list(found.values())


def key(item: dict[str, Any]) -> str:
    """How addresses of the page name a dish: by its place."""
    left, top = (int(min(corner[axis] for corner in item["box"])) for axis in (0, 1))
    return f"{left}%2D{top}"


class Scorer:
    """The modules of the evaluation: how dishes are matched and scored."""

    def __init__(self, folder: Path) -> None:
        sys.path.insert(0, str(folder))
        import menu_pages  # type: ignore[import-not-found]  # noqa: PLC0415
        import metrics  # type: ignore[import-not-found]  # noqa: PLC0415
        import score_menus  # type: ignore[import-not-found]  # noqa: PLC0415

        self.pages, self.metrics, self.menus = menu_pages, metrics, score_menus

    def chosen(self, folders: list[Path], count: int) -> list[Any]:
        """Photos of menus, by the hash of their names."""
        every = [page for folder in folders for page in self.pages.find_pages(folder) if page.row["kind"] != "flat"]
        return sorted(every, key=lambda page: hashlib.sha256(Path(page.image).name.encode()).digest())[:count]

    def found(self, outcome: dict[str, Any], page: Any) -> list[Any]:
        """The dishes of an outcome, each with its item."""
        if "menu" not in (outcome.get("domains") or []):
            return []
        found = []
        for section in (outcome.get("menu") or {}).get("sections", []):
            for item in section["items"]:
                alone = {"menu": {"sections": [{**section, "items": [item]}]}}
                for dish in self.pages.dishes_of(alone, page.row.get("region")):
                    dish.row["key"] = key(item)
                    found.append(dish)
        return found

    def f1(self, outcome: dict[str, Any], page: Any) -> float:
        tally = self.menus.score_page(page, outcome, self.found(outcome, page))
        return float(self.metrics.prf(tally["hits"], tally["found"], tally["true"])["f1"] or 0)

    def differs(self, true: Any, dish: Any) -> tuple[bool, bool]:
        """Are name and price wrong?"""
        name = not set(self.pages.spellings(dish.name)) & set(true.forms)
        return name, true.prices_right(dish.row["prices"]) is False

    def faults(self, outcome: dict[str, Any], page: Any) -> Iterator[tuple[str, Any, Any]]:
        """What is wrong: (kind, dish of the truth, dish of the outcome)."""
        found = self.found(outcome, page)
        pairs = self.pages.pair(page.dishes, found)
        matched = {id(one) for pair in pairs for one in pair}
        matched |= {id(dish) for _, dish in self.pages.pair(page.optional, [d for d in found if id(d) not in matched])}
        missing = [dish for dish in page.dishes if id(dish) not in matched]
        false = [dish for dish in found if id(dish) not in matched]
        yield from (("wrong", true, dish) for true, dish in pairs if any(self.differs(true, dish)))
        for true, dish in self.misread(missing, false):
            missing.remove(true)
            false.remove(dish)
            yield "wrong", true, dish
        # As many may be dishes that the truth could not read.
        yield from (("notADish", None, dish) for dish in false[page.unreadable :])
        yield from (("missing", true, None) for true in missing)

    def misread(self, missing: list[Any], false: list[Any]) -> list[tuple[Any, Any]]:
        """Missing dishes with those that a person recognises in what was read."""
        scored = sorted(
            ((self.likeness(true, dish.name), i, j) for i, true in enumerate(missing) for j, dish in enumerate(false)),
            reverse=True,
        )
        taken: list[tuple[int, int]] = []
        for likeness, i, j in scored:
            if likeness >= MISREAD and all(i != one and j != other for one, other in taken):
                taken.append((i, j))
        return [(missing[i], false[j]) for i, j in taken]

    def likeness(self, true: Any, text: str | None) -> float:
        """How like a text is to a dish; 1 if it holds the whole name."""
        forms = self.pages.spellings(text)
        if any(len(form) > 3 and f" {form} " in f" {other} " for form in true.forms for other in forms):
            return 1
        return float(self.pages.same_name(true.forms, forms))


class Hand:
    """A person's hand on a phone, which counts."""

    def __init__(self, app: App, correction: Correction) -> None:
        self.app = app
        self.correction = correction

    def reach(self, place: Locator) -> None:
        """Scrolls to a place if it is not in the window."""
        before = self.app.page.evaluate("scrollY")
        place.scroll_into_view_if_needed()
        moved = abs(self.app.page.evaluate("scrollY") - before) / self.app.look.height
        self.correction.screens += moved

    def tap(self, place: Locator, name: str) -> None:
        self.reach(place)
        place.tap()
        self.correction.taps += 1
        self.correction.steps.append(name)

    def type(self, place: Locator, text: str) -> None:
        if not place.evaluate("(field) => field === document.activeElement"):
            self.reach(place)
            place.tap()
            self.correction.taps_into_fields += 1
        place.fill(text)
        self.correction.fields += 1

    def draw(self, box: tuple[int, int, int, int]) -> None:
        before = self.app.page.evaluate("scrollY")
        draw(self.app, box)
        self.app.page.wait_for_timeout(PAUSE)
        self.correction.screens += abs(self.app.page.evaluate("scrollY") - before) / self.app.look.height
        self.correction.taps += 1
        self.correction.steps.append("draw")

    def save(self, place: Locator, name: str) -> None:
        """Taps a button that leads to the page with what was saved, or to a refusal."""
        with self.app.page.expect_navigation():
            self.tap(place, name)
        saved = self.app.find("#saved")
        refusal = self.app.role("heading", "That did not work")
        expect(saved.or_(refusal).first).to_be_attached()
        if refusal.count():
            self.correction.refusal = " ".join(self.app.text().split())


class Corrector:
    """Corrects one photo."""

    def __init__(self, app: App, scorer: Scorer, page: Any, most: int) -> None:
        self.app, self.scorer, self.page, self.most = app, scorer, page, most
        self.photo = app.daemon.upload(Path(page.image))
        self.done: list[Correction] = []
        self.tried: set[tuple[str, str]] = set()

    @property
    def outcome(self) -> dict[str, Any]:
        found: dict[str, Any] = self.app.daemon.call("GET", f"/v1/outcomes/{self.photo}")
        return found

    def run(self) -> Result:
        before = self.outcome
        taps = 0 if "menu" in before["domains"] else self.read_as_menu()
        first = self.outcome
        wrong = len(list(self.scorer.faults(first, self.page)))
        self.app.open(f"/photos/{self.photo}")
        while len(self.done) < self.most and (fault := self.next_fault()):
            self.correct(*fault)
        after = self.outcome
        return Result(
            Path(self.page.image).name,
            wrong,
            self.scorer.f1(before, self.page),
            self.scorer.f1(after, self.page),
            len(list(self.scorer.faults(after, self.page))),
            taps,
            self.done,
        )

    def read_as_menu(self) -> int:
        self.app.open(f"/photos/{self.photo}")
        self.app.find("#kind summary").tap()
        self.app.button("Menu").tap()
        self.app.expect_status("read as Menu")
        return 2

    def next_fault(self) -> tuple[str, Any, Any] | None:
        """The first thing that is wrong and was not tried yet."""
        for kind, true, dish in self.scorer.faults(self.outcome, self.page):
            key = (kind, true.name if true else dish.row["key"])
            if key not in self.tried:
                self.tried.add(key)
                return kind, true, dish
        return None

    def correct(self, kind: str, true: Any, dish: Any) -> None:
        correction = Correction(kind, true.name if true else dish.name)
        hand = Hand(self.app, correction)
        if kind == "missing":
            self.add(hand, true)
        else:
            self.change(hand, true, dish)
        self.done.append(correction)
        if correction.refusal:
            self.app.open(f"/photos/{self.photo}")

    def change(self, hand: Hand, true: Any, dish: Any) -> None:
        """Opens a dish, and corrects it or says that it is none."""
        closed = self.app.find(f"article > a[href*='dish={dish.row['key']}#']")
        row = self.app.find("#" + str(closed.locator("..").get_attribute("id")))
        with self.app.page.expect_navigation():
            hand.tap(closed, "open")
        name = row.get_by_label("Name", exact=True)
        expect(name).to_be_visible()
        if true is None:
            return hand.save(row.get_by_role("button", name="Not a dish"), "Not a dish")
        is_name_wrong, is_price_wrong = self.scorer.differs(true, dish)
        if is_name_wrong:
            hand.type(name, true.name)
        if is_price_wrong:
            hand.type(row.get_by_label("Price", exact=True), self.prices(true))
        hand.save(row.get_by_role("button", name="Save"), "Save")

    def add(self, hand: Hand, true: Any) -> None:
        """From a line that was not understood, or drawn on the photo."""
        lines = self.app.find(".tapline form")
        texts = [lines.nth(n).get_by_label("What does this line say?").input_value() for n in range(lines.count())]
        alike = max(range(len(texts)), key=lambda n: self.scorer.likeness(true, texts[n]), default=-1)
        price = self.prices(true)
        if alike >= 0 and self.scorer.likeness(true, texts[alike]) >= SAME_LINE:
            hand.correction.kind = "line"
            hand.tap(self.app.find(".tapline > summary"), "lines")
            line = lines.nth(alike)
            wanted = f"{true.name} {price}".strip()
            if texts[alike] != wanted:
                hand.type(line.get_by_label("What does this line say?"), wanted)
            return hand.save(line.get_by_role("button", name="It is a dish"), "It is a dish")
        missing = self.app.find("#missing")
        hand.tap(missing.locator("summary"), "A dish is missing here")
        hand.draw(self.place(true))
        hand.type(missing.get_by_label("Name", exact=True), true.name)
        if price:
            hand.type(missing.get_by_label("Price", exact=True), price)
        return hand.save(missing.get_by_role("button", name="Add the dish"), "Add the dish")

    def place(self, true: Any) -> tuple[int, int, int, int]:
        """Around the line that is most like the dish; in the middle of the photo without one."""
        outcome = self.outcome
        lines = outcome["readings"].get("text", {}).get("lines", [])
        best = max(lines, key=lambda line: self.scorer.likeness(true, line["text"]), default=None)
        if best and self.scorer.likeness(true, best["text"]) >= SAME_LINE:
            xs, ys = zip(*best["box"], strict=True)
            return int(min(xs)), int(min(ys)), int(max(xs) - min(xs)), int(max(ys) - min(ys))
        width, height = outcome["source"]["width"], outcome["source"]["height"]
        return width // 4, height // 2, width // 2, max(20, int(height * FRAME))

    @staticmethod
    def prices(true: Any) -> str:
        return " / ".join(price.replace("k", "000") for price in true.row.get("prices") or [])


def mean(values: list[float]) -> float:
    return statistics.mean(values) if values else 0


def row(result: Result) -> str:
    """A row of the report: taps without and with those into fields."""
    taps = [float(one.taps) for one in result.dishes]
    every = [float(one.taps + one.taps_into_fields) for one in result.dishes]
    fields = [float(one.fields) for one in result.dishes]
    screens = [one.screens for one in result.dishes]
    refused = sum(bool(one.refusal) for one in result.corrections)
    return (
        f"| {result.photo} | {result.wrong} | {len(taps)} | {mean(taps):.2f} | {max(taps, default=0):.0f} | "
        f"{mean(every):.2f} | {max(every, default=0):.0f} | {mean(fields):.2f} | {mean(screens):.1f} | "
        f"{result.page_taps} | {refused} | {result.before:.3f} | {result.after:.3f} | {result.wrong_after} |"
    )


def report(results: list[Result]) -> str:
    """Tables of the photos, and of the kinds of corrections."""
    lines = [
        "| photo | wrong | corrected | taps, mean | most | with fields, mean | most | fields typed | screens scrolled "
        "| taps for “Read as” | refused | F1 before | after | still wrong |",
        "|---|" + "---|" * 13,
        *map(row, results),
    ]
    every = [one for result in results for one in result.dishes]
    for kind in sorted({one.kind for one in every}):
        own = [one for one in every if one.kind == kind]
        lines.append(
            f"{kind}: {len(own)} dishes, {mean([float(one.taps) for one in own]):.2f} taps, "
            f"{mean([float(one.taps + one.taps_into_fields) for one in own]):.2f} with those into fields, "
            f"{mean([float(one.fields) for one in own]):.2f} fields, {mean([one.screens for one in own]):.1f} screens"
        )
    taps = [float(one.taps) for one in every]
    both = [float(one.taps + one.taps_into_fields) for one in every]
    lines.append(
        f"all: {len(every)} dishes, {mean(taps):.2f} taps (most {max(taps, default=0):.0f}), {mean(both):.2f} with "
        f"those into fields (most {max(both, default=0):.0f}); F1 {mean([one.before for one in results]):.3f} before, "
        f"{mean([one.after for one in results]):.3f} after (mean of photos)"
    )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--menus", type=Path, nargs="+", required=True, help="folders with photos and gt.json")
    parser.add_argument("--photos", type=int, default=10)
    parser.add_argument("--each", type=int, default=12, help="at most so many dishes of a photo are corrected")
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    parser.add_argument("--json", type=Path, help="file for every correction with its steps")
    options = parser.parse_args()
    scorer = Scorer(options.menus[0].resolve().parent)
    results: list[Result] = []
    with chromium() as browser, Daemon(options.program.resolve()) as daemon:
        daemon.store_people()
        for page in scorer.chosen(options.menus, options.photos):
            began = time.monotonic()
            app = App(browser.new_context, daemon, PHONE)
            app.sign_in()
            results.append(Corrector(app, scorer, page, options.each).run())
            app.context.close()
            print(f"{row(results[-1])} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
            if options.json:
                options.json.write_text(json.dumps([asdict(one) for one in results], ensure_ascii=False, indent=1))
    print(report(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
