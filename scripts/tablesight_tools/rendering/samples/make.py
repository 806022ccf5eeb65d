"""Renders samples/ again: scripts/make-samples. Two runs on one machine write the same files."""

import json
import sys
from pathlib import Path

from tablesight_tools.rendering.samples import bad, barcodes, boards, catalogue, documents, labels, menus, teaching


def main() -> None:
    root = Path(sys.argv[1])
    folder, models = root / "samples", root / "models"
    menus.make(folder)
    labels.make(folder)
    documents.make(folder)
    products = json.loads((models / "catalogue/samples.json").read_text(encoding="utf-8"))
    barcodes.make(folder, products)
    catalogue.make(folder, products)
    boards.make(folder, models)
    bad.make(folder)
    teaching.make(folder)
    for kind in sorted(path for path in folder.iterdir() if path.is_dir()):
        photos = [path for path in kind.iterdir() if not path.name.endswith(".expected.json")]
        print(f"{kind.name}: {len(photos)} photos, {sum(path.stat().st_size for path in photos) // 1024} KiB")


if __name__ == "__main__":
    main()
