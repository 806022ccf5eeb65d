"""Scores `tablesight pieces` on rendered boards. Needs only the standard library.

    scripts/tool evaluation.score stills DIR... --tablesight CMD --set NAME   folders of `render-boards stills`
    scripts/tool evaluation.score play DIR --tablesight CMD --set NAME        the folder of `render-boards play`
    scripts/tool evaluation.score tiles DIR... --tablesight CMD             folders of `render-boards tiles` or `grids`

stills: a piece counts if at least half of it (--visible) is visible. right: type, side and pose within 5 mm and 10°;
strict: within 2 mm and 3°. tiles: a piece is read if an answer lies on it, and right if type, number, letter, shape,
colour and square agree. play: ids against the truth and events against what happened; the delay of `placed` counts
from the frame in which the piece rests and is visible again. Times are the recogniser's processor time for a frame in
milliseconds, without decoding.
"""

import argparse
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from tablesight_tools.measures import calibration_error, percentile

Row = dict[str, Any]
FOLD = {"square": 4, "parallelogram": 2}
SEEN = 0.7  # a piece with a smaller visible share is not scored


def frames_of(command: str, source: Path, *options: str) -> list[Row]:
    """The frames that `tablesight pieces` prints for a photo, or for a folder as one stream."""
    run = subprocess.run([*shlex.split(command), "pieces", str(source), *options], capture_output=True, text=True)
    if run.returncode:
        print(run.stderr.strip(), file=sys.stderr)
    return [row for row in map(json.loads, run.stdout.splitlines()) if row["kind"] == "frame"]


def processor_times(frames: list[Row]) -> list[float]:
    """The recogniser's processor time for each frame, in milliseconds."""
    return [frame["timing_ms"].get("cpu", frame["timing_ms"]["total"]) for frame in frames]


def apart(kind: str, a: float, b: float) -> float:
    span = 360 / FOLD.get(kind, 1)
    off = abs(a - b) % span
    return min(off, span - off)


def f1(right: int, answered: int, true: int) -> float:
    return 2 * right / (answered + true) if answered + true else float("nan")


def score_still(found: list[Row], truth: list[Row], least: float, tally: Row) -> None:
    must = [p for p in truth if p["visible"] >= least]
    free = list(truth)
    for piece in found:
        alike = [p for p in free if p["type"] == piece["type"] and p["colour"] in (None, piece.get("colour"))]
        nearest = min(alike, key=lambda p: math.hypot(p["x"] - piece["x_mm"], p["y"] - piece["y_mm"]), default=None)
        if nearest is None:
            tally["answered"] += 1
            continue
        free.remove(nearest)
        off = math.hypot(nearest["x"] - piece["x_mm"], nearest["y"] - piece["y_mm"])
        turn = apart(piece["type"], piece["angle_deg"], nearest["angle"])
        good = piece["flipped"] == nearest["flipped"]
        strict = good and off <= 2 and turn <= 3
        tally["confidences"].append((piece["confidence"], strict))
        if nearest not in must:
            tally["hidden"] += 1
            tally["hidden_wrong"] += not strict
            continue
        tally["answered"] += 1
        tally["right"] += good and off <= 5 and turn <= 10
        tally["strict"] += strict
        tally["wrong"] += not strict
        if good and off <= 5 and turn <= 10:
            tally["offs"].append(off)
            tally["turns"].append(turn)
    tally["true"] += len(must)


def stills(options: argparse.Namespace) -> None:
    print(
        f"{'condition':14} {'true':>5} {'F1':>6} {'strict':>6} {'mm med':>7} {'mm p95':>7} "
        f"{'° med':>6} {'° p95':>6} {'cpu p50':>7} {'cpu p95':>7} {'wrong':>5}  ECE"
    )
    every = []
    for folder in options.dir:
        tally = dict(
            answered=0, right=0, strict=0, true=0, wrong=0, hidden=0, hidden_wrong=0, offs=[], turns=[], confidences=[]
        )
        pictures = sorted(folder.glob("*.jpg"))[: options.first]
        # Each picture gets its own session; a folder would be one.
        times = []
        for picture in pictures:
            truth = json.loads(picture.with_suffix(".json").read_text())["pieces"]
            frames = frames_of(options.tablesight, picture, "--set", options.set)
            score_still(frames[-1]["pieces"] if frames else [], truth, options.visible, tally)
            times += processor_times(frames)
        every += tally["confidences"]
        print(
            f"{folder.name:14} {tally['true']:5} {f1(tally['right'], tally['answered'], tally['true']):6.3f} "
            f"{f1(tally['strict'], tally['answered'], tally['true']):6.3f} "
            f"{percentile(tally['offs'], 0.5):7.2f} {percentile(tally['offs'], 0.95):7.2f} "
            f"{percentile(tally['turns'], 0.5):6.2f} {percentile(tally['turns'], 0.95):6.2f} "
            f"{percentile(times, 0.5):7.1f} {percentile(times, 0.95):7.1f} {tally['wrong']:5}  "
            f"{calibration_error(tally['confidences']):.3f}",
            flush=True,
        )
    print(f"expected calibration error over {len(every)} answers: {calibration_error(every):.3f}")


