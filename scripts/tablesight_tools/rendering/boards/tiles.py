"""Tables with dice, tiles, drawn grids and boards, photographed by simulation. Lengths in mm, y down. Nothing here is the recogniser's."""
import json
import math

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from tablesight_tools.rendering.boards import scene

FINE = 6                        # pixels a millimetre of what is drawn before the camera looks at it
FONTS = "/usr/share/fonts/truetype/liberation/"
PIPS = {0: [], 1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (1, -1), (1, 1), (-1, 1)],
        5: [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 0)], 6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]}
OPPOSITE = 7
TABLES = [(206, 168, 120), (120, 84, 58), (86, 110, 84), (70, 72, 78), (226, 224, 218), (52, 58, 92)]


def disc(image, x, y, r, colour):
    cv2.circle(image, (round(x * 16), round(y * 16)), round(r * 16), colour, -1, cv2.LINE_AA, 4)


# What light does: how much of it there is, its colour, the grain, how it falls off over the table, how far and deep shadows reach.
LIGHTS = {
    "even": dict(exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.05, 0.35), reach=1.0, depth=0.4),
    "dim": dict(exposure=(0.25, 0.4), noise=(5, 9), slope=(0.05, 0.35), reach=1.0, depth=0.4),
    "warm": dict(exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.05, 0.35), reach=1.0, depth=0.4, cast=(1.0, 0.86, 0.66)),
    "slanted": dict(exposure=(0.75, 1.05), noise=(1.5, 3.5), slope=(0.5, 0.9), reach=2.5, depth=0.55),
}


