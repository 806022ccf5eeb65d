"""Runs `menu-stage`: it returns the numbers by which the program classifies, so that training and serving agree."""

import base64
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tablesight_tools.training.menus.labels import ROLES

NEIGHBOURS = 8  # blocks of probabilities in a row of the second pass: own, style, six neighbours


@dataclass
class PageRows:
    """A page's texts with their numbers and true roles."""

    name: str
    texts: list[dict]
    rows: np.ndarray
    roles: list[str | None] = field(default_factory=list)
    second: np.ndarray | None = None
    weight: float = 1.0

    @property
    def asked(self) -> np.ndarray:
        """Which texts have a role."""
        return np.array([role is not None for role in self.roles], bool)

    @property
    def classes(self) -> np.ndarray:
        return np.array([ROLES.index(role) for role in self.roles if role is not None], np.int64)


class Stage:
    """Runs one command of `menu-stage` over lines of JSON."""

    def __init__(self, program: str, models: str) -> None:
        self.program, self.models = program, models

    def run(self, command: list[str], lines: list[str]) -> list[str]:
        call = [self.program, *command, "--models", self.models]
        text = "\n".join(lines) + "\n"
        done = subprocess.run(call, input=text, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def letters(self, texts: list[str]) -> list[dict[int, int]]:
        """Buckets of each text."""
        lines = self.run(["letters"], [" ".join(text.split()) or "-" for text in texts])
        return [{int(k): int(v) for k, v in (pair.split(":") for pair in line.split())} for line in lines]

    def rows(self, pages: list[str], model: Path) -> list[PageRows]:
        answers = []
        for line in self.run(["rows", "--model", str(model)], pages):
            one = json.loads(line)
            texts = one["texts"]
            rows = unpack(one["rows"], len(texts))
            second = unpack(one["second"], len(texts)) if "second" in one else None
            answers.append(PageRows(one["id"], texts, rows, second=second))
        return answers


def unpack(data: str, count: int) -> np.ndarray:
    values = np.frombuffer(base64.b64decode(data), "<f4")
    return values.reshape(count, -1) if count else values.reshape(0, 0)
