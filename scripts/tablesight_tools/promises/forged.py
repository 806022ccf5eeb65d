"""Forged catalogue records: mutated Open Food Facts lines pass through import, lookup, API and interpretation."""

import json
import random
import subprocess
from typing import Any

from tablesight_tools.gtin import check_digit
from tablesight_tools.processes import LIMIT
from tablesight_tools.promises.bench import QUICK, Bench
from tablesight_tools.scripted_worker import barcode_reading, scripted, wrapper

# Times beyond 64 bits, and beyond the year 9999.
DATES = (-(2**63), 2**63 - 1, 2**63, -1, 0, 253_402_300_800, 1e300, "1e999", "now")
TEXTS = (
    "(" * 20_000,
    "milk (" * 5_000,
    "((milk), " * 5_000,
    ")" * 20_000,
    "[{(" * 7_000,
    "a" * 1_000_000,
    "\0\x1b[2J\r\n",
    "\u202e milk",
    "\ud800",
    "milk, " * 50_000,
    "%s%n%x",
    "'; DROP TABLE product; --",
    "1 % " * 10_000,
    "e\u0301" * 20_000,
    "",
    " ",
    "*" * 5_000,
)
NUMBERS = (-(2**63), 2**63 - 1, 2**64, 1e308, -1e308, 5e-324, "NaN", "-Infinity", "1e999999", True, None, -0.0)


def gtin(number: int) -> str:
    """An EAN-13 with its check digit."""
    body = "%012d" % number
    return body + check_digit(body)


def _record(code: str, number: int) -> dict[str, Any]:
    return {
        "code": code,
        "product_name": "Forged bar %d" % number,
        "brands": "Kornmark",
        "quantity": "100 g",
        "lang": "en",
        "ingredients_text": "wheat flour, sugar (cane), peanuts 3 %",
        "allergens_tags": ["en:gluten", "en:peanuts"],
        "traces_tags": ["en:milk"],
        "nutriments": {"energy-kcal_100g": 539, "fat_100g": 30.9, "salt_100g": 0.1},
        "serving_size": "15 g",
        "serving_quantity": 15,
        "last_modified_t": 1700000000,
        "owner": "org-kornmark",
    }


def _nested(depth: int, kind: str) -> str:
    return (kind[0] * depth + "1" + kind[1] * depth).replace("{", '{"a":')