def play(options: argparse.Namespace) -> None:
    total = dict(frames=0, switches=0, covered=0, seen=0, events=0, found=0, said=0, said_right=0)
    latencies, times = [], []
    for folder in sorted(
        (f for f in options.dir[0].iterdir() if f.is_dir() and f.with_suffix(".json").is_file()),
        key=lambda f: int(f.name),
    ):
        truth = json.loads(folder.with_suffix(".json").read_text())
        frames = frames_of(options.tablesight, folder, "--set", options.set, "--fps", str(truth["fps"]))
        score_play(frames, truth, total, latencies, folder.name, options.verbose)
        times += processor_times(frames)
        print(folder.name, total, flush=True)
    precision, recall = total["said_right"] / max(1, total["said"]), total["found"] / max(1, total["events"])
    print(
        f"frames {total['frames']} · id switches {total['switches']} "
        f"· pieces followed {total['covered']}/{total['seen']} · "
        f"events: precision {precision:.3f} recall {recall:.3f} "
        f"({total['events']} happened, {total['said']} reported) · "
        f"placed after p50 {percentile(latencies, 0.5):.0f} p95 {percentile(latencies, 0.95):.0f} "
        f"max {max(latencies, default=0):.0f} ms · "
        f"frame, processor time p50 {percentile(times, 0.5):.1f} p95 {percentile(times, 0.95):.1f} ms"
    )


def score_play(
    frames: list[Row], truth: Row, total: dict[str, int], latencies: list[float], name: str, verbose: bool
) -> None:
    step = 1000 / truth["fps"]
    key_of, id_of = {}, {}
    gone = set()
    reported = []
    for number, (frame, true) in enumerate(zip(frames, truth["frames"])):
        total["frames"] += 1
        for piece in true["pieces"]:
            if piece["visible"] < SEEN or piece["key"] == true["moving"]:
                continue
            total["seen"] += 1
            alike = [
                p
                for p in frame["pieces"]
                if p["type"] == piece["type"]
                and p["state"] != "tentative"
                and math.hypot(p["x_mm"] - piece["x"], p["y_mm"] - piece["y"]) < 8
            ]
            if not alike:
                continue
            total["covered"] += 1
            best = min(alike, key=lambda p: math.hypot(p["x_mm"] - piece["x"], p["y_mm"] - piece["y"]))
            if piece["key"] in id_of and id_of[piece["key"]] != best["id"]:
                total["switches"] += 1
                if verbose:
                    print("switch", name, number, piece["key"], id_of[piece["key"]], best["id"])
            id_of[piece["key"]] = best["id"]
            key_of[best["id"]] = piece["key"]
        for event in truth["events"]:
            if event["frame"] == number and event["kind"] == "removed":
                gone.add(event["key"])
                id_of.pop(event["key"], None)  # a returning piece may get another id
        reported += [(number, event["kind"], event.get("id")) for event in frame["events"]]
    reported = [
        (number, kind, key_of.get(id))
        for number, kind, id in reported
        if kind in ("lifted", "placed", "appeared", "removed")
    ]

    # The first frame from `number` on in which the piece is visible.
    def seen_from(number: int, key: int) -> int | None:
        for later in range(number, len(truth["frames"])):
            piece = next((p for p in truth["frames"][later]["pieces"] if p["key"] == key), None)
            if piece and piece["visible"] >= SEEN:
                return later
        return None

    used = set()

    def take(kind: str, key: int, first: int, last: int) -> int | None:
        for index, (number, k, about) in enumerate(reported):
            if index not in used and k == kind and about == key and first <= number <= last:
                used.add(index)
                return number
        return None

    # The first frames are not play: pieces that lie there appear and are placed.
    begun = 20
    for index, (number, _, _) in enumerate(reported):
        if number < begun:
            used.add(index)
    said = len(reported) - len(used)
    for event in truth["events"]:
        number, kind, key = event["frame"], event["kind"], event["key"]
        ends = next(
            (e["frame"] for e in truth["events"] if e["frame"] > number and e["key"] == key and e["kind"] != "lifted"),
            len(truth["frames"]),
        )
        if kind == "lifted":
            # The hand may occlude the piece until it rests; a lift off the board is reported as `removed`.
            away = any(e["kind"] == "removed" and e["key"] == key and e["frame"] == ends for e in truth["events"])
            back = ends if away else (seen_from(ends, key) or ends) + 8
            if away or ends + 16 >= len(truth["frames"]):
                take("lifted", key, number, back)
                continue
            total["events"] += 1
            total["found"] += take("lifted", key, number, back) is not None
            # A piece that slows down in the hand may be reported as placed and lifted again; both are counted.
            continue
        start = number if kind == "removed" else seen_from(number, key)
        if start is None or start + (70 if kind == "removed" else 16) >= len(truth["frames"]):
            continue
        if kind == "removed":
            total["events"] += 1
            total["found"] += take("removed", key, number - 12, number + 90) is not None
            continue
        if kind == "appeared":
            total["events"] += 1
            total["found"] += take("appeared", key, number - 45, start + 15) is not None
        total["events"] += 1
        when = take("placed", key, number - 3, start + 30)
        total["found"] += when is not None
        if when is None and verbose:
            print("never placed", name, number, start, key)
        if when is not None:
            latencies.append(max(0, (when - start) * step))
    total["said"] += said
    total["said_right"] += said - sum(1 for index in range(len(reported)) if index not in used)
    if verbose:
        print("wrong", name, [reported[i] for i in range(len(reported)) if i not in used])


