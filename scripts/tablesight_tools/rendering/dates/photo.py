"""A printed line as it is cut out of a photo: ground, relief, curve, light, blur, noise, a careless frame."""

import cv2
import numpy as np

from tablesight_tools.rendering.dates import texts
from tablesight_tools.rendering.dates.print import outlined, printed
from tablesight_tools.rendering.types import Generator

# Height and largest width of a line picture, pixels.
HEIGHT, WIDTH = 32, 352


def field(shape: tuple[int, int], cell: float, draw: Generator) -> np.ndarray:
    """Smooth noise of deviation 1; `cell` is its grain in pixels."""
    small = draw.normal(0, 1, (max(2, int(shape[0] / cell) + 1), max(2, int(shape[1] / cell) + 1))).astype(np.float32)
    return cv2.resize(small, shape[::-1], interpolation=cv2.INTER_CUBIC)


def ground(shape: tuple[int, int], rough: float, draw: Generator) -> np.ndarray:
    """What is printed on: card, film, foil, a picture. Grey values around 0, mostly within `rough`."""
    base = draw.uniform(0, 0.4) * rough * field(shape, shape[0] * draw.uniform(0.6, 4), draw)
    kind = draw.random()
    if kind < 0.25:  # foil
        base += draw.uniform(0.1, 0.45) * rough * field(shape, draw.uniform(10, 60), draw)
    elif kind < 0.4:  # a picture's edge
        angle, place = draw.uniform(0, np.pi), draw.uniform(0.1, 0.9)
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        side = (x - place * shape[1]) * np.cos(angle) + (y - shape[0] / 2) * np.sin(angle) > 0
        base = np.where(side, base, base + draw.uniform(-1, 1) * rough).astype(np.float32)
    elif kind < 0.52:  # stripes
        x = np.arange(shape[1], dtype=np.float32)[None]
        base = base + draw.uniform(0.1, 0.5) * rough * np.sign(np.sin(x / draw.uniform(4, 30) + draw.uniform(0, 6)))
    elif kind < 0.62:  # a coarse screen
        base = base + draw.uniform(0.1, 0.35) * rough * field(shape, draw.uniform(2, 6), draw)
    return base


def neighbours(page: np.ndarray, top: int, height: int, draw: Generator) -> None:
    """Other lines of print close above and below."""
    for sign in (-1, 1):
        if draw.random() > 0.35:
            continue
        other = (printed if draw.random() < 0.7 else outlined)(texts.line(draw), draw)
        scale = height / other.shape[0]
        other = cv2.resize(other, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        y = top + sign * int(height * draw.uniform(0.85, 1.1))
        x = int(draw.uniform(-0.2, 0.4) * page.shape[1])
        own = other[max(0, -y) : max(0, page.shape[0] - y), max(0, -x) : max(0, page.shape[1] - x)]
        y, x = max(0, y), max(0, x)
        page[y : y + own.shape[0], x : x + own.shape[1]] = np.maximum(
            page[y : y + own.shape[0], x : x + own.shape[1]], own
        )


def warped(mask: np.ndarray, draw: Generator) -> np.ndarray:
    """Bent as around a can and seen a little from the side."""
    height, width = mask.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    u = (x / width - draw.uniform(0.3, 0.7)) * 2
    sink = draw.normal(0, 0.10) * height * u**2 + draw.normal(0, 0.05) * height * u
    squeeze = draw.normal(0, 0.05) * width * u**2
    return cv2.remap(mask, x + squeeze.astype(np.float32), y + sink.astype(np.float32), cv2.INTER_LINEAR)


def line(text: str, draw: Generator) -> np.ndarray:
    """An 8-bit grey picture of the text, `HEIGHT` pixels high, at most `WIDTH` wide."""
    mask = printed(text, draw)
    height, width = mask.shape
    top, left = int(height * 0.7), int(height * 0.9)
    page = np.zeros((height + 2 * top, width + 2 * left), np.float32)
    page[top : top + height, left : left + width] = mask
    neighbours(page, top, height, draw)
    page = warped(page, draw)
    contrast = draw.uniform(0.12, 0.85)
    back = ground(page.shape, 0.75 * contrast, draw)
    if draw.random() < 0.13:  # relief: light on one side, shade on the other
        shift, turn = draw.uniform(2, 5), draw.uniform(0, 2 * np.pi)
        soft = cv2.GaussianBlur(page, (0, 0), draw.uniform(0.8, 2.5))
        move = np.array([[1, 0, shift * np.cos(turn)], [0, 1, shift * np.sin(turn)]], np.float32)
        photo = 0.5 * back + contrast * (cv2.warpAffine(soft, move, page.shape[::-1]) - soft)
    else:
        opaque = draw.uniform(0.7, 1) * page
        photo = back * (1 - opaque) - contrast * opaque
        if draw.random() < 0.3:
            photo = -photo
    photo += draw.uniform(-photo.min(), max(-photo.min(), 1 - photo.max()))
    if draw.random() < 0.15:  # a reflection
        photo = photo + draw.uniform(0.1, 0.5) * np.clip(field(page.shape, height * 1.5, draw) - 1, 0, 1)
    # The frame: letters fill about .6 of a detected line's height; the ends are cut too close or too wide.
    rise = height * draw.uniform(0.08, 0.38)
    above, below = top - rise + height * draw.normal(0, 0.04), top + height + rise + height * draw.normal(0, 0.04)
    start = left + height * draw.uniform(-0.8, 0.04)
    end = left + width + height * draw.uniform(-0.04, 0.8)
    tilt = draw.normal(0, 0.05) * height
    corners = np.array(
        [[start, above - tilt], [end, above + tilt], [end, below + tilt], [start, below - tilt]], np.float32
    )
    tall = int(np.clip(draw.lognormal(3.6, 0.4), 18, 80))
    ratio = (end - start) / (below - above) * draw.uniform(0.85, 1.2)
    size = (max(16, int(tall * ratio)), tall)
    to = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    # Averaged first, as a lens and a sensor average fine print.
    photo = cv2.GaussianBlur(photo, (0, 0), max(0.3, 0.4 * (below - above) / tall))
    photo = cv2.warpPerspective(photo, cv2.getPerspectiveTransform(corners, to), size, borderMode=cv2.BORDER_REPLICATE)
    photo = cv2.GaussianBlur(photo, (0, 0), tall * draw.uniform(0.005, 0.045))
    if draw.random() < 0.15:  # a moved camera
        kernel = np.zeros((7, 7), np.float32)
        cv2.line(kernel, *((tuple(int(v) for v in draw.integers(0, 7, 2))) for _ in range(2)), 1.0)
        photo = cv2.filter2D(photo, -1, kernel / kernel.sum())
    photo = np.clip(
        255 * photo + draw.normal(0, draw.uniform(0.5, 0.06 * 255 * contrast + 1), photo.shape), 0, 255
    ).astype(np.uint8)
    if draw.random() < 0.5:
        photo = cv2.imdecode(
            cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, int(draw.integers(45, 95))])[1], cv2.IMREAD_GRAYSCALE
        )
    wide = int(np.clip(HEIGHT * ratio, 16, WIDTH))
    return cv2.resize(photo, (wide, HEIGHT), interpolation=cv2.INTER_AREA if tall > HEIGHT else cv2.INTER_LINEAR)
