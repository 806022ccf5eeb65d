"""Tangram boards: pieces on a plain table, photographed from above."""

import json
import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from tablesight_tools.rendering import camera
from tablesight_tools.rendering.geometry import centroid, turned
from tablesight_tools.rendering.samples import files
from tablesight_tools.rendering.types import Colour, Piece

SCALE = 5.0  # pixels a millimetre on the flat rendering
TABLE_MM = (320.0, 220.0)
THICKNESS_MM = 3.5


def centred(polygon: ArrayLike) -> np.ndarray:
    """The polygon, moved so that its centroid is the origin."""
    points = np.array(polygon, float)
    return points - centroid(points)


def placed(template: ArrayLike, piece: Piece) -> np.ndarray:
    """Corners in millimetres: mirrored x → −x, turned clockwise (y is down), moved."""
    points = centred(template)
    if piece["flipped"]:
        points = points * [-1, 1]
    return turned(points, piece["angle_deg"]) + [piece["x_mm"], piece["y_mm"]]


def moved(pieces: list[Piece], turn: float, to: ArrayLike, spread: float = 1.0) -> list[Piece]:
    """Turns an assembly around its middle, spreads it a little for the seams, and moves it to `to`."""
    middle = np.mean([[p["x_mm"], p["y_mm"]] for p in pieces], axis=0)
    angle = math.radians(turn)
    matrix = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    result = []
    for piece in pieces:
        x, y = matrix @ ((np.array([piece["x_mm"], piece["y_mm"]]) - middle) * spread) + to
        result.append({**piece, "x_mm": float(x), "y_mm": float(y), "angle_deg": (piece["angle_deg"] + turn) % 360})
    return result


def colours(piece_set: dict[str, Any]) -> dict[str, list[dict[str, str]]]:
    """The colours of each type of piece."""
    free = {}
    for piece in piece_set["pieces"]:
        free.setdefault(piece["type"], []).append(piece["colour"])
    return free


def fill(image: np.ndarray, polygon: np.ndarray, colour: Colour | float) -> None:
    cv2.fillPoly(image, [np.round(polygon * SCALE * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def draw_board(
    case: dict[str, Any],
    pieces: list[Piece],
    templates: dict[str, ArrayLike],
    piece_set: dict[str, Any],
    mono: Colour | None,
) -> tuple[np.ndarray, list[np.ndarray]]:
    width, height = (int(side * SCALE) for side in TABLE_MM)
    generator = np.random.default_rng(case["seed"])
    image = camera.table(width, height, case["table"], generator)
    polygons = [placed(templates[piece["type"]], piece) for piece in pieces]
    shadow = np.zeros((height, width), np.float32)
    for polygon in polygons:
        fill(shadow, polygon + [THICKNESS_MM * 0.5, THICKNESS_MM * 0.6], 1.0)
    image *= (1 - 0.4 * cv2.GaussianBlur(shadow, (0, 0), 1.6 * SCALE))[:, :, None]
    free = colours(piece_set)
    for piece, polygon in zip(pieces, polygons):
        if mono:
            colour = np.array(mono, float)
        else:
            chosen = free[piece["type"]].pop(0)
            piece["colour"] = chosen["name"]
            colour = np.array([int(chosen["srgb"][i : i + 2], 16) for i in (1, 3, 5)], float)
        fill(image, polygon, (0.55 * colour).tolist())  # the edge, seen as a dark rim
        middle = polygon.mean(axis=0)
        fill(image, middle + (polygon - middle) * 0.975, (colour * generator.uniform(0.94, 1.0)).tolist())
    return image, polygons


def make(folder: Path, models: Path) -> None:
    sets = {name: json.loads((models / f"piece-sets/{name}.json").read_text()) for name in ("tangram", "tangram-mono")}
    templates = {piece["type"]: piece["shape"]["polygon"] for piece in sets["tangram"]["pieces"]}
    puzzles = {p["id"]: p["pieces"] for p in json.loads((models / "puzzles/tangram.json").read_text())["puzzles"]}
    for case in json.loads((Path(__file__).parent / "pages/boards.json").read_text(encoding="utf-8")):
        if puzzle := case.get("puzzle"):
            pieces = moved(puzzles[puzzle], case.get("turn", 0), case.get("at", [160, 110]), case.get("spread", 1.02))
            keep = case.get("keep", 7)
            pieces, rest = pieces[:keep], pieces[keep:]
            for piece, (x, y, turn) in zip(rest, case.get("aside", [])):
                pieces.append({**piece, "x_mm": x, "y_mm": y, "angle_deg": turn})
        else:
            pieces = [
                {"type": t, "x_mm": x, "y_mm": y, "angle_deg": turn, "flipped": flipped}
                for t, x, y, turn, flipped in case["pieces"]
            ]
        flat, polygons = draw_board(case, pieces, templates, sets[case["set"]], case.get("mono"))
        photo, matrix = camera.photograph(
            flat,
            (1280, 900),
            case["seed"],
            case["tilt"],
            colour=tuple(case["table"]),
            fill=0.98,
            shadow=False,
            blur=0.8,
        )
        folds = {piece["type"]: piece["fold"] for piece in sets["tangram"]["pieces"]}
        truth = {
            "domains": ["board"],
            "set": case["set"],
            "pieces": [
                {
                    "type": piece["type"],
                    "colour": piece.get("colour"),
                    "x_mm": round(piece["x_mm"], 2),
                    "y_mm": round(piece["y_mm"], 2),
                    "angle_deg": round(piece["angle_deg"] % (360 / folds[piece["type"]]), 2),
                    "flipped": piece["flipped"],
                    "polygon_px": [[round(x, 1), round(y, 1)] for x, y in camera.through(matrix, polygon * SCALE)],
                }
                for piece, polygon in zip(pieces, polygons)
            ],
            "game": case["game"],
        }
        files.save(folder / "boards", case["case"], photo, truth, case.get("kind", "jpg"))
