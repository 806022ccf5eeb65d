"""Makes the networks' variants again if their inputs changed; variants.py does it in a virtual environment.

models/fetched/variants.json records the inputs, the tools and the outputs with their SHA-256. If all of them still
agree, nothing is done. Variants only make reading faster: if they cannot be made, the program prints a warning, keeps
the original networks and exits with 0. --check changes nothing and exits with 65 if bytes differ. Needs only the
standard library.
"""

from __future__ import annotations

import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
from typing import Any

from tablesight_tools.models.fetch import Failure, digest, say
from tablesight_tools.paths import REPOSITORY

FETCHED = REPOSITORY / "models/fetched"
RECORD = FETCHED / "variants.json"
WORK = REPOSITORY / ".build-models"
TOOLS = pathlib.Path(__file__).resolve().parent


def weight_bits() -> int:
    """7 where products of full 8-bit weights overflow (x86 without VNNI), else 8: see variants.py."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return 8
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return 8 if {"avx512_vnni", "avx_vnni"} & set(flags) else 7


def inputs() -> tuple[dict[str, Any], list[str]]:
    """The SHA-256 of everything that the variants depend on, by path, and the names of the variants."""
    manifest = json.loads((REPOSITORY / "models/manifest.json").read_text(encoding="utf-8"))
    paths = [
        TOOLS / "variants.py",
        TOOLS / "graph.py",
        TOOLS / "requirements.txt",
        REPOSITORY / "models/text/characters.json",
    ]
    paths += [FETCHED / file["file"] for file in manifest["files"] if file["file"].startswith(("det_", "rec_"))]
    for folder in ("menus", "labels"):
        paths += sorted(path for path in (REPOSITORY / "samples" / folder).iterdir() if path.suffix != ".json")
    needed = {str(path.relative_to(REPOSITORY)): digest(path) for path in paths}
    needed["models/fetched: bits of a weight on this processor"] = weight_bits()
    return needed, [item["file"] for item in manifest["variants"]]


def differing(record: dict[str, Any] | None, needed: dict[str, Any], files: list[str]) -> str | None:
    """The reason why the variants must be made again, or None."""
    if record is None:
        return "they were not made yet"
    for path, sha256 in needed.items():
        if record.get("inputs", {}).get(path) != sha256:
            return f"{path} changed"
    for file in files:
        if digest(FETCHED / file) != record.get("files", {}).get(file, {}).get("sha256"):
            return f"models/fetched/{file} is missing or differs from models/fetched/variants.json"
    return None


def run(step: str, *command: str) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise Failure(0, f"{step}: {lines[-1].strip() if lines else f'ended with {done.returncode}'}")
    for line in done.stdout.splitlines():
        say(line)


def make(needed: dict[str, Any]) -> None:
    python = WORK / "venv/bin/python"
    pins = digest(TOOLS / "requirements.txt")
    stamp = WORK / "venv/requirements.sha256"
    if not stamp.exists() or stamp.read_text() != pins:
        say("making the smaller variants: about 320 MB of tools go to .build-models, once")
        shutil.rmtree(WORK / "venv", ignore_errors=True)
        run("no virtual environment (is python3-venv there?)", sys.executable, "-m", "venv", str(WORK / "venv"))
        run(
            "its tools cannot be had",
            str(python),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-input",
            "--timeout",
            "20",
            "--retries",
            "2",
            "--require-hashes",
            "--only-binary=:all:",
            "-r",
            str(TOOLS / "requirements.txt"),
        )
        stamp.write_text(pins)
    made = WORK / "made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    run("the tools failed", str(python), str(TOOLS.parent), "models.variants", "make", str(FETCHED), str(made))
    record = json.loads((made / "variants.json").read_text(encoding="utf-8"))
    record["inputs"] = needed
    record["files"] = {file: {**entry, "sha256": digest(made / file)} for file, entry in record["files"].items()}
    (made / "variants.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    # The record comes last: after an interruption it does not match, and the next run starts again.
    for file in [*record["files"], "variants.json"]:
        shutil.move(made / file, FETCHED / f".part-{file}")
        os.replace(FETCHED / f".part-{file}", FETCHED / file)
    shutil.rmtree(made)


def main() -> int:
    try:
        record = json.loads(RECORD.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        record = None
    needed, files = inputs()
    reason = differing(record, needed, files)
    if "--check" in sys.argv[1:]:
        if reason:
            say(f"variants: {reason}. Run scripts/fetch-models, or reading is slower")
        return 65 if reason and record else 0
    if reason is None:
        say("variants already there")
        return 0
    try:
        make(needed)
        say("the variants are in models/fetched")
    except (Failure, OSError, ValueError, KeyError) as error:
        # Variants of another network or an incomplete set would misread and are removed. Variants from older samples
        # or tools still work and stay.
        own = {path: sha256 for path, sha256 in needed.items() if path.startswith("models/")}
        if differing(record, own, files) is None:
            say(
                f"warning: {reason}, but new variants cannot be made: {error}\n"
                "  cost   none to speak of: those there fit the networks and stay"
            )
            return 0
        for file in [*files, RECORD.name]:
            (FETCHED / file).unlink(missing_ok=True)
        say(
            f"warning: no variants: {error}\n"
            "  cost   the untouched networks read slower\n"
            "  do     nothing, or run scripts/fetch-models again when that is mended"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
