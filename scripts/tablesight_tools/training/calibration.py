"""Fits the probability of findings to declared allergens: models/calibration/allergens.json.

    tablesight eval CASES... --uncalibrated --pairs pairs.ndjson
    scripts/fit-calibration pairs.ndjson --out models/calibration/allergens.json [--source TEXT] [--hold-out GROUP]

A pair is {"group","kind","strength","polarity","probability","holds"}. Each kind, strength and polarity gets one
rising table (pool adjacent violators); dish knowledge gets a logistic curve. Every group (an operator) has the same
weight, so that the largest does not dominate. --hold-out leaves that group out of the fit and prints the error of its
pairs before and after. "--hold-out each" does so for every group in turn, and then prints the error of each strength
over all groups, each judged by a table that did not see it. `chance alone` is the error that a perfect table would have
on so few pairs.
"""

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tablesight_tools.measures import calibration_error

Row = dict[str, Any]
Points = list[list[float]]  # rising pairs of strength and probability
Block = tuple[float, float, int, float, float]  # right pairs and all pairs by weight, their number, lowest, highest
Judged = tuple[str, float, float, bool]  # strength, probability before and after, truth
# Classes whose strengths are fine guesses, not a few fixed ones.
CURVES = {("dish", "dishKnowledge", "likely")}
CURVE_STRENGTHS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
LEAST = 25  # a table needs so many pairs; with fewer, the strength is not changed


def shrunk(hits: float, weight: float, count: int) -> float:
    """A share with half a pair added to each side, so that no share is 0 or 1."""
    return (hits / weight * count + 0.5) / (count + 1)


def rising(blocks: list[Block]) -> list[Block]:
    """Pools neighbours whose shrunk shares fall (pool adjacent violators)."""
    result: list[Block] = []
    for block in blocks:
        result.append(block)
        while len(result) > 1 and shrunk(*result[-2][:3]) >= shrunk(*result[-1][:3]):
            hits, weight, count, _, high = result.pop()
            last = result[-1]
            result[-1] = (last[0] + hits, last[1] + weight, last[2] + count, last[3], high)
    return result


def fit(pairs: Iterable[tuple[float, bool, float]]) -> Points:
    """Rising [strength, probability] points from (strength, holds, weight)."""
    ties: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for strength, holds, weight in pairs:
        tie = ties[strength]
        tie[0] += holds * weight
        tie[1] += weight
        tie[2] += 1
    # Pairs of one strength are one block from the start. Pooled one by one, the wrong ones of a tie, which sort first,
    # would pull down the block below before the right ones are counted.
    blocks = rising([(tie[0], tie[1], int(tie[2]), strength, strength) for strength, tie in sorted(ties.items())])
    whole = sum(block[1] for block in blocks)
    merged: list[Block] = []
    for block in blocks:  # a step with little weight is merged with the one below
        if merged and block[1] < 0.04 * whole:
            last = merged[-1]
            merged[-1] = (last[0] + block[0], last[1] + block[1], last[2] + block[2], last[3], block[4])
        else:
            merged.append(block)
    points: Points = []
    for hits, weight, count, low, high in rising(merged):
        share = round(shrunk(hits, weight, count), 4)
        points += [[round(low, 4), share], [round(high, 4), share]]
    return [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]


def curve(pairs: Iterable[tuple[float, bool, float]]) -> Points:
    """Rising points of a logistic curve on the logit of the strength, from (strength, holds, weight).

    Kitchens differ so much that a step table of all of them has few, wide steps. It would show weak and strong guesses
    with one probability, and lose their order. The curve keeps it.
    """
    rows = [(logit(x), holds, weight) for x, holds, weight in pairs]
    scale = len(rows) / sum(weight for *_, weight in rows)
    slope, shift = 1.0, 0.0
    for _ in range(50):  # Newton's method on two numbers
        gradient = [0.0, 0.0]
        matrix = [[1e-3, 0.0], [0.0, 1e-3]]
        for x, holds, weight in rows:
            p = 1 / (1 + math.exp(-(slope * x + shift)))
            error_, curvature = scale * weight * (p - holds), scale * weight * p * (1 - p)
            gradient = [gradient[0] + error_ * x, gradient[1] + error_]
            matrix[0][0] += curvature * x * x
            matrix[0][1] += curvature * x
            matrix[1][1] += curvature
        determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] ** 2
        steps = (
            (matrix[1][1] * gradient[0] - matrix[0][1] * gradient[1]) / determinant,
            (matrix[0][0] * gradient[1] - matrix[0][1] * gradient[0]) / determinant,
        )
        slope, shift = slope - max(-1.0, min(1.0, steps[0])), shift - max(-1.0, min(1.0, steps[1]))
        if max(map(abs, steps)) < 1e-6:
            break
    slope = max(slope, 0.05)
    return [[x, round(1 / (1 + math.exp(-(slope * logit(x) + shift))), 4)] for x in CURVE_STRENGTHS]


