"""The percentile of measured values that all measurements use."""

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the others, 0 to 1, lies below. `values` must not be empty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
