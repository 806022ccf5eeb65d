"""Photos of printed menus, from pages/menus.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import ImageDraw, ImageFont

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples import files
from tablesight_tools.rendering.samples.typesetting import font, page

WIDTH, HEIGHT = 1240, 1700


def money(price: str, style: dict[str, Any]) -> str:
    price = price.replace(".", ",") if style.get("comma") else price
    return f"{price} {style['symbol']}" if style.get("after") else style["symbol"] + price


def draw_section(
    draw: ImageDraw.ImageDraw,
    section: dict[str, Any],
    style: dict[str, Any],
    left: float,
    right: float,
    y: float,
    sizes: tuple[ImageFont.FreeTypeFont, ...],
) -> float:
    name, small, head = sizes
    ink = style["ink"]
    draw.text((left, y), section["title"].upper(), ink, head)
    y += int(head.size * 1.7)
    for dish in section["dishes"]:
        draw.text((left, y), dish["name"], ink, name)
        price = money(dish["price"], style)
        draw.text((right - draw.textlength(price, name), y), price, ink, name)
        if codes := dish.get("codes"):
            draw.text((left + draw.textlength(dish["name"] + "  ", name), y), f"({','.join(codes)})", ink, name)
        y += int(name.size * 1.3)
        draw.text((left, y), dish["description"], ink, small)
        y += int(small.size * 2.0)
    return y + 26


def draw_menu(menu: dict[str, Any]) -> np.ndarray:
    style = menu["style"]
    image, draw = page(WIDTH, HEIGHT, style["paper"])
    columns = style.get("columns", 1)
    size = 36 if columns == 1 else 30
    sizes = font(style["font"], size, True), font(style["font"], size - 4), font(style["font"], size + 6, True)
    title = font(style["font"], 58, True)
    draw.text(((WIDTH - draw.textlength(menu["title"], title)) / 2, 70), menu["title"], style["ink"], title)
    top, margin, gutter = 200, 110, 90
    width = (WIDTH - 2 * margin - (columns - 1) * gutter) // columns
    y = top
    for number, section in enumerate(menu["sections"]):
        column = number % columns
        left = margin + column * (width + gutter)
        if columns > 1:
            y = top
        y = draw_section(draw, section, style, left, left + width, y, sizes)
    if legend := menu.get("legend"):
        text = f"{menu['legendTitle']}: " + ", ".join(f"{code} = {word}" for code, word, _ in legend)
        draw.text((margin, y + 10), text[:90], style["ink"], font(style["font"], 27))
        if len(text) > 90:
            raise SystemExit(f"the legend of {menu['case']} is too long for one line")
    return np.array(image)


def make(folder: Path) -> None:
    for menu in json.loads((Path(__file__).parent / "pages/menus.json").read_text(encoding="utf-8")):
        photo, _ = camera.photograph(draw_menu(menu), (1400, 1860), menu["photo"]["seed"], menu["photo"]["tilt"])
        truth = {
            "domains": ["menu"],
            "language": menu["language"],
            "currency": menu["currency"],
            "dishes": [
                {
                    "section": section["title"],
                    "name": dish["name"],
                    "description": dish["description"],
                    "prices": [dish["price"]],
                    "contains": dish["contains"],
                }
                for section in menu["sections"]
                for dish in section["dishes"]
            ],
            "legend": [{"code": code, "allergen": allergen} for code, _, allergen in menu.get("legend", [])],
        }
        files.save(
            folder / "menus", menu["case"], photo, truth, menu["photo"]["format"], menu["photo"].get("orientation", 1)
        )
