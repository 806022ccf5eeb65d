"""Runs `tablesight-stage menu`: the numbers by which the program classifies, for training as for serving."""

import base64
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tablesight_tools.training.menus.labels import ROLES

# Columns of a row: a text's own print, and its print against its six neighbours' (ink, ground, stroke each).
PRINT, PRINT_PAIRS = slice(46, 56), slice(77, 95)
# The print of a text that was not measured.
UNMEASURED = [0.0] * 9 + [1.0]


@dataclass
class PageRows:
    """A page's texts with their numbers, places, links and true roles."""

    name: str
    texts: list[dict]
    rows: np.ndarray
    places: np.ndarray
    links: np.ndarray
    roles: list[str | None] = field(default_factory=list)
    weight: float = 1.0

    @property
    def numbers(self) -> np.ndarray:
        """The role of each text as a number, -1 for none."""
        return np.array([-1 if role is None else ROLES.index(role) for role in self.roles], np.int64)


class Stage:
    """Runs one command of `tablesight-stage menu` over lines of JSON."""

    def __init__(self, program: str, models: str) -> None:
        self.program, self.models = program, models

    def run(self, command: list[str], lines: list[str]) -> list[str]:
        call = [self.program, "menu", *command, "--models", self.models]
        text = "\n".join(lines) + "\n"
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def letters(self, texts: list[str]) -> list[dict[int, int]]:
        """Buckets of each text."""
        lines = self.run(["letters"], [" ".join(text.split()) or "-" for text in texts])
        return [{int(k): int(v) for k, v in (pair.split(":") for pair in line.split())} for line in lines]

    def rows(self, pages: list[str], model: Path) -> list[PageRows]:
        answers = []
        for start in range(0, len(pages), 400):
            for line in self.run(["rows", "--model", str(model)], pages[start : start + 400]):
                one = json.loads(line)
                count = len(one["texts"])
                links = np.array(one["links"], np.int64).reshape(count, 6)
                rows, places = unpack(one["rows"], count), unpack(one["places"], count)
                answers.append(PageRows(one["id"], one["texts"], rows, places, links))
        return answers


def unpack(data: str, count: int) -> np.ndarray:
    values = np.frombuffer(base64.b64decode(data), "<f4")
    return values.reshape(count, -1) if count else values.reshape(0, 0)
