"""Labelled patches of rendered throws and of things that are no dice."""

import math
from typing import Any

import cv2
import numpy as np

from tablesight_tools.rendering.boards import rounded_dice
from tablesight_tools.rendering.boards.table import Table
from tablesight_tools.training.die_faces.parameters import STEP
from tablesight_tools.training.die_faces.patches import Levels, Spot, levels_of, patch
from tablesight_tools.training.die_faces.proposals import proposals, root, singles


def distractors(table: Table) -> None:
    """Draws objects that are no dice: buttons, dots in rows, squares, spots, text, letters."""
    rng, image = table.rng, table.image
    for _ in range(int(rng.integers(3, 9))):
        x, y, size = rng.uniform(80, 1200), rng.uniform(80, 640), rng.uniform(18, 110)
        paint, ink = rng.uniform(20, 250, 3), rng.uniform(0, 255, 3)
        turn = rng.uniform(0, math.pi)
        own = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])

        def spot(
            u: float, v: float, r: float, colour: np.ndarray, own: np.ndarray = own, x: float = x, y: float = y
        ) -> None:
            cv2.circle(
                image,
                tuple(int(round(c * 16)) for c in np.array([u, v]) @ own + [x, y]),
                int(r * 16),
                colour.tolist(),
                -1,
                cv2.LINE_AA,
                4,
            )

        kind = rng.integers(6)
        if kind == 0:  # a button
            spot(0, 0, size / 2, paint)
            for u, v in [(-1, -1), (1, 1), (-1, 1), (1, -1)][: int(rng.choice([2, 4]))]:
                spot(u * size * 0.1, v * size * 0.1, size * rng.uniform(0.045, 0.07), ink)
        elif kind == 1:  # dots in rows
            gap, n, r = size * 0.3, int(rng.integers(2, 8)), rng.uniform(0.2, 0.4)
            for u in range(n):
                for v in range(int(rng.integers(2, 6))):
                    if rng.random() < 0.85:
                        spot((u - n / 2) * gap, (v - 2) * gap, gap * r, ink)
        elif kind == 2:  # a field of squares
            cells = rng.integers(0, 2, (12, 12)).astype(np.float32)[..., None] * (ink - paint) + paint
            tiles_size = int(size)
            cells = cv2.resize(cells.astype(np.float32), (tiles_size, tiles_size), interpolation=cv2.INTER_NEAREST)
            top, left = int(y), int(x)
            part = image[top : top + tiles_size, left : left + tiles_size]
            part[:] = cells[: part.shape[0], : part.shape[1]]
        elif kind == 3:  # a few spots
            for _ in range(int(rng.integers(2, 9))):
                spot(*rng.normal(0, size * 0.35, 2), size * rng.uniform(0.05, 0.09), ink)
        elif kind == 4:  # lines of text
            font, large, bold = int(rng.integers(0, 8)), rng.uniform(0.4, 2), int(rng.integers(1, 5))
            for line in range(int(rng.integers(2, 7))):
                words = "".join(
                    rng.choice(list("aaeeiillttnnoorrssdhcumpgbfkwvz      ...,,:;0123456789ABDEIOTLN%-"))
                    for _ in range(int(rng.integers(8, 40)))
                )
                cv2.putText(
                    image, words, (int(x), int(y + line * 36 * large)), font, large, ink.tolist(), bold, cv2.LINE_AA
                )
        else:  # letters
            cv2.putText(
                image,
                "".join(rng.choice(list(":;.%oO8BQ0i!?&=*")) for _ in range(8)),
                (int(x), int(y)),
                int(rng.integers(0, 8)),
                rng.uniform(0.5, 2),
                ink.tolist(),
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )


def spots_of_ground(picture: np.ndarray, levels: Levels, taken: list[Any]) -> list[Spot]:
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    found = []
    for colour in (0, 255):
        options = cv2.SimpleBlobDetector_Params()
        options.filterByColor, options.blobColor = True, colour
        options.filterByArea, options.minArea, options.maxArea = True, 9, 1500
        options.filterByCircularity, options.minCircularity = True, 0.65
        options.filterByConvexity, options.filterByInertia, options.minDistBetweenBlobs = False, False, 3
        options.thresholdStep, options.minRepeatability = 14, 2
        for point in cv2.SimpleBlobDetector_create(options).detect(grey):
            at, r = np.array(point.pt), point.size / 2
            if all(cv2.pointPolygonTest(np.array(h, np.float32), point.pt, False) < 0 for h in taken):
                found.append(Spot(levels, at, np.eye(2) * r))
    return found


