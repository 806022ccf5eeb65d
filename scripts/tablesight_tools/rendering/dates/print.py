"""Print as ink: a mask of 0…1 for each line, by ink-jet, stamp, laser, typewriter or embossing."""

import gzip
import io
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont, PcfFontFile

from tablesight_tools.rendering.types import Generator

# Debian's xfonts-base (public domain): their pixels are the dots of ink-jet printers.
DOTS = Path("/usr/share/fonts/X11/misc")
DOT_FONTS = ["5x7", "5x8", "6x9", "6x10", "6x12", "6x13", "7x13", "7x14", "8x13", "9x15", "6x13B", "7x13B", "8x13B"]
# Debian's fonts-dejavu-core, fonts-dejavu-extra and fonts-liberation.
OUTLINES = Path("/usr/share/fonts/truetype")
OUTLINE_FONTS = [
    "dejavu/DejaVuSans.ttf",
    "dejavu/DejaVuSans-Bold.ttf",
    "dejavu/DejaVuSansMono.ttf",
    "dejavu/DejaVuSansMono-Bold.ttf",
    "dejavu/DejaVuSansCondensed.ttf",
    "dejavu/DejaVuSansCondensed-Bold.ttf",
    "liberation/LiberationSans-Regular.ttf",
    "liberation/LiberationSans-Bold.ttf",
    "liberation/LiberationMono-Bold.ttf",
    "liberation/LiberationSansNarrow-Regular.ttf",
    "liberation/LiberationSansNarrow-Bold.ttf",
]
# Pixels of a dot's pitch and of an outline letter's height before the photo.
PITCH, HEIGHT = 6, 42


@cache
def dots(name: str) -> dict[str, np.ndarray]:
    """The dots of each letter of a bitmap font, all of one height."""
    font = PcfFontFile.PcfFontFile(io.BytesIO(gzip.decompress((DOTS / f"{name}-ISO8859-1.pcf.gz").read_bytes())))
    glyphs = {}
    for code in range(32, 127):
        glyph = font.glyph[code]
        if glyph is None:
            continue
        (advance, _), (left, top, right, bottom), _, bitmap = glyph
        cell = np.zeros((40, max(advance, right)), bool)
        cell[20 + top : 20 + bottom, left:right] = np.array(bitmap)[: bottom - top, : right - left]
        glyphs[chr(code)] = cell
    rows = np.flatnonzero(np.any([glyphs[c].any(1) for c in "0123456789ABDEX"], 0))
    return {c: cell[rows[0] - 1 : rows[-1] + 3] for c, cell in glyphs.items()}


def dotted(text: str, draw: Generator) -> np.ndarray:
    """Ink-jet print: a dot for each pixel of a bitmap font; dots differ, wander, join and fail."""
    glyphs = dots(DOT_FONTS[int(draw.integers(len(DOT_FONTS)))])
    cells = np.concatenate([glyphs.get(c, glyphs[" "]) for c in text], 1)
    if draw.random() < 0.3:  # wider letters by blank columns between them
        cells = np.concatenate([np.pad(glyphs.get(c, glyphs[" "]), ((0, 0), (0, 1))) for c in text], 1)
    across, down = PITCH * draw.uniform(0.75, 1.5), PITCH * draw.uniform(0.85, 1.15)
    radius = min(across, down) * draw.uniform(0.3, 0.65)
    slant, wander = draw.normal(0, 0.06), draw.uniform(0, 0.12) * PITCH
    failing = draw.uniform(0, 0.08) if draw.random() < 0.4 else 0
    rows, columns = cells.shape
    mask = np.zeros(
        (int(rows * down) + 2 * PITCH, int(columns * across + abs(slant) * rows * down) + 2 * PITCH), np.uint8
    )
    waves = np.cumsum(draw.normal(0, 0.05 * PITCH, columns)) * draw.uniform(0, 0.6)
    lost = set(np.flatnonzero(draw.random(rows) < 0.02).tolist()) if draw.random() < 0.3 else set()
    for row, column in zip(*np.nonzero(cells)):
        if row in lost or draw.random() < failing:
            continue
        x = PITCH + (column + 0.5) * across + (rows - row) * down * max(0, slant) + row * down * max(0, -slant)
        y = PITCH + (row + 0.5) * down + waves[column]
        x, y = x + draw.normal(0, wander), y + draw.normal(0, wander)
        cv2.circle(
            mask, (int(x * 16), int(y * 16)), int(radius * draw.uniform(0.85, 1.15) * 16), 255, -1, cv2.LINE_AA, 4
        )
    return mask.astype(np.float32) / 255


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(OUTLINES / name), size)


def outlined(text: str, draw: Generator) -> np.ndarray:
    """Stamps, laser, thermal transfer and ordinary print."""
    own = font(OUTLINE_FONTS[int(draw.integers(len(OUTLINE_FONTS)))], HEIGHT)
    spacing = draw.uniform(-0.04, 0.25) * HEIGHT if draw.random() < 0.5 else 0
    widths = [own.getlength(c) + spacing for c in text]
    picture = Image.new("L", (int(sum(widths)) + 32, int(HEIGHT * 1.25)))
    pen, x = ImageDraw.Draw(picture), 12.0
    for letter, width in zip(text, widths):
        pen.text((x, draw.normal(0, 0.6) if spacing else 0), letter, font=own, fill=255)
        x += width
    mask = np.array(picture)
    thickness = int(draw.integers(-3, 4))
    if thickness > 1 or thickness < -2:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(thickness), abs(thickness)))
        mask = (cv2.dilate if thickness > 0 else cv2.erode)(mask, kernel)
    result = mask.astype(np.float32) / 255
    if draw.random() < 0.3:  # laser: a row of dots along each stroke
        pitch = int(draw.integers(4, 8))
        grid = np.zeros(result.shape, np.float32)
        grid[::pitch, ::pitch] = 1
        result = np.clip(
            cv2.GaussianBlur(result * grid, (0, 0), pitch * draw.uniform(0.25, 0.45)) * pitch**2 * 0.8, 0, 1
        )
    return result


def worn(mask: np.ndarray, draw: Generator) -> np.ndarray:
    """Ink that has not come off everywhere."""
    coarse = draw.normal(0, 1, (max(2, mask.shape[0] // 14), max(2, mask.shape[1] // 14))).astype(np.float32)
    field = cv2.resize(coarse, mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    return mask * np.clip(1 - draw.uniform(0.1, 0.7) * np.clip(field, 0, 1.4), 0, 1)


def printed(text: str, draw: Generator) -> np.ndarray:
    """The mask of one line by a printer drawn by lot."""
    mask = dotted(text, draw) if draw.random() < 0.68 else outlined(text, draw)
    return worn(mask, draw) if draw.random() < 0.35 else mask
