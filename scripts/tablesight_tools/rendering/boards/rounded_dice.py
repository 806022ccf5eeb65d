"""Small dice as rounded cubes, ray-marched, so that their faces end softly as those of real dice do.

Bodies are plain or marbled. Lengths are in mm, y points down, heights are negative. Shares no code or data with the
recogniser.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from tablesight_tools.rendering.boards.faces import PIPS
from tablesight_tools.rendering.boards.grounds import ground
from tablesight_tools.rendering.boards.mat import MAT, SIZE
from tablesight_tools.rendering.boards.table import Table, square
from tablesight_tools.rendering.types import Generator

# Body, ink.
PLAIN = [
    ((240, 238, 232), (24, 24, 26)),
    ((240, 238, 232), (30, 56, 160)),
    ((238, 234, 226), (180, 28, 34)),
    ((236, 232, 222), (34, 110, 60)),
    ((200, 30, 36), (244, 244, 240)),
    ((40, 70, 176), (244, 244, 240)),
    ((30, 30, 34), (240, 240, 236)),
    ((34, 124, 76), (244, 244, 240)),
    ((240, 196, 50), (28, 28, 26)),
    ((236, 130, 40), (244, 244, 240)),
    ((112, 60, 140), (236, 214, 130)),
    ((60, 190, 190), (250, 250, 246)),
]
FINER = 2  # rays a pixel, each way


def places_of(value: int, turned: bool) -> list[tuple[float, float]]:
    return [(v, u) if turned else (u, v) for u, v in PIPS[value]]


class Style:
    """The look of one make of dice: colours, rounding, pips, gloss."""

    def __init__(self, rng: Generator) -> None:
        self.body, self.ink = [np.array(c, np.float32) for c in PLAIN[rng.integers(len(PLAIN))]]
        self.body = np.clip(self.body + rng.normal(0, 10, 3), 6, 252)
        self.vein = np.clip(self.body * rng.uniform(0.55, 1.4), 0, 255) if rng.random() < 0.25 else None
        self.round = rng.uniform(0.06, 0.3)  # of the edge
        self.ball = rng.uniform(1.22, 1.6)  # its corners are cut by a ball of this many half edges
        self.share, self.gap = rng.uniform(0.075, 0.115), rng.uniform(0.205, 0.275)
        self.near = rng.uniform(0.6, 1.05) if rng.random() < 0.6 else 1.0  # the rows of a six
        self.two = rng.uniform(0.85, 1.15)
        self.one = rng.uniform(1.0, 1.9) if rng.random() < 0.3 else 1.0
        self.one_ink = np.array((186, 28, 34), np.float32) if self.body.sum() > 600 and rng.random() < 0.3 else self.ink
        self.gloss, self.hollow = rng.uniform(0, 0.5), rng.uniform(0, 0.9)


class Light:
    """The direction of the light, and the share of it that comes from everywhere."""

    def __init__(self, rng: Generator) -> None:
        way = np.array([rng.normal(0, 1), rng.normal(0, 1), -rng.uniform(0.7, 3)])
        self.way = way / np.linalg.norm(way)
        self.around = rng.uniform(0.35, 0.75)


def die(table: Table, middle: np.ndarray, edge: float, angle: float, style: Style, light: Light, top: int) -> None:
    rng, camera = table.rng, table.camera
    half = edge / 2
    corners = square(*middle, edge, edge, angle)
    table.shadow(middle + (corners - middle) * 0.92, edge)
    table.hulls.append(
        cv2.convexHull(np.vstack([camera.see(corners, 0), camera.see(corners, edge)]).astype(np.float32))[:, 0].tolist()
    )
    seen = np.vstack([camera.see(corners, 0), camera.see(corners, edge)])
    low, high = np.floor(seen.min(0)).astype(int) - 2, np.ceil(seen.max(0)).astype(int) + 3
    low, high = np.maximum(low, 0), np.minimum(high, SIZE)
    width, height = high - low
    if width < 4 or height < 4:
        return
    x, y = np.meshgrid(
        (np.arange(width * FINER) + 0.5) / FINER - 0.5 + low[0],
        (np.arange(height * FINER) + 0.5) / FINER - 0.5 + low[1],
    )
    # Rays in the die's own axes.
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    own = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
    ways = np.stack([x, y, np.ones_like(x)], -1) @ np.linalg.inv(camera.inner).T @ camera.rotation @ own.T
    ways = (ways / np.linalg.norm(ways, axis=-1, keepdims=True)).astype(np.float32)
    eye = (own @ (-camera.rotation.T @ camera.shift - [*middle, -half])).astype(np.float32)
    r = np.float32(style.round * edge)
    t = np.full(x.shape, np.linalg.norm(eye) - 1.8 * half, np.float32)
    for _ in range(22):
        p = eye + ways * t[..., None]
        q = np.abs(p) - (half - r)
        box = np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(-1), 0) - r
        ball = np.linalg.norm(p, axis=-1) - style.ball * half
        t = np.minimum(t + np.maximum(box, ball), 1e5)
    hit = np.maximum(box, ball) < 0.02 * edge
    normal = np.maximum(q, 0) * np.sign(p)
    flat = np.eye(3, dtype=np.float32)[np.abs(p).argmax(-1)] * np.sign(p)
    normal = np.where((np.linalg.norm(normal, axis=-1) > 1e-6)[..., None], normal, flat)
    normal = np.where((ball > box)[..., None], p, normal)
    normal /= np.maximum(1e-6, np.linalg.norm(normal, axis=-1, keepdims=True))
    paint = np.broadcast_to(style.body, p.shape).copy()
    if style.vein is not None:
        waves = np.zeros(x.shape, np.float32)
        for _ in range(4):
            waves += np.sin(p @ rng.normal(0, 4.5 / edge, 3).astype(np.float32) * 1.6 + rng.uniform(0, 6))
        paint += (style.vein - style.body) * np.clip(waves / 3 + 0.5, 0, 1)[..., None]
    # Values of the faces across, down, up; opposite ones sum to seven.
    rest = rng.permutation([n for n in range(1, 7) if n not in (top, 7 - top)])
    first = int(rest[0])
    second = int(next(n for n in rest if n not in (first, 7 - first)))
    face = np.abs(p).argmax(-1)
    marks = []
    for axis, values in enumerate([(first, 7 - first), (second, 7 - second), (7 - top, top)]):
        u, v = [k for k in range(3) if k != axis]
        for sign, value in zip((1, -1), values):
            turned = bool(rng.random() < 0.5)
            spots = [(-a, b) for a, b in places_of(value, False)] if turned and value < 6 else places_of(value, turned)
            if value in (2, 6):
                apart = style.two if value == 2 else 1.0
                across = apart * (style.near if value == 6 and not turned else 1)
                spots = [(a * across, b * apart * (style.near if value == 6 and turned else 1)) for a, b in spots]
            here = hit & (face == axis) & (np.sign(p[..., axis]) == sign)
            size = style.share * edge * (style.one if value == 1 else 1)
            ink = style.one_ink if value == 1 else style.ink
            middles = []
            for a, b in spots:
                du, dv = p[..., u] - a * style.gap * edge, p[..., v] - b * style.gap * edge
                inside = here & (du * du + dv * dv < size * size)
                paint[inside] = ink
                normal[inside, u] -= style.hollow * du[inside] / size
                normal[inside, v] -= style.hollow * dv[inside] / size
                at = np.zeros(3)
                at[axis], at[u], at[v] = sign * half, a * style.gap * edge, b * style.gap * edge
                middles.append(at)
            axes = np.zeros((2, 3))
            axes[0, u], axes[1, v] = size, size
            marks.append((value, axis == 2 and sign < 0, middles, axes))
    normal /= np.maximum(1e-6, np.linalg.norm(normal, axis=-1, keepdims=True))
    way = (own @ light.way).astype(np.float32)
    lit = np.maximum(0, normal @ way)
    low_down = np.clip((p[..., 2] + half) / edge, 0, 1)  # 1 at the table
    ambient = light.around * (1 - 0.45 * low_down) * (0.75 - 0.25 * normal[..., 2])
    mirrored = 2 * lit[..., None] * normal - way
    shine = np.maximum(0, -(mirrored * ways).sum(-1)) ** 24 * style.gloss
    colour = (
        paint * np.clip(ambient + (1.08 - light.around) * lit, 0, 1.3)[..., None]
        + 255 * shine[..., None] * (lit > 0)[..., None]
    )
    alpha = cv2.resize(hit.astype(np.float32), (int(width), int(height)), interpolation=cv2.INTER_AREA)[..., None]
    colour = cv2.resize(colour * hit[..., None], (int(width), int(height)), interpolation=cv2.INTER_AREA)
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    table.image[window] = table.image[window] * (1 - alpha) + colour
    table.shade[window] *= 1 - alpha[..., 0]

    def pixels(points: Sequence[np.ndarray]) -> np.ndarray:
        world = np.array(points) @ own + [*middle, -half]
        seen = (camera.inner @ (camera.rotation @ world.T + camera.shift[:, None])).T
        return seen[:, :2] / seen[:, 2:]

    table.truth.append(dict(type="die", value=top, polygon_px=camera.see(corners, edge).tolist()))
    for value, is_top, middles, axes in marks:
        outward = np.mean(middles, 0)
        if np.dot(outward, eye - outward) <= 0:
            continue
        table.marks.append(
            dict(
                die=len(table.truth) - 1,
                value=value,
                top=is_top,
                pips=[
                    dict(at=pixels([m])[0].tolist(), axes=(pixels([m + axes[0], m + axes[1]]) - pixels([m])).tolist())
                    for m in middles
                ],
            )
        )


def throw(table: Table, count: int) -> None:
    rng = table.rng
    ground(table, ["felt", "wood", "plain", "plain", "cloth", "carpet", "print"][rng.integers(7)])
    base = rng.uniform(6.5, 15) if rng.random() < 0.8 else rng.uniform(15, 26)
    light = Light(rng)
    styles = [Style(rng) for _ in range(1 if rng.random() < 0.5 else 3)]
    placed = []
    for _ in range(2 + int(rng.integers(count - 1)) if count else 0):
        edge = base * (rng.uniform(0.6, 0.85) if rng.random() < 0.2 else 1.0)
        for _ in range(400):
            angle = rng.uniform(0, 90)
            p = np.array([rng.uniform(2 * edge, MAT[0] - 2 * edge), rng.uniform(2 * edge, MAT[1] - 2 * edge)])
            if placed and rng.random() < 0.45:  # beside another, or near
                q, other, turn = placed[rng.integers(len(placed))]
                angle = turn if rng.random() < 0.5 else angle
                way = math.radians(turn + 90 * rng.integers(4)) if angle == turn else rng.uniform(0, 2 * math.pi)
                p = q + (edge + other) / 2 * rng.uniform(1.0, 1.05 if angle == turn else 1.9) * np.array(
                    [math.cos(way), math.sin(way)]
                )
            inside = edge < p[0] < MAT[0] - edge and edge < p[1] < MAT[1] - edge
            near = [np.linalg.norm(p - q) for q, _, _ in placed]
            if inside and all(
                d > (edge + other) * (0.72 if turn != angle else 0.49) for d, (_, other, turn) in zip(near, placed)
            ):
                placed.append((p, edge, angle))
                break
    for p, edge, angle in sorted(placed, key=lambda one: table.camera.see([one[0]])[0][1]):
        die(table, p, edge, angle, styles[rng.integers(len(styles))], light, int(rng.integers(1, 7)))
    if rng.random() < 0.4:  # too much light
        table.image = np.clip(table.image * rng.uniform(1.1, 1.5), 0, 262)
    table.finish = developed


def developed(picture: np.ndarray, rng: Generator) -> np.ndarray:
    """The picture after a phone's processing: out of focus or sharpened, and compressed."""
    picture = picture.astype(np.float32)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.5:
        picture += rng.uniform(0.3, 1.2) * (picture - cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.8, 2)))
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.7:
        packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 95))])[1]
        picture = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return picture
