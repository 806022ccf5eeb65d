"""Colours of a page, and what a reader would measure of its print: the ink, the ground and the width of strokes."""

import math
from dataclasses import dataclass
from random import Random

from tablesight_tools.rendering.menus.page import Page, Style, Word

Colour = tuple[float, float, float]
# Widths of strokes as shares of the size, before bold.
STROKES = {
    "sans": 0.095,
    "serif": 0.085,
    "condensed": 0.09,
    "script": 0.075,
    "display": 0.12,
    "mono": 0.085,
    "hand": 0.09,
}
# What is drawn around words, with its own ink.
FILLED = ("button", "disc", "fill")


@dataclass(frozen=True)
class Palette:
    """Colours of a page."""

    paper: tuple[int, int, int]
    inks: dict[str, tuple[int, int, int]]


def palette_for(rng: Random, page: Page) -> Palette:
    """Paper and inks that go together."""
    accents = ((150, 30, 30), (20, 80, 60), (170, 90, 10), (30, 60, 120), (110, 40, 90), (60, 60, 60))
    light = (
        (255, 255, 255),
        (250, 246, 235),
        (244, 236, 216),
        (240, 228, 200),
        (235, 240, 232),
        (252, 240, 240),
        (230, 196, 120),
    )
    if page.look == "web":
        return Palette(
            (255, 255, 255),
            {"text": (25, 25, 30), "soft": (105, 105, 112), "accent": rng.choice(accents), "paper": (255, 255, 255)},
        )
    if page.dark:
        boards = ((32, 34, 36), (20, 40, 34), (18, 18, 18), (28, 32, 60), (70, 22, 28))
        screens = ((10, 40, 70), (14, 14, 18), (20, 60, 50), (60, 20, 60))
        paper = rng.choice(screens if page.look == "screen" else boards)
        accent = rng.choice(((250, 200, 80), (255, 150, 70), (150, 220, 150), (130, 200, 250)))
        return Palette(paper, {"text": (240, 240, 232), "soft": (205, 205, 198), "accent": accent, "paper": paper})
    paper = rng.choice(light)
    inks = {
        "text": rng.choice(((20, 20, 20), (40, 28, 20), (20, 30, 50))),
        "soft": rng.choice(((70, 70, 70), (90, 70, 50), (50, 50, 50))),
    }
    return Palette(paper, {**inks, "accent": rng.choice(accents), "paper": paper})


@dataclass
class Light:
    """How a photo or a printer changes the colours of a page."""

    tint: Colour
    gain: float
    along: tuple[float, float]
    # Share of the ground that blur mixes into the ink.
    blur: float
    noise: float

    def shown(self, colour: Colour, x: float, y: float, rng: Random) -> Colour:
        """A colour at a place of the page (0…1), 0…255."""
        factor = self.gain * (1 + self.along[0] * (x - 0.5) + self.along[1] * (y - 0.5))
        red, green, blue = (
            min(255.0, max(0.0, c * t * factor + rng.gauss(0, self.noise))) for c, t in zip(colour, self.tint)
        )
        return red, green, blue


def light_for(rng: Random, page: Page) -> Light:
    """The light of a page: flat pages have none."""
    if page.kind != "photo":
        return Light((1, 1, 1), 1, (0, 0), rng.uniform(0, 0.25), rng.choice((0.3, 1, 3)))
    return Light(
        tint=(1, rng.gauss(0.97, 0.05), rng.gauss(0.9, 0.12)),
        gain=rng.uniform(0.35, 1.0),
        along=(rng.gauss(0, 0.35), rng.gauss(0, 0.35)),
        blur=rng.uniform(0.05, 0.5),
        noise=rng.choice((1, 3, 6, 12)),
    )


def any_palette(rng: Random) -> Palette:
    """Any ground with inks that can be read on it: designers keep to no list."""

    def colour(low: float, high: float) -> tuple[int, int, int]:
        bright = rng.uniform(low, high)
        parts = [bright * rng.uniform(0.25, 1) for _ in range(3)] if rng.random() < 0.6 else [bright] * 3
        top = max(parts)
        return tuple(round(255 * bright * part / top) for part in parts)

    dark = rng.random() < 0.5
    paper = colour(0.03, 0.45) if dark else colour(0.6, 1.0)
    inks = {name: colour(0.75, 1.0) if dark else colour(0.02, 0.4) for name in ("text", "soft", "accent")}
    for name in ("soft", "accent"):
        if rng.random() < 0.4:
            inks[name] = inks["text"]
    return Palette(paper, {**inks, "paper": paper})


class Print:
    """Measures the print of a page's words; some pages have been read without."""

    def __init__(self, rng: Random, page: Page, unmeasured: float = 0.2) -> None:
        self.rng = rng
        self.is_measured = rng.random() >= unmeasured
        self.palette = any_palette(rng) if rng.random() < 0.5 else palette_for(rng, page)
        self.light = light_for(rng, page)
        # Headings may have a second accent.
        self.heads = self.palette.inks["accent"]
        if rng.random() < 0.3:
            self.heads = rng.choice((self.palette.inks["text"], palette_for(rng, page).inks["accent"]))
        self.filled = [shape for shape in page.shapes if shape.kind in FILLED]
        x0, y0, x1, y1 = page.bounds()
        self.origin, self.size = (x0, y0), (max(1.0, x1 - x0), max(1.0, y1 - y0))
        self.weights = {face: stroke * rng.uniform(0.85, 1.2) for face, stroke in STROKES.items()}
        self.bold = rng.uniform(1.3, 1.7)
        # Pictures or patterns behind the print.
        self.restless = rng.uniform(0.1, 0.5) if page.kind == "photo" and rng.random() < 0.25 else 0.0
        # A heading on a band of the accent's colour.
        self.banded = rng.random() < 0.08

    def stroke(self, style: Style) -> float:
        """Width of a style's strokes as a share of its size."""
        wide = self.weights[style.face] * (self.bold if style.bold else 1)
        # Blur widens small print.
        return min(1.0, wide * math.exp(self.rng.gauss(0, 0.07)) + 0.05 * self.light.blur)

    def of(self, word: Word, height: float) -> str | None:
        """The ink of a word in a box of this height as a reading holds it: colour, ground, stroke."""
        if not self.is_measured:
            return None
        ink, ground = self.colours(word)
        x, y = (word.x - self.origin[0]) / self.size[0], (word.y - self.origin[1]) / self.size[1]
        factor = math.exp(self.rng.gauss(0, self.restless))
        ground = tuple(min(255.0, g * factor) for g in ground)
        mixed = tuple(i + (g - i) * self.light.blur for i, g in zip(ink, ground))
        colours = (self.light.shown(colour, x, y, self.rng) for colour in (mixed, ground))
        shown = ("#" + "".join(f"{round(c):02x}" for c in colour) for colour in colours)
        stroke = self.stroke(word.style) * word.style.size / height
        return f"{' '.join(shown)} {min(1, stroke):.3f}"

    def colours(self, word: Word) -> tuple[Colour, Colour]:
        """Ink and ground of a word as printed."""
        style = word.style
        ink = self.palette.inks[style.ink]
        if word.role == "H" and style.ink == "accent":
            if self.banded:
                return self.palette.paper, self.heads
            ink = self.heads
        middle = (word.x + word.width / 2, word.y - 0.35 * style.size)
        for shape in self.filled:
            if shape.x0 <= middle[0] <= shape.x1 and shape.y0 <= middle[1] <= shape.y1:
                return ink, self.palette.inks[shape.ink]
        if style.ink == "paper":
            return ink, self.palette.inks["accent"]
        return ink, self.palette.paper
