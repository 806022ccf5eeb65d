"""Scores `tablesight scan --as label` on photos of sentences, printed as the text of a packet.

    scripts/tool evaluation.sentence_photos DIR --tablesight CMD [--count 40] [--photos FOLDER]

DIR/sentences.jsonl has one case a line: language, kind, text, allergen, about, and `least` or `most`, the verdict that
the allergen must or may have. Labels are chosen in turn from each language and subject. A miss is a fault of judging if
`tablesight judge` misses the same text too; otherwise of recognition, with the text that was read.
"""

import argparse
import itertools
import json
import shlex
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import numpy as np

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import files
from tablesight_tools.rendering.samples.typesetting import font, page, paragraph

Case = dict[str, Any]
RANKS = {"CONTAINS": 4, "LIKELY": 3, "MAY_CONTAIN": 2, "CANNOT_TELL": 1}
INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


def chosen(cases: list[Case], count: int) -> list[Case]:
    """One case of each language and subject, then a second one of each, and so on."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        if case["kind"] == "label":
            groups.setdefault((case["language"], case["about"]), []).append(case)
    turns = itertools.zip_longest(*(groups[key] for key in sorted(groups)))
    return [case for turn in turns for case in turn if case][:count]


def photograph(text: str, seed: int) -> np.ndarray:
    image, draw = page(1200, 420, "#fbfaf5")
    regular, bold = font("DejaVuSans", 32), font("DejaVuSans", 32, True)
    y = 60.0
    # Print shows shapes: mathematical letters are letters.
    for line in unicodedata.normalize("NFKC", text.translate(INVISIBLE)).splitlines():
        y = paragraph(draw, line, 70, y, 1060, regular, bold, "#1c1c1c")
    photo, _ = camera.photograph(np.array(image), (1600, 700), seed, 3 + seed % 6, fill=0.94)
    return photo


def is_right(case: Case, verdict: str) -> bool:
    rank = RANKS.get(verdict, 0)
    return rank >= RANKS[case["least"]] if "least" in case else rank <= RANKS.get(case["most"], 0)


def answers(command: str, arguments: list[str], stdin: str | None = None) -> list[Case]:
    run = subprocess.run([*shlex.split(command), *arguments], input=stdin, capture_output=True, text=True)
    if run.returncode:
        print(run.stderr.strip(), file=sys.stderr)
    return [json.loads(line) for line in run.stdout.splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--tablesight", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--photos", type=Path, help="keep the photos there")
    options = parser.parse_args()
    lines = (options.dir / "sentences.jsonl").read_text(encoding="utf-8").splitlines()
    cases = chosen([json.loads(line) for line in lines], options.count)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.photos or Path(temporary)
        for number, case in enumerate(cases):
            files.save(folder, f"{number:03}", photograph(case["text"], number), case)
        photos = [str(folder / f"{number:03}.jpg") for number in range(len(cases))]
        for_everyone = ["scan", "--profile", "everyone", "--as", "label", "--format", "json"]
        outcomes = answers(options.tablesight, [*for_everyone, *photos])
    texts = [
        {"id": str(number), "language": case["language"], "kind": "label", "text": case["text"]}
        for number, case in enumerate(cases)
    ]
    judged = answers(options.tablesight, ["judge"], "".join(json.dumps(text) + "\n" for text in texts))
    if not len(cases) == len(outcomes) == len(judged):
        print(f"{len(cases)} cases, {len(outcomes)} outcomes, {len(judged)} judgements", file=sys.stderr)
        return 1
    right = 0
    for case, outcome, judgement in zip(cases, outcomes, judged, strict=True):
        verdict = outcome["label"]["verdicts"]["everyone"][case["allergen"]]["verdict"]
        right += is_right(case, verdict)
        if is_right(case, verdict):
            continue
        cause = "recognition" if is_right(case, judgement["verdicts"][case["allergen"]]["verdict"]) else "judging"
        read = " / ".join(line["text"] for line in outcome["readings"]["text"]["lines"])
        about = f"{case['language']}, {case['about']}, {case['allergen']} {verdict}"
        print(f"{cause}: {about}: {case['text']!r}; read {read!r}")
    print(f"{right} of {len(cases)} right")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
