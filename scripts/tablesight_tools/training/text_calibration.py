"""Fits the probability that a word was read correctly: models/text/calibration.json.

    scripts/fit-text-calibration DIR... [--reader network|tesseract] [--write] [--tablesight PROGRAM]

Each DIR holds photos with their transcripts: NAME.txt beside NAME.jpg, or ../box/NAME.csv (eight corner coordinates
and the text on each line). Folders given by --without-print hold photos without print; every word read there is
wrong.

The photos are read with a calibration that keeps the reader's values and only marks the kind of each word and the
result of its cross-check. A word is right if the transcript contains it, apart from case and marks at its ends. Each
word of the transcript counts once. Then one isotonic map (pool adjacent violators) is fitted for each kind and
cross-check. Where a kind has few words, the words of all kinds stand in with a weight of 20.

The reliability table and the expected calibration error (ECE, ten bins) come from photos that were left out of the
fit, one fifth at a time. The map that is written comes from all photos.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tablesight_tools.measures import calibration_error, pooled
from tablesight_tools.paths import REPOSITORY

Row = tuple[str, str, float, bool]  # photo, map, reader's value, correct
Curve = list[tuple[float, float]]  # rising pairs of value and probability
TABLE = REPOSITORY / "models/text/calibration.json"
KINDS, WITNESSES = ("known", "number", "short", "other"), ("none", "agrees", "disagrees")
NAMES = [kind + "." + witness for kind in KINDS for witness in WITNESSES]
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp"}
PRIOR_WEIGHT, MOST_POINTS, CEILING = 20, 12, 0.995


def folded(word: str) -> str:
    word = unicodedata.normalize("NFKC", word).casefold()
    start, end = 0, len(word)
    while start < end and unicodedata.category(word[start])[0] in "PSCZ":
        start += 1
    while end > start and unicodedata.category(word[end - 1])[0] in "PSCZ":
        end -= 1
    return word[start:end] or word


def transcript(photo: Path) -> str | None:
    text, boxes = photo.with_suffix(".txt"), photo.parent.parent / "box" / (photo.stem + ".csv")
    if text.is_file():
        return text.read_text("utf-8-sig", "replace")
    if boxes.is_file():
        lines = boxes.read_text("utf-8-sig", "replace").splitlines()
        return "\n".join(line.split(",", 8)[8] for line in lines if line.count(",") >= 8)
    return None


def marked_models(folder: Path, reader: str) -> None:
    """Makes a copy of models/ whose calibration encodes the map: class n lies in [n, n + 1) / classes."""
    for entry in (REPOSITORY / "models").iterdir():
        if entry.name != "text":
            (folder / entry.name).symlink_to(entry)
    (folder / "text").mkdir()
    for entry in (REPOSITORY / "models/text").iterdir():
        if entry.name != TABLE.name:
            shutil.copy(entry, folder / "text")
    maps = {
        name: {"reader": [0, 1], "probability": [n / len(NAMES), (n + 0.999) / len(NAMES)]}
        for n, name in enumerate(NAMES)
    }
    table = {"schema": "tablesight.textCalibration/1", "readers": {"network": maps, "tesseract": maps}}
    (folder / "text" / TABLE.name).write_text(json.dumps(table))
    if reader == "tesseract":
        (folder / "fetched").unlink(missing_ok=True)


def read_words(photos: list[str], program: str, reader: str) -> list[tuple[str, str, str, float]]:
    """[(photo, word, class, the reader's value)]"""
    words = []
    with tempfile.TemporaryDirectory() as folder:
        marked_models(Path(folder), reader)
        environment = dict(os.environ, TABLESIGHT_MODELS=folder)
        for photo in photos:
            run = subprocess.run(
                [program, "scan", "--format", "json", "--as", "menu", photo], capture_output=True, env=environment
            )
            for line in run.stdout.splitlines():
                for text_line in ((json.loads(line).get("readings") or {}).get("text") or {}).get("lines", []):
                    for word in text_line["words"]:
                        value = word["confidence"] * len(NAMES)
                        kind = min(int(value), len(NAMES) - 1)
                        words.append((photo, word["text"], NAMES[kind], min(1.0, (value - kind) / 0.999)))
            print("\r%d of %d" % (photos.index(photo) + 1, len(photos)), end="", file=sys.stderr)
    print(file=sys.stderr)
    return words


def judged(words: list[tuple[str, str, str, float]], truths: dict[str, str]) -> list[Row]:
    left = {photo: Counter(folded(w) for w in (text or "").split()) for photo, text in truths.items()}
    whole = {photo: "".join(folded(w) for w in (text or "").split()) for photo, text in truths.items()}
    rows = []
    for photo, text, name, value in words:
        word = folded(text)
        right = left[photo][word] > 0
        if right:
            left[photo][word] -= 1
        elif len(word) > 3 and word not in left[photo]:
            # A missing or additional space does not make the word wrong.
            right = word in whole[photo]
        rows.append((photo, name, value, right))
    return rows


def isotonic(points: Iterable[tuple[float, float, float]]) -> Curve:
    """Pool adjacent violators over (value, right, weight), as [(value, probability)] with rising values."""
    return [(v / w, min(CEILING, max(0.01, r / w))) for v, r, w in pooled(sorted(points))]


def fitted(rows: list[Row]) -> dict[str, Curve]:
    pooled = isotonic([(value, right, 1) for _, _, value, right in rows]) if rows else [(0, 0.05), (1, 0.9)]
    maps = {}
    for name in NAMES:
        own = [(value, right, 1) for _, n, value, right in rows if n == name]
        prior = [(k / 20, apply(pooled, k / 20), PRIOR_WEIGHT / 21) for k in range(21)]
        curve = isotonic(own + prior)
        while len(curve) > MOST_POINTS:  # merge the two neighbours that differ least
            at = min(range(len(curve) - 1), key=lambda i: curve[i + 1][1] - curve[i][1])
            pair = curve[at : at + 2]
            curve[at : at + 2] = [(sum(v for v, _ in pair) / 2, sum(p for _, p in pair) / 2)]
        rising = [curve[0]]
        for value, probability in curve[1:]:
            if value > rising[-1][0] + 1e-6:
                rising.append((value, max(probability, rising[-1][1])))
        maps[name] = rising
    return maps


def apply(curve: Curve, value: float) -> float:
    for (v0, p0), (v1, p1) in zip(curve, curve[1:]):
        if value <= v0:
            return p0
        if value <= v1:
            return p0 + (value - v0) / (v1 - v0) * (p1 - p0)
    return curve[-1][1] if value > curve[0][0] else curve[0][1]


def reliability(title: str, pairs: list[tuple[float, bool]]) -> None:
    print("\n%s: %d words" % (title, len(pairs)))
    print("  bin        words   said  right")
    for low in range(10):
        bin_ = [(p, r) for p, r in pairs if low / 10 <= p < (low + 1) / 10 or (low == 9 and p >= 1)]
        if bin_:
            said, right = (sum(x) / len(bin_) for x in zip(*bin_))
            print("  %.1f–%.1f  %6d   %.3f  %.3f" % (low / 10, low / 10 + 0.1, len(bin_), said, right))
    sure = [r for p, r in pairs if p >= 0.95]
    print(
        "  ECE %.3f; words at .95 and above: %d, right %.3f"
        % (calibration_error(pairs), len(sure), sum(sure) / max(1, len(sure)))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--reader", choices=("network", "tesseract"), default="network")
    parser.add_argument("--without-print", action="append", default=[], metavar="DIR", help="photos without any print")
    parser.add_argument("--write", action="store_true", help="put the maps into models/text/calibration.json")
    parser.add_argument("--tablesight", default=str(REPOSITORY / ".build/release/tablesight"))
    options = parser.parse_args()
    truths = {}
    for folder in options.folders:
        for photo in sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in SUFFIXES):
            text = transcript(photo)
            if text and text.strip():
                truths[str(photo)] = text
    for folder in options.without_print:
        truths.update({str(p): "" for p in sorted(Path(folder).rglob("*")) if p.suffix.lower() in SUFFIXES})
    if not truths:
        sys.exit("no photo with a transcript below " + ", ".join(options.folders))
    rows = judged(read_words(list(truths), options.tablesight, options.reader), truths)
    if not rows:
        sys.exit(f"no word was read: does {options.tablesight} work? Try it on one of the photos")
    photos = list(truths)
    before = [(value, right) for _, _, value, right in rows]
    after = []
    for fold in range(5):
        held = {photo for n, photo in enumerate(photos) if n % 5 == fold}
        maps = fitted([row for row in rows if row[0] not in held])
        after += [(apply(maps[name], value), right) for photo, name, value, right in rows if photo in held]
    reliability(f"{options.reader}, the reader's own", before)
    reliability(f"{options.reader}, calibrated (photos left out of the fit)", after)
    for name, count in sorted(Counter(name for _, name, _, _ in rows).items()):
        right = [r for _, n, _, r in rows if n == name]
        print("  %-18s %5d words, right %.3f" % (name, count, sum(right) / count))
    if options.write:
        table = json.loads(TABLE.read_text())
        table["readers"][options.reader] = {
            name: {"reader": [round(v, 5) for v, _ in curve], "probability": [round(p, 4) for _, p in curve]}
            for name, curve in fitted(rows).items()
        }
        TABLE.write_text(json.dumps(table, indent=1) + "\n")
        print("written: " + str(TABLE.relative_to(REPOSITORY)))


if __name__ == "__main__":
    main()
