"""How measured values are summed up: percentiles, and the error of probabilities."""

from collections import defaultdict
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value that this share of the others, 0 to 1, lies below; not a number if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def shares(values: Sequence[float], *wanted: float) -> dict[str, float]:
    """These percentiles by name, as p95."""
    return {f"p{round(100 * share)}": round(percentile(values, share), 2) for share in wanted}


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """The expected calibration error of (probability, right) over ten bins; not a number if there are none."""
    bins = defaultdict(list)
    for probability, right in pairs:
        bins[min(9, int(probability * 10))].append(probability - right)
    return sum(abs(sum(own)) for own in bins.values()) / len(pairs) if pairs else float("nan")
