"""Fits models/documents/weights.json from traces of the document stage and typed truth.

    fit-documents --scorer DIR --out FILE --set KIND TRACE.ndjson TRUTH.json [--set …]

TRACE is what `tablesight-stage document read --trace` prints. TRUTH has the form of score_documents.py:
{"images": {path: truth}}.
Photos are matched by their file name without its extension. KIND is receipt, nutrition, priceTag or date. --scorer
names the folder of score_documents.py; its comparisons decide what is right.

A choice among candidates is a conditional logit with "none" as one more candidate. The probability of a chosen value is
a logistic model. Both are pulled towards documents_starts.json, so a few photos change little. An isotonic curve
calibrates the result where a set has at least 100 values.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from tablesight_tools.measures import pooled

Entry = dict[str, Any]
Judge = Callable[[str, Any], bool | None]

STARTS = json.loads((Path(__file__).parent / "documents_starts.json").read_text(encoding="utf-8"))
# Model → set of photos, features with the weights where the fit starts, bias. A model of many receipts leaves its
# start; one of a few tags hardly does.
Start = tuple[str, dict[str, float], float]
# Edit similarity from which an address counts as read: its rows are joined, and one letter in five may differ.
ADDRESS = 0.8
CHOICES: dict[str, Start] = {name: (one["set"], one["weights"], one["bias"]) for name, one in STARTS["choices"].items()}
VALUES: dict[str, Start] = {name: (one["set"], one["weights"], one["bias"]) for name, one in STARTS["values"].items()}


def descend(loss: Callable[[np.ndarray], tuple[float, np.ndarray]], start: np.ndarray, steps: int = 600) -> np.ndarray:
    """Minimises a convex loss by gradient descent with adaptive steps."""
    weights, step = start.copy(), 0.5
    value, slope = loss(weights)
    for _ in range(steps):
        trial = weights - step * slope
        new, new_slope = loss(trial)
        if new <= value:
            weights, value, slope, step = trial, new, new_slope, step * 1.2
        else:
            step *= 0.5
            if step < 1e-9:
                break
    return weights


def fit_choice(
    pages: list[tuple[np.ndarray, list[bool]]], prior: np.ndarray, ridge: float, empty: float = 1.0
) -> np.ndarray:
    """Weights of a conditional logit; the last one is the bias of all candidates against none.

    A page without a right candidate weighs `empty`.
    """

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.5 * ridge * float(np.sum((weights - prior) ** 2)), ridge * (weights - prior)
        for rows, right in pages:
            logits = np.append(rows @ weights, 0.0)
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            wanted = np.array([*right, not any(right)], dtype=float) * shares
            mass = max(float(wanted.sum()), 1e-12)
            weight = 1.0 if any(right) else empty
            total -= weight * float(np.log(mass))
            slope = slope + weight * (rows.T @ (shares[:-1] - wanted[:-1] / mass))
        return total, slope

    return descend(loss, prior)


def fit_logistic(rows: np.ndarray, right: np.ndarray, prior: np.ndarray, ridge: float) -> np.ndarray:
    """Weights of a logistic model; the last one is the bias."""

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = np.clip(rows @ weights, -30, 30)
        shares = 1 / (1 + np.exp(-logits))
        total = -float(np.sum(np.log(np.where(right > 0.5, shares, 1 - shares) + 1e-12)))
        away = weights - prior
        return total + 0.5 * ridge * float(away @ away), rows.T @ (shares - right) + ridge * away

    return descend(loss, prior)


def isotonic(scores: np.ndarray, right: np.ndarray, prior: float = 1.5) -> list[list[float]]:
    """Rising pairs of score and probability by pooling neighbours; each pool is pulled towards its mean score."""
    order = np.argsort(scores, kind="stable")
    knots: list[list[float]] = []
    for total, good, count in pooled((float(scores[index]), float(right[index]), 1.0) for index in order):
        score = total / count
        share = (good + prior * score) / (count + prior)
        knots.append([round(score, 4), round(min(0.995, max(knots[-1][1] if knots else 0.005, share)), 4)])
    return knots


def judges(scorer: Any) -> dict[str, Callable[[Any], Judge]]:
    """For each model what makes a note right, given the truth of the photo. None: the truth says nothing."""

    def field(name: str) -> Callable[[Any], Judge]:
        def of(truth: Any) -> Judge:
            def judge(_: str, note: Any) -> bool | None:
                if name not in truth:
                    return None
                accepted = truth[name] if isinstance(truth[name], list) else [truth[name]]
                return any(scorer.SAME[name](note, one) for one in accepted if one is not None)

            return judge

        return of

    def item(truth: Any) -> Judge:
        def judge(_: str, note: Any) -> bool | None:
            if "items" not in truth:
                return None
            name, amount = str(note).split("\t")
            return any(
                scorer.same_number(amount, one["amount"]) and scorer.alike(name, form) >= scorer.ITEM
                for one in truth["items"]
                for form in (one["name"] if isinstance(one["name"], list) else [one["name"]])
            )

        return judge

    def address(truth: Any) -> Judge:
        def judge(_: str, note: Any) -> bool | None:
            return scorer.alike(note, truth["address"]) >= ADDRESS if truth.get("address") else None

        return judge

    def nutrient(truth: Any) -> Judge:
        def judge(_: str, note: Any) -> bool | None:
            per, name, value, unit = str(note).split("\t")
            for basis in truth["basis"]:
                if per not in basis["per"]:
                    continue
                if name in basis.get("skip", ()) or name not in scorer.NUTRIENTS:
                    return None
                if name not in basis:
                    return None if basis.get("optional") else False
                wanted = scorer.in_unit({"value": value, "unit": unit}, basis[name]["unit"])
                return wanted == scorer.number(basis[name]["value"])
            return False

        return judge

    def date(truth: Any) -> Judge:
        def judge(_: str, note: Any) -> bool | None:
            kind, value = str(note).split("\t")
            return any(
                kind in one["kind"] and any(scorer.same_date(value, form) for form in one["value"])
                for one in truth["dates"]
            )

        return judge

    result: dict[str, Callable[[Any], Judge]] = {
        "receipt.item": item,
        "nutrition": nutrient,
        "date": date,
    }
    for name in ("total", "merchant", "date"):
        result["receipt." + name] = result[f"receipt.{name}.confidence"] = field(name)
    result["receipt.address.confidence"] = address
    for name in ("price", "product", "unitPrice"):
        result["tag." + name] = result[f"tag.{name}.confidence"] = field(name)
    return result


def truths(path: Path) -> dict[str, Any]:
    """Truth by the path of the photo, and by the stem of its name."""
    images = json.loads(path.read_text(encoding="utf-8"))["images"]
    return {Path(image).stem: one for image, one in images.items()} | images


def half(path: str) -> int:
    """The half of a photo: 0 or 1, from the SHA-256 of its name."""
    return hashlib.sha256(Path(path).name.encode()).digest()[0] % 2


def third(path: str) -> int:
    """The third of a photo, 0 to 2, from another byte of the same hash."""
    return hashlib.sha256(Path(path).name.encode()).digest()[1] % 3


def collect(
    sets: list[list[str]], scorer: Any, part: int | None = None, aside: int | None = None
) -> dict[str, list[tuple[Entry, list[bool]]]]:
    """The traced entries of each model with what is right, of one half of the photos or without one third of them."""
    found: dict[str, list[tuple[Entry, list[bool]]]] = defaultdict(list)
    rules = judges(scorer)
    for kind, trace, truth_file in sets:
        known = truths(Path(truth_file))
        for line in Path(trace).read_text(encoding="utf-8").splitlines():
            page = json.loads(line)
            path = page["source"]["path"]
            truth = known.get(Path(path).stem)
            if truth is None or part not in (None, half(path)) or aside == third(path):
                continue
            for entry in page["trace"]:
                name = entry["model"]
                wanted = (CHOICES | VALUES).get(name, ("",))[0]
                if wanted not in (kind, "items" if kind == "receipt" else kind) or name not in rules:
                    continue
                judge = rules[name](truth)
                verdicts = [judge(name, note) for note in entry["notes"]]
                if entry["notes"] and None not in verdicts:
                    found[name].append((entry, [bool(one) for one in verdicts]))
    return found


def matrix(entry: Entry, names: list[str]) -> np.ndarray:
    return np.array([[*(one.get(name, 0.0) for name in names), 1.0] for one in entry["features"]])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", type=Path, required=True, help="folder of score_documents.py")
    parser.add_argument("--set", dest="sets", action="append", nargs=3, default=[], metavar=("KIND", "TRACE", "TRUTH"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only-choices", action="store_true", help="keep the priors of the confidences")
    parser.add_argument("--ridge", type=float, default=1.0, help="pull towards the priors (default: 1)")
    parser.add_argument("--only", action="append", help="fit only this model and keep the others (repeatable)")
    parser.add_argument(
        "--empty", type=float, default=1.0, help="weight of a page without a right candidate (default: 1)"
    )
    parser.add_argument(
        "--half", type=int, choices=(0, 1), help="only photos of this half of the names; the other half tests"
    )
    parser.add_argument(
        "--aside", type=int, choices=(0, 1, 2), help="no photos of this third of the names, which tests"
    )
    options = parser.parse_args()
    sys.path.insert(0, str(options.scorer))
    import score_documents as scorer  # type: ignore[import-not-found]  # noqa: PLC0415

    found = collect(options.sets, scorer, options.half, options.aside)
    earlier: Entry = {}
    if options.out.exists():
        earlier = json.loads(options.out.read_text(encoding="utf-8"))
    kept: dict[str, Any] = earlier.get("models", {})
    models: dict[str, Any] = {name: one for name, one in kept.items() if name not in CHOICES and name not in VALUES}
    # Curves for values that are too few for a fit; 100 values replace them.
    calibrations: dict[str, Any] = dict(STARTS.get("calibrations", {}))
    known = dict(re.findall(r"([\w.]+) (\d+ of \d+)", earlier.get("source", "")))
    counts: list[str] = []
    for name, (_, prior, bias) in (CHOICES | VALUES).items():
        names = list(prior)
        start = np.array([*prior.values(), bias], dtype=float)
        entries = found.get(name, [])
        weights = start
        if options.only and name not in options.only:
            entries = []
        if not entries and name in kept:
            # A model without photos stays as it is; a new feature has its start.
            own = dict(zip(kept[name]["features"], kept[name]["weights"], strict=True))
            models[name] = {
                "features": names,
                "weights": [own.get(feature, prior[feature]) for feature in names],
                "bias": kept[name]["bias"],
            }
            curve = name.removesuffix(".confidence")
            if curve in earlier["calibrations"]:
                calibrations[curve] = earlier["calibrations"][curve]
            if name in known:
                counts.append(f"{name} {known[name]}")
            continue
        if name in CHOICES and entries:
            pages = [(matrix(entry, names), right) for entry, right in entries]
            weights = fit_choice(pages, start, options.ridge, options.empty)
        elif entries and not options.only_choices:
            rows = np.concatenate([matrix(entry, names) for entry, _ in entries])
            right = np.array([float(one) for _, verdicts in entries for one in verdicts])
            weights = fit_logistic(rows, right, start, options.ridge)
            if len(right) >= 100:
                scores = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
                calibrations[name.removesuffix(".confidence")] = isotonic(scores, right)
        if entries:
            good = sum(any(right) for _, right in entries)
            counts.append(f"{name} {good} of {len(entries)}")
        models[name] = {
            "features": names,
            "weights": [float(Decimal(str(round(float(one), 4)))) for one in weights[:-1]],
            "bias": round(float(weights[-1]), 4),
        }
    data = {
        "schema": "tablesight.document-weights/1",
        "version": "5",
        "source": "scripts/fit-documents; right values of those found: " + ", ".join(counts),
        "licence": "Apache-2.0",
        "models": dict(sorted(models.items())),
        "calibrations": calibrations,
    }
    options.out.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print("\n".join(counts))
    return 0
