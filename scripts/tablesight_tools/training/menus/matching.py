"""Matches found dishes with true ones by name, and computes the dish F1 of a page."""

import re
from difflib import SequenceMatcher

from tablesight_tools.training.menus.labels import plain

ALIKE = 0.8


def spellings(name: str | None) -> list[str]:
    """A name as printed, without its brackets, and without the number in front."""
    forms = [plain(name), plain(re.sub(r"\(.*?\)", " ", name or ""))]
    forms += [re.sub(r"^\d+ ", "", form) for form in forms]
    return list(dict.fromkeys(form for form in forms if form))


def likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    if matcher.quick_ratio() < ALIKE:
        return 0.0
    return matcher.ratio()


def best(forms: list[str], others: list[str]) -> float:
    return max((likeness(a, b) for a in forms for b in others), default=0.0)


def true_dishes(truth: dict) -> tuple[list[list[str]], list[list[str]]]:
    """Spellings of the dishes asked for, and of those that may be there."""
    asked, optional = [], []
    for section in truth["sections"]:
        for item in section["items"]:
            if not item.get("name"):
                continue
            names = [item["name"], *item.get("alsoNamed", ())]
            if item.get("description") and ("+" in truth["language"] or truth.get("inline")):
                names.append(f"{item['name']} {item['description']}")
            forms = [form for name in names for form in spellings(name)]
            (optional if item.get("optional") else asked).append(forms)
    return asked, optional


def inside(item: dict, region: list[float] | None) -> bool:
    """Whether the dish's middle lies in the region that the truth covers."""
    if not region or not item.get("box"):
        return True
    x = sum(p[0] for p in item["box"]) / len(item["box"])
    y = sum(p[1] for p in item["box"]) / len(item["box"])
    return region[0] <= x <= region[2] and region[1] <= y <= region[3]


def dish_f1(truth: dict, outcome: dict) -> float:
    """2 · hits / (asked + found), matched one to one by similarity. Optional dishes are not counted."""
    asked, optional = true_dishes(truth)
    items = [item for section in outcome["menu"]["sections"] for item in section["items"]]
    found = [spellings(item["name"]) for item in items if inside(item, truth.get("region"))]
    hits, left = assign(asked, found)
    _, left = assign(optional, left)
    unreadable = sum(not item.get("name") for section in truth["sections"] for item in section["items"])
    false = max(0, len(left) - unreadable)
    return 2 * hits / max(1, len(asked) + hits + false)


def assign(true: list[list[str]], found: list[list[str]]) -> tuple[int, list[list[str]]]:
    """The number of pairs, and the found dishes without a partner."""
    pairs = sorted(((best(a, b), i, j) for i, a in enumerate(true) for j, b in enumerate(found)), reverse=True)
    taken, used = set(), set()
    for score, i, j in pairs:
        if score < ALIKE:
            break
        if i not in taken and j not in used:
            taken.add(i)
            used.add(j)
    return len(used), [forms for j, forms in enumerate(found) if j not in used]
