"""Learns what a whole upper face of a die looks like: models/dice/faces.json, from rendered throws alone.

    render-boards has made .build-samples; then  .build-samples/bin/python scripts/boards/faces.py OUT.json --photos 1600 --seed 8

Photos of `bodies` (and pictures without dice: print, cloth, dots in rows, buttons, squares) give spots; every pair and four of them
that may be a face's corners gives nine places, as the recogniser proposes them; the picture about these places, turned upright and
freed of its colours, is what is learned. A face is right where its spots are all the pips of one upper face. Wrong are halves of faces,
pips of two dice, sides, and all spots that are none. Two layers of filters and two of sums; a held-out tenth of the photos says how
good it is. Needs numpy and OpenCV, some ten minutes of one core.
"""
import argparse
import base64
import functools
import json
import math
import multiprocessing
import pathlib
import sys

import cv2
import numpy as np

from tablesight_tools.rendering.boards import rounded_dice as bodies
from tablesight_tools.rendering.boards import tiles

SIZE, REACH, FINER = 28, 3.0, 2        # pixels of a patch, places from its middle to its edge, samples a pixel each way
STEP = 0.27                            # places are so far apart, in edges
VALUES = {frozenset([0, 8]): 2, frozenset([0, 4, 8]): 3, frozenset([0, 2, 6, 8]): 4, frozenset([0, 2, 4, 6, 8]): 5,
          frozenset([0, 2, 3, 5, 6, 8]): 6, frozenset([0, 1, 2, 6, 7, 8]): 6}


