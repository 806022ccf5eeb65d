"""Makes docs/accuracy.md and its plots from docs/accuracy.json. The page is not edited by hand.

    scripts/tool report.page            write the page
    scripts/tool report.page --check    exit code 1 if the page differs from its figures

Exit codes: 0 written, or as the figures say; 1 it differs (--check); 66 no figures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tablesight_tools.charts import Bar, Group, bar_chart
from tablesight_tools.paths import REPOSITORY

DOCS = REPOSITORY / "docs"
FIGURES = DOCS / "accuracy.json"
PLOTS = "pictures/accuracy"
OWN = "Tablesight"
TEXTS = Path(__file__).with_name("accuracy.md")
Report = dict[str, Any]


def dig(report: Any, *keys: str) -> Any:
    """The value below these keys, or None."""
    for key in keys:
        if not isinstance(report, dict) or key not in report:
            return None
        report = report[key]
    return report


def cell(value: Any) -> str:
    """A figure as the tables show it: shares with three decimals and no zero in front."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}".removeprefix("0") if abs(value) < 1 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(header: list[str], rows: list[list[Any]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + " --- |" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows])


def chart(name: str, title: str, unit: str, groups: list[Group], plots: dict[str, str]) -> str:
    """Adds a plot and returns its Markdown."""
    plots[f"{name}.svg"] = bar_chart(title, unit, groups)
    return f"![{title}: {unit}]({PLOTS}/{name}.svg)"


def grouped(readers: dict[str, Report], sets: list[tuple[str, str]], *keys: str) -> list[Group]:
    """One group a set, one bar a reader; `keys` lead from a set to its figure, `sets` are (key, title)."""
    return [
        Group(title, [Bar(who, dig(one, *key.split("/"), *keys), who == OWN) for who, one in readers.items()])
        for key, title in sets
    ]


def text(task: Report, plots: dict[str, str]) -> str:
    """Words of photos."""
    readers = task["readers"]
    sets = sorted(dig(readers[OWN], "sets") or {})
    photos = {one: dig(readers[OWN], "sets", one, "images") for one in sets}
    names = [("total", "all")] + [(f"sets/{one}", f"{one} ({photos[one]})") for one in sets]
    rows = [[who, *(dig(one, *key.split("/"), "f1") for key, _ in names)] for who, one in readers.items()]
    more = [
        [who, *(dig(one, "total", key) for key in ("recall", "precision", "cer")), dig(one, "run", "peakRssMb") or None]
        for who, one in readers.items()
    ]
    return "\n\n".join(
        [
            chart("text", "Text on photos", "word F1", grouped(readers, names, "f1"), plots),
            table(["word F1", *(title for _, title in names)], rows),
            table(["all photos", "words found", "precision", "character errors", "memory at most, MB"], more),
        ]
    )


def barcodes(task: Report, plots: dict[str, str]) -> str:
    """Barcodes of photos."""
    readers = task["readers"]
    families = [
        ("total", "all"),
        ("retail", "retail"),
        ("qr", "QR"),
        ("other1d", "other bars"),
        ("microqr", "micro QR, rMQR"),
    ]
    groups = []
    for key, title in families:
        codes = dig(readers[OWN], "groups", key, "codes") or 1
        bars = [Bar(who, (dig(one, "groups", key, "exact") or 0) / codes, who == OWN) for who, one in readers.items()]
        groups.append(Group(f"{title}, {codes} codes", bars))
    rows = [
        [
            who,
            *(dig(one, "groups", key, "exact") for key, _ in families),
            dig(one, "groups", "total", "wrong"),
            dig(one, "negatives", "falseReads"),
        ]
        for who, one in readers.items()
    ]
    codes = [["codes", *(dig(readers[OWN], "groups", key, "codes") for key, _ in families), None, None]]
    empty = dig(readers[OWN], "negatives", "pictures")
    header = ["codes read", *(title for _, title in families), "wrong", f"read on {empty} pictures without a code"]
    read = chart("barcodes", "Barcodes in photos", "share read", groups, plots)
    return "\n\n".join([read, table(header, codes + rows), *blur(plots)])


