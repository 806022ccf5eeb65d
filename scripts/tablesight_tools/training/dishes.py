"""Learns P(allergen | words of a dish) from declared dishes: models/dishes/<language>.json.

    scripts/train-dishes FILE.jsonl --language de --out models/dishes/de.json [--source TEXT] [--licence TEXT]
                         [--check FILE.jsonl] [--folds 5]

A line is {"name", "description"?, "allergens_always", "allergens_ever", "covered", "n_servings"?} with allergens as
tags (en:milk). Each allergen gets a logistic regression on folded words, pairs of words, the first word, and pieces
of three to five letters, because compounds share pieces. Features are weighted by inverse document frequency and
hashed into buckets, so that the size of the file does not depend on the words. Allergens that only some servings have
are left out. Dishes that were declared more often have more weight. --folds reports the result on dishes that were
left out. Needs python3-numpy and python3-scipy, and about a minute for 9,000 dishes.
"""

import argparse
import base64
import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator

import numpy
from scipy import sparse
from scipy.optimize import minimize

Row = tuple[str, set[str], set[str], float]  # text, allergens it always has, allergens that count, weight
Model = tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]  # rarity, biases, weights
ALLERGENS = [
    "gluten",
    "crustaceans",
    "eggs",
    "fish",
    "peanuts",
    "soybeans",
    "milk",
    "nuts",
    "celery",
    "mustard",
    "sesame",
    "sulphites",
    "lupin",
    "molluscs",
]
KEY = {"sesame-seeds": "sesame", "sulphur-dioxide-and-sulphites": "sulphites"}
BITS, PIECES, SCALE, IDF_STEPS = 16, (3, 4, 5), 6.0, 16


def fold(text: str) -> str:
    text = text.lower().replace("ß", "ss").replace("æ", "ae").replace("œ", "oe").replace("ø", "o").replace("ł", "l")
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


FUNCTION_WORDS = set()


def features(text: str) -> set[str]:
    """The features of a text, as in DishModel.features. Numbers, function words and single letters are left out."""
    words = [
        w
        for w in re.findall(r"[^\W_]+", fold(text))
        if len(w.encode()) >= 2 and not w.isdigit() and w not in FUNCTION_WORDS
    ]
    found = set(words)
    for word in words:
        marked = "^" + word + "$"
        for n in PIECES:
            found.update("~" + marked[i : i + n] for i in range(len(marked) - n + 1))
    found.update(a + " " + b for a, b in zip(words, words[1:]))
    return found | {"1:" + words[0]} if words else found


def bucket(feature: str) -> int:
    """FNV-1a of 32 bits."""
    value = 0x811C9DC5
    for byte in feature.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value & ((1 << BITS) - 1)


def keys(tags: Iterable[str]) -> set[str]:
    return {KEY.get(name, name) for name in (tag.split(":", 1)[-1] for tag in tags)}


def rows_of(path: str) -> Iterator[Row]:
    """(text, always, scored, weight) of each dish."""
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        always = keys(row.get("allergens_always", row.get("allergens", [])))
        unsure = keys(row.get("allergens_ever", [])) - always
        if row.get("suspect_crustacean_nut_mixup"):
            unsure |= {"crustaceans", "nuts"}
        text = "\n".join(filter(None, (row["name"], row.get("description"))))
        yield text, always, keys(row["covered"]) - unsure, math.sqrt(min(9, row.get("n_servings", 1)))


def counted(rows: list[Row]) -> sparse.csr_matrix:
    """A matrix of dishes and buckets: 1 if a feature of the dish falls into the bucket."""
    starts, places = [0], []
    for text, *_ in rows:
        places += sorted({bucket(feature) for feature in features(text)})
        starts.append(len(places))
    return sparse.csr_matrix((numpy.ones(len(places)), places, starts), shape=(len(rows), 1 << BITS))


def rarity(counts: sparse.csr_matrix) -> numpy.ndarray:
    """Inverse document frequency of each bucket in sixteenths; 0 if only one dish has it."""
    number = numpy.asarray(counts.sum(0)).ravel()
    steps = numpy.round(IDF_STEPS * (numpy.log((1 + counts.shape[0]) / (1 + number)) + 1)).clip(0, 255)
    steps[number < 2] = 0
    return steps.astype(numpy.uint8)


def weighted(counts: sparse.csr_matrix, idf: numpy.ndarray) -> sparse.csr_matrix:
    matrix = counts @ sparse.diags(idf.astype(float))
    norms = numpy.sqrt(numpy.asarray(matrix.multiply(matrix).sum(1)).ravel())
    norms[norms == 0] = 1
    return sparse.diags(SCALE / norms) @ matrix


