"""Names of the types that the renderers share."""

from collections.abc import Sequence
from typing import Any

import numpy as np

Colour = Sequence[float] | np.ndarray  # red, green, blue from 0 to 255
Range = tuple[float, float]  # a number is drawn evenly from it
Size = tuple[int, int]  # width and height in pixels
Piece = dict[str, Any]  # a piece with its pose, or a row of the truth
Drawn = tuple[np.ndarray, list[Piece], bool]  # a photo, its truth, whether it shows a grid
Generator = np.random.Generator
