"""Noughts and crosses as cameras see them, by simulation: drawn with broad pens, laid out with cards and caps, printed on sheets, and
pictures that hold no such grid. Squares are the unit of what is drawn; (0, 0) is the top-left corner of the top-left square, y down.
Nothing here is the recogniser's."""
import json
import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/liberation/"


def smooth_noise(rng, count, sigma):
    noise = cv2.GaussianBlur(rng.normal(0, 1, (count, 1)).astype(np.float32), (1, 0 * 2 + 2 * int(3 * sigma) + 1), sigma, borderType=cv2.BORDER_REFLECT)[:, 0]
    return noise / max(1e-6, float(np.abs(noise).max()))


class Paper:
    """A picture that is drawn on in light: `cover` is how much ink hides, drawn twice as large as the photo."""
    FINE = 2

    def __init__(self, rng, size, tone, tint=(1, 1, 1)):
        self.rng, self.size = rng, size
        width, height = size
        coarse = cv2.resize(rng.normal(0, 1, (height // 40 + 2, width // 40 + 2)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        self.image = np.clip((tone * (1 + 0.012 * coarse))[..., None] * np.array(tint, np.float32), 0, 255).astype(np.float32)

    def mask(self):
        return np.zeros((self.size[1] * self.FINE, self.size[0] * self.FINE), np.uint8)

    def put(self, mask, colour, opacity=1.0):
        alpha = cv2.resize(mask, self.size, interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255 * opacity
        self.image = self.image * (1 - alpha) + np.array(colour, np.float32) * alpha

    def darken(self, mask, share, blur):
        alpha = cv2.resize(mask, self.size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        if blur > 0:
            alpha = cv2.GaussianBlur(alpha, (0, 0), blur)
        self.image *= (1 - share * alpha)[..., None]


def brush(mask, points, width, rng, wobble=0.03, fray=0.5, fine=Paper.FINE, uneven=0.12):
    """A stroke through the points (pixels), `wobble` of its length off the straight, with bristles at its ends."""
    points = np.asarray(points, float) * fine
    width = width * fine
    steps = np.r_[0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    length = max(1.0, steps[-1])
    t = np.linspace(0, length, 48)
    path = np.c_[np.interp(t, steps, points[:, 0]), np.interp(t, steps, points[:, 1])]
    along = np.gradient(path, axis=0)
    along /= np.maximum(1e-6, np.linalg.norm(along, axis=1))[:, None]
    across = np.c_[-along[:, 1], along[:, 0]]
    path = path + across * (smooth_noise(rng, len(path), 9) * wobble * length * rng.uniform(0.3, 1))[:, None]
    widths = width * (1 + uneven * smooth_noise(rng, len(path), 5))
    for i in range(len(path) - 1):
        cv2.line(mask, tuple(np.round(path[i] * 16).astype(int).tolist()), tuple(np.round(path[i + 1] * 16).astype(int).tolist()), 255,
                 max(1, int(round(widths[i]))), cv2.LINE_AA, 4)
    if fray > 0 and width > 5:
        for end, way in ((0, -1), (len(path) - 1, 1)):
            for _ in range(int(rng.integers(3, 8))):
                off = rng.uniform(-0.45, 0.45) * width
                a = path[end] + across[end] * off - along[end] * way * width * 0.3
                b = path[end] + across[end] * off + along[end] * way * width * rng.uniform(0.1, 0.3 + fray)
                cv2.line(mask, tuple(np.round(a * 16).astype(int).tolist()), tuple(np.round(b * 16).astype(int).tolist()), 255,
                         max(1, int(width * rng.uniform(0.08, 0.2))), cv2.LINE_AA, 4)


class Placing:
    """Squares → pixels of the photo."""

    def __init__(self, rng, size, side, turn=14, keystone=0.05, shift=0.0, aspect=1.0, middle=None):
        width, height = size
        angle = math.radians(rng.uniform(-turn, turn))
        middle = np.array([width / 2, height / 2]) if middle is None else np.array(middle, float)
        middle = middle + rng.uniform(-shift, shift, 2) * side
        corners = (np.array([[0, 0], [3, 0], [3, 3], [0, 3]], float) - 1.5) * [side * aspect, side]
        turned = corners @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        turned += rng.uniform(-keystone, keystone, (4, 2)) * side * 1.5
        self.side = side
        self.matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [3, 0], [3, 3], [0, 3]], np.float32), (turned + middle).astype(np.float32))

    def see(self, points):
        return cv2.perspectiveTransform(np.asarray(points, np.float32).reshape(1, -1, 2), self.matrix)[0].astype(float)


def hand_lines(rng, overhang, sway=0.07):
    """Two lines each way, in squares."""
    lines = []
    for k in (1, 2):
        a, b = rng.normal(0, sway / 2, 2).clip(-sway, sway)
        lines.append([(k + a, 1 - rng.uniform(*overhang)), (k + b, 2 + rng.uniform(*overhang))])
        a, b = rng.normal(0, sway / 2, 2).clip(-sway, sway)
        lines.append([(1 - rng.uniform(*overhang), k + a), (2 + rng.uniform(*overhang), k + b)])
    return lines


def filling(rng, number):
    """Which marks are on which squares: none, all alike, or a game somewhere on its way."""
    squares = [(row, column) for row in range(3) for column in range(3)]
    choice = number % 10
    if choice == 0:
        return {}
    if choice == 1:
        return {s: "nought" for s in squares}
    if choice == 2:
        return {s: "cross" for s in squares}
    count = int(rng.integers(1, 10))
    order = rng.permutation(9)[:count]
    first = int(rng.integers(2))
    return {squares[s]: ("cross", "nought")[(i + first) % 2] for i, s in enumerate(order)}


def truth_of(kind, row, column, box, placing):
    (x, y), (rx, ry) = box
    corners = placing.see([[x - rx, y - ry], [x + rx, y - ry], [x + rx, y + ry], [x - rx, y + ry]])
    return dict(type=kind, cell=dict(r=row, c=column), polygon_px=corners.tolist())


def drawn_mark(paper, mask, placing, kind, x, y, r, width, rng):
    stretch = rng.uniform(0.82, 1.18)
    rx, ry = r * math.sqrt(stretch), r / math.sqrt(stretch)
    if kind == "cross":
        for way in (1, -1):
            a = (x - rx * rng.uniform(0.8, 1.05), y - way * ry * rng.uniform(0.8, 1.05))
            b = (x + rx * rng.uniform(0.8, 1.05), y + way * ry * rng.uniform(0.8, 1.05))
            brush(mask, placing.see([a, b]), width, rng, wobble=0.04)
    else:
        begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-0.5, 0.3)
        turn = np.linspace(begun, begun + 2 * math.pi - gap, 40)
        swell = 1 + 0.06 * smooth_noise(rng, 40, 6)
        brush(mask, placing.see(np.c_[x + rx * np.cos(turn) * swell, y + ry * np.sin(turn) * swell]), width, rng, wobble=0, fray=0.2)
    return rx, ry


def card(paper, placing, x, y, rng, tone, angle):
    """A torn piece of paper and the shadow under its edges."""
    n = 22
    half = rng.uniform(0.33, 0.42)
    around = np.linspace(0, 1, n, endpoint=False)
    ring = []
    for t in around:
        side, u = int(t * 4), (t * 4) % 1
        a, b = [((-1, -1), (1, -1)), ((1, -1), (1, 1)), ((1, 1), (-1, 1)), ((-1, 1), (-1, -1))][side]
        p = np.array(a) + (np.array(b) - np.array(a)) * u
        ring.append(p * half * rng.uniform(0.93, 1.05, 2))
    ring = np.array(ring) @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) + [x, y]
    pixels = placing.see(ring)
    way = rng.uniform(-1, 1, 2) * rng.uniform(0.01, 0.03) * placing.side
    shadow = paper.mask()
    cv2.fillPoly(shadow, [np.round((pixels + way) * 16 * paper.FINE).astype(np.int32)], 255, cv2.LINE_AA, 4)
    paper.darken(shadow, rng.uniform(0.15, 0.45), rng.uniform(0.6, 2.5))
    sheet = paper.mask()
    cv2.fillPoly(sheet, [np.round(pixels * 16 * paper.FINE).astype(np.int32)], 255, cv2.LINE_AA, 4)
    level = tone * rng.uniform(0.92, 1.08)
    paper.put(sheet, [min(255, level)] * 3)


def cap(paper, placing, x, y, r, rng, tone):
    """A bottle cap: a dark ring around a light middle, its side seen as a crescent, and its shadow."""
    turn = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    def oval(cx, cy, radius):
        return placing.see(np.c_[cx + radius * np.cos(turn), cy + radius * 0.97 * np.sin(turn)])
    def filled(points):
        mask = paper.mask()
        cv2.fillPoly(mask, [np.round(points * 16 * paper.FINE).astype(np.int32)], 255, cv2.LINE_AA, 4)
        return mask
    way = np.array([math.cos(a := rng.uniform(0, 2 * math.pi)), math.sin(a)]) * r * rng.uniform(0.05, 0.35)
    both = cv2.convexHull(np.vstack([oval(x, y, r), oval(x + way[0], y + way[1], r)]).astype(np.float32))[:, 0]
    paper.darken(filled(both.astype(float) + rng.uniform(-1, 1, 2) * 0.05 * placing.side), rng.uniform(0.1, 0.4), rng.uniform(1.5, 4))
    dark = rng.uniform(0.12, 0.4) * tone
    paper.put(filled(both.astype(float)), [dark * rng.uniform(0.8, 1.2)] * 3)
    paper.put(filled(oval(x, y, r)), np.array([rng.uniform(0.8, 1.2) for _ in range(3)]) * dark)
    light = tone * rng.uniform(0.62, 1.0)
    paper.put(filled(oval(x + rng.uniform(-0.05, 0.05) * r, y + rng.uniform(-0.05, 0.05) * r, r * rng.uniform(0.5, 0.72))),
              np.clip(light * np.array([rng.uniform(0.92, 1.08) for _ in range(3)]), 0, 255))
    return r, r


def lit(paper, rng, exposure, noise, blur, shadows=0, fall=0.35):
    """The photo: uneven light, soft shadows, blur, grain."""
    width, height = paper.size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    ramp = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)
    light = 1 - rng.uniform(0.05, fall) * (0.5 - ramp)
    light *= 1 - rng.uniform(0, 0.25) * ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
    for _ in range(shadows):
        one = np.zeros((height, width), np.float32)
        at = rng.uniform(0, 1, 2) * [width, height]
        size = rng.uniform(0.25, 0.6) * max(width, height)
        turn = np.sort(rng.uniform(0, 2 * math.pi, 6))
        shape = np.c_[np.cos(turn), np.sin(turn)] * size * rng.uniform(0.6, 1, (6, 1)) + at
        cv2.fillPoly(one, [shape.astype(np.int32)], 1.0)
        light *= 1 - rng.uniform(0.15, 0.5) * cv2.GaussianBlur(one, (0, 0), rng.uniform(0.006, 0.05) * width)
    picture = paper.image * (light * exposure)[..., None] * np.array([1, rng.uniform(0.94, 1.02), rng.uniform(0.84, 1.04)], np.float32)
    if blur > 0:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    if noise > 0:
        picture = picture + noise * (rng.standard_normal(picture.shape[:2], dtype=np.float32)[..., None] + 0.5 * rng.standard_normal(picture.shape, dtype=np.float32))
    return np.clip(picture, 0, 255).astype(np.uint8)


