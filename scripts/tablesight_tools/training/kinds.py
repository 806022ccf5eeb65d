"""Fits models/kinds/decision.json, the decision of what a page is, and measures it on sources that it has not seen.

    fit-kinds --evidence FILE.ndjson [--evidence …] --out models/kinds/decision.json [--held-out]
        [--scorer DIR --read KIND FILE.ndjson …]
    fit-kinds --evidence FILE.ndjson --keep models/kinds/decision.json --out models/kinds/decision.json

FILE is what `tablesight-stage page evidence` prints for the outcomes of `tablesight batch`. The truth of a photo is
the folder of the evaluation set that it is in; --truth adds {"images": {"end/of/path.jpg": {"kind", "also"?,
"source"}}} for others.

--read KIND FILE gives what `tablesight-stage page read --as KIND` prints for the same photos, and --scorer the folder
of score_menus.py and score_documents.py: from them come the curves, which say how often a claim of some score is
right on sources that the decision has not seen: a menu with a dish F1 of at least .7, a document with its headline
fields right.

--keep MODEL fits only the weights of features that MODEL does not know and keeps the others, its temperature and its
curves: for a new feature, where the photos of the whole fit are not at hand.

The decision is a multinomial logit: each kind has a weight for each feature, "none" has the score 0. Weights are pulled
towards kinds_starts.json, so that a feature that few sources show keeps what is known of it. --held-out prints the
confusion of kinds where each source is judged by a model that has not seen it, and the wrong ones. The temperature, a
divisor of all scores, makes those held-out probabilities as sure as they are right.
"""

import argparse
import hashlib
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tablesight_tools.measures import pooled
from tablesight_tools.training.documents import descend

STARTS = json.loads((Path(__file__).parent / "kinds_starts.json").read_text(encoding="utf-8"))
PAGES = ["menu", "receipt", "priceTag", "label"]
KINDS = [*PAGES, "none"]
FOLDS = 12
GOOD_MENU = 0.7
# The kinds of truth that decide whether a claim is right.
CLAIMS = {"receipt": ("receipt",), "nutrition": ("nutrition",), "date": ("dates",), "priceTag": ("priceTag",)}
LEVELS = {"high": 0.85, "medium": 0.65, "low": 0.3, "unknown": 0.0}
# Photos of barcodes are many and alike.
BARCODE_WEIGHT = 0.5


class Truth(NamedTuple):
    """What a photo shows, what else would be right, and where it comes from."""

    kind: str
    accepted: frozenset[str]
    source: str


class Row(NamedTuple):
    """The evidence of one photo with its truth."""

    path: str
    truth: Truth
    evidence: dict[str, float]
    claims: dict[str, dict[str, float]]


def known(kind: str, source: str, also: frozenset[str] = frozenset()) -> Truth:
    return Truth(kind, frozenset({kind}) | also, source)


def of_barcodes(path: str) -> Truth:
    photo = path.split("barcodes/", 1)[1]
    folder = photo.split("/")[-2]
    # Two sets share photos of the same products.
    source = "quagga2" if photo.startswith("quagga2") else "barcodes " + folder.removesuffix("-1")
    if photo in STARTS["packages"]:
        return known("label", source)
    return known("none", source, frozenset({"label"} if photo in STARTS["either"] else ()))


def of_layout(path: str) -> Truth | None:
    """The truth by the folder of an evaluation set; none for photos of other folders and for samples."""
    if re.search(r"(^|/)samples/", path):
        return None
    if match := re.search(r"/menus(?:-\d+)?/images/([^/.]+)", path):
        # Each menu is of another restaurant.
        return known("menu", f"menus {hashlib.sha256(match[1].encode()).digest()[0] % 8}")
    if match := re.search(r"/receipts(?:-|/)(sroie|german|canada)", path):
        return known("receipt", match[1])
    if match := re.search(r"/price-tags/([\w-]+)/", path):
        return known("priceTag", match[1])
    if match := re.search(r"/(nutrition|dates)/([\w-]+)/", path):
        return known("label", f"{match[1]} {match[2].removesuffix('-2')}")
    if "/label-photos-hires/" in path:
        return known("label", "box")
    if "/off-package-photos/" in path:
        return known("label", "packages", frozenset({"none"} if "front" in path else ()))
    if "/curled-cookbook/" in path:
        return known("none", "cook book")
    if "/barcodes/" in path:
        return of_barcodes(path)
    return known("none", "tangrams") if "/boards/" in path else None


