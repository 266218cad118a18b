"""Numbers as points of a drawing: what a template needs to write an SVG.

A drawing is 240 wide and 56 high, whatever it shows; its foot is the line of nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_WIDTH, _FOOT = 240, 54


@dataclass(frozen=True, slots=True)
class Bar:
    """Stacked on each other: first what is good."""

    x: float
    width: float
    good_y: float
    good_height: float
    bad_y: float
    bad_height: float


def line_over(values: Sequence[float]) -> str:
    """The points of a line over all values, the highest at the top; nothing is at the foot."""
    most = max((*values, 1))
    step = _WIDTH / max(1, len(values) - 1)
    return " ".join(
        f"{round(number * step, 1):g},{round(_FOOT - (_FOOT - 2) * value / most, 1):g}"
        for number, value in enumerate(values)
    )


def bars(pairs: Sequence[tuple[float, float]]) -> tuple[Bar, ...]:
    """Of how much was good and how much was bad, each; what is not nothing is to be seen."""
    most = max((*(good + bad for good, bad in pairs), 0)) or 1
    step = _WIDTH / max(1, len(pairs))
    drawn = []
    for number, (good, bad) in enumerate(pairs):
        heights = [max(1.5, (_FOOT - 4) * of / most) if of else 0.0 for of in (good, bad)]
        good_y = _FOOT - heights[0]
        sizes = (number * step + 1, step - 2, good_y, heights[0], good_y - heights[1], heights[1])
        drawn.append(Bar(*(round(size, 1) for size in sizes)))
    return tuple(drawn)


def height_of(value: float, most: float) -> float:
    """Where a line across stands, among bars of which the highest is `most`."""
    return round(_FOOT - (_FOOT - 4) * value / (most or 1), 1)