def fixed_camera(rng, number, marks="drawn", size=(640, 480), part=(0.24, 0.31), broad=(0.09, 0.2), shift=0.1, shadows=0, exposure=(0.6, 1.0),
                 noise=(1, 4), tone=(170, 240), overhang=(0.55, 1.05), keystone=0.05, pens=(0.55, 1.0)):
    """A camera over a table: `part` is a square's side as a part of the picture's height, `broad` the strokes' width in squares."""
    side = rng.uniform(*part) * size[1]
    placing = Placing(rng, size, side, turn=rng.choice([3, 12, 25]), keystone=keystone, shift=shift)
    paper = Paper(rng, size, rng.uniform(*tone), (1, rng.uniform(0.97, 1.01), rng.uniform(0.9, 1.02)))
    tone = float(np.median(paper.image))
    ink = tone * rng.uniform(0.08, 0.35)
    wide = rng.uniform(*broad)
    mask = paper.mask()
    for line in hand_lines(rng, overhang):
        brush(mask, placing.see(line), wide * side * rng.uniform(0.88, 1.12), rng, wobble=rng.uniform(0, 0.022), fray=rng.uniform(0, 0.8))
    paper.put(mask, [ink] * 3, rng.uniform(0.9, 1))
    truth = []
    style = marks
    for (row, column), kind in filling(rng, number).items():
        x, y = column + 0.5 + rng.uniform(-0.07, 0.07), row + 0.5 + rng.uniform(-0.07, 0.07)
        pen = wide * side * rng.uniform(*pens)
        free = (1 - wide) / 2
        if style == "objects" and kind == "nought":
            box = cap(paper, placing, x, y, free * rng.uniform(0.55, 0.8), rng, tone)
        else:
            r = free * rng.uniform(0.55, 0.85)
            if style in ("cards", "objects") and (style == "objects" or rng.random() < 0.85):
                card(paper, placing, x, y, rng, tone, rng.uniform(-0.45, 0.45))
                r = min(r, rng.uniform(0.2, 0.28))
                pen = side * rng.uniform(0.03, 0.09)
            pen = min(pen, side * r * (0.55 if kind == "nought" else 0.6))
            mask = paper.mask()
            box = drawn_mark(paper, mask, placing, kind, x, y, r, pen, rng)
            paper.put(mask, [ink * rng.uniform(0.8, 1.3)] * 3, rng.uniform(0.9, 1))
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    return lit(paper, rng, rng.uniform(*exposure), rng.uniform(*noise), rng.uniform(0.4, 1.3), shadows), truth, True