class Table:
    """A table that pieces are put on, face by face, and a camera over it."""

    def __init__(self, seed, tilt=(0, 14), colours=TABLES, light="even"):
        rng = self.rng = np.random.default_rng(seed)
        self.light = LIGHTS[light]
        self.camera = scene.Camera(rng, tilt)
        size = scene.SIZE
        base = np.array(colours[rng.integers(len(colours))], float) + rng.normal(0, 6, 3)
        grain = cv2.resize(rng.normal(0, 1, (60, 9)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        fine = cv2.resize(rng.normal(0, 1, (size[1] // 2, size[0] // 2)).astype(np.float32), size)
        self.image = np.clip(base + (5 * grain + 2.5 * fine)[..., None], 0, 255).astype(np.float32)
        self.shade = np.zeros((size[1], size[0]), np.float32)
        self.way = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1)])
        self.truth = []
        self.finish = None              # what the camera's program makes of the picture

    def shadow(self, points, height):
        both = np.vstack([points, points + self.way * height * self.light["reach"]]).astype(np.float32)
        hull = cv2.convexHull(both)[:, 0]
        one = np.zeros(self.shade.shape, np.uint8)
        cv2.fillPoly(one, [np.round(self.camera.see(hull) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        self.shade = np.maximum(self.shade, cv2.GaussianBlur(one, (0, 0), 2.5).astype(np.float32) / 255 * self.light["depth"])

    def paste(self, face, corners, height=0.0, seen=None):
        """A square picture on the quadrangle (four corners of the table at a height, or pixels already)."""
        pixels = self.camera.see(corners, height) if seen is None else np.asarray(seen, float)
        h, w = face.shape[:2]
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - 0.5, pixels.astype(np.float32))
        warped = cv2.warpPerspective(face, matrix, scene.SIZE, flags=cv2.INTER_AREA)
        # Drawn large first, so that edges are not stairs.
        mask = np.zeros((scene.SIZE[1] * 4, scene.SIZE[0] * 4), np.uint8)
        cv2.fillPoly(mask, [np.round((pixels + 0.5) * 4 * 16 - 8).astype(np.int32)], 255, cv2.LINE_8, 4)
        alpha = (cv2.resize(mask, scene.SIZE, interpolation=cv2.INTER_AREA) / 255.0)[..., None]
        self.image = self.image * (1 - alpha) + warped * alpha
        self.shade *= 1 - 0.9 * alpha[..., 0]
        return pixels

    def photo(self):
        rng, (width, height) = self.rng, scene.SIZE
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        light = self.light
        angle, slope = rng.uniform(0, 2 * math.pi), rng.uniform(*light["slope"])
        ramp = (x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)
        cast = np.array([1, rng.uniform(0.93, 1), rng.uniform(0.84, 1)]) * light.get("cast", 1)
        picture = self.image * (1 - self.shade[..., None]) * ((1 - slope / 2 + slope * ramp)[..., None] * cast * rng.uniform(*light["exposure"]))
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.5, 0.9)) + rng.normal(0, rng.uniform(*light["noise"]), picture.shape)
        picture = np.clip(picture, 0, 255).astype(np.uint8)
        return self.finish(picture, rng) if self.finish else picture


def square(x, y, w, h, angle):
    return scene.turned(np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2, angle) + [x, y]


def places(rng, count, reach, size=scene.MAT, tries=4000):
    """Middles at least `reach` apart."""
    found = []
    for _ in range(tries):
        if len(found) == count:
            break
        p = np.array([rng.uniform(reach, size[0] - reach), rng.uniform(reach, size[1] - reach)])
        if all(np.linalg.norm(p - q) > reach for q in found):
            found.append(p)
    return found


def pip_face(number, ground, ink, side=96, share=0.095, gap=0.26):
    face = np.full((side, side, 3), ground, np.float32)
    for u, v in PIPS[number]:
        disc(face, (0.5 + gap * u) * side - 0.5, (0.5 + gap * v) * side - 0.5, share * side, ink)
    return face


def dice(table, count):
    rng, edge = table.rng, float(table.rng.uniform(18, 34))     # a die of 16 mm seen from nearer
    styles = [((238, 236, 230), (24, 24, 26)), ((200, 32, 36), (245, 245, 240)), ((30, 60, 170), (245, 245, 240)),
              ((30, 30, 32), (240, 240, 236)), ((236, 190, 40), (30, 28, 26)), ((40, 130, 70), (244, 244, 240))]
    ground, ink = styles[rng.integers(len(styles))]
    share, gap = rng.uniform(0.085, 0.11), rng.uniform(0.24, 0.28)
    for p in sorted(places(rng, count, edge * 1.55), key=lambda p: table.camera.see([p])[0][1]):
        top, angle = int(rng.integers(1, 7)), rng.uniform(0, 90)
        corners = square(*p, edge, edge, angle)
        table.shadow(corners, edge)
        sides = [n for n in range(1, 7) if n not in (top, OPPOSITE - top)]
        for i in range(4):
            a, b = corners[i], corners[(i + 1) % 4]
            quad = [*table.camera.see([a, b], edge), *table.camera.see([b, a], 0)]
            facing = np.cross(quad[1] - quad[0], quad[2] - quad[1])
            if facing < 0:
                continue
            shade = rng.uniform(0.55, 0.85)
            table.paste(pip_face(sides[i], ground, ink, share=share, gap=gap) * shade, None, seen=quad)
        pixels = table.paste(pip_face(top, ground, ink, share=share, gap=gap), corners, edge)
        table.truth.append(dict(type="die", value=top, polygon_px=pixels.tolist()))


def dominoes(table, count):
    rng = table.rng
    ground, ink = [((240, 238, 228), (22, 22, 24)), ((28, 28, 30), (244, 244, 240))][rng.integers(2)]
    for p in places(rng, count, 56):
        values = [int(v) for v in rng.integers(0, 7, 2)]
        face = np.hstack([pip_face(v, ground, ink, share=0.085) for v in values])
        cv2.line(face, (96, 10), (96, 86), ink, 3)
        table.shadow(square(*p, 48, 24, angle := rng.uniform(0, 360)), 8)
        pixels = table.paste(face, square(*p, 48, 24, angle))
        table.truth.append(dict(type="domino", values=values, polygon_px=pixels.tolist()))


def laid(table, count):
    """Dominoes as people lay them: end to end by their numbers, doubles across, round the corner where the table ends."""
    rng = table.rng
    ground, ink = [((240, 238, 228), (22, 22, 24)), ((28, 28, 30), (244, 244, 240)), ((226, 214, 176), (30, 26, 22))][rng.integers(3)]
    share, bar, rim = rng.uniform(0.075, 0.1), int(rng.integers(6, 24)), rng.uniform(0.72, 0.94)
    way, middle = rng.uniform(-25, 25), np.array(scene.MAT) / 2
    at, ahead, open_end, turns, placed = np.array([-120.0, rng.uniform(-60, 20)]), np.array([1.0, 0.0]), int(rng.integers(0, 7)), 0, []
    for _ in range(count):
        other = open_end if rng.random() < 0.3 else int(rng.integers(0, 7))
        across, gap = other == open_end, rng.uniform(0.1, 0.7)
        length = 24 if across else 48
        if abs((at + ahead * (length + gap))[0]) > 128 or abs((at + ahead * (length + gap))[1]) > 80:
            if turns == 2:
                break
            # The next one starts at the side of the last half.
            side = np.array([0.0, 1.0]) if turns == 0 else np.array([-ahead[1], ahead[0]])
            last = placed[-1]
            at = at - ahead * 12 + side * (24 if last["across"] else 12)
            ahead, turns = side, turns + 1
        p = at + ahead * (length / 2 + gap)
        angle = math.degrees(math.atan2(ahead[1], ahead[0])) + (90 if across else 0)
        if any(scene.overlap(square(*p, 47, 23, angle), square(*q["p"], 47, 23, q["angle"])) > 1 for q in placed):
            break
        placed.append(dict(p=p, angle=angle, values=[open_end, other], across=across))
        at, open_end = p + ahead * length / 2, other
    for one in placed:
        one["p"] = scene.turned(one["p"][None], way)[0] + middle
        one["corners"] = square(*one["p"], 48, 24, one["angle"] + way + rng.normal(0, 0.7))
        table.shadow(one["corners"], 8)
    for one in placed:
        face = np.hstack([pip_face(v, ground, ink, share=share) for v in one["values"]])
        cv2.line(face, (96, bar), (96, 96 - bar), ink, int(rng.integers(3, 6)))
        cv2.rectangle(face, (0, 0), (191, 95), [c * rim for c in ground], 2)
        pixels = table.paste(face, one["corners"])
        table.truth.append(dict(type="domino", values=one["values"], polygon_px=pixels.tolist()))


def lettered(text, font, ground, ink, share):
    side = 180
    image = Image.new("RGB", (side, side), ground)
    draw = ImageDraw.Draw(image)
    type_face = ImageFont.truetype(FONTS + font, int(side * share))
    left, top, right, bottom = draw.textbbox((0, 0), text, font=type_face)
    draw.text(((side - right - left) / 2, (side - bottom - top) / 2), text, ink, font=type_face)
    return np.array(image).astype(np.float32)


def glyphs(table, count, alphabet, key, value):
    rng = table.rng
    ground, ink = [((236, 214, 168), (28, 24, 20)), ((246, 246, 242), (30, 40, 120)), ((60, 66, 74), (240, 240, 236))][rng.integers(3)]
    font = ["LiberationSans-Bold.ttf", "LiberationSans-Regular.ttf", "LiberationSerif-Bold.ttf"][rng.integers(3)]
    way = rng.uniform(-180, 180)
    for p in places(rng, count, 44):
        text = alphabet[rng.integers(len(alphabet))]
        angle = way + rng.uniform(-8, 8)
        table.shadow(square(*p, 30, 30, angle), 4)
        pixels = table.paste(lettered(text, font, ground, ink, rng.uniform(0.6, 0.75)), square(*p, 30, 30, angle))
        table.truth.append({"type": "tile", key: value(text), "polygon_px": pixels.tolist()})


def dots(table, count):
    rng = table.rng
    ground, ink = [((244, 240, 230), (170, 30, 40)), ((70, 120, 190), (250, 250, 246)), ((250, 214, 70), (30, 30, 34))][rng.integers(3)]
    for p in places(rng, count, 44):
        number, angle = int(rng.integers(1, 7)), rng.uniform(0, 360)
        table.shadow(square(*p, 30, 30, angle), 4)
        pixels = table.paste(pip_face(number, ground, ink, share=rng.uniform(0.07, 0.1)), square(*p, 30, 30, angle))
        table.truth.append(dict(type="tile", value=number, polygon_px=pixels.tolist()))


PAINTS = dict(red=(206, 30, 44), orange=(242, 118, 22), yellow=(250, 212, 30), green=(52, 160, 62), blue=(40, 110, 206), purple=(120, 48, 150))


def symbol_face(name, colour):
    side = 180
    face = np.full((side, side, 3), (30, 29, 31), np.float32)
    middle, r = side / 2, side * 0.33

    def fill(points):
        cv2.fillPoly(face, [np.round((np.array(points) + middle) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    def turn(count, *radii, start=0.0):
        n = count * len(radii)
        fill([(radii[k % len(radii)] * math.cos(start + 2 * math.pi * k / n), radii[k % len(radii)] * math.sin(start + 2 * math.pi * k / n))
              for k in range(n)])
    if name == "circle":
        disc(face, middle, middle, r, colour)
    elif name == "square":
        turn(4, r * 1.2, start=math.pi / 4)
    elif name == "diamond":
        turn(4, r * 1.2)
    elif name == "clover":
        for k in range(4):
            disc(face, middle + r * 0.52 * math.cos(k * math.pi / 2), middle + r * 0.52 * math.sin(k * math.pi / 2), r * 0.5, colour)
    elif name == "cross":
        turn(4, r * 1.25, r * 0.58, start=math.pi / 4)
    else:
        turn(8, r * 1.12, r * 0.74)
    return face


def shapes(table, count):
    rng, names = table.rng, ["circle", "square", "diamond", "clover", "cross", "star"]
    way, step = rng.uniform(-180, 180), 30 * rng.uniform(1.005, 1.03)
    # Lines of tiles that touch, as they are played.
    squares, at = {(0, 0)}, (0, 0)
    while len(squares) < count:
        at = list(squares)[rng.integers(len(squares))]
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][rng.integers(4)]
        if abs(at[0] + dx) <= 3 and abs(at[1] + dy) <= 2:
            squares.add((at[0] + dx, at[1] + dy))
    for column, row in sorted(squares):
        name, paint = names[rng.integers(6)], list(PAINTS)[rng.integers(6)]
        p = scene.turned(np.array([[column * step, row * step]]), way)[0] + np.array(scene.MAT) / 2
        if not (18 < p[0] < scene.MAT[0] - 18 and 18 < p[1] < scene.MAT[1] - 18):
            continue
        corners = square(*p, 30, 30, way)
        pixels = table.paste(symbol_face(name, PAINTS[paint]), corners)
        table.truth.append(dict(type="tile", symbol=name, colour=paint, polygon_px=pixels.tolist()))


def board(table, rows, columns, draw, size, fill):
    """A board of squares with discs on some; `draw` makes the bare board."""
    rng = table.rng
    face = draw(rows, columns)
    step = face.shape[0] / rows
    for row in range(rows):
        for column in range(columns):
            if colour := fill(row, column):
                disc(face, (column + 0.5) * step, (row + 0.5) * step, step * 0.4, [c * rng.uniform(0.94, 1.0) for c in colour[1]])
                table.truth.append(dict(colour=colour[0], cell=dict(r=row, c=column), u=(column + 0.5) / columns, v=(row + 0.5) / rows))
    corners = square(*(np.array(scene.MAT) / 2), *size, rng.uniform(-8, 8))
    table.shadow(corners, 6)
    pixels = table.paste(face, corners)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32), pixels.astype(np.float32))
    for one in table.truth:
        u, v, d = one.pop("u"), one.pop("v"), 0.4
        box = [[u + a * d / columns, v + b * d / rows] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        one["polygon_px"] = cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist()


def connect_four(table, count):
    rng = table.rng
    heights = rng.integers(0, 7, 7) if count else np.zeros(7, int)

    def draw(rows, columns):
        face = np.full((rows * 90, columns * 90, 3), (36, 84, 196), np.float32)
        hole = [(232, 230, 224), (60, 56, 52), (190, 160, 120)][rng.integers(3)]
        for row in range(rows):
            for column in range(columns):
                disc(face, (column + 0.5) * 90, (row + 0.5) * 90, 36, hole)
        return face
    board(table, 6, 7, draw, (224, 192), lambda row, column: None if 6 - row > heights[column] else
          [("yellow", (240, 200, 40)), ("red", (204, 40, 44))][rng.integers(2)])


def draughts(table, count):
    rng = table.rng
    light, dark = [((226, 206, 164), (122, 78, 46)), ((236, 226, 204), (140, 92, 60))][rng.integers(2)]

    def draw(rows, columns):
        face = np.zeros((rows * 80, columns * 80, 3), np.float32)
        for row in range(rows):
            for column in range(columns):
                face[row * 80:(row + 1) * 80, column * 80:(column + 1) * 80] = dark if (row + column) % 2 else light
        return face
    board(table, 8, 8, draw, (196, 196), lambda row, column: None if not (row + column) % 2 or rng.random() > (0.4 if count else 0) else
          [("dark", (48, 36, 30)), ("light", (240, 230, 208))][rng.integers(2)])


def stroke(face, points, width, rng):
    """A line drawn by hand: it bends."""
    points = np.array(points, float)
    fine = np.vstack([points[i] + (points[i + 1] - points[i]) * t for i in range(len(points) - 1) for t in np.linspace(0, 1, 12)[:, None]])
    wobble = cv2.GaussianBlur(rng.normal(0, 4, (len(fine), 2)), (1, 9), 0)
    cv2.polylines(face, [np.round((fine + wobble) * 16).astype(np.int32)], False, (40, 40, 48), width, cv2.LINE_AA, 4)


def drawn(table, count):
    rng = table.rng
    face = np.full((900, 900, 3), rng.uniform(225, 245), np.float32)
    width, step, start = int(rng.choice([6, 10, 14, 22, 32])), 200, 150
    boxed = rng.random() < 0.3
    for k in ([0, 1, 2, 3] if boxed else [1, 2]):
        a, b = (start, start + 3 * step) if boxed else (start + rng.uniform(-60, 60), start + 3 * step + rng.uniform(-60, 60))
        stroke(face, [(start + k * step + rng.normal(0, 6), a), (start + k * step + rng.normal(0, 6), b)], width, rng)
        stroke(face, [(a, start + k * step + rng.normal(0, 6)), (b, start + k * step + rng.normal(0, 6))], width, rng)
    for row in range(3):
        for column in range(3):
            if not count or rng.random() > 0.6:
                continue
            x, y = start + (column + 0.5) * step + rng.uniform(-15, 15), start + (row + 0.5) * step + rng.uniform(-15, 15)
            r, kind = rng.uniform(38, 66), ["cross", "nought"][rng.integers(2)]
            if kind == "cross":
                for way in (1, -1):
                    stroke(face, [(x - r * rng.uniform(.85, 1), y - way * r * rng.uniform(.85, 1)), (x + r * rng.uniform(.85, 1), y + way * r * rng.uniform(.85, 1))], width, rng)
            else:
                begun, gap = rng.uniform(0, 6), rng.uniform(-0.3, 0.35)
                stroke(face, [(x + r * math.cos(t), y + 1.1 * r * math.sin(t)) for t in np.linspace(begun, begun + 2 * math.pi - gap, 16)], width, rng)
            table.truth.append(dict(type=kind, cell=dict(r=row, c=column), u=x, v=y, r=r))
    size = rng.uniform(120, 290)
    corners = square(*(np.array(scene.MAT) / 2), size, size, rng.uniform(-25, 25))
    pixels = table.paste(face, corners)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [900, 0], [900, 900], [0, 900]], np.float32), pixels.astype(np.float32))
    for one in table.truth:
        x, y, r = one.pop("u"), one.pop("v"), one.pop("r")
        box = [[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]]
        one["polygon_px"] = cv2.perspectiveTransform(np.array([box], np.float32), matrix)[0].tolist()