def rows_of(files: list[Path], truths: list[Path]) -> list[Row]:
    more: dict[str, Any] = {}
    for file in truths:
        more |= json.loads(file.read_text(encoding="utf-8"))["images"]

    def truth(path: str) -> Truth | None:
        for end, one in more.items():
            if path.endswith("/" + end):
                kind = {"board": "none", "front": "none"}.get(one["kind"], one["kind"])
                also = frozenset(one.get("also", ())) | frozenset({"label"} if one["kind"] == "front" else ())
                return known(kind, one["source"], also) if kind in KINDS else None
        return of_layout(path)

    rows = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            photo = json.loads(line)
            if found := truth(photo["path"]):
                rows.append(Row(photo["path"], found, photo["evidence"], photo["claims"]))
    return rows


class Fit:
    """The evidence of all photos as a matrix, and models of parts of it."""

    def __init__(self, rows: list[Row], ridge: float, keep: dict[str, Any] | None = None) -> None:
        self.rows, self.ridge = rows, ridge
        self.names = sorted({name for row in rows for name in row.evidence})
        self.values = np.array([[row.evidence.get(name, 0.0) for name in self.names] + [1.0] for row in rows])
        self.kinds = np.array([KINDS.index(row.truth.kind) for row in rows])
        # A photo without print is none without asking; two answers may be right for some photos, so they teach nothing.
        self.has_print = np.array([bool(row.evidence) and not row.evidence.get("g.nothing") for row in rows])
        self.weights = np.array(
            [(len(row.truth.accepted) == 1) * (BARCODE_WEIGHT if "/barcodes/" in row.path else 1.0) for row in rows]
        )
        self.start = np.array(
            [[STARTS["weights"][kind].get(name, 0.0) for name in self.names] + [STARTS["bias"][kind]] for kind in PAGES]
        )
        self.pull = np.array([*(ridge for _ in self.names), 0.02])
        self.free = np.ones(len(self.pull), dtype=bool)
        if keep:
            old = {
                kind["name"]: dict(zip(keep["features"], kind["weights"], strict=True)) | {"bias": kind["bias"]}
                for kind in keep["kinds"]
            }
            starts = {kind: STARTS["weights"][kind] | old[kind] for kind in PAGES}
            self.start = np.array([[starts[kind].get(name, 0.0) for name in (*self.names, "bias")] for kind in PAGES])
            known = set(keep["features"])
            self.free = np.array([*(name not in known for name in self.names), False])

    def model(self, chosen: np.ndarray) -> np.ndarray:
        """Weights by kind and feature, the bias last, fitted to the chosen photos."""
        rows = self.values[chosen]
        wanted = np.eye(len(KINDS))[self.kinds[chosen]]
        weights = self.weights[chosen][:, None]

        def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
            model = flat.reshape(self.start.shape)
            shares = probabilities(rows, model)
            away = model - self.start
            value = -float(np.sum(weights[:, 0] * np.log(np.sum(shares * wanted, axis=1) + 1e-12)))
            slope = ((shares - wanted) * weights)[:, : len(PAGES)].T @ rows + self.pull * away
            return value + 0.5 * float(np.sum(self.pull * away**2)), (slope * self.free).ravel()

        return descend(loss, self.start.ravel(), 4000).reshape(self.start.shape)

    def held_out(self) -> np.ndarray:
        """The probabilities of each photo by a model that has seen no photo of its source."""
        sources = sorted(Counter(row.truth.source for row in self.rows).items(), key=lambda one: (-one[1], one[0]))
        sizes, fold_of = [0] * FOLDS, {}
        for source, count in sources:
            fold_of[source] = sizes.index(min(sizes))
            sizes[fold_of[source]] += count
        fold = np.array([fold_of[row.truth.source] for row in self.rows])
        shares = np.zeros((len(self.rows), len(KINDS)))
        shares[:, -1] = 1
        for number in range(FOLDS):
            tested = self.has_print & (fold == number)
            if tested.any():
                shares[tested] = probabilities(self.values[tested], self.model(self.has_print & (fold != number)))
        return shares

    def temperature(self, shares: np.ndarray) -> float:
        """The divisor of scores with the least loss on held-out photos."""
        chosen = self.has_print & (self.weights > 0)
        logits = np.log(shares[chosen] + 1e-9)

        def loss(divisor: float) -> float:
            scaled = logits / divisor
            scaled -= np.log(np.exp(scaled).sum(axis=1, keepdims=True))
            return -float(np.sum(self.weights[chosen] * scaled[np.arange(len(scaled)), self.kinds[chosen]]))

        return min((round(0.5 + step / 20, 2) for step in range(60)), key=loss)