def rough(rng, number):
    """What goes wrong by hand: bent lines of unlike width with gaps and gloss, loops, marks off their middles, a paper's edge, creases."""
    size = [(640, 480), (800, 600), (1000, 900)][number % 3]
    side = rng.uniform(0.17, 0.29) * size[1]
    placing = Placing(rng, size, side, turn=rng.choice([5, 20, 40]), keystone=0.12, shift=0.25, aspect=rng.uniform(0.8, 1.3))
    paper = Paper(rng, size, rng.uniform(150, 240), (1, rng.uniform(0.97, 1.01), rng.uniform(0.9, 1.02)))
    tone = float(np.median(paper.image))
    if number % 2:                                   # the paper ends in the picture
        sheet = paper.mask()
        corners = placing.see(np.array([[-0.9, -0.9], [3.9, -0.9], [3.9, 3.9], [-0.9, 3.9]]) + rng.uniform(-0.25, 0.25, (4, 2)))
        cv2.fillPoly(sheet, [np.round(corners * 16 * paper.FINE).astype(np.int32)], 255, cv2.LINE_AA, 4)
        paper.put(255 - sheet, [tone * rng.uniform(0.2, 0.7) * c for c in (1, rng.uniform(0.7, 1), rng.uniform(0.5, 1))])
    for _ in range(int(rng.integers(0, 3))):         # creases
        crease = paper.mask()
        brush(crease, rng.uniform(0, 1, (2, 2)) * size, rng.uniform(1, 3), rng, wobble=0.02, fray=0)
        paper.darken(crease, rng.uniform(0.05, 0.2), 1.5)
    ink = tone * np.array([(0.15, 0.15, 0.16), (0.2, 0.25, 0.6), (0.65, 0.2, 0.2), (0.25, 0.45, 0.3), (0.4, 0.4, 0.4)][rng.integers(5)])
    wide = rng.uniform(0.03, 0.17)
    mask = paper.mask()
    for line in hand_lines(rng, (0.45, 1.25), sway=0.12):
        brush(mask, placing.see(line), wide * side * rng.uniform(0.65, 1.4), rng, wobble=rng.uniform(0, 0.04), fray=rng.uniform(0, 0.8), uneven=0.25)
        if rng.random() < 0.2:                       # where the pen ran dry
            a, b = np.array(line)
            at = placing.see([a + (b - a) * rng.uniform(0.1, 0.9)])[0]
            cv2.circle(mask, tuple(np.round(at * paper.FINE).astype(int).tolist()), int(side * rng.uniform(0.05, 0.1) * paper.FINE), 0, -1)
    truth = []
    for (row, column), kind in filling(rng, number).items():
        x, y = column + 0.5 + rng.uniform(-0.13, 0.13), row + 0.5 + rng.uniform(-0.13, 0.13)
        r = (1 - wide) / 2 * rng.uniform(0.5, 0.95)
        pen = min(wide * side * rng.uniform(0.5, 1.1), side * r * 0.5)
        if kind == "cross":
            turn, lengths = rng.uniform(-0.3, 0.3), rng.uniform(0.7, 1.1, 2)
            for k in range(2):
                d = np.array([math.cos(turn + math.pi / 4 + k * math.pi / 2), math.sin(turn + math.pi / 4 + k * math.pi / 2)]) * 1.3 * r * lengths[k]
                off = rng.uniform(-0.1, 0.1, 2) * r
                brush(mask, placing.see([np.array([x, y]) + off - d, np.array([x, y]) + off + d]), pen, rng, wobble=0.06)
            box = (r, r)
        else:
            begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-1.2, 0.6)
            turn = np.linspace(begun, begun + 2 * math.pi - gap, 50)
            swell = (1 + 0.09 * smooth_noise(rng, 50, 6)) * np.linspace(1, rng.uniform(0.85, 1), 50)
            rx, ry = r * rng.uniform(0.75, 1), r * rng.uniform(0.75, 1)
            brush(mask, placing.see(np.c_[x + rx * np.cos(turn) * swell, y + ry * np.sin(turn) * swell]), pen, rng, wobble=0, fray=0.2)
            box = (rx, ry)
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    paper.put(mask, ink, rng.uniform(0.8, 1))
    if rng.random() < 0.4:                           # a lamp mirrored in the ink
        gloss = np.zeros(mask.shape, np.float32)
        at = placing.see([rng.uniform(0.3, 2.7, 2)])[0] * paper.FINE
        cv2.circle(gloss, tuple(np.round(at).astype(int).tolist()), int(side * paper.FINE * rng.uniform(0.2, 0.5)), 1.0, -1)
        gloss = cv2.GaussianBlur(gloss, (0, 0), side * paper.FINE * 0.12)
        paper.put((mask * gloss).astype(np.uint8), [tone] * 3, rng.uniform(0.2, 0.6))
    return lit(paper, rng, rng.uniform(0.4, 1.0), rng.uniform(1, 5), rng.uniform(0.4, 1.6), int(rng.integers(0, 2))), truth, True