def examples(number: int, seed: int) -> tuple[list[np.ndarray], list[int], list[int]]:
    """The patches of one photo, whether each is a face, and its kind: the value, plus 10 for wrong ones."""
    rng = np.random.default_rng([seed, number])
    table = Table([seed, number, 1], (0, 32))
    empty = number % 3 == 0
    rounded_dice.throw(table, 0 if empty else 16)
    if empty or number % 3 == 1:
        distractors(table)
    picture = table.photo()
    levels = levels_of(picture)
    spots = []
    for index, mark in enumerate(table.marks):
        visible = []
        for pip in mark["pips"]:
            covered = any(
                cv2.pointPolygonTest(np.array(h, np.float32), tuple(pip["at"]), False) >= 0
                for h in table.hulls[mark["die"] + 1 :]
            )
            inside = 4 < pip["at"][0] < picture.shape[1] - 4 and 4 < pip["at"][1] < picture.shape[0] - 4
            if not covered and inside:
                at = np.array(pip["at"]) + rng.normal(0, 0.04, 2) * np.linalg.norm(pip["axes"][0])
                visible.append(Spot(levels, at, pip["axes"], index, len(mark["pips"]), mark["top"], mark["value"]))
        spots += [s for s in visible if s.contrast > 20 and s.radius > 1.2]
    if empty or rng.random() < 0.3:
        extra = spots_of_ground(picture, levels, table.hulls)
        rng.shuffle(extra)
        spots += [s for s in extra[:150] if s.contrast > 24]
    patches, labels, kinds = [], [], []

    def add(centre: np.ndarray, across: np.ndarray, down: np.ndarray, own: list[Spot], label: int, kind: int) -> None:
        face = np.mean([s.around for s in own], 0) + rng.normal(0, 2, 3)
        ink = np.mean([s.inside for s in own], 0) + rng.normal(0, 3, 3)
        patches.append(patch(levels, centre, across, down, face.astype(np.float32), ink.astype(np.float32)))
        labels.append(label)
        kinds.append(kind)

    wrong = 0
    for centre, across, down, own, value in proposals(spots, rng):
        faces = {s.face for s in own}
        right = len(faces) == 1 and None not in faces and own[0].whole == len(own) == value
        squeezed = np.linalg.svd(own[0].axes)[1]
        if right and own[0].top:
            # Compared in the plane of the face, with the recogniser's tolerances.
            true = root(own[0].axes)
            a, d = np.linalg.solve(true, across), np.linalg.solve(true, down)
            slant = abs(a @ d) / np.linalg.norm(a) / np.linalg.norm(d)
            stretch = abs(math.log(np.linalg.norm(a) / np.linalg.norm(d))) - (0.5 if value == 6 else 0)
            if slant < 0.25 and stretch < 0.35:
                add(centre, across, down, own, 1, value)
            elif slant > 0.45 or stretch > 0.65:
                wrong += 1
        elif right and squeezed[1] / squeezed[0] > 0.62:
            continue
        elif not right or rng.random() < 0.5:
            wrong += 1
            if wrong <= 110:
                add(centre, across, down, own, 0, 10 + value)
    for centre, across, down, spot in singles(spots, rng):
        if spot.face is not None and spot.top and spot.whole == 1 and spot.value == 1:
            continue
        if rng.random() < 0.35:
            add(centre, across, down, [spot], 0, 11)
    for mark, hull in [(m, table.truth[m["die"]]["polygon_px"]) for m in table.marks if m["top"] and m["value"] == 1]:
        own = [s for s in spots if s.face is not None and table.marks[s.face] is mark]
        if not own:
            continue
        q = np.array(hull)
        across, down = (q[1] + q[2] - q[0] - q[3]) / 2 * STEP, (q[2] + q[3] - q[0] - q[1]) / 2 * STEP
        for _ in range(3):
            size, turn = math.exp(rng.uniform(-0.13, 0.05)), rng.uniform(-0.12, 0.12)
            mixed = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) * size
            a, d = mixed @ np.stack([across, down])
            add(own[0].at, a, d, own, 1, 1)
        size = math.exp(rng.uniform(0.35, 0.7) * rng.choice([-1, 1]))
        add(own[0].at, across * size, down * size, own, 0, 11)
    return patches, labels, kinds
