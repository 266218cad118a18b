"""How good an order is, given what should stand first."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence


def ranked(scores: Mapping[int, float]) -> list[int]:
    """The best first; of equals the last that came, as in every list of ours."""
    arrival = {key: number for number, key in enumerate(scores)}
    return sorted(scores, key=lambda key: (-scores[key], -arrival[key]))


def average_precision(order: Sequence[int], relevant: Collection[int]) -> float:
    found, total = 0, 0.0
    for position, key in enumerate(order, start=1):
        if key in relevant:
            found += 1
            total += found / position
    return total / max(1, len(relevant))


def precision_at(count: int, order: Sequence[int], relevant: Collection[int]) -> float:
    return sum(key in relevant for key in order[:count]) / count


def mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))
