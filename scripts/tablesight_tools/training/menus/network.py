"""The network that gives the texts of a page their roles together, in PyTorch; `CRoleNetwork` runs it.

Every text attends to every other one. What lies between two texts (offsets of edges and rows, overlap, size, ink,
stroke, links) biases the attention and is summed by it.
"""

import base64
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tablesight_tools.training.menus.labels import ROLES

WIDTH, LAYERS, HEADS, RELATIONS = 64, 3, 4, 32
LINKS = 6
MEASURED = 11  # column of the places that is 1 where the print was measured


def relations(places: torch.Tensor, links: torch.Tensor) -> torch.Tensor:
    """What each text is to each other one, in the order of `relate` in role_network.c: pages × texts × texts × 32."""
    left, right, middle, height = (places[..., k] for k in range(4))

    def apart(values: torch.Tensor) -> torch.Tensor:
        return values[:, None, :] - values[:, :, None]

    def distance(first: int) -> torch.Tensor:
        part = places[..., first : first + 3]
        return (part[:, None] - part[:, :, None]).pow(2).sum(-1).add(1e-6).sqrt()

    smaller = torch.minimum(height[:, None, :], height[:, :, None]).clamp(min=0.05)
    lefts, rights, down = apart(left) / smaller, apart(right) / smaller, apart(middle) / smaller
    centre = (lefts + rights) / 2
    wide = (right - left).clamp(min=0.1)
    shared = torch.minimum(right[:, None], right[:, :, None]) - torch.maximum(left[:, None], left[:, :, None])
    overlap = shared / torch.minimum(wide[:, None, :], wide[:, :, None])
    size = apart(height.clamp(min=0.05).log())
    known = places[..., MEASURED][:, None, :] * places[..., MEASURED][:, :, None]
    ink, ground, stroke = distance(4) * known, distance(7) * known, apart(places[..., 10]) * known
    soft = [lefts, lefts / 6, rights / 3, centre, centre / 6, down, down / 3, down / 8, down / 30, down.abs() / 2]
    soft += [3 * size, lefts.abs(), centre.abs(), 2 * ink, 3 * stroke]
    own = torch.eye(places.shape[1], device=places.device)[None].expand(len(places), -1, -1)
    plain = [(down.abs() < 0.6).float(), overlap.clamp(-3, 1), (overlap > 0).float(), (3 * size.abs()).clamp(max=2)]
    plain += [(lefts.abs() < 0.4).float(), ink.clamp(max=3), ground.clamp(max=2), stroke.abs().clamp(max=1), known]
    plain += [(ink < 0.35).float() * known, own]
    index = torch.arange(places.shape[1], device=places.device)
    linked = [(links[..., k][:, :, None] == index).float() for k in range(LINKS)]
    return torch.stack([torch.tanh(value) for value in soft] + plain + linked, -1)


class RoleNetwork(nn.Module):
    """Texts with features, places and links → logits of the roles."""

    def __init__(self, mean: np.ndarray, scale: np.ndarray, dropout: float) -> None:
        super().__init__()
        self.register_buffer("mean", torch.tensor(mean, dtype=torch.float32))
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32))
        self.enter = nn.Sequential(nn.Linear(len(mean), WIDTH), nn.GELU(), nn.Linear(WIDTH, WIDTH))
        self.relate = nn.Sequential(nn.Linear(26 + LINKS, RELATIONS), nn.GELU())
        self.bias = nn.Linear(RELATIONS, LAYERS * HEADS)
        self.mix = nn.ModuleList(nn.Linear(WIDTH, 3 * WIDTH) for _ in range(LAYERS))
        self.leave = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))
        self.see = nn.ModuleList(nn.Linear(RELATIONS * HEADS, WIDTH) for _ in range(LAYERS))
        self.think = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * WIDTH, WIDTH))
            for _ in range(LAYERS)
        )
        self.before = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(LAYERS))
        self.between = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(LAYERS))
        self.last = nn.LayerNorm(WIDTH)
        self.decide = nn.Linear(WIDTH, len(ROLES))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, features: torch.Tensor, places: torch.Tensor, links: torch.Tensor, present: torch.Tensor
    ) -> torch.Tensor:
        state = self.dropout(self.enter(((features - self.mean) / self.scale).clamp(-5, 5)))
        pages, texts, _ = state.shape
        size = WIDTH // HEADS
        related = self.relate(relations(places, links))
        biases = self.bias(related).view(pages, texts, texts, LAYERS, HEADS)
        absent = (~present)[:, None, None, :] * -1e9
        for k in range(LAYERS):
            mixed = self.mix[k](self.before[k](state)).view(pages, texts, 3, HEADS, size)
            query, key, value = mixed.unbind(2)
            shares = torch.einsum("bihd,bjhd->bhij", query, key) / math.sqrt(size)
            shares = (shares + biases[..., k, :].permute(0, 3, 1, 2) + absent).softmax(-1)
            values = torch.einsum("bhij,bjhd->bihd", shares, value).reshape(pages, texts, WIDTH)
            seen = torch.einsum("bhij,bije->bihe", shares, related).reshape(pages, texts, -1)
            state = state + self.dropout(self.leave[k](values) + self.see[k](seen))
            state = state + self.dropout(self.think[k](self.between[k](state)))
        return self.decide(self.last(state))

    def packed(self) -> dict:
        """As `RoleNetwork.File`: half precision, in the order of `trole_run`."""
        parts = [self.mean, self.scale]
        parts += [w for layer in (self.enter[0], self.enter[2], self.relate[0], self.bias) for w in both(layer)]
        for k in range(LAYERS):
            parts += [*both(self.before[k]), *both(self.mix[k]), *both(self.leave[k]), *both(self.see[k])]
            parts += [*both(self.between[k]), *both(self.think[k][0]), *both(self.think[k][3])]
        parts += [*both(self.last), *both(self.decide)]
        weights = np.concatenate([part.detach().cpu().numpy().ravel() for part in parts])
        return {
            "features": len(self.mean),
            "width": WIDTH,
            "layers": LAYERS,
            "heads": HEADS,
            "relations": RELATIONS,
            "weights": base64.b64encode(weights.astype("<f2").tobytes()).decode(),
        }


def both(layer: nn.Module) -> tuple[torch.Tensor, torch.Tensor]:
    return layer.weight, layer.bias


def loss_of(logits: torch.Tensor, roles: torch.Tensor, smoothing: float) -> torch.Tensor:
    """Cross entropy of the texts that have a role (-1: none)."""
    asked = roles >= 0
    return functional.cross_entropy(logits[asked], roles[asked], label_smoothing=smoothing)
