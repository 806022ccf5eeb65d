"""Bar charts as SVG, without a library: the same figures give the same bytes."""

from __future__ import annotations

from typing import NamedTuple
from xml.sax.saxutils import escape

WIDTH, LABEL, ROW, GAP, TOP = 720, 250, 20, 14, 40
OWN, PEER, TEXT, LINE = "#2f6f4f", "#a9b4ad", "#26302b", "#d5dcd8"


class Bar(NamedTuple):
    """One bar: 0…1, or nothing measured."""

    label: str
    value: float | None
    is_own: bool


class Group(NamedTuple):
    """Bars below one heading."""

    title: str
    bars: list[Bar]


def bar_chart(title: str, unit: str, groups: list[Group]) -> str:
    """A horizontal bar chart on a scale of 0 to 1; `unit` names the figure."""
    rows = sum(len(group.bars) for group in groups)
    height = TOP + rows * ROW + len(groups) * (ROW + GAP) + 24
    span = WIDTH - LABEL - 60
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="12" fill="{TEXT}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<text x="12" y="22" font-size="15" font-weight="bold">{escape(title)}</text>',
        f'<text x="{WIDTH - 12}" y="22" text-anchor="end">{escape(unit)}</text>',
    ]
    for tenth in range(0, 11, 2):
        x = LABEL + span * tenth / 10
        out.append(f'<line x1="{x:.0f}" y1="{TOP}" x2="{x:.0f}" y2="{height - 20}" stroke="{LINE}"/>')
        out.append(f'<text x="{x:.0f}" y="{height - 6}" text-anchor="middle">{tenth / 10:.1f}</text>')
    y = TOP
    for group in groups:
        y += ROW
        out.append(f'<text x="12" y="{y - 5}" font-weight="bold">{escape(group.title)}</text>')
        for bar in group.bars:
            out.append(f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(bar.label)}</text>')
            if bar.value is None:
                out.append(f'<text x="{LABEL + 4}" y="{y + 14}">not measured</text>')
            else:
                length = max(1, span * min(1, max(0, bar.value)))
                colour = OWN if bar.is_own else PEER
                out.append(f'<rect x="{LABEL}" y="{y + 3}" width="{length:.0f}" height="{ROW - 6}" fill="{colour}"/>')
                out.append(f'<text x="{LABEL + length + 5:.0f}" y="{y + 14}">{bar.value:.3f}</text>')
            y += ROW
        y += GAP
    return "\n".join([*out, "</svg>", ""])
