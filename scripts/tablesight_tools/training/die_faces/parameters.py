"""Measures of a patch; models/dice/faces.json carries them to the recogniser."""

SIZE, REACH, FINER = 28, 3.0, 2  # patch side in pixels, pip places from middle to edge, samples for a pixel each way
STEP = 0.27  # distance of pip places as a share of the die's edge