def logit(x: float) -> float:
    bounded = min(0.98, max(0.02, x))
    return math.log(bounded / (1 - bounded))


def value(points: Points, x: float) -> float:
    if x <= points[0][0]:
        return points[0][1] * x / points[0][0] if points[0][0] else points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y1 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def chance(pairs: Sequence[tuple[float, bool]], rounds: int = 200, seed: int = 7) -> float:
    """The mean error of pairs whose truth is drawn from their own probabilities."""
    generator = random.Random(seed)
    return sum(calibration_error([(p, generator.random() < p) for p, _ in pairs]) for _ in range(rounds)) / rounds


def tables_of(rows: list[Row]) -> dict[tuple[str, str, str], Points]:
    sizes = Counter((r["kind"], r["group"]) for r in rows)
    classes = defaultdict(list)
    for r in rows:
        classes[(r["kind"], r["strength"], r["polarity"])].append(
            (r["probability"], bool(r["holds"]), 1 / sizes[(r["kind"], r["group"])])
        )
    return {key: curve(pairs) if key in CURVES else fit(pairs) for key, pairs in classes.items() if len(pairs) >= LEAST}


def judged_unseen(rows: list[Row], group: str) -> Iterator[Judged]:
    """(strength, probability before, after, truth) of a group's pairs, by tables that never saw it."""
    tables = tables_of([r for r in rows if r["group"] != group])
    for r in rows:
        if r["group"] == group:
            key = (r["kind"], r["strength"], r["polarity"])
            after = value(tables[key], r["probability"]) if key in tables else r["probability"]
            yield r["strength"], r["probability"], after, bool(r["holds"])


def report(name: str, judged: list[Judged]) -> None:
    for strength in sorted({row[0] for row in judged}):
        own = [row for row in judged if row[0] == strength]
        before = calibration_error([(p, holds) for _, p, _, holds in own])
        after = [(p, holds) for _, _, p, holds in own]
        print(
            f"{name}, never seen: {strength:<14} {len(own):5} pairs, error {before:.3f} before, "
            f"{calibration_error(after):.3f} after (chance alone {chance(after):.3f})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("--out")
    parser.add_argument("--source", default="")
    parser.add_argument("--version", default="1")
    parser.add_argument("--licence", default="Apache-2.0")
    parser.add_argument("--hold-out")
    options = parser.parse_args()
    rows = [json.loads(line) for line in open(options.pairs, encoding="utf-8")]
    if options.hold_out:
        whole = []
        for group in sorted({r["group"] for r in rows}) if options.hold_out == "each" else [options.hold_out]:
            own = list(judged_unseen(rows, group))
            report(group, own)
            whole += own
        if options.hold_out == "each":
            report("all groups", whole)
    if options.out:
        tables = tables_of(rows)
        head = {
            "schema": "tablesight.calibration/1",
            "version": options.version,
            "source": options.source,
            "licence": options.licence,
        }
        lines = [json.dumps(k) + ": " + json.dumps(v, ensure_ascii=False) for k, v in head.items()]
        rows = [
            "  " + json.dumps({"kind": k, "strength": s, "polarity": p, "points": points})
            for (k, s, p), points in sorted(tables.items())
        ]
        with open(options.out, "w", encoding="utf-8") as out:
            out.write("{\n" + ",\n".join(lines) + ',\n"tables": [\n' + ",\n".join(rows) + "\n]\n}\n")


if __name__ == "__main__":
    main()
