"""Draws a page as a picture: fonts, inks, paper, boards, frames, pictures and discs."""

import json
import sys
from functools import lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from tablesight_tools.rendering.menus.inks import Palette, palette_for
from tablesight_tools.rendering.menus.page import BODY, Page, Shape, Style, Word

FOLDER = Path("/usr/share/fonts")
PACKAGES = (
    "fonts-dejavu-core fonts-liberation fonts-lato fonts-ebgaramond fonts-lobster fonts-dancingscript "
    "fonts-kaushanscript fonts-bebas-neue fonts-cabinsketch fonts-comfortaa"
)
FONTS = json.loads(Path(__file__).with_name("fonts.json").read_text("utf-8"))
# Files of a family, each regular and bold, and the letters that a font must have for a language.
FAMILIES: dict[str, list[list[str]]] = FONTS["families"]
LETTERS: dict[str, str] = FONTS["letters"]
ICONS = ((90, 150, 60), (190, 70, 60), (60, 120, 170), (210, 150, 40), (120, 80, 150), (60, 150, 150), (150, 110, 70))


@lru_cache(maxsize=512)
def opened(path: str, size: int) -> ImageFont.FreeTypeFont:
    """A font in pixels."""
    if not (FOLDER / path).is_file():
        sys.exit(f"no font {path}: apt-get install {PACKAGES}")
    return ImageFont.truetype(str(FOLDER / path), size)


@lru_cache(maxsize=4096)
def has(path: str, letter: str) -> bool:
    """Does the font have this letter?"""
    font = opened(path, 32)
    return letter.isspace() or bytes(font.getmask(letter)) not in (
        bytes(font.getmask("\uffff")),
        bytes(font.getmask("\U0010fffe")),
    )


class Fonts:
    """The fonts of one page. No text is set smaller than `least` pixels."""

    def __init__(self, rng: Random, languages: list[str], scale: float, least: int = 23) -> None:
        self.scale, self.least = scale, least
        needed = set("".join(LETTERS[name] for name in languages))
        self.families = {}
        for face, families in FAMILIES.items():
            fitting = [pair for pair in families if all(has(path, c) for path in pair for c in needed)]
            self.families[face] = rng.choice(fitting or [FAMILIES["sans"][-1]])

    def font(self, style: Style) -> ImageFont.FreeTypeFont:
        """The font of a style."""
        return opened(self.families[style.face][style.bold], max(self.least, round(style.size * self.scale)))

    def path(self, style: Style) -> str:
        """The file of a style's font."""
        return self.families[style.face][style.bold]

    def measure(self, text: str, style: Style) -> float:
        """Width of a text in units."""
        return (self.font(style).getlength(text) / self.scale) + style.track * style.size * len(text)

    def covers(self, page: Page) -> bool:
        """Can every word of the page be set?"""
        return all(has(self.path(word.style), c) for word in page.words for c in word.text)