SETS = {
    "dice": (dice, 6), "dominoes": (dominoes, 6), "number-dots": (dots, 10),
    "number-tiles": (lambda t, n: glyphs(t, n, "0123456789", "value", int), 12),
    "letter-tiles": (lambda t, n: glyphs(t, n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "symbol", str), 12),
    "colour-shapes": (shapes, 12), "connect-four": (connect_four, 1), "draughts": (draughts, 1), "tic-tac-toe": (drawn, 1),
}


# Folders of photos of a set that has a name of its own.
OTHER_NAMES = {"dice-thrown": "dice", "dice-small": "dice", "dominoes-laid": "dominoes"}


def maker(name):
    if name == "dice-thrown":
        from tablesight_tools.rendering.boards import thrown_dice as throws   # it draws with this file
        return throws.throw, 8, (0, 35)
    if name == "dice-small":
        from tablesight_tools.rendering.boards import rounded_dice as bodies
        return bodies.throw, 9, (0, 30)
    if name == "dominoes-laid":
        return laid, 9, (0, 14)
    return (*SETS[name], (0, 14))


def render(out, name, count, first, empty, light="even"):
    """`count` photos of the set in OUT/NAME; `empty` of them hold no piece."""
    out.mkdir(parents=True, exist_ok=True)
    make, pieces, tilt = maker(name)
    for number in range(count):
        table = Table(first + number, tilt, light=light)
        make(table, 0 if number >= count - empty else pieces)
        cv2.imwrite(str(out / f"{number:03}.jpg"), table.photo()[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])
        (out / f"{number:03}.json").write_text(json.dumps(dict(set=OTHER_NAMES.get(name, name), pieces=table.truth)))
