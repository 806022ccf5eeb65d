"""The program's own view of dishes (`tablesight-stage dish`), and a logistic regression on it."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass

import numpy
from scipy import sparse
from scipy.optimize import minimize

from tablesight_tools.training.dish_knowledge.rows import ALLERGENS, HOME, Row, targets

BITS = 16


@dataclass
class Sample:
    """What the program sees of a dish."""

    buckets: list[int]
    values: list[int]  # thousandths
    hints: dict[str, float]
    named: set[str]


def samples(program: str, rows: list[Row], models: str | None = None) -> list[Sample]:
    """What `tablesight-stage dish features` says of each row."""
    feed = "".join(
        json.dumps({"id": str(i), "language": row.language, "text": row.text}) + "\n" for i, row in enumerate(rows)
    )
    environment = os.environ | ({"TABLESIGHT_MODELS": models} if models else {})
    with tempfile.TemporaryFile() as out:
        subprocess.run([program, "dish", "features"], input=feed.encode(), stdout=out, env=environment, check=True)
        out.seek(0)
        found = [json.loads(line) for line in out]
    if len(found) != len(rows):
        raise SystemExit(f"{program} answered {len(found)} of {len(rows)} dishes")
    return [Sample(one["buckets"], one["values"], one["hints"], set(one["named"])) for one in found]


def matrix(found: list[Sample], bits: int) -> sparse.csr_matrix:
    """Dishes by buckets. Buckets that fall together add up, as in the program."""
    starts = numpy.cumsum([0] + [len(one.buckets) for one in found])
    buckets = numpy.array([b for one in found for b in one.buckets], numpy.int64) & ((1 << bits) - 1)
    values = numpy.array([v for one in found for v in one.values], numpy.float32) / 1000
    result = sparse.csr_matrix((values, buckets.astype(numpy.int32), starts), shape=(len(found), 1 << bits))
    result.sum_duplicates()
    return result


@dataclass
class Model:
    """Weights of buckets for each allergen, before they are quantised."""

    weights: numpy.ndarray  # buckets by allergens
    bias: numpy.ndarray  # for a kitchen that nobody knows
    bits: int


def fit(rows: list[Row], matrix_: sparse.csr_matrix, bits: int, ridge: float = 1.0, rounds: int = 60) -> Model:
    """One regression for all allergens, with a bias of its own for each source.

    Recipes teach words; they do not say how often a kitchen declares celery. The bias of an unknown kitchen is halfway
    between the mean of the kitchens and that of the recipes.
    """
    truth, mask = targets(rows)
    weight = mask * numpy.array([[row.weight] for row in rows], numpy.float32)
    sources = [row.operator if row.kind == "menu" else row.kind for row in rows]
    names = sorted(set(sources))
    place = numpy.array([names.index(name) for name in sources])
    ones = numpy.ones(len(rows), numpy.float32)
    domains = sparse.csr_matrix((ones, (numpy.arange(len(rows)), place)), shape=(len(rows), len(names)))
    design = sparse.hstack([matrix_, domains, sparse.csr_matrix(ones[:, None])]).tocsr().astype(numpy.float32)
    decay = numpy.concatenate([numpy.full(1 << bits, ridge), numpy.full(len(names), 0.02), [1e-3]])
    used = numpy.flatnonzero(numpy.bincount(design.indices, minlength=design.shape[1]))
    design, decay = design[:, used], decay[used].astype(numpy.float32)[:, None]
    transposed = design.T.tocsr()

    def loss(point: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        slopes = point.reshape(len(used), len(ALLERGENS)).astype(numpy.float32)
        z = design @ slopes
        small = numpy.exp(-numpy.abs(z))
        value = (weight * (numpy.maximum(z, 0) + numpy.log1p(small) - truth * z)).sum() + 0.5 * (
            decay * slopes**2
        ).sum()
        chance = numpy.where(z >= 0, 1 / (1 + small), small / (1 + small))
        return float(value), (transposed @ (weight * (chance - truth)) + decay * slopes).astype(float).ravel()

    start = numpy.zeros(len(used) * len(ALLERGENS))
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 6})
    whole = numpy.zeros((design.shape[1] if not len(used) else (1 << bits) + len(names) + 1, len(ALLERGENS)))
    whole[used] = best.x.reshape(len(used), len(ALLERGENS))
    by_source, bias = whole[1 << bits : -1], whole[-1]
    kitchens = [i for i, name in enumerate(names) if name in {row.operator for row in rows if row.operator != HOME}]
    home = [i for i in range(len(names)) if i not in kitchens]
    means = [by_source[group].mean(0) for group in (kitchens, home) if group]
    return Model(whole[: 1 << bits].astype(numpy.float32), bias + sum(means) / len(means), bits)