def levels_of(picture, long_side=1280):
    """The picture at halving sizes, each with its pixels a pixel: what the recogniser looks at."""
    scale = max(0.5, max(picture.shape[:2]) / long_side)
    size = (round(picture.shape[1] / scale), round(picture.shape[0] / scale))
    level = cv2.GaussianBlur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR), (3, 3), 0)
    found = []
    while True:
        found.append((level, scale))
        if max(level.shape[:2]) < 240:
            return found
        level, scale = cv2.resize(level, ((level.shape[1] + 1) // 2, (level.shape[0] + 1) // 2), interpolation=cv2.INTER_AREA), scale * 2


GRID = ((np.arange(SIZE * FINER) + 0.5) / (SIZE * FINER) * 2 - 1) * REACH


def patch(levels, centre, across, down, face, ink):
    """2 planes: how far each pixel is from the face's colour, and how far it is on the way to the ink."""
    side = math.sqrt(abs(across[0] * down[1] - across[1] * down[0])) / STEP
    index = 0
    while index + 1 < len(levels) and side / levels[index + 1][1] > 40:
        index += 1
    image, scale = levels[index]
    u, v = np.meshgrid(GRID, GRID)
    x = (centre[0] + u * across[0] + v * down[0] + 0.5) / scale - 0.5
    y = (centre[1] + u * across[1] + v * down[1] + 0.5) / scale - 0.5
    seen = cv2.remap(image, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = seen.astype(np.float32).reshape(SIZE, FINER, SIZE, FINER, 3).mean((1, 3)) - face
    way = (ink - face).astype(np.float32)
    contrast = max(12.0, np.abs(way).max())
    apart = np.sqrt(np.minimum(np.abs(seen).max(-1) / contrast, 4)) / 2
    along = np.clip(seen @ way / max(1.0, way @ way), -1, 1.5)
    return np.stack([apart, along]).astype(np.float16)


class Spot:
    def __init__(self, levels, at, axes, face=None, whole=0, top=False, value=0):
        self.at, self.axes, self.face, self.whole, self.top, self.value = np.array(at), np.array(axes), face, whole, top, value
        self.radius = math.sqrt(abs(np.linalg.det(self.axes)))
        index = 0
        while index + 1 < len(levels) and self.radius * 8 / levels[index + 1][1] > 40:
            index += 1
        image, scale = levels[index]
        turn = np.linspace(0, 2 * math.pi, 20, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn)], 1) @ self.axes

        def median(part, more):
            p = (self.at + circle * (part + more * scale / self.radius) + 0.5) / scale - 0.5
            p = np.clip(np.round(p).astype(int), 0, [image.shape[1] - 1, image.shape[0] - 1])
            return np.median(image[p[:, 1], p[:, 0]], axis=0)
        self.around, self.inside = median(1.22, 0.9), median(0.5, 0)
        self.contrast = np.abs(self.around - self.inside).max()

    def like(self, other):
        return (0.62 < self.radius / other.radius < 1.62 and np.abs(self.around - other.around).max() < 60
                and np.abs(self.inside - other.inside).max() < 100)


def root(matrix):
    """The symmetric square root of M Mᵀ, of determinant 1: how a plane is squeezed."""
    m = matrix.T @ matrix
    m = m / math.sqrt(max(1e-9, np.linalg.det(m)))
    return (m + np.eye(2)) / math.sqrt(np.trace(m) + 2)


def proposals(spots, rng):
    """Every way to see some of the spots as a face: middle, steps, spots on it, value."""
    for i, a in enumerate(spots):
        near = [b for b in spots if b is not a and np.linalg.norm(b.at - a.at) < 20 * a.radius and a.like(b)]
        for b in near:
            if spots.index(b) < i:
                continue
            centre, half = (a.at + b.at) / 2, (b.at - a.at) / 2
            reach = np.linalg.norm(half)
            if not 1.1 < reach / math.sqrt(2) / a.radius < 6.8:
                continue
            ways = []
            for c in near:
                off = c.at - centre
                if c is b or not 0.45 < np.linalg.norm(off) / reach < 2.2 or half[0] * off[1] - half[1] * off[0] > -0.5 * reach * np.linalg.norm(off):
                    continue
                d = min((d for d in near if d is not b and d is not c), key=lambda d: np.linalg.norm(2 * centre - c.at - d.at), default=None)
                if d is None or np.linalg.norm(2 * centre - c.at - d.at) > 0.32 * min(reach, np.linalg.norm(off)):
                    continue
                corners = [a.at, c.at, b.at, d.at]
                ways.append(((sum(corners)) / 4, (corners[1] + corners[2] - corners[0] - corners[3]) / 4, (corners[2] + corners[3] - corners[0] - corners[1]) / 4))
            for squeeze in (root(a.axes @ (np.eye(2) + rng.normal(0, 0.1, (2, 2)))), np.eye(2)):
                flat = np.linalg.solve(squeeze, half)
                ways.append((centre, squeeze @ [flat[0] + flat[1], flat[1] - flat[0]] / 2, squeeze @ [flat[0] - flat[1], flat[0] + flat[1]] / 2))
            for middle, across, down in ways:
                matrix = np.stack([across, down], 1)
                step = math.sqrt(abs(np.linalg.det(matrix)))
                if step / STEP < 13 or not 1.65 < step / a.radius < 4.8:
                    continue
                places, good = {}, True
                for spot in [a, *near]:
                    at = np.linalg.solve(matrix, spot.at - middle)
                    if np.abs(at).max() >= 1.6:
                        continue
                    cell = np.round(at)
                    if np.linalg.norm(at - cell) >= 0.4 or np.abs(cell).max() > 1.5:
                        good = good and not np.abs(at).max() < 1.45
                        continue
                    number = int((cell[1] + 1) * 3 + cell[0] + 1)
                    good, places[number] = good and number not in places, spot
                value = VALUES.get(frozenset(places))
                if good and value:
                    yield middle, across, down, list(places.values()), value


def singles(spots, rng):
    """Ways to see a spot as a one."""
    for spot in spots:
        for _ in range(2):
            squeeze = root(spot.axes) if rng.random() < 0.5 else np.eye(2)
            step, turn = spot.radius * rng.uniform(4.3, 13.5) * STEP, rng.uniform(0, math.pi / 2)
            if step / STEP < 13:
                continue
            yield spot.at, squeeze @ [math.cos(turn) * step, math.sin(turn) * step], squeeze @ [-math.sin(turn) * step, math.cos(turn) * step], spot


def distractors(table):
    """What lies on tables and is no die."""
    rng, image = table.rng, table.image
    for _ in range(int(rng.integers(3, 9))):
        x, y, size = rng.uniform(80, 1200), rng.uniform(80, 640), rng.uniform(18, 110)
        paint, ink = rng.uniform(20, 250, 3), rng.uniform(0, 255, 3)
        turn = rng.uniform(0, math.pi)
        own = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])

        def spot(u, v, r, colour):
            cv2.circle(image, tuple(int(round(c * 16)) for c in np.array([u, v]) @ own + [x, y]), int(r * 16), colour.tolist(), -1, cv2.LINE_AA, 4)
        kind = rng.integers(6)
        if kind == 0:                               # a button
            spot(0, 0, size / 2, paint)
            for u, v in [(-1, -1), (1, 1), (-1, 1), (1, -1)][:int(rng.choice([2, 4]))]:
                spot(u * size * 0.1, v * size * 0.1, size * rng.uniform(0.045, 0.07), ink)
        elif kind == 1:                             # dots in rows
            gap, n, r = size * 0.3, int(rng.integers(2, 8)), rng.uniform(0.2, 0.4)
            for u in range(n):
                for v in range(int(rng.integers(2, 6))):
                    if rng.random() < 0.85:
                        spot((u - n / 2) * gap, (v - 2) * gap, gap * r, ink)
        elif kind == 2:                             # a field of squares
            cells = rng.integers(0, 2, (12, 12)).astype(np.float32)[..., None] * (ink - paint) + paint
            tiles_size = int(size)
            cells = cv2.resize(cells.astype(np.float32), (tiles_size, tiles_size), interpolation=cv2.INTER_NEAREST)
            top, left = int(y), int(x)
            part = image[top:top + tiles_size, left:left + tiles_size]
            part[:] = cells[:part.shape[0], :part.shape[1]]
        elif kind == 3:                             # a few spots
            for _ in range(int(rng.integers(2, 9))):
                spot(*rng.normal(0, size * 0.35, 2), size * rng.uniform(0.05, 0.09), ink)
        elif kind == 4:                             # lines of text
            font, large, bold = int(rng.integers(0, 8)), rng.uniform(0.4, 2), int(rng.integers(1, 5))
            for line in range(int(rng.integers(2, 7))):
                words = "".join(rng.choice(list("aaeeiillttnnoorrssdhcumpgbfkwvz      ...,,:;0123456789ABDEIOTLN%-")) for _ in range(int(rng.integers(8, 40))))
                cv2.putText(image, words, (int(x), int(y + line * 36 * large)), font, large, ink.tolist(), bold, cv2.LINE_AA)
        else:                                       # letters
            cv2.putText(image, "".join(rng.choice(list(":;.%oO8BQ0i!?&=*")) for _ in range(8)), (int(x), int(y)), int(rng.integers(0, 8)),
                        rng.uniform(0.5, 2), ink.tolist(), int(rng.integers(1, 4)), cv2.LINE_AA)


