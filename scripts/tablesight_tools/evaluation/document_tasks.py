"""Counts what the app offers of receipts and nutrition tables: right, wrong, left to the person, or missing.

    scripts/tool evaluation.document_tasks DIR... --scorer EVAL --tablesight PROGRAM [--first 20]

A receipt goes through `Accept all` without a correction; where shop or currency is not offered, the true one is typed.
A price is right if name, amount and the price of a piece or unit are those of the print. A label becomes a meal by
`POST …/entries`, or else fills the form of the page Add: energy, protein, carbohydrate and fat count. EVAL holds
score_documents.py.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
import urllib.error
from collections import Counter
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from tablesight_tools.browser.daemon import Daemon
from tablesight_tools.browser.invented import Member
from tablesight_tools.evaluation.document_causes import listed

MACROS = {"protein": "protein", "carbs": "carbohydrate", "fat": "fat"}


def verdict(shown: Any, forms: list[str], same: Any) -> str:
    if shown is None:
        return "missing" if forms else "rightly empty"
    return "right" if any(same(shown, form) for form in forms) else "wrong"


def prices(lines: list[Any], trues: list[Any], scorer: Any) -> Counter[str]:
    """What became of the prices of a receipt."""

    def unit(item: Any) -> Decimal:
        amount = Decimal(item["amount"])
        return Decimal(item.get("unitPrice") or round(amount / Decimal(item.get("quantity") or 1), 2))

    count: Counter[str] = Counter()
    trues = list(trues)
    for line in [line for merged in lines for line in [merged] * len(merged["lines"])]:
        amount = Decimal(line["amount"]) / len(line["lines"])
        alike = [true for true in trues if scorer.same_number(amount, true["amount"])
                 and any(scorer.alike(line["name"], form) >= scorer.ITEM for form in listed(true["name"]))]  # fmt: skip
        if alike:
            trues.remove(alike[0])
        if line["state"] != "priceless":
            right = bool(alike) and scorer.same_number(line["price"], unit(alike[0]))
            count[("accepted " if line["state"] == "accepted" else "left ") + ("right" if right else "wrong")] += 1
            count["true"] += bool(alike)
    missing = sum(Decimal(true["amount"]) > 0 for true in trues)
    return count + Counter({"true": missing, "missing": missing})


def receipt(member: Member, photo: Path, truth: Any, scorer: Any) -> Counter[str]:
    identity = member.daemon.upload(photo)
    try:
        read = member.call("GET", f"/v1/receipts/{identity}")
    except urllib.error.HTTPError:
        return Counter({"no receipt": 1}) + prices([], truth.get("items", []), scorer)
    read["date"] = None if read["isPhotoDate"] else read["date"]
    found = {name: verdict(read.get(name), listed(truth[name]), scorer.SAME[name])
             for name in ("merchant", "date", "currency", "total") if name in truth}  # fmt: skip
    answer: dict[str, Any] = {"currency": read.get("currency") or (listed(truth.get("currency")) or ["EUR"])[0]}
    if read.get("place") is None:
        answer["shop"] = {"name": read.get("merchant") or (listed(truth.get("merchant")) or ["Shop"])[0]}
    try:
        member.call("POST", f"/v1/receipts/{identity}", answer)
    except urllib.error.HTTPError as error:
        found["refused"] = error.read().decode()
    lines = member.call("GET", f"/v1/receipts/{identity}")["lines"] if "items" in truth else []
    return Counter(f"{name} {what}" for name, what in found.items()) + prices(lines, truth.get("items", []), scorer)


def label(member: Member, photo: Path, truth: Any, scorer: Any) -> Counter[str]:
    identity = member.daemon.upload(photo)
    try:
        food = member.call("POST", f"{member.address}/entries", {"image": identity})["entries"][0]["food"]
        how, hundred = "logged", any(one.get("grams") == 100 and one["multiplier"] == 1 for one in
                                     [food["defaultServing"], *food.get("altServings", [])])  # fmt: skip
        values = {key: None if key in food.get("unknown", []) else food.get(key) for key in ("calories", *MACROS)}
    except urllib.error.HTTPError:
        page = member.daemon.bytes(f"/today/photo/{identity}", member=member.name).decode()
        form = re.search(r'class="stack-s item--check".*?</form>', page, re.S)
        if not form:
            return Counter({"nothing offered": 1})
        how, hundred = "asked", "100" in re.findall(r'<legend class="label">(.*?)</legend>', form[0])[0]
        values = {key: next(iter(re.findall(rf'name="{key}"[^>]*?value="([^"]+)"', form[0])), None)
                  for key in ("calories", *MACROS)}  # fmt: skip
    basis = next((b for b in truth["basis"] if hundred == any(per.startswith("100") for per in b["per"])), {})
    count = Counter({how: 1})
    for key, shown in values.items():
        name = MACROS.get(key, "energyKcal")
        forms = listed(basis.get(name, {}).get("value"))
        if key == "calories" and not forms and "energyKJ" in basis:
            forms = [str(round(float(one) / 4.184, 1)) for one in listed(basis["energyKJ"]["value"])]
        if name not in basis.get("skip", []):
            shown = None if shown is None else html.unescape(str(shown))
            count[f"{how} {verdict(shown, forms, scorer.same_number)}"] += 1
    bad = any(key.endswith(("wrong", "missing")) for key in count)
    return count + Counter({f"{how} meals without a fault": int(not bad)})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", type=Path, nargs="+")
    parser.add_argument("--scorer", required=True)
    parser.add_argument("--tablesight", type=Path, required=True)
    parser.add_argument("--first", type=int, help="that many photos of each set")
    options = parser.parse_args()
    sys.path.insert(0, options.scorer)
    scorer = import_module("score_documents")
    totals: dict[str, Counter[str]] = {}
    with Daemon(options.tablesight.resolve()) as daemon:
        member = Member(daemon, "Reader")
        for folder in options.dirs:
            for kind, cases in scorer.find_truth(folder, ["receipt", "nutrition"], options.first).items():
                for photo, (_, truth) in cases.items():
                    count = (receipt if kind == "receipt" else label)(member, Path(photo), truth, scorer)
                    print(kind, Path(photo).name, dict(count), sep="\t", flush=True)
                    totals[kind] = totals.get(kind, Counter({})) + count + Counter({"photos": 1})
    for kind, count in totals.items():
        print(f"# {kind}: " + ", ".join(f"{count[key]} {key}" for key in sorted(count)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
