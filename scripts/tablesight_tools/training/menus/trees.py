"""Trains the trees of both passes with LightGBM and writes them in the format that the program reads."""

import base64

import lightgbm
import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from tablesight_tools.training.menus.labels import ROLES
from tablesight_tools.training.menus.stage import PageRows

BUCKETS = 1 << 14
LEAF = 65535


def grow(
    rows: np.ndarray, classes: np.ndarray, weights: np.ndarray, seed: int, rounds: int = 80, rate: float = 0.12
) -> lightgbm.LGBMClassifier:
    """A classifier of rows."""
    model = lightgbm.LGBMClassifier(
        n_estimators=rounds,
        learning_rate=rate,
        num_leaves=15,
        max_bin=63,
        colsample_bytree=0.3,
        min_child_samples=20,
        reg_lambda=1.0,
        random_state=seed,
        deterministic=True,
        force_row_wise=True,
        n_jobs=2,
        verbose=-1,
    )
    return model.fit(rows, classes, sample_weight=weights)


def fit_pass(
    pages: list[PageRows], seed: int, second: bool, rounds: int = 80, rate: float = 0.12
) -> lightgbm.LGBMClassifier:
    """A classifier of all texts whose role is known."""
    table = np.concatenate([(p.second if second else p.rows)[p.asked] for p in pages if len(p.texts)])
    classes = np.concatenate([p.classes for p in pages if len(p.texts)])
    weights = np.concatenate([np.full(len(p.classes), p.weight) for p in pages if len(p.texts)])
    return grow(table, classes, weights, seed, rounds, rate)


def packed(model: lightgbm.LGBMClassifier, features: int) -> dict:
    """The trees as `BoostedTrees.File`: nodes in preorder, the classes of a round side by side."""
    starts, thresholds, nodes, rights = [], [], [], []
    for tree in model.booster_.dump_model()["tree_info"]:
        starts.append(len(nodes))
        write(tree["tree_structure"], thresholds, nodes, rights)
    return {
        "classes": "".join(ROLES[k] for k in model.classes_),
        "baseline": [0.0] * len(model.classes_),
        "features": features,
        "starts": encoded(starts, "<u4"),
        "thresholds": encoded(thresholds, "<f4"),
        "nodes": encoded(nodes, "<u2"),
        "rights": encoded(rights, "<u2"),
    }


def write(node: dict, thresholds: list, nodes: list, rights: list) -> None:
    """One node and what is below it; a leaf holds its value in place of a threshold."""
    at = len(nodes)
    if "leaf_value" in node:
        thresholds.append(node["leaf_value"])
        nodes.append(LEAF)
        rights.append(0)
        return
    thresholds.append(node["threshold"])
    nodes.append(node["split_feature"])
    rights.append(0)
    write(node["left_child"], thresholds, nodes, rights)
    rights[at] = len(nodes) - at
    write(node["right_child"], thresholds, nodes, rights)


def encoded(values: list, kind: str) -> str:
    return base64.b64encode(np.array(values, kind).tobytes()).decode()


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