def spots_of_ground(picture, levels, taken):
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


def examples(number, seed):
    """Patches of one photo and whether they are faces."""
    rng = np.random.default_rng([seed, number])
    table = tiles.Table([seed, number, 1], (0, 32))
    empty = number % 3 == 0
    bodies.throw(table, 0 if empty else 16)
    if empty or number % 3 == 1:
        distractors(table)
    picture = table.photo()
    levels = levels_of(picture)
    spots, whole = [], {}
    for index, mark in enumerate(table.marks):
        visible = []
        for pip in mark["pips"]:
            covered = any(cv2.pointPolygonTest(np.array(h, np.float32), tuple(pip["at"]), False) >= 0 for h in table.hulls[mark["die"] + 1:])
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

    def add(centre, across, down, own, label, kind):
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
            # Seen as it is squeezed, within what the recogniser allows.
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


class Net:
    """5×5 filters, every other place; 3×3 filters, every other place; sums; one sum."""

    def __init__(self, rng, first=8, second=16, hidden=24):
        def layer(inputs, outputs):
            return [rng.normal(0, math.sqrt(2 / inputs), (inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)]
        one = (SIZE - 5) // 2 + 1
        two = (one - 3) // 2 + 1
        self.shape = (first, second, hidden, one, two)
        self.layers = [layer(2 * 25, first), layer(first * 9, second), layer(second * two * two, hidden), layer(hidden, 1)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w), np.zeros_like(b), np.zeros_like(b)] for w, b in self.layers]
        self.steps = 0

    @staticmethod
    def windows(x, k):
        """n × rows × columns × planes → n × places × (k·k·planes), every other place."""
        v = np.lib.stride_tricks.sliding_window_view(x, (k, k), (1, 2))[:, ::2, ::2]
        return np.ascontiguousarray(v.transpose(0, 1, 2, 4, 5, 3)).reshape(len(x), v.shape[1], v.shape[2], -1)

    def forward(self, x):
        x = x.transpose(0, 2, 3, 1)
        self.a = self.windows(x, 5)
        self.b = np.maximum(self.a @ self.layers[0][0] + self.layers[0][1], 0)
        self.c = self.windows(self.b, 3)
        self.d = np.maximum(self.c @ self.layers[1][0] + self.layers[1][1], 0)
        self.e = self.d.reshape(len(x), -1)
        self.h = np.maximum(self.e @ self.layers[2][0] + self.layers[2][1], 0)
        return (self.h @ self.layers[3][0] + self.layers[3][1])[:, 0]

    def learn(self, x, y, weight, rate, keep):
        z = self.forward(x)
        mask = (np.random.random(self.h.shape) < keep).astype(np.float32) / keep
        z = ((self.h * mask) @ self.layers[3][0] + self.layers[3][1])[:, 0]
        p = 1 / (1 + np.exp(-z))
        g = ((p - y) * weight / len(y)).astype(np.float32)[:, None]
        grads = [None] * 4
        grads[3] = ((self.h * mask).T @ g, g.sum(0))
        g = (g @ self.layers[3][0].T) * mask * (self.h > 0)
        grads[2] = (self.e.T @ g, g.sum(0))
        g = ((g @ self.layers[2][0].T).reshape(self.d.shape)) * (self.d > 0)
        flat = g.reshape(-1, g.shape[-1])
        grads[1] = (self.c.reshape(-1, self.c.shape[-1]).T @ flat, flat.sum(0))
        back = (g @ self.layers[1][0].T).reshape(*g.shape[:3], 3, 3, -1)
        lower = np.zeros_like(self.b)
        two = g.shape[1]
        for i in range(3):
            for j in range(3):
                lower[:, i:i + 2 * two:2, j:j + 2 * two:2] += back[:, :, :, i, j]
        g = (lower * (self.b > 0)).reshape(-1, self.b.shape[-1])
        grads[0] = (self.a.reshape(-1, self.a.shape[-1]).T @ g, g.sum(0))
        self.steps += 1
        for layer, (gw, gb), m in zip(self.layers, grads, self.moments):
            for k, grad in ((0, gw + 1e-4 * layer[0]), (1, gb)):
                m[2 * k] = 0.9 * m[2 * k] + 0.1 * grad
                m[2 * k + 1] = 0.999 * m[2 * k + 1] + 0.001 * grad * grad
                layer[k] -= rate * (m[2 * k] / (1 - 0.9 ** self.steps)) / (np.sqrt(m[2 * k + 1] / (1 - 0.999 ** self.steps)) + 1e-8)
        return float(-(weight * (y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))).mean())


