"""Photos of the backs of packets, from pages/labels.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import bars, files
from tablesight_tools.rendering.samples.typesetting import font, page, paragraph


def draw_label(label: dict[str, Any]) -> np.ndarray:
    image, draw = page(1200, 900, label["paper"])
    ink = label["ink"]
    regular, bold = font("LiberationSans", 33), font("LiberationSans", 33, True)
    draw.text((70, 50), label["product"], ink, font("LiberationSans", 54, True))
    y = 150
    for part in (
        f"{label['text']} {label['precaution']}",
        label.get("text2"),
        label["nutrition"] + ".",
        label["storage"],
        label["best"],
    ):
        if part:
            y = paragraph(draw, part, 70, y, 1060, regular, bold, ink) + 14
    if code := label.get("barcode"):
        picture = Image.fromarray(bars.linear("EAN-13", code, module=0.33, height=11))
        image.paste(picture, (1200 - picture.width - 50, 900 - picture.height - 30))
    pixels = np.array(image)
    return camera.bend(pixels, label["photo"]["curve"]) if "curve" in label["photo"] else pixels


def make(folder: Path) -> None:
    for label in json.loads((Path(__file__).parent / "pages/labels.json").read_text(encoding="utf-8")):
        photo, _ = camera.photograph(
            draw_label(label),
            (1600, 1240),
            label["photo"]["seed"],
            label["photo"]["tilt"],
            colour=(176, 172, 166),
            fill=0.94,
        )
        truth = {
            "domains": ["label"],
            "language": label["language"],
            "product": label["product"],
            "contains": label["contains"],
            "mayContain": label["mayContain"],
        }
        if code := label.get("barcode"):
            truth["domains"] = ["label", "barcode"]
            truth["barcodes"] = [{"format": "EAN-13", "text": code, "gtin": "0" + code}]
        if "values" in label:
            truth["values"] = label["values"]
        files.save(folder / "labels", label["case"], photo, truth)
