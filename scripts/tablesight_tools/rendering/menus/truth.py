"""The truth of a page, read off its placed words, in the fields of eval/menus/gt.json."""

import re
from typing import Any

from tablesight_tools.rendering.menus.page import Page, Word

Item = dict[str, Any]


def text_of(words: list[Word]) -> str:
    """Words in the order they were placed."""
    return " ".join(word.text for word in words)


def codes_of(words: list[Word]) -> list[str]:
    """The codes among a name's words: "(A,C,7)" gives A, C and 7."""
    return [code for word in words if word.tag == "code" for code in re.findall(r"\w+", word.text)]


def item_of(words: list[Word]) -> Item:
    """Name, description, prices and codes of one entry."""
    name = [w for w in words if w.role in "NCV" and w.tag != "code"]
    bare = [w for w in name if w.tag not in ("number", "size")]
    item = {
        "name": text_of(name) or None,
        "description": text_of([w for w in words if w.role == "D" and w.tag != "code"]) or None,
        "prices": unique(amount for w in words for amount in w.amounts),
        "codes": codes_of(words),
    }
    if bare and len(bare) < len(name):
        item["alsoNamed"] = [text_of(bare)]
    return item


def unique(values: Any) -> list[str]:
    """Values in order, each once."""
    return list(dict.fromkeys(values))


def items_of(page: Page) -> list[list[Item]]:
    """The items of each section; the last list holds what stands under no heading."""
    own: list[list[Word]] = [[] for _ in page.entries]
    group: dict[int, list[str]] = {}
    for word in page.words:
        if word.entry is not None:
            own[word.entry].append(word)
        elif word.role == "P" and word.section is not None:
            group.setdefault(word.section, []).extend(word.amounts)
    found: list[list[Item]] = [[] for _ in range(len(page.parts) + 1)]
    dishes: dict[int, Item] = {}
    for number, entry in enumerate(page.entries):
        item = item_of(own[number])
        if entry.parent is not None:
            item["optional"] = True
            add_variant(dishes[entry.parent], item, entry.extra)
        else:
            dishes[number] = item
            shared = group.get(entry.section) or group.get(
                page.parts[entry.section] if entry.section is not None else None
            )
            if shared and not item["prices"]:
                item["maybePrices"] = unique(shared)
        if item["name"]:
            found[entry.section if entry.section is not None else -1].append(item)
    return found


def add_variant(dish: Item, item: Item, extra: bool) -> None:
    """Gives a variant's prices to its dish: as its own where it has none of its own, else as possible ones."""
    key = "maybePrices" if extra or (dish["prices"] and not dish.get("sized")) else "prices"
    if key == "prices" and item["prices"]:
        dish["sized"] = True
    if item["prices"]:
        dish[key] = unique([*dish.get(key, ()), *item["prices"]])


def lines_with(page: Page, roles: str) -> list[str]:
    """The page's lines of these roles."""
    rows: dict[int, list[Word]] = {}
    for word in page.words:
        if word.role in roles and word.tag not in ("icon", "glyph"):
            rows.setdefault(word.line, []).append(word)
    return [text for text in map(text_of, rows.values()) if sum(c.isalnum() for c in text) > 2]


def truth_of(page: Page) -> dict[str, Any]:
    """The page's truth."""
    titles = [[] for _ in page.parts]
    for word in page.words:
        if word.role == "H" and word.section is not None:
            titles[word.section].append(word)
    found = items_of(page)
    sections = [
        {"title": text_of(words) or None, "items": items} for words, items in zip(titles, found) if words or items
    ]
    sections += [{"title": None, "items": found[-1]}] if found[-1] else []
    for section in sections:
        for item in section["items"]:
            item.pop("sized", None)
    row = {
        "language": page.language,
        "currency": page.currency,
        "kind": page.kind,
        "sections": sections,
        "notDishes": lines_with(page, "TO"),
        "legend": lines_with(page, "L"),
    }
    return {**row, "inline": True} if page.inline else row
