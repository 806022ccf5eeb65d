"""The typed menus that are trained on."""

import hashlib
import json
from pathlib import Path


def house_of(name: str) -> str:
    """The restaurant of a typed page: the first two parts of its file's name."""
    return "_".join(Path(name).stem.split("_")[:2])


def is_aside(name: str) -> bool:
    """Whether a page belongs to the third of the restaurants that no training sees."""
    return hashlib.sha256(house_of(name).encode()).digest()[0] % 3 == 0


def load_typed(files: list[list[str]]) -> list[tuple[str, str, dict]]:
    """(name, reading as a line, truth) of every typed page that is not kept aside."""
    found = []
    for readings, truth in files:
        typed = {Path(name).name: page for name, page in json.loads(Path(truth).read_text("utf-8")).items()}
        for line in Path(readings).read_text("utf-8").splitlines():
            name = json.loads(line)["source"]["path"]
            page = typed.get(Path(name).name)
            if page and not is_aside(name):
                found.append((name, line, page))
    return found
