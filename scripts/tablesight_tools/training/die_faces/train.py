"""Learns what the whole top face of a die looks like: models/dice/faces.json, from rendered throws only.

    scripts/render-boards --help     makes .build-samples, once
    scripts/tool training.die_faces.train OUT.json --photos 1600 --seed 8

Rendered throws, and pictures without dice (print, cloth, rows of dots, buttons, squares), give spots. Each pair of
spots, and each four that may be the corners of a face, give nine places, as in the recogniser. The picture around
these places, rectified and with its colours normalised, is the input of the network. An example is right if its spots
are all the pips of one top face. Wrong examples are halves of faces, pips of two dice, side faces, and other spots.
The network has two convolutional and two dense layers. A tenth of the photos is held out and measured. Takes ten
minutes of one core.
"""

import argparse
import functools
import json
import math
import multiprocessing
import pathlib
import sys

import numpy as np

from tablesight_tools.training.die_faces.examples import examples
from tablesight_tools.training.die_faces.network import Net, packed, report, turned
from tablesight_tools.training.die_faces.parameters import REACH, SIZE, STEP


def main() -> None:
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
                    print(
                        number + 1, sum(len(p[1]) for p in parts), sum(int(p[1].sum()) for p in parts), file=sys.stderr
                    )
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
            part = order[i : i + batch]
            rate = 0.002 * 0.5 * (1 + math.cos(math.pi * net.steps / total)) + 1e-5
            loss += net.learn(
                np.ascontiguousarray(turned(x[part].astype(np.float32), int(rng.integers(8)))),
                y[part].astype(np.float32),
                weight[part],
                rate,
                0.85,
            )
        print(f"round {round_ + 1}: {loss / max(1, len(order) // batch):.4f}", file=sys.stderr)
    for layer in net.layers:  # as they are kept
        worth = np.abs(layer[0]).max() / 127
        layer[0] = (np.round(layer[0] / worth) * worth).astype(np.float32)
    report(net, x[held], y[held], kinds[held])
    first, second, hidden, _, _ = net.shape
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(
        json.dumps(
            dict(
                schema="tablesight.die-faces/1",
                version="1",
                licence="Apache-2.0",
                source=f"our own: scripts/tool training.die_faces.train --photos {options.photos} "
                f"--seed {options.seed} --rounds {options.rounds}, rendered throws only",
                size=SIZE,
                reach=REACH,
                step=STEP,
                filters=[first, second],
                hidden=hidden,
                layers=[packed(layer) for layer in net.layers],
            ),
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
