"""Runs the scorers of an evaluation folder on Tablesight and its peers, and writes docs/accuracy.json, page and plots.

    scripts/bench report EVAL [--tablesight PROGRAM] [--only TASK]... [--stored]

EVAL holds the scorers and the photos, which are not in this repository. A peer that is installed reads the photos in
the same run; otherwise its stored readings are scored. --only keeps the other tasks' figures of the earlier run.
Exit codes: 0 measured, 64 usage, 66 EVAL has no scorers, 70 a scorer failed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.report import page

TASKS = Path(__file__).with_name("tasks.json")
FIGURES = REPOSITORY / "docs/accuracy.json"
PEER_MISSING = 69


class Failure(Exception):  # noqa: N818
    """A scorer that gave no figures."""


def processor() -> str:
    """The processor's name, with the number of cores that may be used."""
    names = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return f"{names[0] if names else platform.machine()}, {len(os.sched_getaffinity(0))} cores"


def version_of(peer: dict[str, Any], is_live: bool) -> str:
    """What a peer calls itself."""
    if not is_live or "program" not in peer:
        return peer["version"]
    said = subprocess.run([peer["program"], "--version"], capture_output=True, text=True)
    return f"{peer['program']} {(said.stdout or said.stderr).split()[-1 if peer['program'] == 'zbarimg' else 1]}"


def slim(value: Any) -> Any:
    """A scorer's report without its pictures, and with four decimals."""
    if isinstance(value, dict):
        left_out = {"images", "perImage", "pages", "texts", "wrongReads", "problems", "fields: items"}
        return {k: slim(v) for k, v in value.items() if k not in left_out or not isinstance(v, dict | list)}
    if isinstance(value, list):
        return [slim(one) for one in value]
    return round(value, 4) if isinstance(value, float) else value


def score(task: dict[str, Any], folder: Path, words: list[str]) -> dict[str, Any] | None:
    """One scorer's report; None where a peer is missing."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "figures.json"
        command = [sys.executable, "-B", task["scorer"], task["folder"], *task.get("arguments", []), *words]
        done = subprocess.run(
            [*command, "--json", str(out)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        if done.returncode == PEER_MISSING:
            return None
        if not out.exists():
            raise Failure(f"{task['scorer']} gave no figures (exit code {done.returncode}): {done.stderr.strip()}")
        return slim(json.loads(out.read_text()))


def measure(task: dict[str, Any], folder: Path, program: str, stored_only: bool) -> dict[str, Any]:
    """Figures of Tablesight and of each peer, by label."""
    own = score(task, folder, ["--tablesight", program])
    # Scorers that compare readers have one report a reader; the others have one report.
    readers = {"Tablesight": (own or {}).get("tablesight", own)}
    versions = {}
    for peer in task["peers"]:
        live = None
        # Menus of peers get their verdicts from the judge of the command under test.
        judge = ["--judge", program] if task["name"] == "menus" else []
        if not stored_only and (shutil.which(peer["program"]) if "program" in peer else "/" not in peer["name"]):
            live = score(task, folder, ["--peer", peer["name"], *judge])
        found = live or ("stored" in peer and score(task, folder, ["--peer", peer["stored"], *judge])) or None
        if not found:
            print(f"report: {peer['label']} is not installed and is left out", file=sys.stderr)
            continue
        found.pop("judge", None)
        readers[peer["label"]] = next(iter(found.values()))
        versions[peer["label"]] = version_of(peer, bool(live)) + ("" if live else " (stored readings)")
        print(f"report: {task['name']}, {peer['label']}", file=sys.stderr)
    return {"readers": readers, "versions": versions}


def main(arguments: list[str]) -> int:
    """Measures, writes the figures, and makes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="EVAL")
    parser.add_argument("--tablesight", default=str(REPOSITORY / ".build/release/tablesight"))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument(
        "--stored", action="store_true", help="score stored readings of peers, even if they are installed"
    )
    options = parser.parse_args(arguments)
    tasks = json.loads(TASKS.read_text())["tasks"]
    if not all((options.folder / task["scorer"]).exists() for task in tasks):
        print(f"report: {options.folder} has no scorers: name the evaluation folder", file=sys.stderr)
        return 66
    os.environ["OMP_THREAD_LIMIT"] = "1"
    said = subprocess.run([options.tablesight, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    commit = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=REPOSITORY, capture_output=True, text=True)
    earlier = json.loads(FIGURES.read_text()) if options.only and FIGURES.exists() else {"tasks": {}}
    figures = {
        "schema": "tablesight.accuracy/1",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": processor(),
        "tablesight": said,
        "commit": commit.stdout.strip(),
        "tasks": earlier["tasks"],
    }
    try:
        for task in tasks:
            if not options.only or task["name"] in options.only:
                print(f"report: {task['name']}", file=sys.stderr)
                figures["tasks"][task["name"]] = measure(task, options.folder, options.tablesight, options.stored)
    except Failure as fault:
        print(f"report: {fault}", file=sys.stderr)
        return 70
    FIGURES.write_text(json.dumps(figures, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    page.write(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
