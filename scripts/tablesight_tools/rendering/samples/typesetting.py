"""Fonts and lines of text on a page."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDERS = (
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/truetype/liberation",
    "/usr/share/fonts/truetype/liberation2",
)
BOLD = {
    "DejaVuSans": "DejaVuSans-Bold",
    "DejaVuSerif": "DejaVuSerif-Bold",
    "LiberationSans-Regular": "LiberationSans-Bold",
}


def font(name: str, size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    name = {"LiberationSans": "LiberationSans-Regular"}.get(name, name)
    name = BOLD[name] if bold else name
    for folder in FOLDERS:
        if (path := Path(folder) / f"{name}.ttf").is_file():
            return ImageFont.truetype(str(path), size)
    raise SystemExit(f"no font {name}: apt-get install fonts-dejavu-core fonts-liberation")


def page(width: int, height: int, colour: str) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (width, height), colour)
    return image, ImageDraw.Draw(image)


def paragraph(
    draw: ImageDraw.ImageDraw,
    text: str,
    x: float,
    y: float,
    width: float,
    regular: ImageFont.FreeTypeFont,
    bold: ImageFont.FreeTypeFont,
    ink: str,
    leading: float = 1.35,
) -> float:
    """Draws wrapped text in which **words** are bold, and returns the y of the next line."""
    step = int(regular.size * leading)
    blank = draw.textlength(" ", regular)
    left = x
    for word in text.split():
        pieces = word.split("**")
        length = sum(draw.textlength(part, bold if n % 2 else regular) for n, part in enumerate(pieces))
        if left + length > x + width and left > x:
            left, y = x, y + step
        for n, part in enumerate(pieces):
            chosen = bold if n % 2 else regular
            draw.text((left, y), part, ink, chosen)
            left += draw.textlength(part, chosen)
        left += blank
    return y + step