def blur(plots: dict[str, str]) -> list[str]:
    """Retail codes made small and blurred by `evaluation.barcode_sets`; blur.json has the figures."""
    stored = json.loads(Path(__file__).with_name("blur.json").read_text(encoding="utf-8"))
    readers, codes = stored["readers"], stored["codes"]

    def right(who: str, size: str, kinds: list[str]) -> float:
        return sum(readers[who][size][kind][0] for kind in kinds) / codes / len(kinds)

    sizes, kinds = list(readers[OWN]), list(readers[OWN]["1"])
    groups = [
        Group(f"{size} pixels a module, {title}", [Bar(who, right(who, size, some), who == OWN) for who in readers])
        for size in sizes
        for title, some in (("sharp", kinds[:1]), ("blurred", kinds[1:]))
    ]
    rows = [
        [
            who,
            *(sum(one[kind][0] for one in figures.values()) for kind in kinds),
            sum(one[kind][1] for one in figures.values() for kind in kinds),
        ]
        for who, figures in readers.items()
    ]
    words = (
        f"Photos of {codes} retail codes, scaled to {sizes[0]} to {sizes[-1]} pixels a module, sharp and blurred by "
        "0.6 modules. The table adds up all sizes; `wrong` counts wrong retail numbers."
    )
    return [
        words,
        chart("barcodes-blur", "Small and blurred retail codes", "share read", groups, plots),
        table([f"codes read, of {codes * len(sizes)}", *kinds, "wrong"], rows),
    ]


def menus(task: Report, plots: dict[str, str]) -> str:
    """Dishes of menus."""
    readers = task["readers"]
    sets = [(f"sets/{key}", title) for key, title in (("total", "all"), ("flat", "flat pages"), ("photo", "photos"))]
    rows = []
    for who, one in readers.items():
        for key, title in sets if who == OWN else sets[:1]:
            group = dig(one, *key.split("/"))
            rows.append(
                [
                    who if title == "all" else "",
                    f"{title}, {dig(group, 'pages')}",
                    *(dig(group, "dishes", figure) for figure in ("f1", "recall", "precision")),
                    *(dig(group, figure) for figure in ("priceExact", "descriptionF1", "sectionRight")),
                    f"{cell(dig(group, 'verdicts', 'recall'))} / {cell(dig(group, 'verdicts', 'precision'))}",
                ]
            )
    header = [
        "reader",
        "pages",
        "dish F1",
        "recall",
        "precision",
        "price",
        "description",
        "section",
        "verdict recall / precision",
    ]
    return "\n\n".join(
        [
            chart("menus", "Dishes of menus", "dish F1", grouped(readers, sets, "dishes", "f1"), plots),
            table(header, rows),
        ]
    )


def documents(task: Report, plots: dict[str, str]) -> str:
    """Fields of receipts, nutrition tables, price tags and dates."""
    readers = task["readers"]
    kinds = [("receipt", "receipts"), ("nutrition", "nutrition tables"), ("priceTag", "price tags"), ("date", "dates")]
    rows = []
    for key, title in kinds:
        for who, one in readers.items():
            field = dig(one, key, "fields", "all")
            rows.append(
                [
                    f"{title}, {dig(one, key, 'images')} photos" if who == OWN else "",
                    who,
                    *(dig(field, figure) for figure in ("recall", "precision", "net")),
                    dig(one, key, "complete"),
                    dig(one, key, "calibration", "ece"),
                ]
            )
    header = ["photos", "reader", "recall", "precision", "right less wrong", "complete photos", "calibration error"]
    groups = grouped(readers, [(f"{key}/fields/all", title) for key, title in kinds], "net")
    return "\n\n".join(
        [
            chart("documents", "Values of documents", "right less wrong, of all values", groups, plots),
            table(header, rows),
        ]
    )


