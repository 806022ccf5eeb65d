"""Small PNG files, each with its own content, and copies of photos with other bytes."""

import zlib
from collections.abc import Iterable
from pathlib import Path

JPEG, PNG = b"\xff\xd8", b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG: length, kind, data, checksum."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def picture(text: str, width: int = 8, height: int = 8) -> bytes:
    """A white greyscale PNG with `text` in a comment. Different texts give different bytes."""
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\0\0\0\0"
    chunks = [
        chunk(b"IHDR", head),
        chunk(b"tEXt", b"Comment\0" + text.encode() + b" "),
        chunk(b"IDAT", rows),
        chunk(b"IEND", b""),
    ]
    return PNG + b"".join(chunks)


def fill(folder: Path, text: str, numbers: Iterable[int]) -> None:
    """Writes NUMBER.png for each number, with the text and the number in its comment."""
    for number in numbers:
        (folder / f"{number}.png").write_bytes(picture(f"{text} {number}"))


def with_comment(photo: bytes, text: str) -> bytes:
    """The same JPEG or PNG with a comment, so that its bytes differ."""
    words = text.encode()
    if photo.startswith(PNG):
        return photo[:33] + chunk(b"tEXt", b"comment\0" + words) + photo[33:]  # after IHDR, which has 25 bytes
    if not photo.startswith(JPEG):
        raise ValueError("neither JPEG nor PNG")
    return photo[:2] + b"\xff\xfe" + (len(words) + 2).to_bytes(2, "big") + words + photo[2:]
