"""Makes hard pictures of retail codes, and pictures without one, and counts what readers say of them.

    tablesight scan --as barcode --format json PHOTOS > SCAN
    scripts/tool evaluation.barcode_sets blur SCAN OUT       0.8 to 3 pixels a module, three kinds of blur and none
    scripts/tool evaluation.barcode_sets damage SCAN OUT --seed 31
    scripts/tool evaluation.barcode_sets nothing OUT --pictures 2100
    tablesight scan --as barcode --format json OUT/* > SAID
    scripts/tool evaluation.barcode_sets count OUT SAID      right and wrong, and wrong above .9

`damage` turns two digits into others so that the check digit is right again: it fades their bars to 55–85 % of the
other digits', or replaces 50–85 % of their height, or both. The print stays. `nothing` draws stripes, print, textures,
other codes, wrong check digits and EAN guards with random bars: every number that a reader reports there is wrong.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tablesight_tools import gtin
from tablesight_tools.evaluation import no_codes

SIZES = (0.8, 1, 1.25, 1.5, 2, 2.5, 3)
KINDS = ("none", "gaussian", "defocus", "motion")
BLUR = 0.6  # modules, standard deviation
STEP = 8  # samples a module of a straightened code
Picture = np.ndarray
Number = tuple[int, ...]


def modules(digits: Number) -> Picture:
    """The 95 modules of an EAN-13, 1 black."""
    return np.array([int(bit) for bit in gtin.modules("".join(map(str, digits)))], float)


def is_valid(digits: Number) -> bool:
    """Whether the check digit is right."""
    return (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10 == 0


def neighbour(digits: Number, rng: np.random.Generator) -> Number:
    """A valid number that differs in two digits and in few modules."""
    found, adjacent = [], rng.random() < 0.5
    for i in range(1, 13):
        for j in range(i + 1, i + 2 if adjacent else 13):
            for a, b in np.ndindex(10, 10):
                if j < 13 and a != digits[i] and b != digits[j]:
                    other = (*digits[:i], a, *digits[i + 1 : j], b, *digits[j + 1 :])
                    if is_valid(other):
                        found.append((int(abs(modules(other) - modules(digits)).sum()), other))
    least = min(found)[0] + 3
    near = [other for distance, other in sorted(found) if distance <= least]
    return near[rng.integers(len(near))]


def read_codes(scan: Path) -> list[tuple[str, str, Picture]]:
    """Photo, number and corners of each EAN-13 that is alone on its photo and was read without further attempts."""
    codes = []
    for line in scan.read_text(encoding="utf-8").splitlines():
        outcome = json.loads(line)
        found = [
            one
            for one in outcome["readings"].get("barcodes") or []
            if one.get("gtin") and one["format"] in ("EAN-13", "UPC-A") and one["rescue"] == "none"
        ]
        if len(found) == 1:
            codes.append((outcome["source"]["path"], found[0]["gtin"][-13:], np.float32(found[0]["corners"])))
    return sorted(codes, key=lambda code: code[0])


def axis(corners: Picture) -> tuple[float, float]:
    """Pixels a module, and the angle of the code."""
    sides = [corners[1] + corners[2] - corners[0] - corners[3], corners[2] + corners[3] - corners[0] - corners[1]]
    side = max(sides, key=lambda one: float(np.linalg.norm(one))) / 2
    return float(np.linalg.norm(side)) / 95, float(np.arctan2(side[1], side[0]))


def blurred(gray: Picture, kind: str, sigma: float, angle: float) -> Picture:
    """The picture, blurred by a standard deviation in pixels along the code."""
    if kind == "gaussian":
        return cv2.GaussianBlur(gray, (0, 0), sigma)
    reach = int(np.ceil(2 * sigma))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    if kind == "defocus":
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        kernel = np.clip(2 * sigma + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    else:
        way = np.array([np.cos(angle), np.sin(angle)]) * sigma * 3**0.5
        ends = [tuple(int(round((reach + sign * part) * 16)) for part in way) for sign in (1, -1)]
        cv2.line(kernel, ends[0], ends[1], 1, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(gray, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def blur(scan: Path, out: Path, rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    """One photo of each number, the largest, at all sizes with all kinds of blur."""
    largest: dict[str, tuple[float, float, str]] = {}
    for path, number, corners in read_codes(scan):
        size, angle = axis(corners)
        if size >= 2.9 and size > largest.get(number, (0, 0, ""))[0]:
            largest[number] = (size, angle, path)
    truth = {}
    for number, (size, angle, path) in sorted(largest.items()):
        gray = cv2.imread(path, cv2.IMREAD_GRAYSCALE).astype(np.float32)
        for pixels in SIZES:
            for kind in KINDS:
                soft = gray if kind == "none" else blurred(gray, kind, BLUR * size, angle)
                scale = min(1, pixels / size)
                small = cv2.resize(soft, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                name = f"{len(truth):04}.jpg"
                noisy = np.clip(small + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8)
                cv2.imwrite(str(out / name), noisy, [cv2.IMWRITE_JPEG_QUALITY, 85])
                truth[name] = {"number": number, "group": f"{pixels:g} {kind}"}
    return truth


def straightened(gray: Picture, corners: Picture, digits: Number) -> tuple[float, Picture, Picture]:
    """How well the bars fit, the transform from straight bars to the photo, and the straight bars."""
    best = (-1.0, np.eye(3), np.zeros((1, 1)))
    source = np.float32([[0, 0], [95 * STEP, 0], [95 * STEP, 200], [0, 200]])
    for turn in range(4):
        one = np.roll(corners, -turn, 0)
        left, right, down = (one[0] + one[3]) / 2, (one[1] + one[2]) / 2, (one[3] + one[2] - one[0] - one[1]) / 2
        length = float(np.linalg.norm(right - left))
        half = down / max(1e-6, np.linalg.norm(down)) * max(np.linalg.norm(down), 0.45 * length) / 2
        for first, last in np.ndindex(5, 5):
            ends = [left + (first - 2) * 0.3 * (right - left) / 95, right + (last - 2) * 0.3 * (right - left) / 95]
            target = np.float32([ends[0] - half, ends[1] - half, ends[1] + half, ends[0] + half])
            matrix = cv2.getPerspectiveTransform(source, target)
            bars = cv2.warpPerspective(gray, matrix, (95 * STEP, 200), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
            profile = bars[70:130].mean(0).reshape(95, STEP)[:, 2:6].mean(1)
            likeness = float(np.corrcoef(profile, -modules(digits))[0, 1])
            if likeness > best[0]:
                best = (likeness, matrix, bars)
    return best


def damage(scan: Path, out: Path, rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    """Each photo with two damaged digits."""
    truth = {}
    for path, number, corners in read_codes(scan):
        gray, digits = cv2.imread(path, cv2.IMREAD_GRAYSCALE), tuple(map(int, number))
        likeness, matrix, bars = straightened(gray, corners, digits)
        if likeness < 0.85:
            continue
        kind = ("height", "fade", "both")[len(truth) % 3]
        share = rng.uniform(0.55, 0.85) if kind != "height" else 1
        part = rng.uniform(0.5, 0.85) if kind != "fade" else 1
        own, other = modules(digits), modules(neighbour(digits, rng))
        soft = cv2.GaussianBlur(bars.astype(np.float32), (0, 0), 3)
        white, black = (np.percentile(soft, at, axis=1, keepdims=True) for at in (90, 8))
        mixed = np.repeat(own + (other - own) * share, STEP)[None].astype(np.float32)
        mixed = cv2.GaussianBlur(mixed, (0, 0), 0.35 * STEP, borderType=cv2.BORDER_REPLICATE)
        mask = cv2.GaussianBlur(np.repeat(abs(other - own), STEP).astype(np.float32)[None], (0, 0), 0.3 * STEP)
        rows, top = np.zeros((200, 1), np.float32), int(rng.uniform(0, 1 - part) * 200)
        rows[top : top + int(part * 200)] = 1
        size = gray.shape[::-1]
        drawn = cv2.warpPerspective(np.float32(white - (white - black) * mixed), matrix, size)
        weight = cv2.warpPerspective(np.minimum(1, 1.6 * mask) * rows, matrix, size)
        result = gray * (1 - weight) + weight * (drawn + rng.normal(0, 1.5, gray.shape))
        name = f"{len(truth):04}.png"
        cv2.imwrite(str(out / name), np.clip(result, 0, 255).astype(np.uint8))
        truth[name] = {"number": number, "group": kind}
    return truth


def nothing(pictures: int, out: Path, rng: np.random.Generator) -> dict[str, dict[str, Any]]:
    """As many pictures without a retail code, of each family alike."""
    truth = {}
    for index in range(pictures):
        family = list(no_codes.FAMILIES)[index % len(no_codes.FAMILIES)]
        name = f"{index:04}.jpg"
        photo = no_codes.photographed(no_codes.FAMILIES[family](rng), rng)
        cv2.imwrite(str(out / name), photo, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 96))])
        truth[name] = {"number": "", "group": family}
    return truth


def count(out: Path, said: Path) -> dict[str, list[int]]:
    """Pictures, right ones, wrong numbers, and wrong numbers above .9, by group."""
    truth = json.loads((out / "truth.json").read_text(encoding="utf-8"))
    groups: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0, 0, 0])
    for line in said.read_text(encoding="utf-8").splitlines():
        outcome = json.loads(line)
        picture = truth[Path(outcome["source"]["path"]).name]
        codes = outcome["readings"].get("barcodes") or []
        wrong = [one["confidence"] for one in codes if one.get("gtin") and one["gtin"][-13:] != picture["number"]]
        is_right = any((one.get("gtin") or "")[-13:] == picture["number"] for one in codes)
        for name in (picture["group"], "total"):
            figures = (1, is_right, bool(wrong), any(one > 0.9 for one in wrong))
            groups[name] = [a + int(b) for a, b in zip(groups[name], figures)]
    return dict(groups)


def main(arguments: list[str]) -> int:
    """Runs the tool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["blur", "damage", "nothing", "count"])
    parser.add_argument("first", type=Path, help="SCAN, or OUT of `nothing` and `count`")
    parser.add_argument("second", type=Path, nargs="?", help="OUT, or SAID of `count`")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--pictures", type=int, default=2100)
    options = parser.parse_args(arguments)
    if options.task != "nothing" and options.second is None:
        parser.error(f"{options.task} needs a second path")
    if options.task == "count":
        for name, figures in count(options.first, options.second).items():
            print("%-16s %4d pictures %4d right %4d wrong %4d wrong above .9" % (name, *figures))
        return 0
    out, rng = options.first if options.task == "nothing" else options.second, np.random.default_rng(options.seed)
    out.mkdir(parents=True, exist_ok=True)
    if options.task == "nothing":
        truth = nothing(options.pictures, out, rng)
    else:
        truth = (blur if options.task == "blur" else damage)(options.first, out, rng)
    (out / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    print(f"{len(truth)} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
