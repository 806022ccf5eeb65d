"""Fits the confidence of a page: models/menus/confidence.json.

    scripts/tool training.menus.confidence OUTCOMES.ndjson --out FILE.json --typed GT.json… [--generated PAGES.ndjson]
                                           [--report]

OUTCOMES is the output of `train.py --outcomes`: pages read by models that did not see them, with their signs. Fits a
logistic model of "dish F1 is at least .9", in which generated pages have little weight. Its values are mapped so
that no typed page with an F1 below .7 is shown as high. --report leaves each typed page out in turn and prints the
reliability table.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from tablesight_tools.training.menus.matching import dish_f1

SCHEMA = "tablesight.menu-confidence/1"
# In the program's order, `PageFeatures.names`.
SIGNS = (
    "expectedF1 meanNameMargin worstMargins unsureShare reading badlyRead evenlyPriced pricesUsed evenlyDescribed "
    "echoingNames manyPrices dishes unassigned oddNames oneWordNames meanEntropy unsureNames likelyMissed "
    "aloneInSection"
).split()
GOOD, BAD = 0.9, 0.7
MARGIN = 0.03
MOST_ECHOES, VETOED = 0.25, 0.6


class Fit:
    """The logistic model and the map to what is shown."""

    def __init__(self, rows: np.ndarray, f1: np.ndarray, weights: np.ndarray, typed: np.ndarray) -> None:
        self.mean, self.scale = rows.mean(0), rows.std(0) + 1e-6
        table = (rows - self.mean) / self.scale
        self.model = LogisticRegression(C=0.1, max_iter=1000).fit(table, f1 >= GOOD, sample_weight=weights)
        said = self.raw(rows)
        bad = said[typed & (f1 < BAD)]
        self.high = float(min(0.97, max([0.8, *(bad + MARGIN)])))

    def raw(self, rows: np.ndarray) -> np.ndarray:
        return self.model.predict_proba((rows - self.mean) / self.scale)[:, 1]

    def knots(self) -> tuple[list[float], list[float]]:
        """Raw values and the values that are shown for them."""
        return [0.0, self.high / 2, self.high - 0.01, self.high, 1.0], [0.0, self.high / 2, 0.83, 0.86, 0.98]

    def shown(self, rows: np.ndarray, echoes: np.ndarray) -> np.ndarray:
        said = np.interp(self.raw(rows), *self.knots())
        return np.where(echoes > MOST_ECHOES, np.minimum(said, VETOED), said)


def load(options: argparse.Namespace) -> tuple[list[str], list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Names of pages, signs, F1, and which pages are typed."""
    truth = {}
    for file in options.typed:
        truth |= {Path(name).name: page for name, page in json.loads(Path(file).read_text("utf-8")).items()}
    made = {}
    if options.generated:
        for line in Path(options.generated).read_text("utf-8").splitlines():
            page = json.loads(line)
            made[page["id"]] = page["truth"]
    names, pages, rows, f1, typed = [], [], [], [], []
    for line in Path(options.outcomes).read_text("utf-8").splitlines():
        outcome = json.loads(line)
        path = outcome["source"]["path"]
        page = truth.get(Path(path).name) or made.get(path)
        if page is None or path.endswith("-part"):
            continue
        names = SIGNS
        pages.append(path)
        rows.append([outcome["signs"][name] for name in names])
        f1.append(dish_f1(page, outcome))
        typed.append(Path(path).name in truth)
    return names, pages, np.array(rows), np.array(f1), np.array(typed)


def report(
    rows: np.ndarray, f1: np.ndarray, weights: np.ndarray, typed: np.ndarray, echoes: np.ndarray, pages: list[str]
) -> None:
    """Prints the confidence of each typed page by a fit without that page."""
    shown = np.zeros(len(f1))
    for page in np.flatnonzero(typed):
        rest = np.arange(len(f1)) != page
        fit = Fit(rows[rest], f1[rest], weights[rest], typed[rest])
        shown[page] = fit.shown(rows[page : page + 1], echoes[page : page + 1])[0]
    shown, f1 = shown[typed], f1[typed]
    names = [page for page, own in zip(pages, typed) if own]
    print("| shown | pages | mean shown | F1 ≥ .9 | F1 < .7 |\n| --- | --- | --- | --- | --- |")
    for low, high in ((0, 0.3), (0.3, 0.65), (0.65, 0.85), (0.85, 1.01)):
        mine = (shown >= low) & (shown < high)
        if mine.any():
            print(
                f"| {low:.2f}–{min(1, high):.2f} | {mine.sum()} | {shown[mine].mean():.2f} | "
                f"{(f1[mine] >= GOOD).mean():.2f} | {(f1[mine] < BAD).sum()} |"
            )
    for page in np.flatnonzero((shown >= 0.85) & (f1 < GOOD)):
        print(f"high, F1 {f1[page]:.2f}: {Path(names[page]).name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outcomes")
    parser.add_argument("--out")
    parser.add_argument("--typed", nargs="+", required=True)
    parser.add_argument("--generated")
    parser.add_argument("--generated-weight", type=float, default=0.05)
    parser.add_argument("--version", default="1")
    parser.add_argument("--report", action="store_true")
    options = parser.parse_args()
    names, pages, rows, f1, typed = load(options)
    weights = np.where(typed, 1.0, options.generated_weight)
    echoes = rows[:, names.index("echoingNames")]
    if options.report:
        report(rows, f1, weights, typed, echoes, pages)
    if options.out:
        fit = Fit(rows, f1, weights, typed)
        raw, shown = fit.knots()
        file = {
            "schema": SCHEMA,
            "version": options.version,
            "licence": "Apache-2.0",
            "source": f"{int(typed.sum())} menus typed by hand and {int((~typed).sum())} generated ones",
            "signs": names,
            "mean": fit.mean.tolist(),
            "scale": fit.scale.tolist(),
            "weights": fit.model.coef_[0].tolist(),
            "bias": float(fit.model.intercept_[0]),
            "raw": raw,
            "shown": shown,
            "mostEchoes": MOST_ECHOES,
            "vetoed": VETOED,
        }
        Path(options.out).write_text(json.dumps(file, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
