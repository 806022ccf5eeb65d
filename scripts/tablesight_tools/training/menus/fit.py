"""Fits the role network to pages."""

import random

import numpy as np
import torch

from tablesight_tools.training.menus.network import MEASURED, RoleNetwork, loss_of
from tablesight_tools.training.menus.stage import PRINT, PRINT_PAIRS, UNMEASURED, PageRows

BATCH, RATE, DROPOUT, NOISE, SMOOTHING = 48, 2e-3, 0.2, 0.15, 0.03
# Batches hold pages of like length: padding costs with the square of the longest.
SORTED = 16 * BATCH


def without_print(rows: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same texts as if their print had not been measured, as in stored readings of earlier versions."""
    rows, places = rows.copy(), places.copy()
    rows[:, PRINT], rows[:, PRINT_PAIRS] = UNMEASURED, np.tile([-1, -1, 0], 6)
    places[:, 4:] = 0
    return rows, places


def batch(pages: list[PageRows], draw: random.Random | None, unmeasured: float) -> tuple[torch.Tensor, ...]:
    """Features, places, links, roles and presence of pages, padded to the longest."""
    longest = max(len(page.texts) for page in pages)
    shape = (len(pages), longest)
    rows = np.zeros((*shape, pages[0].rows.shape[1]), np.float32)
    places = np.zeros((*shape, MEASURED + 1), np.float32)
    links, roles, present = np.full((*shape, 6), -1), np.full(shape, -1), np.zeros(shape, bool)
    for k, page in enumerate(pages):
        count = len(page.texts)
        own = (page.rows, page.places)
        if draw and draw.random() < unmeasured:
            own = without_print(*own)
        rows[k, :count], places[k, :count] = own
        links[k, :count], roles[k, :count], present[k, :count] = page.links, page.numbers, True
    return tuple(torch.from_numpy(part) for part in (rows, places, links, roles, present))


def batches(pages: list[PageRows], draw: random.Random) -> list[list[PageRows]]:
    """All pages, each as often as its weight says, in a random order."""
    pool = [page for page in pages for _ in range(round(page.weight))]
    draw.shuffle(pool)
    out: list[list[PageRows]] = []
    for start in range(0, len(pool), SORTED):
        part = sorted(pool[start : start + SORTED], key=lambda page: len(page.texts))
        out += [part[k : k + BATCH] for k in range(0, len(part), BATCH)]
    draw.shuffle(out)
    return out


def fit(pages: list[PageRows], seed: int, epochs: int, unmeasured: float = 0.15) -> RoleNetwork:
    """A network fitted to pages; the weights are a moving average over the last steps."""
    torch.manual_seed(seed)
    draw = random.Random(seed)
    table = np.concatenate([page.rows for page in pages])
    network = RoleNetwork(table.mean(0), table.std(0) + 1e-2, DROPOUT)
    steps = [part for _ in range(epochs) for part in batches(pages, draw)]
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=len(steps) + 1, pct_start=0.1)
    average = {name: value.clone() for name, value in network.state_dict().items()}
    network.train()
    for step, part in enumerate(steps, 1):
        rows, places, links, roles, present = batch(part, draw, unmeasured)
        rows = rows + NOISE * torch.randn_like(rows) * network.scale
        loss = loss_of(network(rows, places, links, present), roles, SMOOTHING)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        kept = min(0.995, step / (step + 20))
        with torch.no_grad():
            for name, value in network.state_dict().items():
                average[name].mul_(kept).add_(value, alpha=1 - kept)
    network.load_state_dict(average)
    return network.eval()
