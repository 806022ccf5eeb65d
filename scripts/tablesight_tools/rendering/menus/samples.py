"""Draws pages as pictures, photographs some by simulation, and writes their truth."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from PIL import Image

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.menus import drawing
from tablesight_tools.rendering.menus.page import BODY, Page
from tablesight_tools.rendering.menus.templates import TEMPLATES, make_page
from tablesight_tools.rendering.menus.truth import truth_of
from tablesight_tools.rendering.menus.words import Words

SCALE, LONGEST, MOST_DISHES, LEAST_DISHES = 1.5, 2200, 40, 3
TABLES = ((150, 120, 92), (96, 70, 52), (70, 74, 80), (190, 184, 172), (120, 60, 40), (40, 42, 46))


def page_that_fits(key: str, words: Words, template: str) -> tuple[Page, np.ndarray, Random]:
    """A page of the template that fits a picture, drawn; tries one seed after another."""
    for attempt in range(200):
        rng = Random("%s/%d" % (key, attempt))
        language = rng.choice(words.languages + ["en", "en", "de", "fr", "es", "it", "vi"])
        fonts = drawing.Fonts(
            rng, [language, "vi"] if template == "bilingual" and language == "en" else [language], SCALE
        )
        page = make_page("%s/%d" % (key, attempt), words, template, fonts.measure, language)
        x0, y0, x1, y1 = page.bounds()
        small = max(x1 - x0, y1 - y0) * SCALE < 0.86 * LONGEST and min(x1 - x0, y1 - y0) * SCALE > 350
        if small and LEAST_DISHES <= page.dishes() <= MOST_DISHES and fonts.covers(page) and not overlapping(page):
            return page, drawing.draw_page(page, fonts, rng), rng
    raise RuntimeError(f"no page of template {template} fits")


def overlapping(page: Page) -> bool:
    """Do words stand on each other?"""
    words = sorted(page.words, key=lambda w: w.y)
    for n, one in enumerate(words):
        for other in words[n + 1 :]:
            if other.y - one.y > 0.45 * min(one.style.size, other.style.size):
                break
            if min(one.x + one.width, other.x + other.width) - max(one.x, other.x) > 0.25 * min(
                one.style.size, other.style.size
            ):
                return True
    return False


def photographed(picture: np.ndarray, rng: Random) -> np.ndarray:
    """A photo of a page: on a table, a little turned and leaning, sometimes curled, blurred and noisy."""
    if rng.random() < 0.3:
        picture = camera.bend(picture, rng.uniform(-0.06, 0.06))
    height, width = picture.shape[:2]
    fill = rng.uniform(0.86, 0.95)
    slack = 1 + rng.uniform(0, 0.12)
    size = (
        round(width / fill * (slack if height > width else 1)),
        round(height / fill * (1 if height > width else slack)),
    )
    factor = min(1.0, LONGEST / max(size))
    photo, matrix = camera.photograph(
        picture,
        (round(size[0] * factor), round(size[1] * factor)),
        rng.randrange(1 << 30),
        tilt=rng.uniform(0, 8),
        colour=rng.choice(TABLES),
        blur=rng.uniform(0.4, 1.1),
        noise=rng.uniform(1, 5),
        fill=fill,
    )
    return closer(photo, matrix, (width, height)) if rng.random() < 0.45 else photo


def closer(photo: np.ndarray, matrix: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """The photo without the table: only the page, up to its outer margins."""
    width, height = size
    edge = 0.8 * 1.2 * BODY * SCALE
    points = camera.through(
        matrix, [(edge, edge), (width - edge, edge), (width - edge, height - edge), (edge, height - edge)]
    )
    xs, ys = sorted(x for x, _ in points), sorted(y for _, y in points)
    return photo[max(0, int(ys[0])) : int(ys[-1]) + 1, max(0, int(xs[0])) : int(xs[-1]) + 1]


def sample(seed: int, number: int, words: Words, template: str) -> tuple[np.ndarray, dict[str, Any], str]:
    """(picture, truth, file ending) of one sample."""
    page, picture, rng = page_that_fits("%d/%s/%d" % (seed, template, number), words, template)
    page.kind = "photo" if template != "web" and rng.random() < 0.6 else "flat"
    ending = "png" if page.kind == "flat" and rng.random() < 0.5 else "jpg"
    return (photographed(picture, rng) if page.kind == "photo" else picture), truth_of(page), ending


def write(folder: Path, seed: int, per_template: int, template: str | None = None) -> None:
    """Writes FOLDER/images and FOLDER/gt.json. Words are always our own."""
    words, rows = Words(), {}
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for name in [template] if template else TEMPLATES:
        for number in range(per_template):
            picture, truth, ending = sample(seed, number, words, name)
            file = "images/%s-%02d.%s" % (name, number, ending)
            image = Image.fromarray(picture)
            if ending == "png":
                image = image.quantize(128, dither=Image.Dither.NONE)
            image.save(folder / file, **({"quality": 85} if ending == "jpg" else {"optimize": True}))
            rows[file] = {**truth, "traits": [name]}
    (folder / "gt.json").write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
