"""Colours as different eyes see them (see `colour_distance.py`): differences in CIELAB (CIE 1976), contrast after WCAG
2."""

from typing import Final

from tests.bot.pictures.colour_distance import VISIONS, channel, each_within, times

TO_XYZ: Final = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE: Final = (0.95047, 1.0, 1.08883)

Vector = tuple[float, float, float]


def difference(one: str, other: str, eyes: str) -> float:
    """Return the distance of two colours ("#rrggbb") to these eyes (CIE 1976)."""
    pairs = zip(_lab(_seen(one, eyes)), _lab(_seen(other, eyes)), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    low, high = sorted(times(TO_XYZ, _linear(colour))[1] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def _seen(colour: str, eyes: str) -> Vector:
    return each_within(times(VISIONS[eyes], _linear(colour)))


def _linear(colour: str) -> Vector:
    red, green, blue = (channel(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5))
    return red, green, blue


def _lab(linear: Vector) -> Vector:
    x, y, z = (_root(value / white) for value, white in zip(times(TO_XYZ, linear), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
