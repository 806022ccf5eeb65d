"""Fills the tables of routes in docs/api.md from docs/openapi.json. The rest of the page is written by hand.

    scripts/tool report.routes            write the tables
    scripts/tool report.routes --check    exit code 1 if a table differs from the description

A table is what lies between the lines `<!-- routes PATH … -->` and `<!-- end -->`. It has the routes of these paths and
of those below them; where two tables name a path above a route, the longer one has it.

Exit codes: 0 written, or as the description says; 1 a table differs (--check); 65 a route has no table.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from tablesight_tools.paths import REPOSITORY
from tablesight_tools.report.page import table

DESCRIPTION = REPOSITORY / "docs/openapi.json"
PAGE = REPOSITORY / "docs/api.md"
TABLE = re.compile(r"(?ms)^<!-- routes ([^\n]*) -->\n.*?^<!-- end -->$")
# Second addresses of the same routes, which the page names once.
ALIASES = {"/v1/profiles": "/v1/people", "/openapi.json": "/v1/openapi.json"}
METHODS = ["get", "post", "put", "patch", "delete"]


class Route(NamedTuple):
    """One operation of the description."""

    method: str
    path: str
    operation: dict[str, Any]

    @property
    def who(self) -> str:
        """The least role that may use it; a dash for a route that asks for no token of the API."""
        security = self.operation["security"]
        return next(iter(security[0].values()))[0] if security else "–"

    @property
    def row(self) -> list[str]:
        """What the table shows of it."""
        return [f"`{self.method.upper()} {self.path}`", self.operation["summary"], self.who]


def is_below(path: str, prefix: str) -> bool:
    """True for the path itself and for what is below it."""
    return path == prefix or path.startswith(prefix + "/")


def routes(description: dict[str, Any]) -> Iterator[Route]:
    """Routes that have not ended, by path and method, each under one address."""
    for path, operations in sorted(description["paths"].items()):
        if any(is_below(path, alias) for alias in ALIASES):
            continue
        for method in METHODS:
            operation = operations.get(method)
            if operation and not operation.get("deprecated"):
                yield Route(method, path, operation)


def filled(page: str, description: dict[str, Any]) -> str:
    """The page with its tables as the description says.

    Raises ValueError if a route has no table.
    """
    prefixes = [prefix for marker in TABLE.findall(page) for prefix in marker.split()]
    rows: dict[str, list[list[str]]] = {prefix: [] for prefix in prefixes}
    for route in routes(description):
        above = [prefix for prefix in prefixes if is_below(route.path, prefix)]
        if not above:
            raise ValueError(f"docs/api.md has no table for {route.path}: name its path in a line `<!-- routes … -->`")
        rows[max(above, key=len)].append(route.row)

    def content(match: re.Match[str]) -> str:
        own = [row for prefix in match[1].split() for row in rows[prefix]]
        roles = {role for _, _, role in own}
        if len(roles) == 1:
            shown = f"Least role: {roles.pop()}.\n\n{table(['route', 'what'], [row[:2] for row in own])}"
        else:
            shown = table(["route", "what", "least role"], own)
        return f"<!-- routes {match[1]} -->\n\n{shown}\n\n<!-- end -->"

    return TABLE.sub(content, page)


def main(arguments: list[str]) -> int:
    """Writes or checks the tables."""
    page = PAGE.read_text(encoding="utf-8")
    try:
        wanted = filled(page, json.loads(DESCRIPTION.read_text(encoding="utf-8")))
    except ValueError as error:
        print(f"report: {error}", file=sys.stderr)
        return 65
    if "--check" not in arguments:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    if wanted != page:
        print(
            "report: tables of docs/api.md differ from docs/openapi.json: scripts/tool report.routes", file=sys.stderr
        )
    return int(wanted != page)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
