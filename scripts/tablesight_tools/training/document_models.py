"""Fits probabilities of documents without the photo's own group.

    scripts/tool training.document_models held-out MODEL --scorer DIR --group REGEX --trace … --truth …

TRACE is what `tablesight-stage document read --trace` prints, TRUTH the truth of `fit-documents`. `held-out` fits a
probability such as `date` for each group of photos on the other groups, and prints the calibration error of what is
answered. REGEX finds the group in a photo's name: `.*` for each photo alone, `^[^-]+` for what is before the first
hyphen.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import numpy as np

from tablesight_tools.training import documents

# A value below this probability is not answered.
LEAST = 0.5


def held_out(
    rows: np.ndarray, right: np.ndarray, groups: np.ndarray, start: np.ndarray, ridge: float = 1.0
) -> np.ndarray:
    """The probability of each value by a fit on the other groups."""
    result = np.zeros(len(right))
    for group in sorted(set(groups)):
        own = groups == group
        weights = documents.fit_logistic(rows[~own], right[~own], start, ridge)
        result[own] = 1 / (1 + np.exp(-np.clip(rows[own] @ weights, -30, 30)))
    return result


def calibrate(options: argparse.Namespace) -> None:
    sys.path.insert(0, str(options.scorer))
    import score_documents as scorer  # type: ignore[import-not-found]  # noqa: PLC0415

    judge = documents.judges(scorer)[options.model]
    known = documents.truths(options.truth)
    kind, weights, bias = documents.VALUES[options.model]
    rows, right, groups = [], [], []
    for line in options.trace.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        name = Path(page["source"]["path"])
        for entry in page["trace"]:
            if entry["model"] != options.model or name.stem not in known:
                continue
            verdict = judge(known[name.stem])(options.model, entry["notes"][0])
            if verdict is not None:
                rows.append([*(entry["features"][0].get(one, 0.0) for one in weights), 1.0])
                right.append(float(verdict))
                groups.append(re.search(options.group, name.stem)[0])
    said = held_out(np.array(rows), np.array(right), np.array(groups), np.array([*weights.values(), bias], dtype=float))
    answered = [(float(one), good > LEAST) for one, good in zip(said, right) if one >= LEAST]
    error = scorer.calibration(answered)["ece"]
    good = sum(one for _, one in answered)
    print(f"{options.model} ({kind}): {len(set(groups))} groups, {good} of {len(answered)} right, ECE {error:.3f}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = parser.add_subparsers(dest="task", required=True)
    task = tasks.add_parser("held-out")
    task.add_argument("model", choices=sorted(documents.VALUES))
    task.add_argument("--scorer", type=Path, required=True, help="folder of score_documents.py")
    task.add_argument("--group", default=".*", help="regular expression (default: each photo alone)")
    task.add_argument("--trace", type=Path, required=True)
    task.add_argument("--truth", type=Path, required=True)
    options = parser.parse_args(arguments)
    calibrate(options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