def probabilities(rows: np.ndarray, model: np.ndarray) -> np.ndarray:
    logits = np.append(rows @ model.T, np.zeros((len(rows), 1)), axis=1)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


class Answers:
    """Whether what the program says of a photo, told its kind, is right."""

    def __init__(self, scorer: Path, reads: list[list[str]]) -> None:
        sys.path.insert(0, str(scorer))
        import menu_pages  # type: ignore[import-not-found]  # noqa: PLC0415
        import score_documents  # type: ignore[import-not-found]  # noqa: PLC0415
        import score_menus  # type: ignore[import-not-found]  # noqa: PLC0415

        self.documents, self.menus, self.dishes_of = score_documents, score_menus, menu_pages.dishes_of
        self.pages = {os.path.realpath(page.image): page for page in menu_pages.find_pages(scorer)}
        self.truth = {
            os.path.realpath(image): (kind, truth)
            for kind, images in score_documents.find_truth(scorer / "documents", None).items()
            for image, (_, truth) in images.items()
        }
        self.outcomes: dict[tuple[str, str], Any] = {}
        for kind, file in reads:
            for line in Path(file).read_text(encoding="utf-8").splitlines():
                outcome = json.loads(line)
                self.outcomes[kind, outcome["source"]["path"]] = outcome

    def right(self, row: Row, kind: str, claim: str) -> bool | None:
        """None: the truth says nothing about this claim."""
        if kind not in row.truth.accepted:
            return False
        path = os.path.realpath(row.path)
        outcome = self.outcomes.get((kind, row.path))
        if claim == "menu" and path in self.pages and outcome:
            tally = self.menus.score_page(self.pages[path], outcome, self.dishes_of(outcome))
            return bool(tally["macro"] >= GOOD_MENU)
        if path in self.truth and outcome and claim in CLAIMS.get(self.truth[path][0], ()):
            asked, truth = self.truth[path]
            tally = self.documents.Tally()
            self.documents.SCORE[asked](outcome, truth, tally)
            heads = [field for field in tally.fields if field[0] in self.documents.HEADLINE[asked]]
            return all(field[1] == "right" for field in heads)
        return True if claim in ("ingredients", "none") else None


def claims(fit: Fit, shares: np.ndarray, answers: Answers) -> dict[str, list[tuple[float, bool]]]:
    """By claim, the score of each photo that makes it and whether it is right."""
    found: dict[str, list[tuple[float, bool]]] = {}
    for row, chances in zip(fit.rows, shares, strict=True):
        kind, choice = KINDS[int(chances.argmax())], float(chances.max())
        made = row.claims.get(kind, {}) if kind != "none" else {"none": 1.0} if fit_print(row) else {}
        for claim, score in made.items():
            right = answers.right(row, kind, claim)
            if right is not None:
                found.setdefault(claim, []).append((min(choice, score), right))
    return found


def fit_print(row: Row) -> bool:
    return bool(row.evidence) and not row.evidence.get("g.nothing")


def reliability(found: dict[str, list[tuple[float, bool]]], curves: dict[str, list[list[float]]]) -> None:
    """Prints how often claims that are shown as high, medium and low are right."""
    total: dict[str, list[bool]] = {}
    print("claim".ljust(12), *(level.rjust(16) for level in LEVELS))
    for claim, pairs in sorted(found.items()):
        shown: dict[str, list[bool]] = {}
        for score, right in pairs:
            least = min(score, float(np.interp(score, *zip(*curves[claim], strict=True))))
            level = next(name for name, bound in LEVELS.items() if least >= bound)
            shown.setdefault(level, []).append(right)
            total.setdefault(level, []).append(right)
        print(claim.ljust(12), *(share(shown.get(level, [])).rjust(16) for level in LEVELS))
    print("all".ljust(12), *(share(total.get(level, [])).rjust(16) for level in LEVELS))


def share(right: list[bool]) -> str:
    return f"{sum(right)} of {len(right)}"


def cross_fitted(found: dict[str, list[tuple[float, bool]]]) -> dict[str, list[tuple[float, bool]]]:
    """Each score as a curve without it would show it: five parts, each judged by the other four."""
    result: dict[str, list[tuple[float, bool]]] = {}
    for claim, pairs in found.items():
        for part in range(5):
            others = [pair for number, pair in enumerate(pairs) if number % 5 != part]
            curve = curve_of(others)
            result.setdefault(claim, []).extend(
                (min(score, float(np.interp(score, *zip(*curve, strict=True)))), right)
                for number, (score, right) in enumerate(pairs)
                if number % 5 == part
            )
    return result


