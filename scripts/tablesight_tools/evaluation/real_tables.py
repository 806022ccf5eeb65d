"""Scores the program on photos of real tables whose truth was written by looking at them.

    scripts/tool evaluation.real_tables TRUTH.json --set dominoes --tablesight .build/release/tablesight

TRUTH.json: {set: {photo: truth}}, photos relative to it. Dice: the values. Dominoes: pairs of numbers; tiles with more
than --most pips on a half are to be left out. Boards of discs: rows from the top down, one letter a square, the first
of a colour's name or "." for none; "?" is not judged. Values are compared as multisets, squares one by one; a square of
a board that was not found is missed. The error of calibration has ten bins.
"""

import argparse
import collections
import json
import pathlib
from typing import Any

from tablesight_tools.evaluation.score import frames_of, processor_times
from tablesight_tools.measures import calibration_error, percentile

Answer = tuple[float, bool]  # confidence, right
Frame = dict[str, Any]


def judge_values(frame: Frame, truth: list[Any], most: int) -> tuple[collections.Counter[str], list[Answer]]:
    wanted: collections.Counter[Any] = collections.Counter(
        tuple(sorted(one)) if isinstance(one, list) else one
        for one in truth
        if not isinstance(one, list) or max(one) <= most
    )
    count = collections.Counter(pieces=sum(wanted.values()))
    answers = []
    for piece in sorted(frame["pieces"], key=lambda piece: -piece["confidence"]):
        value = tuple(sorted(piece["values"])) if "values" in piece else piece.get("value")
        right = wanted[value] > 0
        wanted[value] -= right
        count["right" if right else "wrong"] += 1
        answers.append((piece["confidence"], right))
    count["missed"] = count["pieces"] - count["right"]
    return count, answers


def judge_squares(frame: Frame, rows: list[str]) -> tuple[collections.Counter[str], list[Answer]]:
    seen = {(piece["cell"]["r"], piece["cell"]["c"]): piece for piece in frame["pieces"] if piece.get("cell")}
    count: collections.Counter[str] = collections.Counter()
    answers = []
    for row, line in enumerate(rows):
        for column, wanted in enumerate(line):
            if wanted == "?":
                continue
            piece = seen.get((row, column))
            found = piece["colour"][0] if piece else "."
            count["pieces"] += 1
            if found == wanted and frame.get("board"):
                count["right"] += 1
            else:
                count["missed" if found == "." else "wrong"] += 1
            if piece:
                answers.append((piece["confidence"], found == wanted))
    return count, answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("--set", dest="pieces", required=True)
    parser.add_argument("--tablesight", required=True, help="the command to score, as one string")
    parser.add_argument("--most", type=int, default=6, help="pips on half a domino of the set (default 6)")
    options = parser.parse_args()
    truths = json.loads(options.truth.read_text(encoding="utf-8"))[options.pieces]
    total: collections.Counter[str] = collections.Counter()
    answers: list[Answer] = []
    times = []
    for photo, truth in truths.items():
        frames = frames_of(options.tablesight, options.truth.parent / photo, "--set", options.pieces)
        frame = frames[-1] if frames else {"pieces": []}
        is_board = bool(truth) and isinstance(truth[0], str)
        count, own = judge_squares(frame, truth) if is_board else judge_values(frame, truth, options.most)
        count["photos"] = 1
        count["exact"] = int(not count["wrong"] and not count["missed"])
        count["nothing wrong"] = int(not count["wrong"])
        print(photo, *(f"{name} {count[name]}" for name in ("right", "wrong", "missed")))
        total += count
        answers += own
        times += processor_times(frames)
    sure = [right for confidence, right in answers if confidence >= 0.85]
    print(", ".join(f"{total[name]} {name}" for name in ("photos", "exact", "nothing wrong", "pieces", "right")))
    print(f"{total['wrong']} wrong, {total['missed']} missed; of {len(sure)} above .85, {sure.count(False)} wrong")
    print(f"calibration error {calibration_error(answers):.3f} of {len(answers)}")
    print(f"processor time p50 {percentile(times, 0.5):.0f} ms, p95 {percentile(times, 0.95):.0f} ms")


if __name__ == "__main__":
    main()