def small_board(rng, number):
    size = [(1000, 900), (1920, 1080)][number % 2]
    return fixed_camera(rng, number, marks=["drawn", "objects", "cards"][number % 3], size=size, part=(0.08, 0.16), broad=(0.05, 0.16),
                        shift=1.2, shadows=number % 3, keystone=0.08)


def cut_off(rng, number):
    """The grid runs out of the picture on one side; what is left of those squares shows their marks' larger part."""
    return fixed_camera(rng, number, marks=["drawn", "drawn", "objects"][number % 3], part=(0.33, 0.37), shift=0.02, broad=(0.08, 0.17), overhang=(0.9, 1.2))


def painted_grid(rng, size, turn, keystone, narrowest):
    """A paint program's empty sheet with a grid of brush strokes: its square's side in pixels, where it lies, the sheet, the strokes'
    breadth as a share of the side, and what is painted."""
    side = rng.uniform(0.2, 0.3) * min(size)
    placing = Placing(rng, size, side, turn=turn, keystone=keystone, shift=0.2)
    paper = Paper(rng, size, 255)
    paper.image[:] = 255
    wide = rng.uniform(narrowest, 0.16)
    mask = paper.mask()
    for line in hand_lines(rng, (0.6, 1.1)):
        brush(mask, placing.see(line), wide * side, rng, wobble=0.03, fray=0, uneven=0)
    return side, placing, paper, wide, mask


