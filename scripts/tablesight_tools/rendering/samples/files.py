"""Writes a photo and the truth beside it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

TURNS = {6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}  # upright → as stored


def save(
    folder: str | Path, case: str, photo: np.ndarray, truth: dict[str, Any], kind: str = "jpg", orientation: int = 1
) -> None:
    """Saves an upright 8-bit RGB photo; with an EXIF orientation it is stored rotated."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    image, options = Image.fromarray(photo), {}
    if orientation in TURNS:
        image = image.transpose(TURNS[orientation])
        exif = Image.Exif()
        exif[274] = orientation
        options["exif"] = exif
    if kind in ("jpg", "webp"):
        options["quality"] = 84
    if kind == "png":
        # 64 colours keep the file small and suffice for photos of print.
        image = image.quantize(64, dither=Image.Dither.NONE)
    if kind == "tiff":
        options["compression"] = "jpeg"
    image.save(folder / f"{case}.{kind}", **options)
    write_truth(folder, case, truth)


def write_truth(folder: str | Path, case: str, truth: dict[str, Any]) -> None:
    text = json.dumps({"schema": "tablesight.expected/1", **truth}, ensure_ascii=False, indent=1)
    (Path(folder) / f"{case}.expected.json").write_text(text + "\n", encoding="utf-8")
