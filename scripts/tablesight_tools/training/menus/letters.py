"""The model of letters: what a text sounds like. The network takes its answer as four features."""

import base64

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

BUCKETS = 1 << 14


def letters_model(pairs: list[tuple[str, str]], buckets: list[dict[int, int]]) -> dict:
    """A logistic regression on the buckets of texts, as `RoleModel.File.Letters`: one signed byte a weight."""
    data, columns, ends = [], [], [0]
    for counts in buckets:
        norm = sum(v * v for v in counts.values()) ** 0.5
        columns += counts.keys()
        data += [v / norm for v in counts.values()]
        ends.append(len(columns))
    table = sparse.csr_matrix((data, columns, ends), shape=(len(buckets), BUCKETS))
    model = LogisticRegression(C=2.0, max_iter=200).fit(table, [role for _, role in pairs])
    steps = np.abs(model.coef_).max(axis=1) / 127
    weights = np.rint(model.coef_ / steps[:, None]).astype(np.int8)
    return {
        "classes": "".join(model.classes_),
        "bias": [float(x) for x in model.intercept_],
        "steps": [float(x) for x in steps],
        "weights": base64.b64encode(weights.T.tobytes()).decode(),
    }
