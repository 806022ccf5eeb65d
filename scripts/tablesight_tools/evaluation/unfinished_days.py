"""Projects weight from thirty days with gaps, with and without the unfinished days, against the truth that made them.

    scripts/tool evaluation.unfinished_days [--people 20] [--program PROGRAM]

Each invented person has an expenditure that follows the weight (22 kcal a kg), eats around a mean, and logs in three
ways: the whole day, breakfast alone on eight days, nothing on three. Truth goes on for twelve weeks. Who is weighed
daily has an expenditure from data, which unfinished days make too low; who was weighed once has that of the formula.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tablesight_tools.paths import REPOSITORY

DAYS, AHEAD = 30, 84
BREAKFAST_ALONE, NOTHING = 8, 3
SHARES = {"breakfast": 0.25, "lunch": 0.35, "dinner": 0.4}
# Activity of the formula.
LIGHT = 1.55
SERVING = {"sizeLabel": "1 serving", "multiplier": 1}


def lived(chance: random.Random, is_weighed_daily: bool) -> tuple[dict[str, Any], float]:
    """A diary as exported, and the true weight after twelve weeks."""
    weight = start = chance.uniform(65, 95)
    born, height = chance.randrange(1960, 2002), chance.randrange(168, 192)
    needs = (10 * weight + 6.25 * height - 5 * (datetime.now(UTC).year - born) + 5) * LIGHT * chance.gauss(1, 0.05)
    mean = needs + chance.uniform(-500, 300)
    today = datetime.now(UTC).date()
    gaps = chance.sample(range(DAYS), BREAKFAST_ALONE + NOTHING)
    entries, weights = [], []
    for place in range(DAYS + AHEAD):
        eaten = max(1000.0, chance.gauss(mean, 250))
        if place < DAYS:
            day = today - timedelta(days=DAYS - place)
            weights.append({"date": str(day), "weight": round(weight + chance.gauss(0, 0.4), 1)})
            meals = [] if place in gaps[:NOTHING] else ["breakfast"] if place in gaps else list(SHARES)
            for hour, meal in zip((8, 13, 19), meals, strict=False):
                food = {"id": f"own:{place}{meal}", "name": meal, "calories": round(eaten * SHARES[meal])}
                food |= {"protein": 0, "carbs": 0, "fat": 0, "source": "userCreated"}
                food |= {"defaultServing": SERVING, "altServings": []}
                entries.append(
                    {"id": f"e{place}{meal}", "food": food, "serving": SERVING, "meal": meal, "zone": "GMT"}
                    | {"timestamp": f"{day}T{hour:02}:00:00Z"}
                )
        weight += (eaten - needs - 22 * (weight - start)) / 7700
    closed = [str(today - timedelta(days=DAYS - place)) for place in gaps[NOTHING:]]
    diary = {"schema": "tablesight.diary/1", "person": "Ida", "zone": "GMT", "weights": weights, "entries": entries}
    body = {"sex": "male", "birthYear": born, "height": height, "activity": "light"}
    diary |= {"closed": closed, "goal": {"dailyCalories": 2000, **body}}
    return diary | ({} if is_weighed_daily else {"weights": weights[-1:]}), weight


def projected(program: Path, diary: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "diary.json"
        file.write_text(json.dumps(diary))
        environment = {**os.environ, "TZ": "GMT"}
        place = ["--database", f"{folder}/people.sqlite"]

        def run(*words: str) -> bytes:
            command = [program, *words, *place]
            return subprocess.run(command, check=True, env=environment, cwd=REPOSITORY, capture_output=True).stdout

        run("household", "add", "Ida")
        run("diary", "import", str(file), "--person", "Ida")
        answer = json.loads(run("diary", "project", "--person", "Ida", "--weeks", str(AHEAD // 7), "--json"))
    found = answer if isinstance(answer, list) else answer["projections"]
    return next(one for one in found if one["scenario"] == "asLogged")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--program", type=Path, default=REPOSITORY / ".build/debug/tablesight")
    options = parser.parse_args()
    program = options.program.resolve()
    for is_weighed_daily in (True, False):
        compare(program, options.people, is_weighed_daily)


def compare(program: Path, people: int, is_weighed_daily: bool) -> None:
    print("weighed daily:" if is_weighed_daily else "weighed once:")
    chance = random.Random(30)
    errors: dict[str, list[float]] = {"left out": [], "counted": []}
    inside = dict.fromkeys(errors, 0)
    days: dict[str, list[float]] = {name: [] for name in errors}
    for _ in range(people):
        diary, truth = lived(chance, is_weighed_daily)
        for name, one in (("counted", diary), ("left out", {**diary, "closed": []})):
            projection = projected(program, one)
            end = projection["points"][-1]["weight"]
            errors[name].append(end["mid"] - truth)
            inside[name] += end["low"] <= truth <= end["high"]
            steps = {step["kind"]: step["values"] for step in projection["steps"]}
            days[name].append(steps["eatenLogged"]["days"])
    for name, found in errors.items():
        mean, worst = statistics.mean(map(abs, found)), max(map(abs, found))
        print(
            f"  unfinished days {name}: {statistics.mean(days[name]):.0f} days; after {AHEAD // 7} weeks mean error "
            f"{mean:.1f} kg (bias {statistics.mean(found):+.1f}, worst {worst:.1f}), truth within the range "
            f"{inside[name]} of {len(found)}"
        )


if __name__ == "__main__":
    main()