def turned(x, k):
    x = np.rot90(x, k % 4, (2, 3))
    return x[..., ::-1] if k >= 4 else x


def report(net, x, y, kinds):
    z = np.concatenate([net.forward(x[i:i + 512].astype(np.float32)) for i in range(0, len(x), 512)])
    for least in (0.0, 2.0, 4.0):
        found = z > least
        line = " ".join(f"{v}: {found[kinds == v].mean():.3f}/{found[kinds == 10 + v].mean():.4f}" for v in range(1, 7) if (kinds == v).any() and (kinds == 10 + v).any())
        print(f"more than {least}: of faces {found[y == 1].mean():.3f}, of others {found[y == 0].mean():.4f}; {line}")
    return z


def packed(layer):
    """Bytes of −127…127 and what one is worth."""
    worth = float(np.abs(layer[0]).max() / 127)
    return dict(worth=worth, weights=base64.b64encode(np.round(layer[0] / worth).astype(np.int8).tobytes()).decode(),
                biases=[round(float(b), 5) for b in layer[1]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--photos", type=int, default=1600)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path, help="a file for the patches, so that they are made once")
    options = parser.parse_args()
    if options.keep and options.keep.exists():
        data = np.load(options.keep)
        x, y, kinds, photo = data["x"], data["y"], data["kinds"], data["photo"]
    else:
        parts = []
        with multiprocessing.Pool(options.jobs) as pool:
            made = pool.imap(functools.partial(examples, seed=options.seed), range(options.photos), 4)
            for number, (patches, labels, kind) in enumerate(made):
                if patches:
                    parts.append((np.stack(patches), np.array(labels), np.array(kind), np.full(len(labels), number)))
                if number % 100 == 99:
                    print(number + 1, sum(len(p[1]) for p in parts), sum(int(p[1].sum()) for p in parts), file=sys.stderr)
        x, y, kinds, photo = (np.concatenate([p[k] for p in parts]) for k in range(4))
        if options.keep:
            np.savez(options.keep, x=x, y=y, kinds=kinds, photo=photo)
    held = photo % 10 == 9
    rng = np.random.default_rng(options.seed)
    np.random.seed(options.seed)
    net = Net(rng)
    order = np.flatnonzero(~held)
    weight = np.where(y == 1, (y == 0).sum() / max(1, y.sum()) / 2, 1).astype(np.float32)
    batch, total = 128, options.rounds * (len(order) // 128)
    for round_ in range(options.rounds):
        rng.shuffle(order)
        loss = 0.0
        for i in range(0, len(order) - batch + 1, batch):
            part = order[i:i + batch]
            rate = 0.002 * 0.5 * (1 + math.cos(math.pi * net.steps / total)) + 1e-5
            loss += net.learn(np.ascontiguousarray(turned(x[part].astype(np.float32), int(rng.integers(8)))), y[part].astype(np.float32), weight[part], rate, 0.85)
        print(f"round {round_ + 1}: {loss / max(1, len(order) // batch):.4f}", file=sys.stderr)
    for layer in net.layers:                       # as they are kept
        worth = np.abs(layer[0]).max() / 127
        layer[0] = (np.round(layer[0] / worth) * worth).astype(np.float32)
    report(net, x[held], y[held], kinds[held])
    first, second, hidden, _, _ = net.shape
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(dict(
        schema="tablesight.die-faces/1", version="1", licence="Apache-2.0",
        source=f"our own: scripts/boards/faces.py --photos {options.photos} --seed {options.seed} --rounds {options.rounds}, rendered throws only",
        size=SIZE, reach=REACH, step=STEP, filters=[first, second], hidden=hidden, layers=[packed(layer) for layer in net.layers]), indent=1) + "\n")


if __name__ == "__main__":
    main()
