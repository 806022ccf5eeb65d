"""Gives every text of a page its true role: on generated pages by its words, on typed pages by similarity."""

import unicodedata
from collections import Counter
from difflib import SequenceMatcher

ROLES = "NCDHVSLTO"
LETTERS = str.maketrans({"đ": "d", "ı": "i", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe"})


def plain(text: str | None) -> str:
    """Case folded, without accents and punctuation."""
    folded = unicodedata.normalize("NFKD", str(text or "").casefold().translate(LETTERS))
    kept = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in kept).split())


def of_generated(page: dict, texts: list[dict]) -> list[str | None]:
    """The role of most words of each text, prices left out.

    A text that begins with a name is a name, also if a longer description follows on its line.
    """
    roles = []
    for text in texts:
        made = [page["lines"][line]["words"][word]["role"] for line, word in text["words"]]
        words = [role for role in made if role != "P"]
        letters = [
            role
            for role, (line, word) in zip(made, text["words"])
            if role not in "PO" and any(c.isalpha() for c in page["lines"][line]["words"][word]["text"])
        ]
        if letters and letters[0] == "N" and (set(letters) <= {"N", "D", "C"}):
            roles.append("N")
        else:
            roles.append(Counter(words).most_common(1)[0][0] if words else "O")
    return roles


def of_typed(truth: dict, texts: list[dict]) -> list[str | None]:
    """The role of the typed text that is most similar to each read text; None if it is ambiguous."""
    known = known_texts(truth)
    matches = [best_match(text, truth, known) for text in texts]
    roles = []
    for number, (role, meant) in enumerate(matches):
        up = texts[number].get("up")
        if role == "N" and up is not None and matches[up] == ("N", meant) and is_continuation(meant, texts, number, up):
            role = "C"
        roles.append(role)
    return roles


def is_continuation(meant: str, texts: list[dict], number: int, up: int) -> bool:
    """Whether a text continues the name on the line above."""
    mine = plain(texts[number]["text"])
    return plain(texts[up]["text"]) != meant and not meant.startswith(mine[:5])


def known_texts(truth: dict) -> list[tuple[str | None, str]]:
    """All typed texts with their roles; the role is None for optional texts."""
    known = [("L", plain(line)) for line in truth.get("legend", ())]
    for note in truth.get("notDishes", ()):
        known.append(("T" if len(note.split()) > 4 or any(c.isdigit() for c in note) else "O", plain(note)))
    for section in truth["sections"]:
        if section["title"]:
            known.append(("H", plain(section["title"])))
        for item in section["items"]:
            role = None if item.get("optional") else "N"
            names = [item.get("name"), *item.get("alsoNamed", ())]
            known += [(role, plain(name)) for name in names if name]
            if item.get("description"):
                known.append(("D", plain(item["description"])))
    return [one for one in known if one[1]]


def best_match(text: dict, truth: dict, known: list[tuple[str | None, str]]) -> tuple[str | None, str]:
    """(role, typed text) that a read text is a part of."""
    mine = plain(text["text"])
    if truth.get("inline") and any(r == "N" and len(t) > 3 and mine.startswith(t) for r, t in known):
        return "N", mine
    best = (0.0, 0.0, None, "")
    for role, typed in known if mine else ():
        blocks = SequenceMatcher(None, mine, typed, autojunk=False).get_matching_blocks()
        shared = sum(block.size for block in blocks if block.size > 1)
        cover, back = min(1, shared / len(mine)), min(1, shared / len(typed))
        score = cover + 0.25 * back + (0.05 if role is None else 0)
        if score > best[0]:
            best = (score, cover, role, typed)
    if best[2] == "D" and not best[3].startswith(mine[:12]):
        # "1 Margherita (tomato, mozzarella)": a name with its description behind it.
        bare = mine.lstrip("0123456789 ")
        name = next((t for r, t in known if r == "N" and len(t) > 3 and bare.startswith(t)), None)
        if name:
            return "N", name
    if best[1] > 0.6:
        return best[2], best[3]
    return ("O" if len(mine) < 4 or text["confidence"] < 0.4 else None), ""
