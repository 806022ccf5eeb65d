"""The network that tells faces of dice from other spots: its layers, its training step, its report."""

import base64
import math
from typing import Any

import numpy as np

from tablesight_tools.training.die_faces.parameters import SIZE


class Net:
    """Two convolutions with stride 2 (5×5 and 3×3), a hidden dense layer, one output; trained with Adam."""

    def __init__(self, rng: np.random.Generator, first: int = 8, second: int = 16, hidden: int = 24) -> None:
        def layer(inputs: int, outputs: int) -> list[np.ndarray]:
            return [
                rng.normal(0, math.sqrt(2 / inputs), (inputs, outputs)).astype(np.float32),
                np.zeros(outputs, np.float32),
            ]

        one = (SIZE - 5) // 2 + 1
        two = (one - 3) // 2 + 1
        self.shape = (first, second, hidden, one, two)
        self.layers = [
            layer(2 * 25, first),
            layer(first * 9, second),
            layer(second * two * two, hidden),
            layer(hidden, 1),
        ]
        self.moments = [
            [np.zeros_like(w), np.zeros_like(w), np.zeros_like(b), np.zeros_like(b)] for w, b in self.layers
        ]
        self.steps = 0

    @staticmethod
    def windows(x: np.ndarray, k: int) -> np.ndarray:
        """im2col with stride 2: n × rows × columns × planes → n × rows' × columns' × (k·k·planes)."""
        v = np.lib.stride_tricks.sliding_window_view(x, (k, k), (1, 2))[:, ::2, ::2]
        return np.ascontiguousarray(v.transpose(0, 1, 2, 4, 5, 3)).reshape(len(x), v.shape[1], v.shape[2], -1)

    def forward(self, x: np.ndarray) -> np.ndarray:
        x = x.transpose(0, 2, 3, 1)
        self.a = self.windows(x, 5)
        self.b = np.maximum(self.a @ self.layers[0][0] + self.layers[0][1], 0)
        self.c = self.windows(self.b, 3)
        self.d = np.maximum(self.c @ self.layers[1][0] + self.layers[1][1], 0)
        self.e = self.d.reshape(len(x), -1)
        self.h = np.maximum(self.e @ self.layers[2][0] + self.layers[2][1], 0)
        return (self.h @ self.layers[3][0] + self.layers[3][1])[:, 0]

    def learn(self, x: np.ndarray, y: np.ndarray, weight: np.ndarray, rate: float, keep: float) -> float:
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
                lower[:, i : i + 2 * two : 2, j : j + 2 * two : 2] += back[:, :, :, i, j]
        g = (lower * (self.b > 0)).reshape(-1, self.b.shape[-1])
        grads[0] = (self.a.reshape(-1, self.a.shape[-1]).T @ g, g.sum(0))
        self.steps += 1
        for layer, (gw, gb), m in zip(self.layers, grads, self.moments):
            for k, grad in ((0, gw + 1e-4 * layer[0]), (1, gb)):
                m[2 * k] = 0.9 * m[2 * k] + 0.1 * grad
                m[2 * k + 1] = 0.999 * m[2 * k + 1] + 0.001 * grad * grad
                layer[k] -= (
                    rate * (m[2 * k] / (1 - 0.9**self.steps)) / (np.sqrt(m[2 * k + 1] / (1 - 0.999**self.steps)) + 1e-8)
                )
        return float(-(weight * (y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))).mean())


def turned(x: np.ndarray, k: int) -> np.ndarray:
    x = np.rot90(x, k % 4, (2, 3))
    return x[..., ::-1] if k >= 4 else x


def report(net: Net, x: np.ndarray, y: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    z = np.concatenate([net.forward(x[i : i + 512].astype(np.float32)) for i in range(0, len(x), 512)])
    for least in (0.0, 2.0, 4.0):
        found = z > least
        line = " ".join(
            f"{v}: {found[kinds == v].mean():.3f}/{found[kinds == 10 + v].mean():.4f}"
            for v in range(1, 7)
            if (kinds == v).any() and (kinds == 10 + v).any()
        )
        print(f"more than {least}: of faces {found[y == 1].mean():.3f}, of others {found[y == 0].mean():.4f}; {line}")
    return z


def packed(layer: list[np.ndarray]) -> dict[str, Any]:
    """A layer as bytes from −127 to 127, the value of one step, and the biases."""
    worth = float(np.abs(layer[0]).max() / 127)
    return dict(
        worth=worth,
        weights=base64.b64encode(np.round(layer[0] / worth).astype(np.int8).tobytes()).decode(),
        biases=[round(float(b), 5) for b in layer[1]],
    )
