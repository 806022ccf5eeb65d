"""Writes invented products as Open Food Facts JSONL, to measure imports and searches.

    scripts/make-catalogue COUNT FILE [--seed N] [--queries FILE]

The words of names follow Zipf's law, as real ones do. The same seed gives the same bytes. A producer maintains one
product in ten. --queries writes 1,000 numbers to FILE.codes, 1,000 searches to FILE.words, and the same searches with
one typing mistake in one word to FILE.typos.
"""

import argparse
import bisect
import itertools
import json
import random
from collections.abc import Sequence

from tablesight_tools.gtin import check_digit

SYLLABLES = [
    c + v + e
    for c in "b br c ch d f g gr h k l m n p pr r s st t tr v z".split()
    for v in "a e i o u ai".split()
    for e in ("", "n", "r", "l", "s")
]
ALLERGENS = "milk gluten nuts soybeans eggs peanuts sesame-seeds fish celery mustard".split()


def words(rng: random.Random, count: int) -> list[str]:
    """Distinct words of two to four syllables."""
    found = {}
    while len(found) < count:
        found["".join(rng.choice(SYLLABLES) for _ in range(rng.choice((2, 2, 3, 3, 4))))] = None
    return list(found)


class Zipf:
    """Draws words, the nth with a weight of 1/(n + 2.7)."""

    def __init__(self, rng: random.Random, items: Sequence[str]) -> None:
        self.rng, self.items = rng, items
        self.sums = list(itertools.accumulate(1 / (n + 2.7) for n in range(1, len(items) + 1)))

    def draw(self) -> str:
        return self.items[bisect.bisect(self.sums, self.rng.random() * self.sums[-1])]


def code(number: int) -> str:
    """An EAN-13 in the range 300…, a different one for each number."""
    body = "3%011d" % number
    return body + check_digit(body)


def mistyped(rng: random.Random, word: str) -> str:
    at = rng.randrange(1, len(word) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + rng.choice("aeiourstln") + word[at:]
    if kind == 2:
        return word[:at] + rng.choice("aeiourstln") + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    vocabulary = words(rng, 60_000)
    names, brands, foods = (
        Zipf(rng, vocabulary),
        Zipf(rng, [w.title() for w in vocabulary[:20_000]]),
        Zipf(rng, vocabulary[5_000:9_000]),
    )
    asked = set(rng.sample(range(options.count), min(1000, options.count)))
    codes, searches, typos = [], [], []
    with open(options.file, "w", encoding="utf-8") as file:
        for number in range(options.count):
            name = [names.draw() for _ in range(rng.choice((1, 2, 2, 3, 3, 4)))]
            brand = brands.draw()
            product = {
                "code": code(number * 31 % 99_999_999_977),
                "product_name": " ".join(name).capitalize(),
                "brands": brand,
                "quantity": "%d g" % rng.randrange(50, 1000, 10),
                "lang": rng.choice(("en", "fr", "de")),
                "categories_tags": ["en:" + foods.draw() for _ in range(3)],
                "ingredients_text": ", ".join(foods.draw() for _ in range(rng.randrange(3, 12))),
                "allergens_tags": ["en:" + word for word in rng.sample(ALLERGENS, rng.choice((0, 0, 1, 2)))],
                "nutriments": {
                    "energy-kcal_100g": rng.randrange(20, 700),
                    "fat_100g": rng.randrange(0, 500) / 10,
                    "carbohydrates_100g": rng.randrange(0, 500) / 10,
                    "proteins_100g": rng.randrange(0, 300) / 10,
                },
                "last_modified_t": 1_600_000_000 + rng.randrange(150_000_000),
                "countries_tags": ["en:france"],
            }
            if rng.random() < 0.1:
                product["owner"] = "org-" + brand.lower()
            file.write(json.dumps(product, ensure_ascii=False) + "\n")
            if number in asked:
                codes.append(product["code"])
                searches.append(" ".join([*name[:2], brand]) if rng.random() < 0.5 else " ".join(name[:2]))
                picked = searches[-1].split()
                long = [n for n, word in enumerate(picked) if len(word) >= 5]
                if long:
                    picked[long[0]] = mistyped(rng, picked[long[0]])
                    typos.append(" ".join(picked))
    if options.queries:
        for ending, lines in (("codes", codes), ("words", searches), ("typos", typos)):
            with open(options.queries + "." + ending, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
