"""Photos of receipts, price tags, nutrition tables and dates, from pages/documents.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import files
from tablesight_tools.rendering.samples.typesetting import font, page


def draw_rows(document: dict[str, Any]) -> np.ndarray:
    """Rows of cells; each cell has its own left or right edge."""
    size, width = document["size"], document["width"]
    height = int(size * 1.5 * len(document["rows"])) + 120
    image, draw = page(width, height, document.get("paper", "#f6f4ee"))
    name, ink = document["font"], document.get("ink", "#222222")
    for number, row in enumerate(document["rows"]):
        y = 60 + int(size * 1.5 * number)
        for place, text in row:
            chosen = font(name, size)
            # A negative place is a distance from the right edge to the end of the text.
            x = place if place >= 0 else width + place - draw.textlength(text, chosen)
            draw.text((x, y), text, ink, chosen)
    return np.array(image)


def draw_tag(document: dict[str, Any]) -> np.ndarray:
    """Texts at free places with their own sizes."""
    image, draw = page(document["width"], document["height"], document.get("paper", "#fbfbf4"))
    for x, y, size, text, bold in document["texts"]:
        draw.text((x, y), text, document.get("ink", "#111111"), font("DejaVuSans", size, bold))
    return np.array(image)


def make(folder: Path) -> None:
    for document in json.loads((Path(__file__).parent / "pages/documents.json").read_text(encoding="utf-8")):
        drawn = draw_tag(document) if "texts" in document else draw_rows(document)
        height, width = drawn.shape[:2]
        scale = 1500 / max(height, width)
        photo, _ = camera.photograph(
            drawn,
            (int(width * scale) + 160, int(height * scale) + 160),
            document["photo"]["seed"],
            document["photo"]["tilt"],
            fill=0.92,
        )
        truth = {"domains": [document["domain"]], "values": document["values"]}
        files.save(folder / "documents", document["case"], photo, truth)
