"""Compares models for the kind of a page, and fits probabilities without the photo's own group.

    scripts/tool training.document_models kinds --trace TRACE.ndjson --truth TRUTH.json
    scripts/tool training.document_models held-out MODEL --scorer DIR --group REGEX --trace … --truth …

TRACE is what `document-stage read --trace` prints, TRUTH the truth of `fit-documents`. `kinds` trains on the half 0 of
`fit-documents --half` and tests on half 1; it needs scikit-learn. `held-out` fits a probability such as `date` for each
group of photos on the other groups, and prints the calibration error of what is answered. REGEX finds the group in a
photo's name: `.*` for each photo alone, `^[^-]+` for what is before the first hyphen.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

from tablesight_tools.training import documents

# A value below this probability is not answered.
LEAST = 0.5


def pages(trace: Path, truth: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features of each page in one row, its kind, and its half."""
    known = json.loads(truth.read_text(encoding="utf-8"))["images"]
    found = []
    for line in trace.read_text(encoding="utf-8").splitlines():
        page = json.loads(line)
        path = page["source"]["path"]
        entry = next((one for one in page["trace"] if one["model"] == "kind"), None)
        if path in known and entry is not None:
            features = {name: value for kind in entry["features"] for name, value in kind.items()}
            found.append((features, known[path], documents.half(path)))
    names = sorted({name for features, _, _ in found for name in features})
    rows = np.array([[features.get(name, 0.0) for name in names] for features, _, _ in found])
    return rows, np.array([kind for _, kind, _ in found]), np.array([half for _, _, half in found])


def others() -> dict[str, Any]:
    """Models of scikit-learn by name."""
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier  # noqa: PLC0415
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.pipeline import make_pipeline  # noqa: PLC0415
    from sklearn.preprocessing import PolynomialFeatures, StandardScaler  # noqa: PLC0415

    pairs = PolynomialFeatures(2, interaction_only=True, include_bias=False)
    return {
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(C=0.3, max_iter=3000)),
        "products of pairs": make_pipeline(pairs, StandardScaler(), LogisticRegression(C=0.01, max_iter=3000)),
        "boosted trees": GradientBoostingClassifier(n_estimators=100, max_depth=2, subsample=0.7, random_state=0),
        "random forest": RandomForestClassifier(400, min_samples_leaf=2, random_state=0),
    }


def shares(true: np.ndarray, said: np.ndarray) -> tuple[float, float]:
    """The share of right pages, and the mean of that share over the kinds."""
    right = true == said
    return float(right.mean()), float(np.mean([right[true == kind].mean() for kind in sorted(set(true))]))


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


def compare(options: argparse.Namespace) -> None:
    rows, kinds, halves = pages(options.trace, options.truth)
    for name, model in others().items():
        model.fit(rows[halves == 0], kinds[halves == 0])
        right, mean = shares(kinds[halves == 1], model.predict(rows[halves == 1]))
        print(f"{name}: {right:.3f} of {int((halves == 1).sum())}, mean of kinds {mean:.3f}")


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
    for name in ("kinds", "held-out"):
        task = tasks.add_parser(name)
        if name == "held-out":
            task.add_argument("model", choices=sorted(documents.VALUES))
            task.add_argument("--scorer", type=Path, required=True, help="folder of score_documents.py")
            task.add_argument("--group", default=".*", help="regular expression (default: each photo alone)")
        task.add_argument("--trace", type=Path, required=True)
        task.add_argument("--truth", type=Path, required=True)
    options = parser.parse_args(arguments)
    (compare if options.task == "kinds" else calibrate)(options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
