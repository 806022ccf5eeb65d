"""Barcodes as pictures, made by libraries that implement their standards."""

import io

import barcode
import numpy as np
import segno
from barcode.writer import ImageWriter
from PIL import Image

NAMES = {"EAN-13": "ean13", "EAN-8": "ean8", "UPC-A": "upca", "Code 128": "code128"}


def linear(kind: str, text: str, module: float = 0.5, height: float = 22) -> np.ndarray:
    """A linear code with its digits below: RGB, about 12 pixels a millimetre."""
    made = barcode.get(NAMES[kind], text, writer=ImageWriter())
    options = {
        "module_width": module,
        "module_height": height,
        "font_size": 12,
        "text_distance": 5,
        "quiet_zone": 5,
        "dpi": 300,
    }
    stream = io.BytesIO()
    made.write(stream, options)
    return np.array(Image.open(stream).convert("RGB"))


def qr(text: str, scale: int = 14) -> np.ndarray:
    stream = io.BytesIO()
    segno.make(text, micro=False, error="m").save(stream, kind="png", scale=scale, border=4)
    return np.array(Image.open(stream).convert("RGB"))
