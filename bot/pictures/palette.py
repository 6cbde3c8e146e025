"""Palettes: the colours that a picture is drawn in, and those between two that meet, which soften its edges."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from PIL import Image

ENTRIES: Final = 256
"""Of a palette, at most."""
Mix: TypeAlias = tuple[str, str, float]
"""A colour, another one, and how far the first goes into that, from 0 to 1."""


def palette(colours: Iterable[str], mixes: Iterable[Mix]) -> Image.Image:
    """The first ENTRIES of these, colours ("#0e615b") before mixes, each once."""
    entries = dict.fromkeys([*map(_rgb, colours), *(_mixed(*mix) for mix in mixes)])
    image = Image.new("P", (1, 1))
    image.putpalette([value for entry in [*entries][:ENTRIES] for value in entry])
    return image


def flattened(image: Image.Image, colours: Image.Image) -> Image.Image:
    """The picture in the colours of a palette: five times as fast as to look for the best one, and what is in it
    stays as it is."""
    return image.quantize(palette=colours, dither=Image.Dither.NONE)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mixed(colour: str, ground: str, part: float) -> tuple[int, int, int]:
    (red, green, blue), under = _rgb(colour), _rgb(ground)
    return (
        round(red + (under[0] - red) * part),
        round(green + (under[1] - green) * part),
        round(blue + (under[2] - blue) * part),
    )
