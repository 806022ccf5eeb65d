"""Lint of the container recipe: no builder is at hand where the tests run."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "scripts/packaging"


def instructions() -> list[tuple[str, str]]:
    """Instructions of the Containerfile with their arguments, continued lines joined."""
    text = re.sub(r"^#.*\n", "", (PACKAGING / "Containerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    words = [line.split(None, 1) for line in text.splitlines() if line.strip()]
    return [(name, rest.strip()) for name, rest in words]


class ContainerTests(unittest.TestCase):
    def test_has_two_stages_with_pinned_images_and_takes_only_the_package_from_the_first(self) -> None:
        stages = [rest for name, rest in instructions() if name == "FROM"]
        self.assertEqual(len(stages), 2)
        for image in stages:
            self.assertRegex(image, r"^\S+:[0-9a-z.-]+( AS \w+)?$")
            self.assertNotIn(":latest", image)
        last = max(n for n, (name, _) in enumerate(instructions()) if name == "FROM")
        copies = [rest for name, rest in instructions()[last:] if name == "COPY"]
        self.assertEqual(copies, ["--from=build /package/tablesight.deb /tmp/tablesight.deb"])

    def test_runs_as_its_own_user_and_has_a_health_check(self) -> None:
        names = [name for name, _ in instructions()]
        users = [rest for name, rest in instructions() if name == "USER"]
        self.assertEqual(users, ["tablesight"])
        self.assertIn("HEALTHCHECK", names)
        self.assertLess(names.index("USER"), names.index("ENTRYPOINT"))

    def test_knows_only_instructions_of_the_format(self) -> None:
        known = {
            "FROM",
            "WORKDIR",
            "COPY",
            "RUN",
            "ENV",
            "USER",
            "VOLUME",
            "EXPOSE",
            "HEALTHCHECK",
            "ENTRYPOINT",
            "CMD",
        }
        self.assertEqual({name for name, _ in instructions()} - known, set())

    def test_scripts_of_the_first_stage_exist(self) -> None:
        text = " ".join(rest for name, rest in instructions() if name == "RUN")
        for script in re.findall(r"scripts/[a-z-]+", text):
            self.assertTrue((ROOT / script).exists(), script)

    def test_compose_gives_no_rights_but_leases_and_publishes_on_the_loopback_only(self) -> None:
        text = (PACKAGING / "compose.yaml").read_text()
        for line in ("read_only: true", "cap_drop: [ALL]", "cap_add: [LEASE]", '"127.0.0.1:8765:8765"'):
            self.assertIn(line, text)
        recipe = re.search(r"dockerfile: (\S+)", text)
        self.assertTrue(recipe and (ROOT / recipe[1]).exists())