def ground(rng: Random, width: int, height: int, page: Page, palette: Palette) -> np.ndarray:
    """The paper, board or screen without text."""
    noise = np.random.default_rng(rng.randrange(1 << 30))
    image = np.full((height, width, 3), palette.paper, np.float32)
    if page.look == "web":
        return image.astype(np.uint8)
    strength = {"board": 4.0, "screen": 0.6}.get(page.look, 1.2)
    for cell in (5, 90):
        grain = noise.normal(0, strength, (height // cell + 2, width // cell + 2)).astype(np.float32)
        image += cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)[:, :, None]
    return np.clip(image, 0, 255).astype(np.uint8)


def plate(draw: ImageDraw.ImageDraw, rng: Random, box: tuple[float, float, float, float]) -> None:
    """A picture of a dish: a plate with coloured heaps."""
    x0, y0, x1, y1 = box
    draw.rectangle(box, fill=tuple(rng.randint(90, 200) for _ in range(3)))
    radius, cx, cy = 0.45 * min(x1 - x0, y1 - y0), (x0 + x1) / 2, (y0 + y1) / 2
    draw.ellipse((cx - radius, cy - radius, cx + radius, cy + radius), fill=(238, 236, 230))
    for _ in range(14):
        r, angle, far = radius * rng.uniform(0.1, 0.3), rng.uniform(0, 6.3), radius * rng.uniform(0, 0.6)
        x, y = cx + far * np.cos(angle), cy + far * np.sin(angle)
        draw.ellipse(
            (x - r, y - r, x + r, y + r),
            fill=rng.choice(((190, 60, 40), (90, 140, 50), (220, 170, 80), (140, 90, 50), (235, 215, 170))),
        )


def draw_shape(
    draw: ImageDraw.ImageDraw, rng: Random, shape: Shape, box: tuple[float, float, float, float], palette: Palette
) -> None:
    """A rule, frame, picture, disc or button."""
    x0, y0, x1, y1 = box
    colour = palette.inks[shape.ink]
    if x1 <= x0 or y1 <= y0:
        return
    if shape.kind == "rule":
        draw.rectangle((x0, y0, max(x1, x0 + 1), max(y1, y0 + 1)), fill=colour)
    elif shape.kind == "frame":
        draw.rectangle(box, outline=colour, width=2)
    elif shape.kind == "disc":
        middle, radius = ((x0 + x1) / 2, (y0 + y1) / 2), max(x1 - x0, y1 - y0) / 2
        draw.ellipse((middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius), fill=colour)
    elif shape.kind == "button":
        draw.rounded_rectangle(box, (y1 - y0) / 2, fill=colour)
    else:
        plate(draw, rng, box)


def draw_word(
    draw: ImageDraw.ImageDraw, word: Word, x: float, y: float, fonts: Fonts, colour: tuple[int, int, int]
) -> None:
    """One word with its baseline at y."""
    font = fonts.font(word.style)
    if word.tag == "glyph":
        size = 0.42 * word.style.size * fonts.scale
        middle = x + 1.2 * size, y - 0.7 * size
        draw.ellipse(
            (middle[0] - size, middle[1] - size, middle[0] + size, middle[1] + size),
            fill=ICONS[len(word.text) + ord(word.text[0]) % 3],
        )
        draw.text(
            middle, word.text[0], (255, 255, 255), opened(fonts.path(word.style), max(10, round(size))), anchor="mm"
        )
        return
    if not word.style.track:
        draw.text((x, y), word.text, colour, font, anchor="ls")
        return
    for letter in word.text:
        draw.text((x, y), letter, colour, font, anchor="ls")
        x += font.getlength(letter) + word.style.track * word.style.size * fonts.scale


def draw_page(page: Page, fonts: Fonts, rng: Random) -> np.ndarray:
    """The page as 8-bit RGB."""
    x0, y0, x1, y1 = page.bounds()
    scale, margin = fonts.scale, [rng.uniform(1.2, 3.5) * BODY for _ in range(4)]
    width, height = (
        round(scale * (high - low + margin[n] + margin[n + 2])) for n, low, high in ((0, x0, x1), (1, y0, y1))
    )
    palette = palette_for(rng, page)
    image = Image.fromarray(ground(rng, width, height, page, palette))
    draw = ImageDraw.Draw(image)

    def place(x: float, y: float) -> tuple[float, float]:
        return (x - x0 + margin[0]) * scale, (y - y0 + margin[1]) * scale

    if page.look == "paper" and rng.random() < 0.2:
        draw.rectangle(
            (0.3 * margin[0], 0.3 * margin[1], width - 0.3 * margin[0], height - 0.3 * margin[1]),
            outline=palette.inks["accent"],
            width=3,
        )
    for shape in page.shapes:
        draw_shape(draw, rng, shape, (*place(shape.x0, shape.y0), *place(shape.x1, shape.y1)), palette)
    for word in page.words:
        draw_word(draw, word, *place(word.x, word.y), fonts, palette.inks[word.style.ink])
    if page.look == "board":
        image = chalked(image, rng)
    return np.array(image)


def chalked(image: Image.Image, rng: Random) -> Image.Image:
    """Strokes that a little of the board shows through."""
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 1, (image.height // 2 + 1, image.width // 2 + 1))
    veil = cv2.resize(noise.astype(np.float32), (image.width, image.height))[:, :, None]
    soft = np.array(image.filter(ImageFilter.GaussianBlur(0.6)), np.float32)
    return Image.fromarray(np.clip(soft * (1 - 0.1 * np.clip(veil, 0, 1.5)), 0, 255).astype(np.uint8))