def curve_of(pairs: list[tuple[float, bool]]) -> list[list[float]]:
    """Rising pairs of score and probability: pools of neighbours, each at the lower bound of its share.

    A claim that few photos of this score make is not shown as sure.
    """
    knots = [[0.0, 0.0]]
    for total, good, count in pooled((score, float(right), 1.0) for score, right in sorted(pairs)):
        bound = lower_bound(good, count)
        knots.append([round(total / count, 4), round(max(knots[-1][1], bound), 4)])
    return [*knots, [1.0, knots[-1][1]]]


def lower_bound(good: float, count: float, errors: float = 1.3) -> float:
    """Wilson's lower bound of a share, so many standard errors below it."""
    share, square = good / count, errors**2
    spread = errors * float(np.sqrt(share * (1 - share) / count + square / (4 * count**2)))
    return max(0.0, (share + square / (2 * count) - spread) / (1 + square / count))


def report(rows: list[Row], shares: np.ndarray) -> None:
    said = [KINDS[index] for index in shares.argmax(axis=1)]
    pairs = Counter(
        (row.truth.kind, row.truth.kind if one in row.truth.accepted else one)
        for row, one in zip(rows, said, strict=True)
    )
    print("truth \\ said".ljust(14), *(kind.rjust(9) for kind in KINDS))
    for truth in KINDS:
        print(truth.ljust(14), *(str(pairs[truth, one]).rjust(9) for one in KINDS))
    right = sum(count for (truth, one), count in pairs.items() if truth == one)
    print(f"right {right} of {len(rows)}: {right / max(1, len(rows)):.4f}")
    for row, one, share in zip(rows, said, shares.max(axis=1), strict=True):
        if one not in row.truth.accepted:
            print(f"{row.truth.kind} {one} {share:.2f} {row.path}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--evidence", type=Path, action="append", required=True, help="of tablesight-stage page evidence"
    )
    parser.add_argument("--truth", type=Path, action="append", default=[], help="truth of photos of other folders")
    parser.add_argument("--out", type=Path, help="file of the decision; without it only measured")
    parser.add_argument("--held-out", action="store_true", help="print the confusion of kinds by source")
    parser.add_argument("--keep", type=Path, help="keep the weights of this model's features")
    parser.add_argument("--ridge", type=float, default=1.0, help="pull towards the starts (default: 1)")
    parser.add_argument("--scorer", type=Path, help="folder of score_menus.py and score_documents.py")
    parser.add_argument("--read", action="append", nargs=2, default=[], metavar=("KIND", "FILE"))
    options = parser.parse_args()
    keep = json.loads(options.keep.read_text(encoding="utf-8")) if options.keep else None
    fit = Fit(rows_of(options.evidence, options.truth), options.ridge, keep)
    shares = fit.held_out()
    temperature = keep["temperature"] if keep else fit.temperature(shares)
    if options.held_out:
        report(fit.rows, shares)
    curves: dict[str, list[list[float]]] = keep["curves"] if keep else {}
    if options.scorer:
        logits = np.log(shares + 1e-12) / temperature
        sure = np.exp(logits - logits.max(axis=1, keepdims=True))
        found = claims(fit, sure / sure.sum(axis=1, keepdims=True), Answers(options.scorer, options.read))
        curves = {claim: curve_of(pairs) for claim, pairs in found.items()}
        plain = {claim: [[0.0, 0.0], [1.0, 1.0]] for claim in curves}
        if options.held_out:
            reliability(cross_fitted(found), plain)
    counts = Counter(row.truth.kind for row in fit.rows)
    summary = ", ".join(f"{kind} {counts[kind]}" for kind in KINDS)
    print(f"{summary}; temperature {temperature}")
    if options.out:
        model = fit.model(fit.has_print)
        data = {
            "schema": "tablesight.kind-decision/1",
            "version": hashlib.sha256(
                repr((np.round(model, 3).tolist(), fit.names, temperature, curves)).encode()
            ).hexdigest()[:8],
            "source": f"{keep['source']}; new features: {summary}" if keep else f"scripts/fit-kinds; photos: {summary}",
            "licence": "Apache-2.0",
            "temperature": temperature,
            "curves": curves,
            "features": fit.names,
            "kinds": [
                {
                    "name": kind,
                    "weights": [round(float(one), 3) for one in row[:-1]],
                    "bias": round(float(row[-1]), 3),
                }
                for kind, row in zip(PAGES, model, strict=True)
            ],
        }
        text = json.dumps(data, ensure_ascii=False)
        text = re.sub(r', ("curves"|"features"|"kinds"|\{"name")', r",\n \1", text)
        options.out.write_text(text + "\n", encoding="utf-8")
    return 0
