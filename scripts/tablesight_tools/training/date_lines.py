"""Trains the reader of dotted, stamped and embossed dates: models/dates/reader.{onnx,json}.

    scripts/tool training.date_lines OUT_FOLDER --lines PART.npz… --held-out PART.npz [--minutes 60] [--seed 1]

The lines are those of `rendering.dates.make`. Convolutions alone, connectionist temporal classification, no graphics
card: `--minutes` bounds the time. Prints the share of whole lines and of digits that are read right of those
held out.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tablesight_tools.rendering.dates.texts import LETTERS

SCHEMA = "tablesight.date-reader/1"
HEIGHT, BATCH, RATE = 32, 64, 3e-3
# Pixels of a line picture for each step of the answer.
STEP = 4


def block(inputs: int, outputs: int, stride: tuple[int, int] = (1, 1)) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Along(nn.Module):
    """A residual look at the neighbours along the line."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.path = nn.Sequential(
            nn.Conv2d(channels, channels, (1, 7), 1, (0, 3), groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.path(x))


class Reader(nn.Module):
    """Grey line pictures, N × 1 × 32 × W, to the logarithms of the classes' odds, N × W/4 × classes."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 24, 5, 2, 2, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(inplace=True),
            block(24, 48),
            block(48, 64, (2, 2)),
            block(64, 96),
            block(96, 128, (2, 1)),
            nn.Conv2d(128, 160, (4, 1), bias=False),
            nn.BatchNorm2d(160),
            nn.ReLU(inplace=True),
            Along(160),
            Along(160),
            Along(160),
            nn.Dropout(0.1),
            nn.Conv2d(160, len(LETTERS) + 1, 1),
        )

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        return self.layers(pictures).squeeze(2).transpose(1, 2)


class OfPhoto(nn.Module):
    """The reader as the program calls it: a line as PP-OCR's readers take it, N × 3 × 48 × W of −1…1, to odds."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, line: torch.Tensor) -> torch.Tensor:
        grey = line.mean(1, keepdim=True)
        small = functional.interpolate(grey, scale_factor=HEIGHT / 48, mode="bilinear", align_corners=False)
        return self.reader(levelled(small)).softmax(2)


def levelled(pictures: torch.Tensor) -> torch.Tensor:
    """Each picture with mean 0 and deviation 1."""
    mean = pictures.mean((1, 2, 3), keepdim=True)
    deviation = (pictures - mean).pow(2).mean((1, 2, 3), keepdim=True).sqrt()
    return (pictures - mean) / (deviation + 0.02)