def face_of(piece: Row) -> tuple[Any, ...]:
    """The face of a piece, with the halves of a domino in sorted order."""
    cell = piece.get("cell")
    return (
        piece.get("value"),
        tuple(sorted(piece.get("values") or ())),
        piece.get("symbol") if piece.get("type") == "tile" else None,
        (cell["r"], cell["c"]) if cell else None,
    )


def like(true: Row, found: Row) -> bool:
    named = [key for key in ("type", "colour") if key in true]
    return face_of(dict(true, type=true.get("type", found.get("type")))) == face_of(found) and all(
        true[k] == found.get(k) for k in named
    )


def middle(piece: Row) -> tuple[float, float]:
    points = piece["polygon_px"]
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def tiles(options: argparse.Namespace) -> None:
    print(
        f"{'set':14} {'photos':>6} {'exact':>5} {'pieces':>6} "
        f"{'right':>5} {'wrong':>5} {'missed':>6} {'over':>4} {'cpu p50':>7} {'cpu p95':>7}  ECE"
    )
    every = []
    for folder in options.dir:
        photos = exact = true = right = wrong = over = 0
        times, confidences = [], []
        for picture in sorted(folder.glob("*.jpg"))[: options.first]:
            truth = json.loads(picture.with_suffix(".json").read_text())
            frames = frames_of(options.tablesight, picture, "--set", truth["set"])
            times += processor_times(frames)
            free, here = list(truth["pieces"]), [0, 0, 0]
            for piece in frames[-1]["pieces"] if frames else []:
                at = middle(piece)
                nearest = min(free, key=lambda p: math.dist(middle(p), at), default=None)
                if nearest is None or math.dist(middle(nearest), at) > 0.4 * math.dist(*nearest["polygon_px"][:2]):
                    here[2] += 1
                    confidences.append((piece["confidence"], False))
                    continue
                free.remove(nearest)
                good = like(nearest, piece)
                here[0 if good else 1] += 1
                confidences.append((piece["confidence"], good))
                if not good and options.verbose:
                    print(
                        "wrong",
                        picture,
                        {k: v for k, v in nearest.items() if k != "polygon_px"},
                        face_of(piece),
                        piece.get("colour"),
                        piece["confidence"],
                    )
            if options.verbose and free:
                print("missed", picture, [{k: v for k, v in p.items() if k != "polygon_px"} for p in free])
            photos, true = photos + 1, true + len(truth["pieces"])
            # If the truth says whether there is a board, an exact answer must agree.
            board_right = "board" not in truth or truth["board"] == bool(frames and frames[-1].get("board"))
            if not board_right and options.verbose:
                print("board", picture, "is there" if truth["board"] else "is not there")
            exact += here[0] == len(truth["pieces"]) and not here[1] and not here[2] and board_right
            right, wrong, over = right + here[0], wrong + here[1], over + here[2]
        every += confidences
        print(
            f"{folder.name:14} {photos:6} {exact:5} {true:6} {right:5} {wrong:5} {true - right - wrong:6} {over:4} "
            f"{percentile(times, 0.5):7.1f} {percentile(times, 0.95):7.1f}  {calibration_error(confidences):.3f}",
            flush=True,
        )
    print(f"expected calibration error over {len(every)} answers: {calibration_error(every):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["stills", "play", "tiles"])
    parser.add_argument("dir", type=Path, nargs="+")
    parser.add_argument("--tablesight", required=True, metavar="CMD")
    parser.add_argument("--set", default="tangram")
    parser.add_argument("--first", type=int, help="only so many pictures of a folder")
    parser.add_argument("--visible", type=float, default=0.5)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    {"stills": stills, "play": play, "tiles": tiles}[options.what](options)


if __name__ == "__main__":
    main()