def screen_drawing(rng, number):
    """Drawn in a paint program with a round brush."""
    size = [(640, 480), (800, 600), (500, 500)][number % 3]
    side, placing, paper, wide, mask = painted_grid(rng, size, turn=2, keystone=0.02, narrowest=0.03)
    truth = []
    for (row, column), kind in filling(rng, number).items():
        x, y, r = column + 0.5 + rng.uniform(-0.08, 0.08), row + 0.5 + rng.uniform(-0.08, 0.08), (0.5 - wide / 2) * rng.uniform(0.5, 0.85)
        box = drawn_mark(paper, mask, placing, kind, x, y, r, min(wide * side, 0.5 * r * side), rng)
        truth.append(truth_of(kind, row, column, ((x, y), box), placing))
    paper.put(mask, [(0, 0, 0), (40, 40, 200), (200, 30, 30)][number % 3 if number % 4 else 0])
    return np.clip(paper.image, 0, 255).astype(np.uint8), truth, True


def bays_of(shape):
    """How deep the four deepest bays of a shape are, as shares of its size: fewer than four show no cross, to nobody."""
    contours, _ = cv2.findContours(shape, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return [0] * 4
    contour = max(contours, key=cv2.contourArea)
    defects = cv2.convexityDefects(contour, cv2.convexHull(contour, returnPoints=False))
    depths = sorted((d[0][3] / 256 for d in defects), reverse=True) if defects is not None else []
    return [d / max(cv2.boundingRect(contour)[2:]) for d in (depths + [0] * 4)[:4]]


def fat_cross(rng, size, broad):
    """Two strokes about (0, 0), `size` long with their round ends and as broad as `broad` of that, of unlike length, off their middles, bent."""
    for _ in range(60):
        lengths = np.array([1, rng.uniform(0.5, 1)])[rng.permutation(2)] * size
        width = broad * lengths.mean()
        first, turn = rng.uniform(0, math.pi), math.radians(rng.uniform(50, 130))
        strokes = []
        for k in range(2):
            way = np.array([math.cos(first + k * turn), math.sin(first + k * turn)])
            along = max(0.05 * size, lengths[k] - width)
            share, bend = rng.uniform(0.3, 0.7), rng.uniform(-0.12, 0.12) * along
            t = np.linspace(0, 1, 12)
            strokes.append(np.outer((t - share) * along, way) + np.outer(bend * (4 * t * (1 - t) - 4 * share * (1 - share)), [-way[1], way[0]]))
        trial, scale = np.zeros((300, 300), np.uint8), 200 / size
        for stroke in strokes:
            cv2.polylines(trial, [np.round((stroke * scale + 150) * 16).astype(np.int32)], False, 255, max(1, int(width * scale)), cv2.LINE_8, 4)
        if bays_of(trial)[3] > 0.055:
            return strokes, width
    return fat_cross(rng, size, broad * 0.9)


def fat_blot(rng, size, broad):
    """What is neither: a dab, a short thick dash, a T, an L, a Y, a bow."""
    def line(*points):
        return np.array(points, float) * size
    width, kind = broad * size, int(rng.integers(6))
    if kind == 0:
        strokes, width = [line((0, 0), (rng.uniform(0, 0.2), rng.uniform(0, 0.2)))], size * rng.uniform(0.4, 0.9)
    elif kind == 1:
        strokes = [line((-0.4, 0), (0.4, rng.uniform(-0.1, 0.1)))]
    elif kind == 2:
        strokes = [line((-0.45, 0), (0.45, 0)), line((rng.uniform(-0.15, 0.15), 0), (rng.uniform(-0.15, 0.15), 0.8))]
    elif kind == 3:
        strokes = [line((-0.4, -0.4), (-0.4, 0.4), (rng.uniform(0.2, 0.4), 0.4))]
    elif kind == 4:
        strokes = [line((-0.35, -0.4), (0, 0), (0.35, -0.4)), line((0, 0), (rng.uniform(-0.1, 0.1), 0.5))]
    else:
        strokes = [line(*[(0.45 * math.cos(a), 0.45 * math.sin(a)) for a in np.linspace(0, rng.uniform(1.8, 3), 12)])]
    turn = rng.uniform(0, 2 * math.pi)
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return [stroke @ turned for stroke in strokes], width


def thick_screen(rng, number):
    """Drawn in a paint program, in a hurry, with a brush as broad as a third of the strokes: uneven crosses, noughts and blots."""
    size = [(1000, 900), (640, 480), (500, 500), (250, 250), (800, 600)][number % 5]
    side, placing, paper, wide, mask = painted_grid(rng, size, turn=3, keystone=0.03, narrowest=0.05)
    truth, marks = [], filling(rng, number)
    for row in range(3):
        for column in range(3):
            kind = marks.get((row, column)) or ("blot" if rng.random() < 0.3 else None)
            if not kind:
                continue
            large = rng.uniform(0.25, 0.7) * (1 - wide)
            broad = rng.uniform(0.22, 0.45)
            if kind == "nought":
                large, broad = max(large, 0.3), min(broad, 0.38)
                begun, gap = rng.uniform(0, 2 * math.pi), rng.uniform(-1, 0.25)
                turn = np.linspace(begun, begun + 2 * math.pi - gap, 50)
                swell = (1 + 0.08 * smooth_noise(rng, 50, 6)) * np.linspace(1, rng.uniform(0.88, 1), 50)
                outer = large / 2 * np.array([1, rng.uniform(0.75, 1)])[rng.permutation(2)]
                width = 2 * outer.min() * broad
                strokes = [np.c_[(outer[0] - width / 2) * np.cos(turn) * swell, (outer[1] - width / 2) * np.sin(turn) * swell]]
            else:
                strokes, width = fat_cross(rng, large, broad) if kind == "cross" else fat_blot(rng, large, broad)
            points = np.vstack(strokes)
            low, high = points.min(axis=0) - width / 2, points.max(axis=0) + width / 2
            spare = np.maximum(0, (1 - wide - 0.06 - (high - low)) / 2)
            middle = np.array([column + 0.5, row + 0.5]) + rng.uniform(-1, 1, 2) * np.minimum(spare, 0.2) - (low + high) / 2
            for stroke in strokes:
                brush(mask, placing.see(stroke + middle), width * side, rng, wobble=0, fray=0, uneven=rng.choice([0, 0.1]))
            if kind != "blot":
                truth.append(truth_of(kind, row, column, ((low + high) / 2 + middle, (high - low) / 2), placing))
    paper.put(mask, [(0, 0, 0), (40, 40, 200), (200, 30, 30)][number % 3 if number % 4 == 3 else 0])
    return np.clip(paper.image, 0, 255).astype(np.uint8), truth, True


HEADINGS = ["TIC TAC TOE", "XO GAME", "BOARD 1", "OXO BOX", "PLAYER X AND O", "ROUND TWO", "NOUGHTS", "COXO"]


def printed_sheet(rng, number, tilt, by_hand=False):
    """A white sheet with a heading, a framed grid and marks, on a coloured table, photographed by phone."""
    width, height = 1488, 2104                      # A4, 180 dots an inch
    sheet = Image.new("L", (width, height), int(rng.uniform(238, 255)))
    draw = ImageDraw.Draw(sheet)
    across = rng.uniform(0.17, 0.29) * width
    down = across / rng.uniform(1.4, 2.5)
    left = (width - 3 * across) / 2 + rng.uniform(-0.05, 0.05) * width
    top = rng.uniform(0.2, 0.5) * height
    pen = int(rng.integers(3, 8))
    ink = int(rng.uniform(0, 60))
    for k in range(4):
        draw.line([left + k * across, top, left + k * across, top + 3 * down], ink, pen)
        draw.line([left - pen / 2 + 1, top + k * down, left + 3 * across + pen / 2 - 1, top + k * down], ink, pen)
    font = ImageFont.truetype(FONTS + ["LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf", "LiberationSerif-Regular.ttf"][rng.integers(3)], int(rng.uniform(40, 120)))
    words = HEADINGS[rng.integers(len(HEADINGS))]
    l, t, r, b = draw.textbbox((0, 0), words, font=font)
    draw.text((left + rng.uniform(0, max(1, 3 * across - r)), top - b - rng.uniform(6, 60)), words, ink, font=font)
    if rng.random() < 0.4:
        draw.text((left, top + 3 * down + rng.uniform(10, 60)), HEADINGS[rng.integers(len(HEADINGS))], ink, font=font)
    face = np.array(sheet).astype(np.float32)
    marks, truth = filling(rng, number), []
    size_of = rng.uniform(0.3, 0.43) * down
    thin = int(rng.integers(3, 9))
    inked = np.zeros((height * 2, width * 2), np.uint8)
    for (row, column), kind in marks.items():
        x, y = left + (column + 0.5) * across, top + (row + 0.5) * down
        if by_hand:
            x, y = x + rng.uniform(-0.1, 0.1) * across, y + rng.uniform(-0.06, 0.06) * down
        r = size_of * (rng.uniform(0.75, 1.05) if by_hand else 1)
        rx = r * (rng.uniform(0.85, 1.3) if by_hand else 0.95)
        wobble = 0.05 if by_hand else 0
        if kind == "cross":
            for way in (1, -1):
                brush(inked, [(x - rx, y - way * r), (x + rx, y + way * r)], thin, rng, wobble=wobble, fray=0, uneven=0.1 if by_hand else 0)
        else:
            turn = np.linspace(0, 2 * math.pi + (rng.uniform(-0.3, 0.4) if by_hand else 0), 50) + rng.uniform(0, 6)
            swell = 1 + (0.07 * smooth_noise(rng, 50, 8) if by_hand else 0)
            brush(inked, np.c_[x + rx * np.cos(turn) * swell, y + r * np.sin(turn) * swell], thin, rng, wobble=0, fray=0, uneven=0.1 if by_hand else 0)
        truth.append((kind, row, column, [[x - rx, y - r], [x + rx, y - r], [x + rx, y + r], [x - rx, y + r]]))
    alpha = cv2.resize(inked, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    face = face * (1 - alpha) + (ink + 20) * alpha
    size = (2240, 3984)
    # A pinhole over the sheet.
    angle, roll = math.radians(rng.uniform(*tilt)), math.radians(rng.uniform(-6, 6) if rng.random() < 0.7 else rng.uniform(-20, 20))
    about_x = np.array([[1, 0, 0], [0, math.cos(angle), -math.sin(angle)], [0, math.sin(angle), math.cos(angle)]])
    about_y = math.radians(rng.uniform(-0.5, 0.5) * tilt[1])
    about_y = np.array([[math.cos(about_y), 0, math.sin(about_y)], [0, 1, 0], [-math.sin(about_y), 0, math.cos(about_y)]])
    about_z = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
    f = 0.75 * size[1]
    distance = f * width / size[0] * rng.uniform(1.0, 1.35)
    def see(points):
        q = np.c_[np.asarray(points, float) - [width / 2, height * 0.45], np.zeros(len(points))] @ (about_z @ about_y @ about_x).T + [0, 0, distance]
        return q[:, :2] / q[:, 2:] * f + [size[0] / 2, size[1] / 2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), see(corners).astype(np.float32))
    table = np.array([(150, 40, 44), (60, 90, 150), (170, 120, 80), (60, 120, 80), (90, 70, 60), (200, 180, 150)][rng.integers(6)], np.float32)
    paper = Paper(rng, size, 1.0, table)
    grain = cv2.resize(rng.normal(0, 1, (160, 14)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    paper.image += 6 * grain[..., None]
    alpha = cv2.warpPerspective(np.full((height, width), 255, np.uint8), matrix, size, flags=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    warped = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_LINEAR)
    paper.image = paper.image * (1 - alpha) + warped[..., None] * np.array([1, 0.985, 0.95], np.float32) * alpha
    found = [dict(type=k, cell=dict(r=r, c=c), polygon_px=cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist()) for k, r, c, box in truth]
    return lit(paper, rng, rng.uniform(0.6, 1.0), rng.uniform(1, 5), rng.uniform(0.8, 2.2), shadows=int(rng.integers(0, 3))), found, True


def nothing(rng, number):
    """Pictures without such a grid: things of lines and squares."""
    kind = number % 10
    size = [(640, 480), (1280, 960)][int(rng.integers(2))]
    width, height = size
    paper = Paper(rng, size, rng.uniform(160, 245))
    tone = float(np.median(paper.image))
    mask = paper.mask()
    fine = paper.FINE
    unit = height / 480
    def bar(a, b, w):
        cv2.line(mask, tuple(int(v * fine) for v in a), tuple(int(v * fine) for v in b), 255, max(1, int(w * fine)), cv2.LINE_AA)
    def writing(x, y, words, high, canvas=None):
        image = Image.fromarray(mask if canvas is None else canvas)
        ImageDraw.Draw(image).text((x * fine, y * fine), words, 255, font=ImageFont.truetype(FONTS + "LiberationSans-Regular.ttf", max(6, int(high * fine))))
        return np.array(image)
    if kind == 0:                                    # a window before a bright sky
        rows, columns = [(2, 2), (2, 3), (4, 3), (5, 4)][int(rng.integers(4))]
        x0, y0, w, h = width * rng.uniform(0.05, 0.2), height * rng.uniform(0.05, 0.2), width * rng.uniform(0.5, 0.7), height * rng.uniform(0.6, 0.75)
        for k in range(columns + 1):
            bar((x0 + w * k / columns, y0), (x0 + w * k / columns, y0 + h), 9 * unit)
        for k in range(rows + 1):
            bar((x0, y0 + h * k / rows), (x0 + w, y0 + h * k / rows), 9 * unit)
    elif kind in (1, 2):                             # a table of print
        rows, columns = int(rng.integers(5, 12)), int(rng.integers(3, 6))
        x0, y0, w, h = width * 0.1, height * 0.08, width * 0.8, height * 0.84
        for k in range(columns + 1):
            bar((x0 + w * k / columns, y0), (x0 + w * k / columns, y0 + h), 1.5 * unit)
        for k in range(rows + 1):
            bar((x0, y0 + h * k / rows), (x0 + w, y0 + h * k / rows), 1.5 * unit)
        for r in range(rows):
            for c in range(columns):
                words = "".join(rng.choice(list("ABCDEOXxo0123456789"), int(rng.integers(2, 8))))
                mask = writing(x0 + w * c / columns + 6, y0 + h * r / rows + 3, words, 0.5 * h / rows)
    elif kind == 3:                                  # a chessboard
        n, s = 8, height * rng.uniform(0.08, 0.11)
        for r in range(n):
            for c in range(n):
                if (r + c) % 2:
                    cv2.rectangle(mask, (int((20 + c * s) * fine), int((10 + r * s) * fine)), (int((20 + (c + 1) * s) * fine), int((10 + (r + 1) * s) * fine)), 255, -1)
    elif kind in (4, 5):                             # tiles with dark or light seams
        s = height * rng.uniform(0.12, 0.3)
        x0, y0 = rng.uniform(0, s, 2)
        for k in range(-1, 14):
            bar((x0 + k * s, 0), (x0 + k * s, height), 4 * unit)
            bar((0, y0 + k * s), (width, y0 + k * s), 4 * unit)
    elif kind == 6:                                  # a barcode
        x = width * 0.2
        while x < width * 0.8:
            w = float(rng.integers(1, 5)) * 2.2 * unit
            bar((x + w / 2, height * 0.25), (x + w / 2, height * 0.7), w)
            x += w + float(rng.integers(1, 5)) * 2.2 * unit
        mask = writing(width * 0.25, height * 0.74, "4 006381 333931", 26 * unit)
    elif kind == 7:                                  # print
        for k in range(14):
            words = " ".join("".join(rng.choice(list("abcdefghiklmnoprstuvwxz"), int(rng.integers(2, 9)))) for _ in range(8))
            mask = writing(width * 0.08, height * (0.06 + 0.063 * k), words, height * 0.04)
    elif kind == 8:                                  # half a grid: two lines one way, one the other
        placing = Placing(rng, size, height * 0.25)
        for line in hand_lines(rng, (0.6, 1))[: int(rng.integers(2, 4))]:
            brush(mask, placing.see(line), rng.uniform(0.05, 0.15) * placing.side, rng)
    else:                                            # marks without a grid
        placing = Placing(rng, size, height * 0.25)
        for (row, column), what in filling(rng, 7).items():
            drawn_mark(paper, mask, placing, what, column + 0.5, row + 0.5, 0.3, 0.1 * placing.side, rng)
    paper.put(mask, [tone * rng.uniform(0.1, 0.35)] * 3)
    if rng.random() < 0.5:
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-20, 20), 1)
        paper.image = cv2.warpAffine(paper.image, turn, size, borderMode=cv2.BORDER_REFLECT)
    return lit(paper, rng, rng.uniform(0.6, 1.0), rng.uniform(1, 5), rng.uniform(0.5, 1.4), shadows=int(rng.integers(0, 2))), [], False


CONDITIONS = {
    "camera": lambda r, n: fixed_camera(r, n),
    "camera-fine": lambda r, n: fixed_camera(r, n, broad=(0.02, 0.08), part=(0.17, 0.3), overhang=(0.5, 1.1)),
    "camera-cards": lambda r, n: fixed_camera(r, n, marks="cards", broad=(0.06, 0.16)),
    "camera-objects": lambda r, n: fixed_camera(r, n, marks="objects", broad=(0.06, 0.17)),
    "camera-dim": lambda r, n: fixed_camera(r, n, marks=["drawn", "objects"][n % 2], exposure=(0.2, 0.45), noise=(3, 7), shadows=2, broad=(0.06, 0.18)),
    "camera-small": small_board,
    "camera-cut": cut_off,
    "camera-rough": rough,
    "screen": screen_drawing,
    "sheet": lambda r, n: printed_sheet(r, n, (0, 8)),
    "sheet-slanted": lambda r, n: printed_sheet(r, n, (18, 38)),
    "sheet-by-hand": lambda r, n: printed_sheet(r, n, (0, 25), by_hand=True),
    "none": nothing,
    # Last in the alphabet too: the others keep their photos.
    "thick-screen": thick_screen,
}


def render(out, condition, count, first):
    """`count` photos of a condition in OUT/CONDITION, each with its truth."""
    out.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        rng = np.random.default_rng([first + number, sorted(CONDITIONS).index(condition)])
        picture, pieces, has_board = CONDITIONS[condition](rng, number)
        cv2.imwrite(str(out / f"{number:03}.jpg"), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 94))])
        (out / f"{number:03}.json").write_text(json.dumps(dict(set="tic-tac-toe", board=has_board, pieces=pieces)))
