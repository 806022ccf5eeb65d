"""Renders European nutrition tables as photos with truth: scripts/tool rendering.nutrition.tables

For score_documents.py. Ten languages in the layouts of packages: with and without rules, one or two columns, a column
of reference intakes, two languages in a row, and running text. Amounts are drawn by chance; energy follows from them.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.samples.typesetting import font, page, paragraph

FILE = json.loads((Path(__file__).parent / "words.json").read_text(encoding="utf-8"))
WORDS: dict[str, dict[str, str]] = FILE["languages"]
LANGUAGES = tuple(WORDS)
LAYOUTS = ("ruled", "plain", "intake", "bilingual", "running")
NUTRIENTS = ("fat", "saturatedFat", "carbohydrate", "sugars", "fibre", "protein", "salt")
INTAKES = {"energy": 8400, "fat": 70, "saturatedFat": 20, "carbohydrate": 260, "sugars": 90, "protein": 50, "salt": 6}
FONTS = ("DejaVuSans", "DejaVuSansCondensed", "DejaVuSerif")

Amounts = dict[str, float]


def amounts(generator: np.random.Generator) -> Amounts:
    """Grams in 100 g of an invented food, with its energy in kJ and kcal."""
    fat, carbohydrate, fibre, protein = (
        float(generator.uniform(low, high)) for low, high in ((0.2, 30), (2, 60), (0.3, 9), (0.5, 20))
    )
    one = {
        "fat": round(fat, 1),
        "saturatedFat": round(fat * float(generator.uniform(0.1, 0.7)), 1),
        "carbohydrate": round(carbohydrate, 1),
        "sugars": round(carbohydrate * float(generator.uniform(0.05, 0.8)), 1),
        "fibre": round(fibre, 1),
        "protein": round(protein, 1),
        "salt": round(float(generator.uniform(0.01, 2.4)), 2),
    }
    one["energyKJ"] = round(37 * one["fat"] + 17 * (one["carbohydrate"] + one["protein"]) + 8 * one["fibre"])
    one["energyKcal"] = round(9 * one["fat"] + 4 * (one["carbohydrate"] + one["protein"]) + 2 * one["fibre"])
    return one


def share(full: Amounts, grams: int) -> Amounts:
    """The amounts of a portion."""
    return {
        name: round(value * grams / 100, 2 if name == "salt" else 1 if not name.startswith("energy") else None)
        for name, value in full.items()
    }


def printed(name: str, value: float, language: str) -> str:
    """A number as packages print it: a comma in all languages but English."""
    text = f"{value:.2f}" if name == "salt" else f"{value:.0f}" if name.startswith("energy") else f"{value:.1f}"
    return text if language == "en" else text.replace(".", ",")


def basis(per: str, found: Amounts, size: int | None = None) -> dict[str, Any]:
    units = {"energyKJ": "kJ", "energyKcal": "kcal"}
    truth: dict[str, Any] = {"per": [per]}
    if size:
        truth["servingSize"] = f"{size} g"
    for name, value in found.items():
        decimals = 2 if name == "salt" else 0 if name.startswith("energy") else 1
        truth[name] = {"value": f"{value:.{decimals}f}", "unit": units.get(name, "g")}
    return truth


class Table:
    """One package: its words, amounts and columns."""

    def __init__(self, language: str, layout: str, generator: np.random.Generator) -> None:
        self.layout, self.language = layout, language
        self.words = WORDS[language]
        self.other = WORDS[LANGUAGES[(LANGUAGES.index(language) + 3) % len(LANGUAGES)]]
        self.full = amounts(generator)
        self.grams = int(generator.integers(2, 16)) * 5
        self.serving = None if layout in ("plain", "running") else share(self.full, self.grams)
        self.face = str(generator.choice(FONTS))

    def name(self, key: str) -> str:
        return f"{self.words[key]} / {self.other[key]}" if self.layout == "bilingual" else self.words[key]

    def energy(self, found: Amounts) -> str:
        return f"{found['energyKJ']:.0f} kJ / {found['energyKcal']:.0f} kcal"

    def rows(self) -> list[list[str]]:
        """Head and rows: a name and one cell for each column."""
        columns = [self.full] + ([self.serving] if self.serving else [])
        head = [self.name("title"), self.name("full")]
        head += [self.words["serving"] % self.grams] if self.serving else []
        head += [self.words["ri"]] if self.layout == "intake" else []
        rows = [head, [self.name("energy"), *(self.energy(one) for one in columns)]]
        rows += [
            [self.name(key), *(printed(key, one[key], self.language) + " g" for one in columns)] for key in NUTRIENTS
        ]
        if self.layout == "intake" and self.serving:
            for row, key in zip(rows[1:], ("energy", *NUTRIENTS), strict=True):
                value = self.serving["energyKJ" if key == "energy" else key]
                row.append(f"{100 * value / INTAKES[key]:.0f} %" if key in INTAKES else "")
        return rows

    def truth(self) -> dict[str, Any]:
        bases = [basis("100g", self.full)]
        if self.serving:
            bases.append(basis("serving", self.serving, self.grams))
        return {"basis": bases}

    def draw(self) -> np.ndarray:
        return self.running() if self.layout == "running" else self.table()

    def running(self) -> np.ndarray:
        """Running text, as on small packages."""
        rows = self.rows()
        text = f"{rows[0][0]} {rows[0][1]}: " + ", ".join(" ".join(row) for row in rows[1:]) + "."
        image, draw = page(760, 420, "#f4f2ea")
        chosen = font(self.face, 26)
        paragraph(draw, text, 40, 40, 680, chosen, chosen, "#1c1c1c")
        return np.array(image)

    def table(self) -> np.ndarray:
        rows, size = self.rows(), 26
        chosen = font(self.face, size)
        measure = ImageDraw.Draw(Image.new("RGB", (1, 1)))
        widths = [
            max(measure.textlength(row[column], chosen) for row in rows if column < len(row)) + 30
            for column in range(len(rows[0]))
        ]
        width, step = int(sum(widths)) + 80, int(size * 1.6)
        image, draw = page(width, step * (len(rows) + 1) + 100, "#f4f2ea")
        for number, row in enumerate(rows):
            y, left = 40 + number * step, 40.0
            for column, text in enumerate(row):
                # Numbers end at the right edge of their column.
                x = left if column == 0 else left + widths[column] - 12 - draw.textlength(text, chosen)
                draw.text((x, y), text, "#1c1c1c", chosen)
                left += widths[column]
            if self.layout in ("ruled", "intake"):
                draw.line((40, y + step - 5, width - 40, y + step - 5), "#555555", 2)
        if self.layout == "intake":
            draw.text((40, 52 + step * len(rows)), self.words["note"], "#1c1c1c", font(self.face, 17))
        return np.array(image)


def make(folder: Path, seed: int, layouts: int) -> None:
    images: dict[str, Any] = {}
    (folder / "images").mkdir(parents=True, exist_ok=True)
    for number, language in enumerate(LANGUAGES):
        for turn in range(layouts):
            layout = LAYOUTS[(number + turn * 2 + seed) % len(LAYOUTS)]
            generator = np.random.default_rng([seed, number, turn])
            table = Table(language, layout, generator)
            drawn = table.draw()
            height, width = drawn.shape[:2]
            scale = 1500 / max(height, width)
            size = (int(width * scale) + 160, int(height * scale) + 160)
            photo, _ = camera.photograph(drawn, size, seed * 1000 + number * 10 + turn, 7, fill=0.9)
            name = f"images/{language}-{layout}.jpg"
            Image.fromarray(photo).save(folder / name, quality=84)
            images[name] = table.truth()
    text = json.dumps({"kind": "nutrition", "images": images}, ensure_ascii=False, indent=1)
    (folder / "truth.json").write_text(text + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for images/ and truth.json")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other amounts (default: 1)")
    parser.add_argument("--layouts", type=int, default=3, help="layouts for each language, 1 to 5 (default: 3)")
    options = parser.parse_args()
    make(options.out, options.seed, options.layouts)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
