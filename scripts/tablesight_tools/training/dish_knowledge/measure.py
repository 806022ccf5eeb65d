"""Measures dish knowledge by operator, each judged by models that never saw it.

    scripts/tool training.dish_knowledge.measure pairs FOOD --tablesight PROGRAM --left-out FOLDER --out pairs.ndjson
    scripts/tool training.dish_knowledge.measure scores FOOD --tablesight PROGRAM --left-out FOLDER --pairs pairs.ndjson
    scripts/tool training.dish_knowledge.measure houses FOOD --tablesight PROGRAM --left-out FOLDER --out houses.json
    scripts/tool training.dish_knowledge.measure curve FOOD --tablesight PROGRAM --left-out FOLDER
    scripts/tool training.dish_knowledge.measure examples FOOD --tablesight PROGRAM --before PROGRAM --seed 17

FOLDER/<operator>/dishes holds models that `train-dishes --leave-out` made. PROGRAM is `tablesight`. `pairs` writes
the input of `scripts/fit-calibration`. `scores` prints the figures of each operator; with --pairs its calibration comes
from the other operators' pairs too. `houses` writes the variances of models/calibration/houses.json, `curve` prints the
gain of verified dishes, `examples` dishes before and after.
--before-models names the models of the older program.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy

from tablesight_tools.measures import calibration_error
from tablesight_tools.paths import MODELS
from tablesight_tools.training import calibration
from tablesight_tools.training.dish_knowledge.rows import ALLERGENS, HOME, LANGUAGES, Row, load, same_operator

OPERATORS = ["munich-en", "ucla", "costa", "greggs", "vanderbilt", "munich-dev", "kit", "hamburg"]
MOST = 2000  # dishes of one operator
# Chosen by the recall after 5 and 25 dishes: a part of what looks like a kitchen's bias is the error of the curve.
VARIANCE_SHARE, WORD_VARIANCE = 0.3, 6.0
HOUSES_SOURCE = (
    "Estimated with scripts/tablesight_tools/training/dish_knowledge/measure.py from how much eight operators differ "
    "from their dishes' probabilities (rates only; no text of theirs is in this file)"
)
Answer = dict[str, Any]


def cases(rows: list[Row], operator: str) -> list[Row]:
    """The declared dishes of an operator, or of a language's recipes, at most MOST, chosen by a seed."""
    if operator in LANGUAGES:
        own = [row for row in rows if row.language == operator and row.kind == "recipe" and row.operator == HOME]
    else:
        own = [row for row in rows if row.operator == operator and row.kind == "menu"]
    random.Random(11).shuffle(own)
    return own[:MOST]


def contained(row: Row) -> list[str]:
    return sorted(name for name, share in row.present.items() if share >= 0.5 and name in row.covered)


def case(number: int, row: Row) -> Answer:
    return {
        "id": str(number),
        "language": row.language,
        "regime": "eu14",
        "kind": "dish",
        "text": row.text,
        "contains": contained(row),
        "covered": sorted(row.covered),
    }


def calibrate(path: Path, operator: str, pairs: list[Answer]) -> None:
    """Replaces the tables of dishes by those of the other operators' pairs."""
    content = json.loads(path.read_text(encoding="utf-8"))
    others = calibration.tables_of([pair for pair in pairs if not same_operator(pair["group"], operator)])
    for table in content["tables"]:
        key = (table["kind"], table["strength"], table["polarity"])
        if table["kind"] == "dish" and key in others:
            table["points"] = others[key]
    path.write_text(json.dumps(content), encoding="utf-8")


@contextmanager
def models_for(operator: str, left_out: Path | None, pairs: list[Answer] | None = None) -> Iterator[dict[str, str]]:
    """The environment with models, and with pairs a calibration, that never saw the operator."""
    with tempfile.TemporaryDirectory() as folder:
        models = Path(folder) / "models"
        shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("fetched"))
        own = [path for path in (left_out or Path("/none")).glob("*") if same_operator(operator, path.name)]
        for path in own:
            shutil.copytree(path / "dishes", models / "dishes", dirs_exist_ok=True)
        if pairs:
            calibrate(models / "calibration/allergens.json", operator, pairs)
        yield os.environ | {"TABLESIGHT_MODELS": str(models)}


