"""Writes the list of a Debian package's parts (SBOM) in SPDX 2.3 JSON.

    scripts/tool debian.sbom --build .build/release --package PACKAGE.deb --out FILE

It names what the package holds (Swift packages, Swift runtime, ZXing-C++, ONNX Runtime, networks) and the Debian
packages on which it depends. The same package and SOURCE_DATE_EPOCH give the same bytes.
Exit codes: 0 done, 65 a part has no licence file, 66 the build, a checkout or the package is missing.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tablesight_tools.debian import notice
from tablesight_tools.paths import MODELS


class Part(NamedTuple):
    """A part of the package, or a package on which it depends."""

    name: str
    version: str
    licence: str = "NOASSERTION"
    location: str = "NOASSERTION"
    sha256: str = ""

    @property
    def identifier(self) -> str:
        """The SPDX identifier."""
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", self.name)

    def json(self) -> dict[str, Any]:
        """The part as an SPDX package."""
        row: dict[str, Any] = {
            "SPDXID": self.identifier,
            "copyrightText": "NOASSERTION",
            "downloadLocation": self.location,
            "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION",
            "licenseDeclared": self.licence,
            "name": self.name,
        }
        if self.version:
            row["versionInfo"] = self.version
        if self.sha256:
            row["checksums"] = [{"algorithm": "SHA256", "checksumValue": self.sha256}]
        return row


def dependencies(field: str) -> list[Part]:
    """The relations of a Depends field, without the alternatives of a relation; each name once."""
    found: dict[str, Part] = {}
    for relation in filter(None, (part.strip() for part in field.split(","))):
        match = re.match(r"([a-z0-9][a-z0-9+.-]*)(?::\w+)?\s*(?:\(([^)]*)\))?", relation)
        if match:
            found.setdefault(match[1], Part(match[1], match[2] or ""))
    return sorted(found.values())


def document(package: Part, held: Iterable[Part], needed: Iterable[Part], created: int) -> dict[str, Any]:
    """The SPDX document of a package: what it holds, and what it needs."""
    held, needed = sorted(held), sorted(needed)
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", package)]
    relations += [(package.identifier, "CONTAINS", part) for part in held]
    relations += [(package.identifier, "DEPENDS_ON", part) for part in needed]
    moment = datetime.datetime.fromtimestamp(created, datetime.UTC)
    return {
        "SPDXID": "SPDXRef-DOCUMENT",
        "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tablesight-sbom"]},
        "dataLicense": "CC0-1.0",
        "documentNamespace": f"urn:tablesight:{package.version}:{package.sha256}",
        "name": f"tablesight-{package.version}",
        "packages": [part.json() for part in (package, *held, *needed)],
        "relationships": [
            {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other.identifier}
            for one, how, other in relations
        ],
        "spdxVersion": "SPDX-2.3",
    }


def held_parts(build: Path) -> list[Part]:
    """What the package holds of other projects."""
    parts = [
        Part(pin.name, pin.version, notice.licence_name(text.read_text(encoding="utf-8")), f"git+{pin.location}")
        for pin, text in notice.shipped(build)
    ]
    versions = notice.other_versions()
    parts += [
        Part("swift-runtime", versions["SWIFT"], "Apache-2.0"),
        Part("zxing-cpp", versions["ZXING"], "Apache-2.0"),
    ]
    for entry in json.loads((MODELS / "manifest.json").read_text(encoding="utf-8"))["packages"]:
        if entry["architecture"] in ("any", platform.machine()):
            parts.append(Part(entry["name"], entry["version"], entry["licence"], sha256=entry["sha256"]))
    return parts


def main(arguments: list[str]) -> int:
    """Writes the document to `--out`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--package", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    if not options.package.is_file():
        print(f"sbom: {options.package} is missing: scripts/package", file=sys.stderr)
        return 66

    def field(name: str) -> str:
        command = ["dpkg-deb", "--field", str(options.package), name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        held = held_parts(options.build)
    except notice.Missing as fault:
        print(f"sbom: {fault}", file=sys.stderr)
        return fault.code
    digest = hashlib.sha256(options.package.read_bytes()).hexdigest()
    whole = Part(field("Package"), field("Version"), "Apache-2.0", sha256=digest)
    rows = document(whole, held, dependencies(field("Depends")), int(os.environ.get("SOURCE_DATE_EPOCH", "0")))
    options.out.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"sbom: {len(rows['packages'])} packages", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
