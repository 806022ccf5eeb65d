"""How measured values are summed up: percentiles, the error of probabilities, rising shares."""

from collections import defaultdict
from collections.abc import Iterable, Sequence


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


def pooled(points: Iterable[tuple[float, float, float]]) -> list[list[float]]:
    """Pools neighbours until the share of right ones rises from pool to pool (pool adjacent violators).

    The points are (value, right, weight) by rising value; a pool is their sums of value, right and weight.
    """
    pools: list[list[float]] = []
    for value, right, weight in points:
        pools.append([value * weight, right * weight, weight])
        while len(pools) > 1 and pools[-2][1] * pools[-1][2] >= pools[-1][1] * pools[-2][2]:
            last = pools.pop()
            pools[-1] = [one + other for one, other in zip(pools[-1], last)]
    return pools
