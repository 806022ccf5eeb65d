"""Decorators for tests that need packages beyond the standard library."""

import importlib.util
import unittest
from collections.abc import Callable
from typing import Any


def packages(*names: str) -> Callable[[Any], Any]:
    """Skips a test case where one of the packages is missing."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, "no package " + ", ".join(missing))