def allergens(task: Report, plots: dict[str, str]) -> str:
    """Allergens of texts: the totals, and the noisy set, which no total has."""
    sets = dig(task["readers"][OWN], "sets") or {}
    rows = []
    for name, one in sets.items():
        if not name.startswith("total") and "noisy" not in name:
            continue
        counts = one.get("counts", {})
        rows.append(
            [
                name,
                counts.get("cases"),
                *(dig(one, "contains", figure) for figure in ("recall", "precision")),
                counts.get("falseReassurance", 0),
                one.get("answeredShare"),
            ]
        )
    bars = [
        Group(name, [Bar(figure, dig(sets[name], "contains", figure), True) for figure in ("recall", "precision")])
        for name in sets
        if name.startswith("total")
    ]
    header = ["texts", "cases", "recall", "precision", "false reassurances", "answered"]
    return "\n\n".join(
        [chart("allergens", "Allergens of texts", "declared allergens", bars, plots), table(header, rows)]
    )


def pieces(task: Report, plots: dict[str, str]) -> str:
    """Pieces of tangrams."""
    total = dig(task["readers"][OWN], "total") or {}
    figures = [("images", "photos"), ("exact", "exact"), ("pieces", "pieces"), ("found", "found")]
    figures += [("mistyped", "mistyped"), ("over", "over"), ("f1", "F1")]
    return table([title for _, title in figures], [[total.get(key) for key, _ in figures]])


PARTS = {
    "text": text,
    "barcodes": barcodes,
    "menus": menus,
    "documents": documents,
    "allergens": allergens,
    "pieces": pieces,
}


def run_table(figures: Report) -> str:
    """When, where and with which versions the figures were measured."""
    rows = [["date", figures["date"]], ["machine", figures["machine"]]]
    rows.append([OWN, f"{figures['tablesight']}, commit {figures['commit']}"])
    for name, task in figures["tasks"].items():
        rows += [[f"{who} ({name})", version] for who, version in task.get("versions", {}).items()]
    return table(["", ""], rows)


def summary(figures: Report) -> str:
    """One line a task: Tablesight and the best peer."""
    keys = {
        "text": ("words in photos, F1", ("total", "f1")),
        "menus": ("dishes of menus, F1", ("sets", "total", "dishes", "f1")),
        "barcodes": ("barcodes read", ("groups", "total", "exact")),
    }
    rows = []
    for name, (title, path) in keys.items():
        readers = dig(figures, "tasks", name, "readers") or {}
        peers = [(dig(one, *path), who) for who, one in readers.items() if who != OWN and dig(one, *path) is not None]
        best = max(peers, default=(None, "–"))
        rows.append([f"[{title}](#{name})", dig(readers, OWN, *path), best[0], best[1]])
    return table(["task", OWN, "best peer", "which"], rows)


def render(figures: Report) -> tuple[str, dict[str, str]]:
    """The page, and its plots by file name."""
    plots: dict[str, str] = {}
    page = TEXTS.read_text(encoding="utf-8").replace("@RUN@", run_table(figures)).replace("@SUMMARY@", summary(figures))
    for name, part in PARTS.items():
        task = dig(figures, "tasks", name)
        page = page.replace(f"@{name.upper()}@", part(task, plots) if task else "Not measured in this run.")
    return page, plots


def write(figures: Report) -> None:
    """Writes the page and its plots."""
    page, plots = render(figures)
    folder = DOCS / PLOTS
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.svg"):
        old.unlink()
    for name, picture in plots.items():
        (folder / name).write_text(picture, encoding="utf-8")
    (DOCS / "accuracy.md").write_text(page, encoding="utf-8")


def differences(figures: Report) -> list[str]:
    """Files that are not as the figures say."""
    page, plots = render(figures)
    wanted = {"accuracy.md": page, **{f"{PLOTS}/{name}": picture for name, picture in plots.items()}}
    return [
        name
        for name, content in wanted.items()
        if not (DOCS / name).exists() or (DOCS / name).read_text(encoding="utf-8") != content
    ]


def main(arguments: list[str]) -> int:
    """Writes or checks the page."""
    if not FIGURES.exists():
        print("report: docs/accuracy.json is missing: scripts/bench report EVAL", file=sys.stderr)
        return 66
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    if "--check" not in arguments:
        write(figures)
        return 0
    changed = differences(figures)
    if changed:
        print(
            f"report: edited by hand, or not regenerated: {', '.join(changed)}: scripts/tool report.page",
            file=sys.stderr,
        )
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
