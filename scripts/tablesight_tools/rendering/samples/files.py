"""Writes a photo and the truth beside it."""
import json
from pathlib import Path

from PIL import Image

TURNS = {6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}     # upright → as stored


def save(folder, case, photo, truth, kind="jpg", orientation=1):
    """`photo` is upright 8-bit RGB; with an EXIF orientation it is stored on its side."""
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
        # Few colours keep the file small; photos of print lose nothing by it.
        image = image.quantize(64, dither=Image.Dither.NONE)
    if kind == "tiff":
        options["compression"] = "jpeg"
    image.save(folder / f"{case}.{kind}", **options)
    write_truth(folder, case, truth)


def write_truth(folder, case, truth):
    text = json.dumps({"schema": "tablesight.expected/1", **truth}, ensure_ascii=False, indent=1)
    (Path(folder) / f"{case}.expected.json").write_text(text + "\n", encoding="utf-8")
