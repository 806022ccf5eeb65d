"""Trains the classifier of menu texts: models/menus/roles.json.

    scripts/tool training.menus.train PAGES.ndjson --out MODEL.json [--typed READINGS.ndjson GT.json]…
        [--folds 5 --outcomes FILE.ndjson] [--stage .build/release/tablesight-stage] [--models models]
        [--averaged 1] [--epochs 20]

PAGES is the output of `rendering.menus.generate boxes`. READINGS is what `tablesight scan --as menu --format json`
prints for pages whose truth is in GT.json. With --outcomes, the typed pages are read by models that saw no page of
their fold, and their menus are written one a line, for the menu scorer and for `training.menus.confidence`. Needs
numpy, scipy, scikit-learn and torch. scripts/train-menus runs all steps.
"""

import argparse
import json
import random
import sys
from dataclasses import replace
from pathlib import Path

from tablesight_tools.training.menus import labels
from tablesight_tools.training.menus.fit import fit
from tablesight_tools.training.menus.letters import letters_model
from tablesight_tools.training.menus.stage import PageRows, Stage
from tablesight_tools.training.menus.typed import house_of, load_typed

SCHEMA = "tablesight.menu-roles/2"
LETTER_CLASSES = {"N": "N", "C": "N", "D": "D", "H": "H", "L": "O", "T": "O", "O": "O"}


class Trainer:
    """Trains networks and writes them as the program reads them."""

    def __init__(self, stage: Stage, work: Path, options: argparse.Namespace) -> None:
        self.stage, self.work, self.options = stage, work, options
        self.texts: dict[str, str] = {}

    def model(self, letters: dict, networks: list[dict]) -> dict:
        return {
            "schema": SCHEMA,
            "version": self.options.version,
            "source": self.options.source,
            "licence": "Apache-2.0",
            "letters": letters,
            "networks": networks,
        }

    def save(self, name: str, letters: dict, networks: list[dict]) -> Path:
        file = self.work / name
        file.write_text(json.dumps(self.model(letters, networks)), encoding="utf-8")
        return file

    def networks(self, pages: list[PageRows]) -> list[dict]:
        """The networks of a model, fitted to pages from different starts."""
        return [fit(pages, seed, self.options.epochs).packed() for seed in range(self.options.averaged)]


def letter_pairs(pages: list[dict], limit: int = 40000) -> list[tuple[str, str]]:
    """Texts of generated pages with the role of their words."""
    pairs = []
    for page in pages:
        for line in page["lines"]:
            run: list[dict] = []
            for word in [*line["words"], None]:
                if run and (word is None or word["role"] != run[-1]["role"]):
                    role = LETTER_CLASSES.get(run[0]["role"])
                    if role:
                        pairs.append((" ".join(w["text"] for w in run), role))
                    run = []
                if word:
                    run.append(word)
    random.Random(1).shuffle(pairs)
    return pairs[:limit]


def cropped(pages: list[dict], share: float) -> list[dict]:
    """Crops of some pages, a few lines high, because photos may show a part of a page."""
    draw = random.Random(3)
    parts = []
    for page in pages:
        if draw.random() >= share or len(page["lines"]) < 4:
            continue
        tops = sorted(line["box"][0][1] for line in page["lines"])
        start = draw.randrange(len(tops) - 2)
        last = min(len(tops) - 1, start + draw.choice((1, 2, 3, 5, 8, 13)))
        lines = [line for line in page["lines"] if tops[start] <= line["box"][0][1] <= tops[last]]
        parts.append({**page, "id": page["id"] + "-part", "lines": lines})
    return parts


def folds_of(pages: list[PageRows], typed: dict[str, dict], count: int) -> list[int]:
    """The fold of each page: generated pages in turn, typed pages by restaurant in a fixed random order."""
    houses = sorted({house_of(page.name) for page in pages if page.name in typed})
    random.Random(7).shuffle(houses)
    place = {house: n % count for n, house in enumerate(houses)}
    return [place[house_of(page.name)] if page.name in typed else n % count for n, page in enumerate(pages)]


def prepare(trainer: Trainer, options: argparse.Namespace) -> tuple[dict, list[PageRows], dict[str, dict]]:
    """The letters' model and the labelled rows of all pages."""
    made = [json.loads(line) for line in Path(options.pages).read_text("utf-8").splitlines()]
    pairs = letter_pairs(made)
    letters = letters_model(pairs, trainer.stage.letters([text for text, _ in pairs]))
    file = trainer.save("letters.json", letters, [])
    made += cropped(made, options.cropped)
    lines = [json.dumps({"id": page["id"], "lines": page["lines"]}) for page in made]
    pages = []
    for page, line, rows in zip(made, lines, trainer.stage.rows(lines, file)):
        if not 1 <= len(rows.texts) <= 160:
            continue
        trainer.texts[rows.name] = line
        pages.append(replace(rows, roles=labels.of_generated(page, rows.texts)))
    typed = {}
    for name, line, truth in load_typed(options.typed):
        rows = trainer.stage.rows([line], file)[0]
        trainer.texts[name], typed[name] = line, truth
        pages.append(replace(rows, roles=labels.of_typed(truth, rows.texts), weight=options.weight))
    return letters, [page for page in pages if len(page.texts)], typed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages")
    parser.add_argument("--out", required=True)
    parser.add_argument("--typed", nargs=2, action="append", default=[], metavar=("READINGS", "GT"))
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--outcomes", help="write what models that saw no page of a fold read on it")
    parser.add_argument("--stage", default=".build/release/tablesight-stage")
    parser.add_argument("--models", default="models")
    parser.add_argument("--averaged", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--weight", type=float, default=12.0, help="of a typed page; a generated one has 1")
    parser.add_argument("--cropped", type=float, default=0.3, help="share of generated pages of which a part is added")
    parser.add_argument("--version", default="1")
    generator = "scripts/tablesight_tools/rendering/menus"
    parser.add_argument("--source", default=f"generated menus ({generator}) and menus typed by hand")
    parser.add_argument("--work", default="/tmp/menu-training")
    options = parser.parse_args()
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(Stage(options.stage, options.models), work, options)
    letters, pages, typed = prepare(trainer, options)
    folds = folds_of(pages, typed, options.folds)
    count = sum(len(page.texts) for page in pages)
    print(f"{len(pages)} pages, {len(typed)} of them typed, {count} texts", file=sys.stderr, flush=True)
    model = trainer.model(letters, trainer.networks(pages))
    Path(options.out).write_text(json.dumps(model) + "\n", encoding="utf-8")
    if options.outcomes:
        with open(options.outcomes, "w", encoding="utf-8") as out:
            for fold in range(options.folds):
                rest = [page for page, own in zip(pages, folds) if own != fold or page.name not in typed]
                file = trainer.save(f"fold{fold}.json", letters, trainer.networks(rest))
                mine = [page.name for page, own in zip(pages, folds) if own == fold and page.name in typed]
                for line in trainer.stage.run(["read", "--model", str(file)], [trainer.texts[name] for name in mine]):
                    out.write(line + "\n")
                print(f"  fold {fold}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
