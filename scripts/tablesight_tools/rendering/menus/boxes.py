"""What a text reader would give back for a page: lines of words with boxes, confidences and mistakes.

Nothing is drawn. The page is tilted, seen in perspective and curled; rows are joined across gaps or cut; letters are
misread, words are lost, accents fall off. Every word keeps its role.
"""

import math
from dataclasses import dataclass
from random import Random
from typing import Any

from tablesight_tools.rendering.menus.inks import Print
from tablesight_tools.rendering.menus.misreading import Letters
from tablesight_tools.rendering.menus.page import BODY, Page, Shape, Word

Box = list[list[float]]
Line = list[tuple[Word, str]]
JUNK = ("Oo", "l1", "CCC", "~", "WW", "oO", "0", "ae", "JII", "vv", "Fresh", "100%", "rn", "Ee", "K")
HANGING = set("gjpqyQç,;()[]{}|/@$§ýğşŞ")
TALL = set("bdfhklitßđłŁ()[]{}|/@$€£₺₹₱%&!?'\"’“”½¼¾#*°")


@dataclass
class Camera:
    """How page units become pixels."""

    scale: float
    turn: float
    lean_x: float
    lean_y: float
    curl: float
    centre: tuple[float, float]
    size: tuple[float, float]

    def point(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point of the page, before the shift that makes all places positive."""
        u, v = (x - self.centre[0]) / self.size[0], (y - self.centre[1]) / self.size[1]
        py = y - self.centre[1] + self.curl * self.size[0] * (u * u - 0.25)
        px = x - self.centre[0]
        depth = 1 + self.lean_x * u + self.lean_y * v
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        return self.scale * (px * cos - py * sin) / depth, self.scale * (px * sin + py * cos) / depth


def camera_for(rng: Random, page: Page) -> Camera:
    """A camera: straight for flat pages, else a little turned, leaning or curled."""
    x0, y0, x1, y1 = page.bounds()
    photo = page.kind == "photo"
    turn = rng.gauss(0, rng.choice((0.004, 0.015, 0.035))) if photo else rng.choice((0, 0, 0, rng.gauss(0, 0.004)))
    return Camera(
        scale=rng.uniform(13, 55) / BODY,
        turn=turn + (rng.choice((-1, 1)) * rng.uniform(0.05, 0.16) if photo and rng.random() < 0.06 else 0),
        lean_x=rng.gauss(0, 0.07) if photo else 0,
        lean_y=rng.gauss(0, 0.1) if photo else 0,
        curl=rng.gauss(0, 0.02) if photo and rng.random() < 0.35 else 0,
        centre=((x0 + x1) / 2, (y0 + y1) / 2),
        size=(max(1.0, x1 - x0), max(1.0, y1 - y0)),
    )


@dataclass
class Reader:
    """The habits of a reader on one page."""

    join: float
    glued: float
    cut: float
    lost_line: float
    lost_word: float
    padding: float
    full: bool
    loose: float
    jitter: float
    letters: Letters
    order: str


def reader_for(rng: Random, page: Page) -> Reader:
    """A reader: most are good, some glue rows across columns, some misread much."""
    bad = (
        rng.choice((0, 0, 0.002, 0.006, 0.015, 0.035)) if page.kind == "photo" else rng.choice((0, 0, 0, 0.002, 0.008))
    )
    return Reader(
        join=rng.choice((0.7, 1.0, 1.0, 1.5, 2.0, 3.0)),
        glued=rng.choice((0, 0, 0, 0, 0.15, 0.5, 0.95)),
        cut=rng.choice((0, 0, 0.01, 0.04)),
        lost_line=rng.choice((0, 0.004, 0.01, 0.03)),
        lost_word=rng.choice((0, 0, 0.003, 0.012)),
        padding=rng.uniform(0.05, 0.4),
        full=rng.random() < 0.35,
        loose=rng.choice((0, 0, 0.03)),
        jitter=rng.uniform(0.01, 0.07),
        letters=Letters(rng, bad),
        order=rng.choice(("rows", "rows", "rows", "placed", "shuffled")),
    )


def rows_of(page: Page) -> list[list[Word]]:
    """The page's words by the line that they were placed on, from top to bottom."""
    rows: dict[int, list[Word]] = {}
    for word in page.words:
        rows.setdefault(word.line, []).append(word)
    return sorted((sorted(row, key=lambda w: w.x) for row in rows.values()), key=lambda row: (row[0].y, row[0].x))


def beside(one: list[Word], other: list[Word]) -> bool:
    """Do two rows stand on one line, in sizes that a reader takes for one?"""
    small, big = sorted((max(w.style.size for w in one), max(w.style.size for w in other)))
    return abs(one[-1].y - other[0].y) < 0.3 * small and big < 1.8 * small


def joined(rng: Random, rows: list[list[Word]], reader: Reader) -> list[list[Word]]:
    """Rows that a reader takes for one line, joined."""
    out: list[list[Word]] = []
    for row in rows:
        best, gap = None, 1e9
        for last in out[-14:]:
            free = row[0].x - (last[-1].x + last[-1].width)
            if -0.2 * BODY < free < gap and beside(last, row):
                best, gap = last, free
        size = row[0].style.size
        if best is not None and (gap < reader.join * size or gap < 14 * BODY and rng.random() < reader.glued):
            best.extend(row)
        else:
            out.append(list(row))
    return out


def cut(rng: Random, row: list[Word], reader: Reader) -> list[list[Word]]:
    """A row cut at some of its gaps."""
    parts = [[row[0]]]
    for last, word in zip(row, row[1:]):
        wide = word.x - last.x - last.width > 0.9 * word.style.size
        if rng.random() < reader.cut or wide and reader.glued < 0.1 and rng.random() < reader.cut * 5:
            parts.append([])
        parts[-1].append(word)
    return parts


def extent(texts: list[str], full: bool) -> tuple[float, float]:
    """How far a line's letters reach above and below the baseline, as shares of the size."""
    if full:
        return 0.76, 0.22
    letters = set("".join(texts))
    tall = any(c.isupper() or c.isdigit() or c in TALL for c in letters)
    return (0.72 if tall else 0.54), (0.2 if letters & HANGING else 0.02)


def boxed(rng: Random, line: Line, reader: Reader, camera: Camera, print_: Print) -> dict[str, Any]:
    """A line with the boxes of its words in pixels."""
    size = max(word.style.size for word, _ in line)
    above, below = extent([text for _, text in line], reader.full)
    pad, shift = size * reader.padding, rng.gauss(0, reader.jitter) * size * 0.6
    words = []
    for word, text in line:
        own = extent([text], False) if reader.loose else (above, below)
        wobble = [rng.gauss(0, reader.jitter) * size for _ in range(4)]
        wobble[2:] = wobble[2:] if reader.loose else (0.0, 0.0)
        left, right = word.x - 0.05 * size + wobble[0], word.x + max(word.width, 0.2 * size) + 0.05 * size + wobble[1]
        mine = word.style.size if reader.loose else size
        top = word.y - own[0] * mine - pad / 2 + shift + wobble[2] * 0.4
        low = word.y + own[1] * mine + pad / 2 + shift + wobble[3] * 0.4
        box = [camera.point(left, top), camera.point(right, top), camera.point(right, low), camera.point(left, low)]
        ink = print_.of(word, low - top)
        words.append(
            {
                "text": text,
                "confidence": reader.letters.confidence(word),
                "box": box,
                "role": word.role,
                **({"ink": ink} if ink else {}),
                **({"entry": word.entry} if word.entry is not None else {}),
            }
        )
    first, last = words[0]["box"], words[-1]["box"]
    sure = sum(w["confidence"] * len(w["text"]) for w in words) / sum(len(w["text"]) for w in words)
    return {
        "text": " ".join(w["text"] for w in words),
        "confidence": sure,
        "box": [first[0], last[1], last[2], first[3]],
        "words": words,
    }


def junk_in(rng: Random, shapes: list[Shape], reader: Reader, page: Page) -> list[list[Word]]:
    """Letters that a reader sees in pictures."""
    if rng.random() > 0.3:
        return []
    found, line = [], page.lines + 1
    style = page.words[0].style
    for shape in shapes:
        if shape.kind == "picture" and rng.random() < 0.5:
            style = type(style)(size=BODY * rng.uniform(0.4, 1.6))
            text, line = rng.choice(JUNK), line + 1
            x, y = rng.uniform(shape.x0, shape.x1 - BODY), rng.uniform(shape.y0 + 0.5 * BODY, shape.y1)
            found.append([Word(text, x, y, 0.6 * len(text) * style.size, style, "O", line, None, None, (), "glyph")])
    return found


def read(page: Page, rng: Random, clean: bool = False) -> list[dict[str, Any]]:
    """The lines of a page as a reader would give them; `clean` leaves mistakes, joins and cuts out."""
    if not page.words:
        return []
    reader, camera = reader_for(rng, page), camera_for(rng, page)
    if clean:
        reader.lost_line = reader.lost_word = reader.cut = reader.glued = reader.join = 0.0
        reader.letters = Letters(rng, 0.0, perfect=True)
    rows = joined(rng, rows_of(page) + ([] if clean else junk_in(rng, page.shapes, reader, page)), reader)
    lines = []
    # Its own numbers, so that pages stay what they are without it.
    print_ = Print(Random(f"{page.template}/{len(page.words)}/{page.words[0].text}"), page)
    for row in rows:
        for part in cut(rng, row, reader):
            if rng.random() >= reader.lost_line:
                words = [word for word in part if rng.random() >= reader.lost_word or len(word.text) > 6] or part[:1]
                read_words = reader.letters.line(words)
                if read_words:
                    lines.append(boxed(rng, read_words, reader, camera, print_))
    return ordered(rng, shifted(rng, lines), reader.order)


def shifted(rng: Random, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All boxes moved so that the picture's corner is 0, 0; numbers are rounded."""
    points = [point for line in lines for word in line["words"] for point in word["box"]]
    if not points:
        return []
    left, top = min(x for x, _ in points) - rng.uniform(2, 80), min(y for _, y in points) - rng.uniform(2, 80)
    for line in lines:
        for part in (line, *line["words"]):
            part["box"] = [[round(x - left, 1), round(y - top, 1)] for x, y in part["box"]]
            part["confidence"] = round(part["confidence"], 3)
    return lines


def ordered(rng: Random, lines: list[dict[str, Any]], order: str) -> list[dict[str, Any]]:
    """Lines in the order in which a reader lists them."""
    if order == "rows":
        lines.sort(key=lambda line: line["box"][0][1])
    elif order == "shuffled":
        rng.shuffle(lines)
    return lines