def regression(matrix: sparse.csr_matrix, truth: numpy.ndarray, weights: numpy.ndarray, decay: float) -> numpy.ndarray:
    def loss(point: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        slopes, bias = point[:-1], point[-1]
        z = matrix @ slopes + bias
        error = weights * (1 / (1 + numpy.exp(-z)) - truth)
        value = numpy.sum(weights * (numpy.logaddexp(0, z) - truth * z)) + 0.5 * decay * slopes @ slopes
        return value, numpy.append(matrix.T @ error + decay * slopes, error.sum())

    start = numpy.zeros(matrix.shape[1] + 1)
    share = min(0.999, max(1e-4, float(truth.mean()) if len(truth) else 0))
    start[-1] = math.log(share / (1 - share))
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 120}).x


def train(rows: list[Row], decay: float) -> Model:
    """(rarity of the buckets, biases, weights of allergens by buckets)."""
    counts = counted(rows)
    idf = rarity(counts)
    matrix, points = weighted(counts, idf).tocsr(), []
    weights = numpy.array([row[3] for row in rows])
    for allergen in ALLERGENS:
        known = numpy.array([allergen in row[2] for row in rows])
        truth = numpy.array([float(allergen in row[1]) for row in rows])
        points.append(regression(matrix[known], truth[known], weights[known], decay))
    points = numpy.array(points)
    return idf, points[:, -1], points[:, :-1]


def chances(model: Model, rows: list[Row]) -> numpy.ndarray:
    idf, bias, weights = model
    return 1 / (1 + numpy.exp(-(weighted(counted(rows), idf) @ weights.T + bias)))


def report(name: str, rows: list[Row], said: numpy.ndarray) -> None:
    truth = numpy.array([[a in row[1] for a in ALLERGENS] for row in rows])
    scored = numpy.array([[a in row[2] for a in ALLERGENS] for row in rows])
    for threshold in (0.2, 0.25, 0.28, 0.3, 0.35, 0.4, 0.5):
        found = (said >= threshold) & scored
        hits, true = (found & truth).sum(), (truth & scored).sum()
        print(
            "%s: threshold %.2f recall %.3f precision %.3f (%d of %d)"
            % (name, threshold, hits / max(true, 1), hits / max(found.sum(), 1), hits, true)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--language", required=True)
    parser.add_argument("--out")
    parser.add_argument("--source", default="")
    parser.add_argument("--licence", default="")
    parser.add_argument("--version", default="1")
    parser.add_argument("--lexicon", help="models/lexicons/<language>.json: its function words are passed over")
    parser.add_argument("--check", help="dishes that were not trained on")
    parser.add_argument("--folds", type=int, default=0, help="report on dishes left out, in this many parts")
    parser.add_argument("--decay", type=float, default=1.5)
    options = parser.parse_args()
    if options.lexicon:
        FUNCTION_WORDS.update(
            fold(word) for word in json.load(open(options.lexicon, encoding="utf-8"))["functionWords"]
        )
    rows = list(rows_of(options.file))
    if options.folds:
        said = numpy.zeros((len(rows), len(ALLERGENS)))
        for fold_number in range(options.folds):
            own = [i for i in range(len(rows)) if i % options.folds == fold_number]
            rest = [row for i, row in enumerate(rows) if i % options.folds != fold_number]
            said[own] = chances(train(rest, options.decay), [rows[i] for i in own])
        report("left out", rows, said)
    if not options.out and not options.check:
        return
    idf, bias, weights = train(rows, options.decay)
    # One byte for each weight: the largest weight of each allergen is 127.
    steps = numpy.abs(weights).max(axis=1) / 127 + 1e-12
    bytes_ = numpy.round(weights / steps[:, None]).astype(numpy.int8)
    if options.check:
        check = list(rows_of(options.check))
        report(options.check, check, chances((idf, bias, bytes_ * steps[:, None]), check))
    if not options.out:
        return
    head = {
        "schema": "tablesight.dishes/2",
        "version": options.version,
        "language": options.language,
        "source": options.source,
        "licence": options.licence,
        "trainedOn": len(rows),
        "pieces": list(PIECES),
        "scale": SCALE,
        "allergens": ALLERGENS,
        "bias": [round(float(b), 4) for b in bias],
        "steps": [float(f"{s:.6g}") for s in steps],
        "rarity": base64.b64encode(idf.tobytes()).decode(),
        "weights": base64.b64encode(bytes_.T.copy().tobytes()).decode(),
    }
    with open(options.out, "w", encoding="utf-8") as out:
        out.write("{\n" + ",\n".join(json.dumps(k) + ": " + json.dumps(v, ensure_ascii=False) for k, v in head.items()))
        out.write("\n}\n")


if __name__ == "__main__":
    main()
