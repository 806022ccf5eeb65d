"""What the edge of a picture does to a page: it cuts words off, and shows the edge of a neighbouring page."""

from random import Random

from tablesight_tools.rendering.menus.page import BODY, Page, Word


def crop(page: Page, rng: Random) -> None:
    """Cuts a part of the page off on one side; the truth keeps what can still be seen."""
    x0, y0, x1, y1 = page.bounds()
    side, share = rng.choice(("left", "right", "top", "bottom")), rng.uniform(0.05, 0.35)
    if side in ("top", "bottom"):
        limit = y0 + share * (y1 - y0) if side == "top" else y1 - share * (y1 - y0)
        page.words = [w for w in page.words if (w.y > limit if side == "top" else w.y < limit)]
    else:
        limit = x0 + share * (x1 - x0) if side == "left" else x1 - share * (x1 - x0)
        page.words = [w for w in (cut_word(w, limit, side) for w in page.words) if w is not None]
    page.shapes = []
    orphans(page)


def cut_word(word: Word, limit: float, side: str) -> Word | None:
    """What is left of a word beside a vertical edge."""
    start, end = word.x, word.x + word.width
    if (start >= limit) if side == "left" else (end <= limit):
        return word
    kept = (end - limit if side == "left" else limit - start) / max(word.width, 1e-6)
    letters = int(kept * len(word.text))
    if letters < 1:
        return None
    word.text = word.text[-letters:] if side == "left" else word.text[:letters]
    word.x, word.width = (limit, end - limit) if side == "left" else (start, limit - start)
    if word.amounts:
        word.amounts = ()
    return word


def orphans(page: Page) -> None:
    """Words of dishes whose name was cut off become other words."""
    named = {w.entry for w in page.words if w.role in "NV" and w.tag != "code"}
    for word in page.words:
        if word.entry is not None and word.entry not in named:
            word.entry, word.role, word.amounts = None, word.role if word.role == "P" else "O", ()


def neighbour(page: Page, other: Page, rng: Random) -> None:
    """Shows the edge of another page beside this one; its words are no part of the truth's dishes."""
    x0, y0, x1, y1 = page.bounds()
    ox0, oy0, ox1, _ = other.bounds()
    width, left = rng.uniform(2, 9) * BODY, rng.random() < 0.5
    limit, side = (ox1 - width, "left") if left else (ox0 + width, "right")
    shift = x0 - rng.uniform(1.5, 4) * BODY - ox1 if left else x1 + rng.uniform(1.5, 4) * BODY - ox0
    for word in [w for w in (cut_word(w, limit, side) for w in other.words) if w is not None]:
        y = word.y - oy0 + y0 + rng.gauss(0, 0.02) * BODY
        if y < y1:
            page.words.append(
                Word(
                    word.text,
                    word.x + shift,
                    y,
                    word.width,
                    word.style,
                    "O",
                    page.lines + word.line,
                    None,
                    None,
                    (),
                    "icon",
                )
            )
    page.lines += other.lines
