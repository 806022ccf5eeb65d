"""Bad inputs, tiny, to show what becomes of them."""
import struct
import zlib

import numpy as np

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import files


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb(side):
    """A black PNG of side×side pixels, one bit each."""
    squeeze = zlib.compressobj(9)
    row = b"\0" + bytes(-(-side // 8))
    data = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def make(folder):
    place = folder / "bad"
    place.mkdir(parents=True, exist_ok=True)
    whole = (folder / "barcodes/spread-ean13.jpg").read_bytes()
    for name, data, status, reason in [
        ("empty.jpg", b"", "failed", "emptyFile"), ("cut.jpg", whole[:len(whole) * 2 // 5], "partial", "truncated"),
        ("not-an-image.png", b"This is a letter, not a photo.\n", "failed", "notAnImage"),
        ("huge.png", bomb(30_000), "failed", "tooLarge"),
    ]:
        (place / name).write_bytes(data)
        files.write_truth(place, name.rsplit(".", 1)[0], {"status": status, "reason": reason})
    photo, _ = camera.photograph(np.full((60, 80, 3), 186, np.uint8), (1000, 750), 91, colour=(186, 186, 186), shadow=False)
    files.save(place, "blank", photo, {"status": "unreadable", "reason": "nothingRead"})
