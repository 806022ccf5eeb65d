"""The tables of routes in docs/api.md."""

import json
import unittest
from typing import Any

from tablesight_tools.report import routes

PAGE = "# API\n\n<!-- routes /v1/lists -->\n<!-- end -->\n\nBy hand.\n\n<!-- routes /v1 /healthz -->\n<!-- end -->\n"


def operation(summary: str, role: str | None = "guest", **more: Any) -> dict[str, Any]:
    return {"summary": summary, "security": [{"token": [role]}, {"cookie": [role]}] if role else [], **more}


DESCRIPTION: dict[str, Any] = {
    "paths": {
        "/healthz": {"get": operation("True while it runs", None)},
        "/v1/lists": {"post": operation("Makes a list", "adult"), "get": operation("The lists")},
        "/v1/lists/{id}": {"delete": operation("Deletes a list", "adult")},
        "/v1/listings": {"get": operation("Something else")},
        "/v1/session": {"post": operation("Ended", deprecated=True)},
    }
}


class RoutesTests(unittest.TestCase):
    def test_tables_of_the_page_are_what_the_description_says(self) -> None:
        page = routes.PAGE.read_text()
        self.assertEqual(page, routes.filled(page, json.loads(routes.DESCRIPTION.read_text())))

    def test_second_addresses_have_the_routes_of_the_first(self) -> None:
        paths = json.loads(routes.DESCRIPTION.read_text())["paths"]
        for alias, first in routes.ALIASES.items():
            summaries = [
                {path.removeprefix(one): {m: o["summary"] for m, o in own.items()} for path, own in paths.items()
                 if routes.is_below(path, one)}
                for one in (alias, first)
            ]  # fmt: skip
            self.assertTrue(summaries[0])
            for path, methods in summaries[0].items():
                self.assertEqual(methods, summaries[1][path], alias + path)

    def test_a_table_has_each_route_of_its_paths_once_by_path_and_method(self) -> None:
        page = routes.filled(PAGE, DESCRIPTION)
        rows = [line for line in page.splitlines() if line.startswith("| `")]
        self.assertEqual(
            rows,
            [
                "| `GET /v1/lists` | The lists | guest |",
                "| `POST /v1/lists` | Makes a list | adult |",
                "| `DELETE /v1/lists/{id}` | Deletes a list | adult |",
                "| `GET /v1/listings` | Something else | guest |",
                "| `GET /healthz` | True while it runs | – |",
            ],
        )
        self.assertIn("By hand.", page)
        self.assertNotIn("Least role:", page)
        self.assertEqual(routes.filled(page, DESCRIPTION), page)

    def test_a_role_that_all_routes_of_a_table_share_is_named_once(self) -> None:
        lists = {path: {"get": operation("Shows it", "adult")} for path in ("/v1/lists", "/v1/lists/{id}")}
        page = routes.filled(PAGE, {"paths": {**lists, "/healthz": {"get": operation("True", None)}}})
        self.assertIn("Least role: adult.\n\n| route | what |\n", page)
        self.assertIn("| `GET /v1/lists/{id}` | Shows it |\n", page)

    def test_a_route_without_a_table_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "/v1/listings"):
            routes.filled(PAGE.replace("/v1 /healthz", "/healthz"), DESCRIPTION)


if __name__ == "__main__":
    unittest.main()
