"""A mat with pieces, photographed by simulation: camera, light, shadow, thickness, hand.

Lengths are in mm, y points down.
"""

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering.boards.mat import INSET, MARKER, MAT, SIZE, WORDS, Camera
from tablesight_tools.rendering.boards.tangram import FOLD, NAMES, PIECES, outline
from tablesight_tools.rendering.geometry import grown
from tablesight_tools.rendering.types import Colour, Piece, Range

SKIN = [(224, 172, 140), (198, 134, 96), (141, 85, 56), (92, 58, 40)]
FINE = 2  # drawn so many times finer, then averaged


def fill(image: np.ndarray, pixels: ArrayLike, colour: Colour) -> None:
    """Fills a convex polygon, inset by half a pixel because fillPoly includes every pixel that the outline touches."""
    # Pixel centres are whole numbers here and halves in the finer picture.
    fine = inset((np.asarray(pixels, float) + 0.5) * FINE - 0.5, 0.5)
    if fine is None:
        return
    cv2.fillPoly(image, [np.round(fine * 256).astype(np.int32)], colour, cv2.LINE_8, 8)


def inset(points: np.ndarray, by: float) -> np.ndarray | None:
    """The convex polygon with each side moved inwards, or None if nothing is left."""
    if cv2.contourArea(points.astype(np.float32), True) < 0:
        points = points[::-1]
    following = np.roll(points, -1, axis=0)
    along = following - points
    length = np.linalg.norm(along, axis=1)
    if length.min() < 2 * by:
        return None
    inward = np.c_[-along[:, 1], along[:, 0]] / length[:, None]
    level = (inward * points).sum(axis=1) + by
    result = []
    for i in range(len(points)):
        sides = np.array([inward[i - 1], inward[i]])
        if abs(np.linalg.det(sides)) < 1e-3:
            return None
        result.append(np.linalg.solve(sides, [level[i - 1], level[i]]))
    result = np.array(result)
    # A sliver's sides meet far away.
    if (result < points.min(axis=0)).any() or (result > points.max(axis=0)).any():
        return None
    return result