def evaluated(
    program: str, groups: dict[str, list[Row]], left_out: Path | None, *options: str, pairs: list[Answer] | None = None
) -> Iterator[list[str]]:
    """The lines that `tablesight eval` prints for each operator."""
    for operator, own in groups.items():
        with models_for(operator, left_out, pairs) as environment, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{operator}.jsonl"
            path.write_text("".join(json.dumps(case(i, row)) + "\n" for i, row in enumerate(own)))
            command = [program, "eval", str(path), *options]
            yield subprocess.run(command, env=environment, capture_output=True, text=True).stdout.splitlines()


def judged(program: str, feed: list[Answer], environment: dict[str, str]) -> list[Answer]:
    text = "".join(json.dumps(one) + "\n" for one in feed)
    command = [program, "judge"]
    out = subprocess.run(command, input=text, env=environment, capture_output=True, text=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def probabilities(answer: Answer) -> numpy.ndarray:
    """P of each allergen that is shown as CONTAINS or LIKELY, else 0."""
    shown = answer["verdicts"]
    return numpy.array(
        [shown[a]["probability"] if shown[a]["verdict"] in ("CONTAINS", "LIKELY") else 0.0 for a in ALLERGENS]
    )


def truth(rows: list[Row]) -> tuple[numpy.ndarray, numpy.ndarray]:
    present = numpy.array([[row.present.get(name, 0) >= 0.5 for name in ALLERGENS] for row in rows])
    return present, numpy.array([[name in row.covered for name in ALLERGENS] for row in rows])


def recall_at(precision: float, said: numpy.ndarray, present: numpy.ndarray, known: numpy.ndarray) -> float:
    order = numpy.argsort(-said[known], kind="stable")
    held = numpy.cumsum(present[known][order])
    right = numpy.flatnonzero((held / numpy.arange(1, len(held) + 1) >= precision) & (said[known][order] > 0))
    return float(held[right[-1]] / max(1, held[-1])) if len(right) else 0.0


def error(said: numpy.ndarray, present: numpy.ndarray, known: numpy.ndarray) -> float:
    shown = known & (said > 0)
    pairs = [(float(p), bool(t)) for p, t in zip(said[shown], present[shown])]
    return calibration_error(pairs) if pairs else 0


def bias_of(chances: numpy.ndarray, present: numpy.ndarray) -> float:
    """The bias of a kitchen for one allergen with a wide prior (variance 4)."""
    logits, bias = numpy.log(chances / (1 - chances)), 0.0
    for _ in range(20):
        p = 1 / (1 + numpy.exp(-(logits + bias)))
        bias += float(numpy.clip(((present - p).sum() - bias / 4) / ((p * (1 - p)).sum() + 1 / 4), -1.5, 1.5))
    return bias


def houses(program: str, groups: dict[str, list[Row]], left_out: Path) -> dict[str, float]:
    """The prior variance of kitchens' biases: measured, and shrunk to .5 as if two more kitchens had been seen."""
    squares: dict[str, list[float]] = {name: [] for name in ALLERGENS}
    for operator, own in groups.items():
        with models_for(operator, left_out) as environment:
            answers = judged(program, [case(i, row) for i, row in enumerate(own)], environment)
        said = numpy.clip([probabilities(answer) for answer in answers], 0.05, 0.95)
        present, known = truth(own)
        for place, name in enumerate(ALLERGENS):
            if known[:, place].sum() >= 50 and present[:, place].any():
                own_ = known[:, place]
                squares[name].append(bias_of(said[own_, place], present[own_, place]) ** 2)
    shrunk = {name: (sum(values) + 2 * 0.5) / (len(values) + 2) for name, values in squares.items()}
    return {name: round(VARIANCE_SHARE * value, 3) for name, value in shrunk.items()}


def curve(program: str, groups: dict[str, list[Row]], left_out: Path, draws: int, tested: int) -> None:
    for operator, own in groups.items():
        found: dict[int, list[tuple[float, float]]] = {}
        with models_for(operator, left_out) as environment:
            for draw in range(draws):
                rows = own[:]
                random.Random(draw).shuffle(rows)
                house, rest = rows[:50], rows[50 : 50 + tested]
                present, known = truth(rest)
                for size in (0, 5, 10, 25, 50):
                    if len(house) < size or len(rest) < 100:
                        continue
                    seen = [
                        {"text": row.text, "contains": contained(row), "covered": sorted(row.covered)}
                        for row in house[:size]
                    ]
                    feed = [case(i, row) | ({"house": seen} if seen else {}) for i, row in enumerate(rest)]
                    said = numpy.array([probabilities(answer) for answer in judged(program, feed, environment)])
                    shown = (said > 0) & known
                    recall = (shown & present).sum() / max(1, (present & known).sum())
                    precision = (shown & present).sum() / max(1, shown.sum())
                    figures = (recall_at(0.8, said, present, known), recall, precision, error(said, present, known))
                    found.setdefault(size, []).append(figures)
        for size, values in found.items():
            print(
                operator,
                size,
                "R80 %.3f recall %.3f precision %.3f error %.3f" % tuple(numpy.mean(values, 0)),
                flush=True,
            )


def examples(program: str, before: str, before_models: str | None, rows: list[Row], seed: int) -> None:
    """Ten dishes of each language, with what the older and the newer program show."""
    for language in LANGUAGES:
        own = [row for row in rows if row.language == language and row.operator not in ("munich",)]
        some = random.Random(seed).sample(own, min(10, len(own)))
        feed = [case(i, row) for i, row in enumerate(some)]
        older = os.environ | ({"TABLESIGHT_MODELS": before_models} if before_models else {})
        newer = os.environ | {"TABLESIGHT_MODELS": str(MODELS)}
        for row, old, new in zip(some, judged(before, feed, older), judged(program, feed, newer)):
            names = [
                " ".join(sorted(a for a in ALLERGENS if probabilities(x)[ALLERGENS.index(a)] > 0 and a in row.covered))
                for x in (old, new)
            ]
            print(
                "| " + " | ".join([language, row.text.replace("\n", " ")[:60], *names, " ".join(contained(row))]) + " |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("pairs", "scores", "houses", "curve", "examples"))
    parser.add_argument("food", type=Path)
    parser.add_argument("--tablesight", required=True)
    parser.add_argument("--left-out", type=Path)
    parser.add_argument("--operators", default=",".join(OPERATORS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--pairs", type=Path)
    parser.add_argument("--before")
    parser.add_argument("--before-models")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--tested", type=int, default=300)
    options = parser.parse_args()
    rows = load(options.food)
    groups = {name: cases(rows, name) for name in options.operators.split(",")}
    if options.task == "pairs":
        with options.out.open("w", encoding="utf-8") as out, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pairs"
            arguments = ("--uncalibrated", "--pairs", str(path))
            for _ in evaluated(options.tablesight, groups, options.left_out, *arguments):
                out.write(path.read_text(encoding="utf-8"))
    elif options.task == "scores":
        pairs = None
        if options.pairs:
            pairs = [json.loads(line) for line in options.pairs.read_text(encoding="utf-8").splitlines()]
        for number, lines in enumerate(evaluated(options.tablesight, groups, options.left_out, pairs=pairs)):
            print("\n".join(lines[:2] if number == 0 else lines[1:2]), flush=True)
    elif options.task == "houses":
        variances = houses(options.tablesight, groups, options.left_out)
        head = {"schema": "tablesight.houses/1", "version": "1", "source": HOUSES_SOURCE, "licence": "Apache-2.0"}
        head |= {"variances": variances, "wordVariance": WORD_VARIANCE}
        lines = [json.dumps(key) + ": " + json.dumps(value) for key, value in head.items()]
        options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    elif options.task == "curve":
        curve(options.tablesight, groups, options.left_out, options.draws, options.tested)
    else:
        examples(options.tablesight, options.before, options.before_models, rows, options.seed)


if __name__ == "__main__":
    main()
