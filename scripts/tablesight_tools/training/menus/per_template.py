"""Prints the dish F1 of generated menus by template.

    scripts/tool training.menus.per_template PAGES.ndjson OUTCOMES.ndjson

PAGES is the output of `rendering.menus.generate boxes`, OUTCOMES is what `tablesight-stage menu read` made of it.
"""

import json
import sys
from collections import defaultdict

from tablesight_tools.training.menus.matching import dish_f1


def main() -> None:
    pages = {}
    for line in open(sys.argv[1], encoding="utf-8"):
        page = json.loads(line)
        pages[page["id"]] = page
    found: dict[str, list[float]] = defaultdict(list)
    for line in open(sys.argv[2], encoding="utf-8"):
        outcome = json.loads(line)
        page = pages[outcome["source"]["path"]]
        if any(section["items"] for section in page["truth"]["sections"]):
            found[page["template"]].append(dish_f1(page["truth"], outcome))
    print("| template | pages | mean dish F1 |\n| --- | --- | --- |")
    for name in sorted(found):
        print(f"| {name} | {len(found[name])} | {sum(found[name]) / len(found[name]):.3f} |")
    every = [value for values in found.values() for value in values]
    print(f"| all | {len(every)} | {sum(every) / len(every):.3f} |")


if __name__ == "__main__":
    main()
