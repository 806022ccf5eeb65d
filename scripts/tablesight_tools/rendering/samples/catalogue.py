"""The sample products as an export of Open Food Facts, to try an import: samples/catalogue/products.jsonl.gz."""

import gzip
import json
from pathlib import Path

from tablesight_tools import paths

# Tags of Open Food Facts that are not the allergen's name.
TAGS = {"sesame": "sesame-seeds", "sulphites": "sulphur-dioxide-and-sulphites"}
NUTRIMENTS = {
    "energyKcal": "energy-kcal_100g",
    "fat": "fat_100g",
    "saturatedFat": "saturated-fat_100g",
    "carbohydrate": "carbohydrates_100g",
    "sugars": "sugars_100g",
    "fibre": "fiber_100g",
    "protein": "proteins_100g",
    "salt": "salt_100g",
}


def record(product: dict) -> dict:
    """One line of the export."""

    def tags(names: list[str]) -> list[str]:
        return ["en:" + TAGS.get(name, name) for name in names]

    return {
        "code": product["gtin"],
        "product_name": product["name"],
        "brands": product["brand"],
        "lang": product["language"],
        "quantity": product["quantity"],
        "serving_size": product["serving"],
        "serving_quantity": product["servingGrams"],
        "ingredients_text": product["ingredients"],
        "allergens_tags": tags(product["contains"]),
        "traces_tags": tags(product["mayContain"]),
        "nutriments": {NUTRIMENTS[key]: value for key, value in product["per100"].items()},
    }


def lines(catalogue: dict) -> str:
    """The export of models/catalogue/samples.json as text."""
    return "".join(json.dumps(record(product), ensure_ascii=False) + "\n" for product in catalogue["products"])


def make(folder: Path, catalogue: dict) -> None:
    """Writes the export below samples/; two runs write the same bytes."""
    place = folder / "catalogue"
    place.mkdir(exist_ok=True)
    (place / "products.jsonl.gz").write_bytes(gzip.compress(lines(catalogue).encode(), 9, mtime=0))


def main() -> None:
    catalogue = json.loads((paths.MODELS / "catalogue/samples.json").read_text(encoding="utf-8"))
    make(paths.REPOSITORY / "samples", catalogue)


if __name__ == "__main__":
    main()