class Scene:
    """The parts that many pictures share: camera, mat, markers, light."""

    def __init__(
        self,
        seed: int,
        tilt: Range = (0, 35),
        thickness: Range = (0.0, 0.2),
        cast: Colour = (1.0, 1.0, 1.0),
        exposure: Range = (0.8, 1.05),
        noise: Range = (1.5, 4),
        blur: float = 0.6,
        gradient: Range = (0.1, 0.45),
        mono: Colour | None = None,
        markers: bool = True,
    ) -> None:
        rng = self.rng = np.random.default_rng(seed)
        self.camera, self.mono, self.markers = Camera(rng, tilt), mono, markers
        self.thickness = rng.uniform(*thickness)
        self.blur, self.noise_sigma = blur, rng.uniform(*noise)
        table = np.array([rng.uniform(130, 200), rng.uniform(90, 160), rng.uniform(60, 140)])
        mat = np.array([rng.uniform(225, 245)] * 3) + rng.normal(0, 2, 3)
        ground = np.full((SIZE[1] * FINE, SIZE[0] * FINE, 3), table, np.float32)
        grain = cv2.resize(
            rng.normal(0, 1, (40, 8)).astype(np.float32),
            (SIZE[0] * FINE, SIZE[1] * FINE),
            interpolation=cv2.INTER_CUBIC,
        )
        ground = np.clip(ground + 8 * grain[..., None], 0, 255).astype(np.uint8)
        if not markers:
            ground[:] = mat
        fill(
            ground,
            self.camera.see([(-6, -6), (MAT[0] + 6, -6), (MAT[0] + 6, MAT[1] + 6), (-6, MAT[1] + 6)]),
            mat.tolist(),
        )
        if markers:
            far = (MAT[0] - INSET - MARKER, MAT[1] - INSET - MARKER)
            for word, (x, y) in zip(WORDS, [(INSET, INSET), (far[0], INSET), far, (INSET, far[1])]):
                square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
                fill(ground, self.camera.see(square * MARKER + [x, y]), (28, 28, 30))
                for bit, value in enumerate(word):
                    if value == "1":
                        cell = square * (MARKER / 6) + [x + (bit % 4 + 1) * MARKER / 6, y + (bit // 4 + 1) * MARKER / 6]
                        fill(ground, self.camera.see(cell), (235, 235, 232))
        self.ground = ground
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
        angle, slope = rng.uniform(0, 2 * math.pi), rng.uniform(*gradient)
        ramp = (x / SIZE[0] - 0.5) * math.cos(angle) + (y / SIZE[1] - 0.5) * math.sin(angle)
        self.light = (
            (1 - slope * 0.5 + slope * ramp)[..., None] * np.array(cast, np.float32) * rng.uniform(*exposure)
        ).astype(np.float32)
        self.shadow_way = (rng.uniform(0, 2 * math.pi), rng.uniform(0.4, 1.3))
        self.shadow_blur = rng.uniform(1.5, 4.5)
        self.skin = SKIN[rng.integers(len(SKIN))]
        self.tones = rng.uniform(0.84, 1.0, 7)
        self.noise = [rng.normal(0, self.noise_sigma, (SIZE[1], SIZE[0], 3)).astype(np.float32) for _ in range(3)]

    def picture(
        self, pieces: list[Piece], hand: np.ndarray | None = None, number: int = 0
    ) -> tuple[np.ndarray, list[Piece]]:
        """The RGB picture and its truth. `hand` is the place of the finger tips in mm, or None."""
        image = self.ground.copy()
        shade = np.zeros((SIZE[1], SIZE[0]), np.uint8)
        way = (
            np.array([math.cos(self.shadow_way[0]), math.sin(self.shadow_way[0])])
            * self.shadow_way[1]
            * max(1.0, self.thickness)
        )
        for piece in pieces:
            both = np.vstack([outline(piece), outline(piece) + way])
            hull = cv2.convexHull(both.astype(np.float32))[:, 0]
            cv2.fillPoly(shade, [np.round(self.camera.see(hull) * 16).astype(np.int32)], 90, cv2.LINE_8, 4)
        order = sorted(pieces, key=lambda p: (self.camera.rotation @ np.array([p["x"], p["y"], 0]))[2], reverse=True)
        truth = []
        for piece in order:
            points = outline(piece)
            colour = np.array(self.mono if self.mono else PIECES[piece["index"]][1], float) * self.tones[piece["index"]]
            low, high = self.camera.see(points), self.camera.see(points, self.thickness)
            if self.thickness > 0.3:
                for i in range(len(points)):
                    k = (i + 1) % len(points)
                    fill(image, [low[i], low[k], high[k], high[i]], (colour * 0.6).tolist())
            if self.mono:  # worn edges separate pieces of one colour
                fill(image, high, (colour * 0.72).tolist())
                fill(image, self.camera.see(grown(points, 0.965), self.thickness), colour.tolist())
            else:
                fill(image, high, colour.tolist())
            truth.append(
                dict(
                    key=piece["index"],
                    type=piece["type"],
                    colour=None if self.mono else NAMES[piece["index"]],
                    x=piece["x"],
                    y=piece["y"],
                    angle=piece["angle"] % (360 / FOLD.get(piece["type"], 1)),
                    flipped=piece["flipped"],
                    polygon_px=high.tolist(),
                )
            )
        hidden = np.zeros((SIZE[1], SIZE[0]), np.uint8)
        picture = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
        if shade.any():
            seen = cv2.GaussianBlur(shade, (0, 0), self.shadow_blur)
            on_table = np.ones((SIZE[1], SIZE[0]), np.float32)
            for piece in pieces:
                cv2.fillPoly(
                    on_table,
                    [np.round(self.camera.see(outline(piece), self.thickness) * 16).astype(np.int32)],
                    0.15,
                    cv2.LINE_8,
                    4,
                )
            picture *= (1 - seen / 255.0 * on_table)[..., None]
        if hand is not None:
            self.draw_hand(picture, hidden, hand)
        picture *= self.light
        picture = cv2.GaussianBlur(picture, (0, 0), self.blur)
        picture += np.roll(self.noise[number % 3], (number * 37 % 211, number * 53 % 307), (0, 1))
        for one in truth:
            face = np.zeros((SIZE[1], SIZE[0]), np.uint8)
            cv2.fillPoly(face, [np.round(np.array(one["polygon_px"])).astype(np.int32)], 1)
            one["visible"] = round(1 - float((face & (hidden > 0)).sum()) / max(1, int(face.sum())), 3)
        return np.clip(picture, 0, 255).astype(np.uint8), truth

    def draw_hand(self, picture: np.ndarray, hidden: np.ndarray, tips: np.ndarray) -> None:
        """Draws three fingers and an arm that enters over the near edge."""
        tip = self.camera.see([tips], 12)[0]
        wrist = np.array([tip[0] * 0.6 + SIZE[0] * 0.26, SIZE[1] + 220.0])
        scale = self.camera.f / self.camera.shift[2]
        knuckle = tip + (wrist - tip) / np.linalg.norm(wrist - tip) * 60 * scale
        strokes = [(tip + np.array(o) * scale, knuckle, 8.5 * scale) for o in ((-14, 3), (0, -5), (14, 2))]
        strokes.append((knuckle, wrist, 29 * scale))
        for a, b, radius in strokes:
            for canvas, colour in ((hidden, 255), (picture, tuple(float(c) for c in self.skin))):
                cv2.line(
                    canvas, tuple(int(v) for v in a), tuple(int(v) for v in b), colour, int(2 * radius), cv2.LINE_8
                )
