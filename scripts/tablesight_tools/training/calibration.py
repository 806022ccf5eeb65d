"""Fits the probability of findings to declared allergens: models/calibration/allergens.json.

    tablesight eval CASES... --uncalibrated --pairs pairs.ndjson
    scripts/fit-calibration pairs.ndjson --out models/calibration/allergens.json [--source TEXT] [--hold-out GROUP]

A pair is {"group","kind","strength","polarity","probability","holds"}. Each kind, strength and polarity gets one
rising table (pool adjacent violators). Every group (an operator) has the same weight, so that the largest does not
dominate. --hold-out leaves that group out of the fit and prints the error of its pairs before and after. "--hold-out
each" does so for every group in turn, and then prints the error of each strength over all groups, each judged by a
table that did not see it. `chance alone` is the error that a perfect table would have on so few pairs.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Row = dict[str, Any]
Points = list[list[float]]  # rising pairs of strength and probability
Judged = tuple[str, float, float, bool]  # strength, probability before and after, truth
LEAST = 25  # a table needs so many pairs; with fewer, the strength is not changed


def fit(pairs: Iterable[tuple[float, bool, float]]) -> Points:
    """Rising [strength, probability] points from (strength, holds, weight)."""
    blocks = []
    for strength, holds, weight in sorted(pairs):
        if blocks and blocks[-1][3] == strength:
            blocks[-1][0] += holds * weight
            blocks[-1][1] += weight
            blocks[-1][4] += 1
        else:
            blocks.append([holds * weight, weight, strength, strength, 1])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            hits, whole, _, high, count = blocks.pop()
            blocks[-1][0] += hits
            blocks[-1][1] += whole
            blocks[-1][3] = high
            blocks[-1][4] += count
    whole = sum(b[1] for b in blocks)
    merged = []
    for block in blocks:  # a step with little weight is merged with the one below
        if merged and block[1] < 0.04 * whole:
            last = merged[-1]
            merged[-1] = [last[0] + block[0], last[1] + block[1], last[2], block[3], last[4] + block[4]]
        else:
            merged.append(block)
    # Half a pair is added to each side, so that no share is 0 or 1.
    points = []
    for hits, number, low, high, count in merged:
        share = (hits / number * count + 0.5) / (count + 1)
        points += [[round(low, 4), round(share, 4)], [round(high, 4), round(share, 4)]]
    return [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]


def value(points: Points, x: float) -> float:
    if x <= points[0][0]:
        return points[0][1] * x / points[0][0] if points[0][0] else points[0][1]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y1 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return points[-1][1]


def error(pairs: Sequence[tuple[float, bool]]) -> float:
    bins = defaultdict(list)
    for p, holds in pairs:
        bins[min(9, int(p * 10))].append((p, holds))
    return sum(abs(sum(p for p, _ in b) - sum(h for _, h in b)) for b in bins.values()) / max(1, len(pairs))


def chance(pairs: Sequence[tuple[float, bool]], rounds: int = 200, seed: int = 7) -> float:
    """The mean error of pairs whose truth is drawn from their own probabilities."""
    generator = random.Random(seed)
    return sum(error([(p, generator.random() < p) for p, _ in pairs]) for _ in range(rounds)) / rounds


def tables_of(rows: list[Row]) -> dict[tuple[str, str, str], Points]:
    sizes = Counter((r["kind"], r["group"]) for r in rows)
    classes = defaultdict(list)
    for r in rows:
        classes[(r["kind"], r["strength"], r["polarity"])].append(
            (r["probability"], bool(r["holds"]), 1 / sizes[(r["kind"], r["group"])])
        )
    return {key: fit(pairs) for key, pairs in classes.items() if len(pairs) >= LEAST}


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
        after = [(p, holds) for _, _, p, holds in own]
        print(
            "%s, never seen: %-14s %5d pairs, error %.3f before, %.3f after (chance alone %.3f)"
            % (name, strength, len(own), error([(p, holds) for _, p, _, holds in own]), error(after), chance(after))
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
