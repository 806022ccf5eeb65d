#!/usr/bin/env python3
"""Decides whether the networks' variants must be made anew, and has variants.py make them in a virtual environment.

models/fetched/variants.json says from which bytes, by which tools, the variants there were made; while inputs and outputs
have those SHA-256, nothing is done. Standard library only. Variants are a matter of speed: where they cannot be made, this
says so and ends with 0, and the untouched networks stay. --check changes nothing and ends with 65 where bytes differ."""
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

from tablesight_tools.models.fetch import Failure, digest, say
from tablesight_tools.paths import REPOSITORY

FETCHED = REPOSITORY / "models/fetched"
RECORD = FETCHED / "variants.json"
WORK = REPOSITORY / ".build-models"
TOOLS = pathlib.Path(__file__).resolve().parent


def weight_bits():
    """7 where products of full 8-bit weights overflow (x86 without VNNI), else 8: see variants.py."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return 8
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return 8 if {"avx512_vnni", "avx_vnni"} & set(flags) else 7


def inputs():
    """Everything the variants' bytes depend on, by path from the repository's root."""
    manifest = json.loads((REPOSITORY / "models/manifest.json").read_text(encoding="utf-8"))
    paths = [TOOLS / "variants.py", TOOLS / "requirements.txt", REPOSITORY / "models/text/characters.json"]
    paths += [FETCHED / file["file"] for file in manifest["files"] if file["file"].startswith(("det_", "rec_"))]
    for folder in ("menus", "labels"):
        paths += sorted(path for path in (REPOSITORY / "samples" / folder).iterdir() if path.suffix != ".json")
    needed = {str(path.relative_to(REPOSITORY)): digest(path) for path in paths}
    needed["models/fetched: bits of a weight on this processor"] = weight_bits()
    return needed, [item["file"] for item in manifest["variants"]]


def differing(record, needed, files):
    """Why the variants there are not those that would be made, or None."""
    if record is None:
        return "they were not made yet"
    for path, sha256 in needed.items():
        if record.get("inputs", {}).get(path) != sha256:
            return f"{path} changed"
    for file in files:
        if digest(FETCHED / file) != record.get("files", {}).get(file, {}).get("sha256"):
            return f"models/fetched/{file} is missing or differs from models/fetched/variants.json"
    return None


def run(step, *command):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        raise Failure(0, f"{step}: {lines[-1].strip() if lines else f'ended with {done.returncode}'}")
    for line in done.stdout.splitlines():
        say(line)


def make(needed):
    python = WORK / "venv/bin/python"
    pins = digest(TOOLS / "requirements.txt")
    stamp = WORK / "venv/requirements.sha256"
    if not stamp.exists() or stamp.read_text() != pins:
        say("making the smaller variants: about 320 MB of tools go to .build-models, once")
        shutil.rmtree(WORK / "venv", ignore_errors=True)
        run("no virtual environment (is python3-venv there?)", sys.executable, "-m", "venv", str(WORK / "venv"))
        run(
            "its tools cannot be had", str(python), "-m", "pip", "install", "--quiet", "--no-input", "--timeout", "20",
            "--retries", "2", "--require-hashes", "--only-binary=:all:", "-r", str(TOOLS / "requirements.txt"))
        stamp.write_text(pins)
    made = WORK / "made"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    run("the tools failed", str(python), str(TOOLS.parent), "models.variants", "make", str(FETCHED), str(made))
    record = json.loads((made / "variants.json").read_text(encoding="utf-8"))
    record["inputs"] = needed
    record["files"] = {file: {**entry, "sha256": digest(made / file)} for file, entry in record["files"].items()}
    (made / "variants.json").write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    # The record last: should this be cut short, the next run sees that it does not fit, and makes all anew.
    for file in [*record["files"], "variants.json"]:
        shutil.move(made / file, FETCHED / f".part-{file}")
        os.replace(FETCHED / f".part-{file}", FETCHED / file)
    shutil.rmtree(made)


def main():
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
        # A variant of another network, or half a set, would read wrongly: none is better. Older samples or tools do no harm.
        own = {path: sha256 for path, sha256 in needed.items() if path.startswith("models/")}
        if differing(record, own, files) is None:
            say(f"warning: {reason}, but new variants cannot be made: {error}\n"
                "  cost   none to speak of: those there fit the networks and stay")
            return 0
        for file in [*files, RECORD.name]:
            (FETCHED / file).unlink(missing_ok=True)
        say(f"warning: no variants: {error}\n"
            "  cost   the untouched networks read slower\n"
            "  do     nothing, or run scripts/fetch-models again when that is mended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
