"""Small bad inputs that show how the program reports them."""

from pathlib import Path

import numpy as np

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import files
from tablesight_tools.rendering.samples.png import bomb


def make(folder: Path) -> None:
    place = folder / "bad"
    place.mkdir(parents=True, exist_ok=True)
    whole = (folder / "barcodes/spread-ean13.jpg").read_bytes()
    for name, data, status, reason in [
        ("empty.jpg", b"", "failed", "emptyFile"),
        ("cut.jpg", whole[: len(whole) * 2 // 5], "partial", "truncated"),
        ("not-an-image.png", b"This is a letter, not a photo.\n", "failed", "notAnImage"),
        ("huge.png", bomb(30_000), "failed", "tooLarge"),
    ]:
        (place / name).write_bytes(data)
        files.write_truth(place, name.rsplit(".", 1)[0], {"status": status, "reason": reason})
    photo, _ = camera.photograph(
        np.full((60, 80, 3), 186, np.uint8), (1000, 750), 91, colour=(186, 186, 186), shadow=False
    )
    files.save(place, "blank", photo, {"status": "unreadable", "reason": "nothingRead"})