def lines(count: int, seed: int = 7) -> tuple[list[bytes], list[str]]:
    """Lines of a JSON file and the numbers of their products: first fixed cases, then random ones."""
    chance = random.Random(seed)
    out: list[bytes] = []
    codes: list[str] = []
    for number in range(count):
        code = gtin(400_000_000_000 + number)
        codes.append(code)
        record = _record(code, number)
        # The first ones are the cases that once ended the daemon, each by itself.
        if number < len(TEXTS):
            record["ingredients_text"] = TEXTS[number]
        elif number < len(TEXTS) + len(DATES):
            record["last_modified_t"] = DATES[number - len(TEXTS)]
        else:
            for _ in range(chance.randrange(1, 5)):
                _mutate(record, chance)
        line = json.dumps(record, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
        if number >= len(TEXTS) + len(DATES) and chance.random() < 0.4:
            line = _damage(line, chance)
        out.append(line.replace(b"\n", b" "))
    # Messages quote refused lines. Control characters must not reach a terminal.
    out += [b'{"code":"4006381333931","a":"\x1b[31m\x07"x}', b'{"code":"40063\x1b[31m\x07333932","product_name":"x"}']
    return out, codes


def _mutate(record: dict[str, Any], chance: random.Random) -> None:
    key = chance.choice(list(record))
    if key == "code" and chance.random() < 0.8:
        return
    place = (
        record["nutriments"]
        if key == "nutriments" and isinstance(record[key], dict) and chance.random() < 0.7
        else record
    )
    key = chance.choice(list(place) or ["fat_100g"]) if place is not record else key
    place[key] = chance.choice(
        (
            lambda: chance.choice(TEXTS),
            lambda: chance.choice(NUMBERS),
            lambda: chance.choice(DATES),
            lambda: {},
            lambda: [chance.choice(TEXTS)[:200] for _ in range(chance.randrange(2000))],
            lambda: [[["en:milk"]]],
            lambda: {"en": chance.choice(TEXTS)},
            lambda: "".join(chr(chance.randrange(1, 0xD7FF)) for _ in range(2000)),
            lambda: "".join(chance.choice("()[]{},;:.*% milkeggnuts\u00e9") for _ in range(20_000)),
        )
    )()
    if chance.random() < 0.1:
        record.pop(chance.choice(list(record)), None)


def _damage(line: bytes, chance: random.Random) -> bytes:
    """Damages the bytes of a line of JSON."""
    at = chance.randrange(len(line))
    return chance.choice(
        (
            lambda: line[:at],
            lambda: line[:at] + bytes([chance.randrange(256)]) + line[at + 1 :],
            lambda: line + line,
            lambda: (
                line[:-1]
                + b',"x":'
                + _nested(chance.choice((60, 600, 100_000)), chance.choice(("[]", "{}"))).encode()
                + b"}"
            ),
            lambda: line[:at] + b"\xff\xfe\xc0\x80" + line[at:],
            lambda: line.replace(b'"lang"', b'"code": "0", "lang"'),
            lambda: line.replace(b"539", b"1e309").replace(b"30.9", b"-"),
            lambda: b"\xef\xbb\xbf" + line,
            lambda: b"\0" * 50 + line,
        )
    )()


def catalogue(bench: Bench) -> str:
    count, spawned = bench.size(90, 3000), bench.size(8, 150)
    records, codes = lines(count)
    file, folder = bench.folder / "forged.jsonl", bench.folder / "catalogue"
    file.write_bytes(b"\n".join(records))
    daemon = bench.daemon(
        real=True,
        environment={
            "TABLESIGHT_CATALOGUE": str(folder),
            "TABLESIGHT_WORKER": wrapper(bench.folder),
            **QUICK,
        },
    )

    def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(bench.program), *words],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            env=daemon.environment,
            timeout=LIMIT,
        )

    def expect(result: subprocess.CompletedProcess[str], codes: tuple[int, ...], what: str) -> bool:
        return bench.expect(
            result.returncode in codes, "%s ends with %d: %s" % (what, result.returncode, result.stderr[-150:])
        )

    imported = run("catalogue", "import", str(file))
    expect(imported, (0,), "import")
    bench.expect(
        not set(imported.stderr) & set("\x1b\a\0"), "import prints controls of a record: %r" % imported.stderr[:200]
    )
    expect(run("catalogue", "verify"), (0,), "catalogue verify")
    daemon.start()
    pid = daemon.pid
    header, found = daemon.authorization(), []
    for at, code in enumerate(codes):
        status, body = daemon.request("/v1/products/" + code, header)
        off, answer = daemon.request("/api/v2/product/%s.json" % code, header)
        if not bench.expect(
            status in (200, 404) and off in (200, 404), "record %d: the API answers %d and %d" % (at, status, off)
        ):
            if not daemon.is_alive():
                return "the daemon ended with %s at record %d: %s" % (daemon.exit_code, at, records[at][:200])
        try:
            json.loads(body)
            json.loads(answer)
        except ValueError as error:
            bench.expect(False, "record %d: an answer is no JSON: %s" % (at, error))
        if status == 200:
            found.append(code)
    bench.expect(daemon.status("/v1/search?q=forged%20bar&limit=100", header) == 200, "the search fails")
    # The cases that once ended the daemon, and some others.
    half = spawned // 2
    chosen = found[:half] + found[half :: max(1, len(found) // half)][:half]
    for code in chosen:
        expect(run("lookup", code), (0,), "lookup " + code)
    expect(run("lookup", "--search", "forged bar"), (0, 1), "lookup --search")
    for text in ("Ingredients: " + "(" * 20_000 + "milk", "milk (" * 20_000)[: bench.size(1, 2)]:
        expect(run("judge", stdin=text), (0,), "judge of %s…" % text[:20])
    for at, code in enumerate(found):
        (daemon.inbox / ("%d.png" % at)).write_bytes(scripted(answer=barcode_reading(code)))
    daemon.wait_outcomes(len(found), pause=0.1)
    outcomes = daemon.outcomes()
    bench.expect(daemon.is_alive() and daemon.pid == pid, "the daemon ended with %s" % daemon.exit_code)
    bench.expect(len(outcomes) == len(found), "%d of %d photos judged" % (len(outcomes), len(found)))
    bad = [path for path, outcome in outcomes.items() if outcome["status"] != "completed"]
    bench.expect(not bad, "%d photos of forged products are not completed: %s" % (len(bad), bad[:3]))
    judged = sum(any(p.get("verdicts") for p in outcome.get("products") or []) for outcome in outcomes.values())
    bench.expect(judged > len(found) * 0.5, "only %d of %d products got verdicts" % (judged, len(found)))
    bench.expect(len(found) > count * 0.5, "only %d of %d records were taken" % (len(found), count))
    return (
        f"{count} forged records: {len(found)} taken, each answered by the API and judged, {judged} with "
        f"verdicts; {len(chosen)} lookups, 0 crashes"
    )
