"""Says why values of photographed documents are wrong or missing, and counts by language.

    scripts/tool evaluation.document_causes R.ndjson DIR... --scorer EVAL     R is what `tablesight batch` wrote

DIR holds truth.json files, EVAL score_documents.py, whose rules decide what is right; the kind is not told. Causes:
`unread`: no line of the page has the true value; `elsewhere`: another value of the photo is shown; `unit`; `kind` (of a
date); `unprinted`; `page`: the kind was not found; `unused`: missing, although its text was read; `parsed`: the rest.
The country before the hyphen of a photo's name gives the language.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

Difference = tuple[str, Any, Any, Any]  # field, accepted values, what is shown and what holds it
Fault = tuple[str, list[str], str | None, float | None]  # field, accepted values, shown value with its confidence
SPOKEN = {
    "English": "au ca ie in jm nz ph sg uk us",
    "German": "at ch de",
    "Spanish": "ec es pe",
    "Portuguese": "br pt",
}
LANGUAGES = {country: language for language, countries in SPOKEN.items() for country in countries.split()}


def listed(truth: Any) -> list[str]:
    """All values of a truth, or of a part of it."""
    parts = truth.values() if isinstance(truth, dict) else truth if isinstance(truth, list) else None
    return ([] if truth is None else [str(truth)]) if parts is None else sum(map(listed, parts), [])


def paired(trues: list[Any], shown: list[Any], same: dict[str, Callable[[str, str], bool]]) -> Iterator[Difference]:
    """What differs between true and shown items, or dates; then what is missing, and what is too much."""

    def differing(true: Any, one: Any) -> list[str]:
        texts = {key: str(one[key]["value"] if isinstance(one[key], dict) else one[key]) for key in same if key in one}
        return [key for key in same if not any(same[key](texts.get(key, ""), form) for form in listed(true[key]))]

    first = next(iter(same))
    for most in (0, 1):
        for true, one in [(true, one) for true in trues for one in shown]:
            if true in trues and one in shown and len(keys := differing(true, one)) == most:
                trues.remove(true), shown.remove(one)
                yield from ((key, true[key], one.get(key), one) for key in keys)
    yield from ((first, true[first], None, {}) for true in trues)
    yield from ((first, None, one.get(first), one) for one in shown)


def faults(kind: str, outcome: Any, truth: Any, scorer: Any) -> tuple[list[Fault], Any]:
    """What is wrong or missing on a photo, and its tally."""
    found: list[Difference] = []

    class Noted(scorer.Tally):  # type: ignore[misc]
        def compare(self, name: str, answer: Any, holder: Any, true: Any, *rules: Any) -> None:
            before = len(self.fields)
            super().compare(name, answer, holder, true, *rules)
            if any(verdict != "right" for _, verdict, *_ in self.fields[before:]):
                found.append((name, true, answer, holder))

    tally = Noted()
    scorer.SCORE[kind](outcome, truth, tally)
    items = {"amount": scorer.same_number, "name": lambda one, true: scorer.alike(one, true) >= scorer.ITEM}
    for key, part, same in (
        ("items", "receipt", items),
        ("dates", "label", {"value": scorer.same_date, "kind": str.__eq__}),
    ):
        if key in truth:
            found += paired(list(truth[key]), list(scorer.items(outcome, part, key)), same)
    read = [(name, listed(true), scorer.value_of(answer, holder)) for name, true, answer, holder in found]
    return [(name, forms, None if v is None else str(v), sure) for name, forms, (v, sure, _) in read], tally


def is_read(forms: list[str], lines: list[str], scorer: Any) -> bool:
    """Does a line, or do two in a row, have a true value? Of a date, year and day."""
    for row in [*lines, *map(" ".join, zip(lines, lines[1:], strict=False))]:
        figures = re.findall(r"\d[\d.,]*", re.sub(r"(?<=\d[.,]) | (?=[.,]\d)", "", row))
        runs = [run for run in re.findall(r"\d+", row) if len(run) in (1, 2, 4, 6, 8)]
        for form in forms:
            if parts := re.fullmatch(r"(?:\d\d(\d\d)|-)-(\d\d)(?:-(\d\d))?", form):
                pairs = [run[at : at + 2].lstrip("0") for run in runs for at in range(0, len(run), 2)]
                if all(part.lstrip("0") in pairs for part in (parts[1], parts[3]) if part):
                    return True
            elif re.fullmatch(r"-?[\d.]+( \w+)?", form):
                if any(scorer.same_number(figure.rstrip(".,"), form.split()[0].lstrip("-")) for figure in figures):
                    return True
            elif scorer.letters(form, True) in scorer.letters(row) or scorer.alike(form, row, True) >= scorer.ITEM:
                return True
    return False


def cause(one: Fault, page: Any, truth: Any, kind: str, scorer: Any) -> str:
    name, forms, shown, _ = one
    isread = is_read(forms, [line["text"] for line in page["readings"].get("text", {}).get("lines", [])], scorer)
    if shown is None:
        return "unread" if not isread else "unused" if scorer.KINDS[kind] in page.get("domains", []) else "page"
    if name == "kind" or not forms:
        return "kind" if forms else "elsewhere" if shown in listed(truth) else "unprinted"
    ratios = [
        float(scorer.number(shown) / number)
        for form in forms
        if (number := scorer.number(form)) and scorer.number(shown)
    ]
    if any(abs(ratio / factor - 1) < 0.01 for ratio in ratios for factor in (1000, 0.001, 4.184, 1 / 4.184)):
        return "unit"
    return "elsewhere" if shown in listed(truth) else "parsed" if isread else "unread"


def source(photo: Path) -> str:
    """The repository of a photo, by the SOURCE.md above it."""
    file = photo.parent.parent / "SOURCE.md"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    before, name, _ = text.partition(f" {photo.name} ")
    return re.findall(r"Repository: \w+ ([^,\s]+)", before)[-1] if name else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outcomes", type=Path)
    parser.add_argument("dirs", type=Path, nargs="+")
    parser.add_argument("--scorer", required=True)
    options = parser.parse_args()
    sys.path.insert(0, options.scorer)
    scorer = import_module("score_documents")
    rows = [json.loads(line) for line in options.outcomes.read_text(encoding="utf-8").splitlines()]
    pages = {str(Path(row["source"]["path"]).resolve()): row for row in rows}
    causes: Counter[tuple[str, str, str]] = Counter()
    tallies: dict[tuple[str, str], list[Any]] = {}
    for kind, cases in (
        (kind, cases) for folder in options.dirs for kind, cases in scorer.find_truth(folder, None).items()
    ):
        for photo, (folder, truth) in cases.items():
            page, name = pages.get(str(Path(photo).resolve()), {"readings": {}}), Path(photo).name
            found, tally = faults(kind, page if scorer.KINDS[kind] in page.get("domains", []) else {}, truth, scorer)
            country = name.split("-")[0] if name[2:3] == "-" else folder
            tallies.setdefault((kind, LANGUAGES.get(country, country)), []).append(tally)
            for one in found:
                causes[
                    kind, "missing" if one[2] is None else "wrong", why := cause(one, page, truth, kind, scorer)
                ] += 1
                print("\t".join([kind, name, source(Path(photo)), why, one[0], "/".join(one[1]), *map(str, one[2:])]))
    for (kind, language), many in sorted(tallies.items()):
        one = scorer.figures(many)["all"]
        print(
            f"# {kind}, {language}: {len(many)} photos, {one['right']} right and {one['wrong']} wrong of {one['true']}"
        )
    for key, count in sorted(causes.items()):
        print(f"# {' '.join(key)}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