class Lines:
    """Rendered lines in memory."""

    def __init__(self, files: list[Path]) -> None:
        self.pictures: list[np.ndarray] = []
        self.texts: list[list[int]] = []
        for file in files:
            part = np.load(file)
            edges = np.cumsum(part["widths"])[:-1]
            self.pictures += [column.T for column in np.split(part["pixels"], edges)]
            self.texts += [[LETTERS.index(c) + 1 for c in text] for text in part["texts"].tolist()]

    def batches(self, draw: np.random.Generator | None) -> Iterator[tuple[torch.Tensor, list[list[int]], torch.Tensor]]:
        """Pictures of like width, padded by their last column; with `draw` in a random order and altered a little."""
        order = np.argsort([p.shape[1] + (draw.uniform(0, 40) if draw else 0) for p in self.pictures])
        parts = [order[k : k + BATCH] for k in range(0, len(order), BATCH)]
        if draw:
            draw.shuffle(parts)
        for part in parts:
            own = [self.altered(self.pictures[k], draw) if draw else self.pictures[k] for k in part]
            width = -(-max(p.shape[1] for p in own) // STEP) * STEP
            rows = np.stack([np.pad(p, ((0, 0), (0, width - p.shape[1])), mode="edge") for p in own])
            steps = torch.tensor([-(-p.shape[1] // STEP) for p in own])
            pictures = torch.from_numpy(rows).float().div_(127.5).sub_(1)[:, None]
            yield levelled(pictures), [self.texts[k] for k in part], steps

    @staticmethod
    def altered(picture: np.ndarray, draw: np.random.Generator) -> np.ndarray:
        """Mirrored in brightness, shifted, with other noise: no line is seen twice alike."""
        own = picture if draw.random() < 0.7 else 255 - picture
        shift = int(draw.integers(-2, 3))
        own = np.roll(own, shift, 0).astype(np.float32) + draw.normal(0, draw.uniform(0, 6), own.shape)
        return np.clip(own, 0, 255).astype(np.uint8)


def decoded(scores: torch.Tensor, steps: int) -> str:
    best = scores[:steps].argmax(1).tolist()
    kept = [a for a, b in zip(best, [0, *best]) if a != b and a != 0]
    return "".join(LETTERS[a - 1] for a in kept)


def report(reader: Reader, lines: Lines) -> dict[str, float]:
    """Shares of the lines that are read as printed, whole and by their digits alone."""
    right = count = digits = 0
    reader.eval()
    with torch.no_grad():
        for pictures, texts, steps in lines.batches(None):
            for scores, text, own in zip(reader(pictures), texts, steps.tolist()):
                read, true = decoded(scores, own), "".join(LETTERS[k - 1] for k in text)
                count, right = count + 1, right + (read == true)
                digits += [c for c in read if c.isdigit()] == [c for c in true if c.isdigit()]
    reader.train()
    return {"lines": count, "whole": round(right / count, 4), "digits": round(digits / count, 4)}


def train(files: list[Path], held_out: Lines, minutes: float, seed: int) -> Reader:
    torch.manual_seed(seed)
    draw = np.random.default_rng(seed)
    # Channels last and half precision are four times as fast on processors with AMX.
    reader, lines = Reader().to(memory_format=torch.channels_last), Lines(files)
    optimiser = torch.optim.AdamW(reader.parameters(), lr=RATE, weight_decay=0.01)
    start, step, epoch = time.monotonic(), 0, 0
    while (share := (time.monotonic() - start) / 60 / minutes) < 1:
        for pictures, texts, steps in lines.batches(draw):
            share = min(1, (time.monotonic() - start) / 60 / minutes)
            rate = RATE * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * share))
            optimiser.param_groups[0]["lr"] = max(1e-6, rate)
            with torch.autocast("cpu", torch.bfloat16):
                answer = reader(pictures)
            scores = answer.float().log_softmax(2).transpose(0, 1)
            loss = functional.ctc_loss(
                scores,
                torch.tensor([c for text in texts for c in text]),
                steps,
                torch.tensor([len(text) for text in texts]),
                zero_infinity=True,
            )
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
            optimiser.step()
            step += 1
            if step % 200 == 0:
                print(f"{share:.2f} of the time, step {step}: loss {loss.item():.3f}", flush=True)
            if share >= 1:
                break
        epoch += 1
        print(f"epoch {epoch}: {report(reader, held_out)}", flush=True)
    return reader


def write(reader: Reader, folder: Path, source: str, version: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    network = folder / "reader.onnx"
    torch.onnx.export(
        OfPhoto(reader).eval(),
        (torch.zeros(1, 3, 48, 192),),
        str(network),
        input_names=["line"],
        output_names=["letters"],
        dynamic_axes={"line": {0: "lines", 3: "width"}, "letters": {0: "lines", 1: "steps"}},
        opset_version=17,
        dynamo=False,
    )
    facts = {
        "schema": SCHEMA,
        "version": version,
        "licence": "Apache-2.0",
        "source": source,
        "letters": LETTERS,
        "sha256": hashlib.sha256(network.read_bytes()).hexdigest(),
    }
    (folder / "reader.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--lines", type=Path, nargs="+", required=True)
    parser.add_argument("--held-out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--version", default="1")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    held_out = Lines([options.held_out])
    reader = train(options.lines, held_out, options.minutes, options.seed)
    source = f"our own: scripts/train-dates, {len(options.lines)} parts of rendered lines, seed {options.seed}"
    write(reader, options.out, source, options.version)
    print(report(reader, held_out))


if __name__ == "__main__":
    main()
