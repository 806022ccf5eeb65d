"""Runs one tool of this package by its module name: python3 scripts/tablesight_tools evaluation.score --help

Without a name it lists the tools. `scripts/tool` calls this file with the Python that has the renderers' packages.
"""

from __future__ import annotations

import ast
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
# How a missing package gets installed.
REMEDIES = dict.fromkeys(
    ("axe_playwright_python", "greenlet", "playwright", "pytest", "pytest_playwright"), "scripts/setup --with-browser"
)


def tools() -> Iterator[tuple[str, str]]:
    """Module names of the tools, each with the first line of its description. A tool is a module with a main guard."""
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if file.name != "__main__.py" and 'if __name__ == "__main__":' in text:
            name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
            yield name, (ast.get_docstring(ast.parse(text)) or "").split("\n")[0]


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        for name, description in tools():
            print("  %-32s %s" % (name, description))
        return 0
    name = sys.argv[1]
    if name not in dict(tools()):
        print(f"tool: {name} is not a tool; scripts/tool --help lists them", file=sys.stderr)
        return 64
    # The package's parent takes the place of the package's folder, so that imports are the same as in tests.
    sys.path[0] = str(PACKAGE.parent)
    del sys.argv[1]
    try:
        runpy.run_module("tablesight_tools." + name, run_name="__main__", alter_sys=True)
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package in ("", PACKAGE.name):
            raise
        remedy = REMEDIES.get(package, "scripts/tablesight_tools/README.md says which tools need which packages")
        print(f"tool: {name} needs the Python package {package}, which is missing: {remedy}", file=sys.stderr)
        return 69
    return 0


if __name__ == "__main__":
    sys.exit(main())
