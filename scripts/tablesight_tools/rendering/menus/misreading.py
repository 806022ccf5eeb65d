"""How a reader misreads letters."""

import json
import re
import unicodedata
from pathlib import Path
from random import Random

from tablesight_tools.rendering.menus.page import Word

MISTAKES = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
# Letters that look like a letter, and what is read in place of a sign; the usual ones stand several times.
ALIKE: dict[str, str] = MISTAKES["alike"]
SIGNS: dict[str, list[str]] = MISTAKES["signs"]
LETTERS = "eaoilnrtsuc"


def bare(text: str) -> str:
    """The text without accents."""
    text = (
        text.replace("đ", "d").replace("Đ", "D").replace("ł", "l").replace("Ł", "L").replace("ı", "i").replace("ø", "o")
    )
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


class Letters:
    """Mistakes of one reader on one page; `bad` is the share of letters it misreads."""

    def __init__(self, rng: Random, bad: float, perfect: bool = False) -> None:
        self.rng, self.bad, self.perfect = rng, bad, perfect
        self.bare = rng.choice((0, 0, 0, 0.1, 1.0))
        self.signs = rng.choice((0, 0, 0.1, 0.5))
        self.merged = rng.choice((0, 0, 0.01, 0.04))
        self.split = rng.choice((0, 0, 0.004))
        self.dots = rng.choice(("kept", "kept", "short", "glued", "lost"))
        self.commas = rng.choice((0, 0, 0, 0.02))

    def confidence(self, word: Word) -> float:
        """How sure the reader is of a word."""
        if self.perfect:
            return 1.0
        middle = 0.55 if word.tag == "glyph" else 0.8 if word.tag == "leader" else 0.965
        return min(1.0, max(0.05, self.rng.gauss(middle - 5 * self.bad, 0.03 + self.bad * 2)))

    def text(self, word: Word) -> str:
        """A word as the reader reads it."""
        rng, text = self.rng, word.text
        if self.bare and not text.isascii() and rng.random() < self.bare:
            text = bare(text)
        if self.signs and word.role == "P" and not text.isascii() and rng.random() < self.signs:
            text = "".join(rng.choice(SIGNS[c]) if c in SIGNS else c for c in text)
        if self.commas and word.role == "P" and rng.random() < self.commas:
            old, new = rng.choice(((",", "."), (".", ","), (".", ""), ("0", "O"), (".", ". ")))
            text = text.replace(old, new)
        if self.bad:
            rate = self.bad * (0.4 if word.role == "P" else 4 if word.tag == "glyph" else 1)
            text = "".join(self.letter(c) if rng.random() < rate else c for c in text)
        return text

    def letter(self, c: str) -> str:
        """A misread letter: one that looks alike, another one, or none."""
        if c in ALIKE and self.rng.random() < 0.7:
            return self.rng.choice(ALIKE[c])
        return self.rng.choice(LETTERS) if c.isalpha() else self.rng.choice((c, "", "."))

    def line(self, words: list[Word]) -> list[tuple[Word, str]]:
        """The words of a line as read; leaders may shrink, stick to the word before or go."""
        if self.perfect:
            return [(word, word.text) for word in words]
        out: list[tuple[Word, str]] = []
        for word in words:
            text = self.text(word)
            if word.tag == "leader" and re.fullmatch(r"[.…_·-]+", text or "."):
                if self.dots == "lost" or len(words) > 1 and word.width < word.style.size and self.rng.random() < 0.3:
                    continue
                text = text[: max(1, round(len(text) * self.rng.uniform(0.2, 1)))] if self.dots != "kept" else text
                if self.dots == "glued" and out:
                    out[-1] = (wider(out[-1][0], word), out[-1][1] + text)
                    continue
            self.append(out, word, text)
        return [(word, text) for word, text in out if text]

    def append(self, out: list[tuple[Word, str]], word: Word, text: str) -> None:
        """Adds a word; sometimes it is glued to the one before or falls in two."""
        rng = self.rng
        near = bool(out) and word.x - out[-1][0].x - out[-1][0].width < 0.5 * word.style.size
        if near and out[-1][0].role == word.role and word.role != "P" and rng.random() < self.merged:
            out[-1] = (wider(out[-1][0], word), out[-1][1] + text)
        elif self.split and len(text) > 7 and word.role != "P" and rng.random() < self.split:
            at = len(text) // 2
            out += [(part_of(word, 0, at / len(text)), text[:at]), (part_of(word, at / len(text), 1), text[at:])]
        else:
            out.append((word, text))


def wider(one: Word, other: Word) -> Word:
    """The first word, up to the end of the other."""
    return Word(
        one.text,
        one.x,
        one.y,
        other.x + other.width - one.x,
        one.style,
        one.role,
        one.line,
        one.entry,
        one.section,
        one.amounts,
        one.tag,
    )


def part_of(word: Word, start: float, end: float) -> Word:
    """The part of a word between two shares of its width."""
    return Word(
        word.text,
        word.x + start * word.width,
        word.y,
        (end - start) * word.width,
        word.style,
        word.role,
        word.line,
        word.entry,
        word.section,
        word.amounts,
        word.tag,
    )
