"""Photos of barcodes on packets, from pages/barcodes.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import bars, files
from tablesight_tools.rendering.samples.typesetting import font, page


def draw_packet(case: dict[str, Any]) -> np.ndarray:
    image, draw = page(1100, 800, case["paper"])
    draw.text((60, 40), case.get("title", ""), "#222222", font("DejaVuSans", 44, True))
    for code in case["codes"]:
        if code["format"] == "QR-Code":
            pixels = bars.qr(code["text"], scale=9)
        else:
            pixels = bars.linear(code["format"], code["text"], code.get("module", 0.5), code.get("height", 22))
        picture = Image.fromarray(pixels).rotate(code.get("turn", 0), expand=True, fillcolor=case["paper"])
        image.paste(picture, tuple(code["at"]))
    pixels = np.array(image)
    return camera.bend(pixels, case["curve"]) if "curve" in case else pixels


def make(folder: Path, catalogue: dict[str, Any]) -> None:
    names = {product["gtin"]: product["name"] for product in catalogue["products"]}
    for case in json.loads((Path(__file__).parent / "pages/barcodes.json").read_text(encoding="utf-8")):
        photo, _ = camera.photograph(
            draw_packet(case),
            tuple(case.get("size", (1280, 960))),
            case["seed"],
            case.get("tilt", 6),
            colour=tuple(case.get("table", (168, 160, 150))),
            blur=case.get("blur", 0.8),
        )
        truth = {
            "domains": ["barcode"],
            "barcodes": [
                {
                    "format": code["format"],
                    "text": code["text"],
                    "gtin": code.get("gtin"),
                    "product": names.get(code.get("product")),
                }
                for code in case["codes"]
            ],
        }
        files.save(folder / "barcodes", case["case"], photo, truth, case.get("kind", "jpg"), case.get("orientation", 1))
