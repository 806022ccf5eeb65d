"""Generates made-up menus as word boxes or as pictures.

    scripts/tool rendering.menus.generate boxes --count N --seed S [--recipes DIR | --words built-in]
        [--dishes FILE]... [--template NAME] [--language CODE] [--clean]
    scripts/tool rendering.menus.generate samples --seed S --per-template K OUT_DIR
    scripts/tool rendering.menus.generate templates

boxes writes one page per line: words with boxes as a text reader reports them, with roles and the truth. samples
writes pictures and a gt.json. templates lists the names of the templates.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random
from typing import Any

from tablesight_tools.rendering.menus import boxes, edges
from tablesight_tools.rendering.menus.templates import TEMPLATES, choose, make_page
from tablesight_tools.rendering.menus.truth import truth_of
from tablesight_tools.rendering.menus.words import Words


def boxed_page(
    seed: int, number: int, words: Words, template: str | None = None, clean: bool = False, language: str | None = None
) -> dict[str, Any]:
    """One page as word boxes with its truth."""
    key = "%d/%d" % (seed, number)
    rng = Random(key + "/reader")
    name = template or choose(rng)
    page = make_page(key, words, name, language=language)
    page.kind = "flat" if name == "web" and rng.random() < 0.9 else rng.choice(("photo", "photo", "flat"))
    if page.kind == "photo" and not clean:
        if rng.random() < 0.08:
            edges.crop(page, rng)
        if rng.random() < 0.06 and page.words:
            edges.neighbour(page, make_page(key + "/neighbour", words), rng)
    return {
        "id": "%s-%06d" % (name, number),
        "template": name,
        "language": page.language,
        "lines": boxes.read(page, rng, clean),
        "truth": truth_of(page),
    }


def write_boxes(options: argparse.Namespace) -> None:
    """Writes pages to standard output."""
    built_in = options.words == "built-in" or not options.recipes
    words = Words(None if built_in else options.recipes, options.dishes)
    for number in range(options.count):
        page = boxed_page(options.seed, number, words, options.template, options.clean, options.language)
        sys.stdout.write(json.dumps(page, ensure_ascii=False) + "\n")


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    made = commands.add_parser("boxes", help="word boxes, one page a line")
    made.add_argument("--recipes", type=Path, help="folder of LANGUAGE.jsonl.gz files with title and ingredients")
    made.add_argument(
        "--dishes", type=Path, action="append", default=[], help="file of dishes with name and description"
    )
    made.add_argument("--words", choices=("built-in", "recipes"), default="recipes", help="built-in: only words.json")
    made.add_argument("--count", type=int, default=100)
    made.add_argument("--seed", type=int, default=0)
    made.add_argument("--template", choices=sorted(TEMPLATES))
    made.add_argument("--language", help="one language for all pages")
    made.add_argument("--clean", action="store_true", help="no mistakes of the reader")
    drawn = commands.add_parser("samples", help="pictures with gt.json")
    drawn.add_argument("--seed", type=int, default=0)
    drawn.add_argument("--per-template", type=int, default=1)
    drawn.add_argument("--template", choices=sorted(TEMPLATES))
    drawn.add_argument("out", type=Path)
    commands.add_parser("templates", help="names of the templates")
    return parser


def main() -> int:
    """Runs a command."""
    options = arguments().parse_args()
    if options.command == "templates":
        print("\n".join(TEMPLATES))
    elif options.command == "boxes":
        write_boxes(options)
    else:
        # Only pictures need Pillow, numpy and OpenCV.
        from tablesight_tools.rendering.menus import samples  # noqa: PLC0415

        samples.write(options.out, options.seed, options.per_template, options.template)
    return 0


if __name__ == "__main__":
    sys.exit(main())
