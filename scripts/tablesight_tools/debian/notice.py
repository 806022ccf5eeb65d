"""Writes the notices of the Debian package: NOTICE, copyright, and the licence texts of what it contains.

    scripts/tool debian.notice --build .build/release --out FOLDER

A Swift package is listed if one of its modules was compiled for the build. Its licence comes from its checkout.
Exit codes: 0 done, 65 a part has no licence file, 66 the build or a checkout is missing.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tablesight_tools.paths import MODELS, REPOSITORY, SCRIPTS

COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Tablesight

Files: *
Copyright: The Tablesight authors
License: Apache-2.0
Comment: /usr/share/doc/tablesight/NOTICE lists the parts of other projects, and licenses/ holds their texts.

License: Apache-2.0
 On Debian systems, the text of the licence is in /usr/share/common-licenses/Apache-2.0.
"""
LICENCE_FILES = ("LICENSE*", "LICENCE*", "COPYING*")


class Missing(Exception):  # noqa: N818
    """A file that the notices need; the message names it, the number is the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Pin(NamedTuple):
    """One line of Package.resolved."""

    name: str
    version: str
    location: str


def pins(resolved: Path) -> list[Pin]:
    """All packages of a Package.resolved, by name; the name is that of the checkout's folder."""
    if not resolved.is_file():
        raise Missing(f"{resolved} is missing: swift package resolve", 66)
    found = []
    for pin in json.loads(resolved.read_text(encoding="utf-8"))["pins"]:
        name = pin["location"].rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
        found.append(Pin(name, pin["state"].get("version") or pin["state"]["revision"][:8], pin["location"]))
    return sorted(found, key=lambda pin: pin.name.lower())


def is_compiled(checkout: Path, build: Path) -> bool:
    """True if the build folder holds a module of this checkout; some packages have their modules outside Sources."""
    folders = [*checkout.glob("*"), *checkout.glob("Sources/*")]
    return any((build / f"{folder.name}.build").is_dir() for folder in folders if folder.is_dir())


def licence_file(folder: Path) -> Path:
    """The licence text of a checkout."""
    for pattern in LICENCE_FILES:
        for file in sorted(folder.glob(pattern)):
            if file.is_file():
                return file
    raise Missing(f"{folder} has no licence file: the package may not be shipped", 65)


def licence_name(text: str) -> str:
    """The short name of a licence text."""
    if "Apache License" in text:
        return "Apache-2.0"
    if re.search(r"Permission is hereby granted, free of charge", text):
        return "MIT"
    raise Missing("a licence is neither Apache-2.0 nor MIT: name it in debian/notice.py", 65)


def shipped(build: Path) -> Iterator[tuple[Pin, Path]]:
    """The Swift packages that the build contains, with their licence texts."""
    for pin in pins(REPOSITORY / "Package.resolved"):
        checkout = REPOSITORY / ".build/checkouts" / pin.name
        if not checkout.is_dir():
            raise Missing(f"{checkout} is missing: swift package resolve", 66)
        if is_compiled(checkout, build):
            yield pin, licence_file(checkout)


def other_versions() -> dict[str, str]:
    """The versions of what the package holds besides Swift packages, by their names in the notice."""
    versions = {
        entry["name"]: entry["version"] for entry in json.loads((MODELS / "manifest.json").read_text())["packages"]
    }
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    zxing = re.search(r"^version=(.*)$", (SCRIPTS / "build-zxing").read_text(), re.MULTILINE)
    return {
        "SWIFT": (re.search(r"Swift version (\S+)", swift) or [""] * 2)[1],
        "ZXING": zxing[1] if zxing else "",
        "ONNX": versions["onnxruntime"],
        "RAPIDOCR": versions["rapidocr"],
    }


def filled(template: str, values: dict[str, str]) -> str:
    """The template with its @NAMES@ replaced; columns stay aligned where a value is shorter than its name."""
    for name, value in values.items():
        template = template.replace(f"@{name}@", value.ljust(len(name) + 2) if name != "PINS" else value)
    return template


def main(arguments: list[str]) -> int:
    """Writes the files into `--out`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    licences = options.out / "licenses"
    licences.mkdir(parents=True, exist_ok=True)
    lines = []
    try:
        for pin, text in shipped(options.build):
            shutil.copyfile(text, licences / f"LICENSE.{pin.name}")
            lines.append(f"{pin.name:<32}{pin.version:<10}{licence_name(text.read_text(encoding='utf-8'))}")
    except Missing as fault:
        print(f"notice: {fault}", file=sys.stderr)
        return fault.code
    values = other_versions() | {"PINS": "\n".join(lines)}
    template = (SCRIPTS / "packaging/notice").read_text(encoding="utf-8")
    (options.out / "NOTICE").write_text(filled(template, values), encoding="utf-8")
    (options.out / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    print(f"notice: {len(lines)} Swift packages", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
