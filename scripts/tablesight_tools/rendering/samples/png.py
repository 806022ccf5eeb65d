"""A minimal PNG writer, for pictures that no library would write."""

import struct
import zlib

from tablesight_tools.pictures import PNG, chunk


def bomb(side: int) -> bytes:
    """A black PNG of side×side pixels, one bit each."""
    squeeze = zlib.compressobj(9)
    row = b"\0" + bytes(-(-side // 8))
    data = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def picture(width: int, height: int, rgb: bytes) -> bytes:
    """A PNG of rows of RGB, a byte each. Rows are stored as differences to the left, which plain shapes make short."""
    rows = bytearray()
    for y in range(height):
        row = rgb[y * width * 3 : (y + 1) * width * 3]
        rows.append(1)
        rows += bytes((value - (row[i - 3] if i >= 3 else 0)) & 255 for i, value in enumerate(row))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
