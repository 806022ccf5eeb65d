"""Makes the networks' variants again if their inputs changed; variants.py does it in a virtual environment.

models/fetched/variants.json records the inputs, the tools and the outputs with their SHA-256. If all of them still
agree, nothing is done. Variants only make reading faster: if they cannot be made, the program prints a warning, keeps
the original networks and exits with 0. --check changes nothing and exits with 65 if bytes differ. --weight-bits 7|8
makes the variants of another processor. .build-models keeps both kinds, so that a change back is a copy. Needs only
the standard library.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
from typing import Any

from tablesight_tools.models.fetch import Failure, digest, pip, say
from tablesight_tools.paths import REPOSITORY

FETCHED = REPOSITORY / "models/fetched"
RECORD = "variants.json"
WORK = REPOSITORY / ".build-models"
TOOLS = pathlib.Path(__file__).resolve().parent


def weight_bits() -> int:
    """7 where products of full 8-bit weights overflow (x86 without VNNI), else 8: see variants.py."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return 8
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return 8 if {"avx512_vnni", "avx_vnni"} & set(flags) else 7


def inputs(bits: int) -> tuple[dict[str, Any], list[str]]:
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
    needed["models/fetched: bits of a weight"] = bits
    return needed, [item["file"] for item in manifest["variants"]]


def recorded(folder: pathlib.Path) -> dict[str, Any] | None:
    """The record of a folder's variants; None without a readable one."""
    try:
        return json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def differing(folder: pathlib.Path, needed: dict[str, Any], files: list[str]) -> str | None:
    """The reason why the variants of a folder must be made again, or None."""
    record = recorded(folder)
    if record is None:
        return "they were not made yet"
    for path, sha256 in needed.items():
        if record.get("inputs", {}).get(path) != sha256:
            return f"{path} changed"
    for file in files:
        if digest(folder / file) != record.get("files", {}).get(file, {}).get("sha256"):
            return f"{folder.relative_to(REPOSITORY)}/{file} is missing or differs from {RECORD} beside it"
    return None


def run(step: str, *command: str) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise Failure(0, f"{step}: {lines[-1].strip() if lines else f'ended with {done.returncode}'}")
    for line in done.stdout.splitlines():
        say(line)


def make(needed: dict[str, Any], bits: int, made: pathlib.Path) -> None:
    python = WORK / "venv/bin/python"
    pins = digest(TOOLS / "requirements.txt")
    stamp = WORK / "venv/requirements.sha256"
    if not stamp.exists() or stamp.read_text() != pins:
        say("making the smaller variants: about 320 MB of tools go to .build-models, once")
        shutil.rmtree(WORK / "venv", ignore_errors=True)
        run("no virtual environment (is python3-venv there?)", sys.executable, "-m", "venv", str(WORK / "venv"))
        # Most modules are never imported: they are not compiled.
        options = ["--no-compile", "--require-hashes", "-r", str(TOOLS / "requirements.txt")]
        run("its tools cannot be had", *pip(str(python), "install", *options))
        stamp.write_text(pins)
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    variants = ["models.variants", "make", str(FETCHED), str(made), "--weight-bits", str(bits)]
    run("the tools failed", str(python), str(TOOLS.parent), *variants)
    record = json.loads((made / RECORD).read_text(encoding="utf-8"))
    record["inputs"] = needed
    record["files"] = {file: {**entry, "sha256": digest(made / file)} for file, entry in record["files"].items()}
    (made / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def install(made: pathlib.Path, files: list[str]) -> None:
    """Copies variants to models/fetched. The record comes last: after an interruption the next run starts again."""
    for file in [*files, RECORD]:
        shutil.copyfile(made / file, FETCHED / f".part-{file}")
        os.replace(FETCHED / f".part-{file}", FETCHED / file)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make_variants", description="Makes the variants of the text networks.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 65 if files differ")
    parser.add_argument("--weight-bits", type=int, choices=(7, 8), default=weight_bits())
    options = parser.parse_args()
    needed, files = inputs(options.weight_bits)
    reason = differing(FETCHED, needed, files)
    if options.check:
        if reason:
            say(f"variants: {reason}. Run scripts/fetch-models, or reading is slower")
        return 65 if reason and recorded(FETCHED) else 0
    if reason is None:
        say("variants already there")
        return 0
    made = WORK / f"made-{options.weight_bits}"
    try:
        if differing(made, needed, files):
            make(needed, options.weight_bits, made)
        install(made, files)
        say(f"the variants are in models/fetched, with weights of {options.weight_bits} bits")
    except (Failure, OSError, ValueError, KeyError) as error:
        # Variants of another network or an incomplete set would misread and are removed. Variants from older samples
        # or tools still work and stay.
        own = {path: sha256 for path, sha256 in needed.items() if path.startswith("models/")}
        if differing(FETCHED, own, files) is None:
            say(
                f"warning: {reason}, but new variants cannot be made: {error}\n"
                "  cost   none to speak of: those there fit the networks and stay"
            )
            return 0
        for file in [*files, RECORD]:
            (FETCHED / file).unlink(missing_ok=True)
        say(
            f"warning: no variants: {error}\n"
            "  cost   the untouched networks read slower\n"
            "  do     nothing, or run scripts/fetch-models again when that is mended"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
