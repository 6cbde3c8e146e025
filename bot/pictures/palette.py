"""Palettes: the colours of a picture, and mixtures of two neighbouring colours for smooth edges."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from PIL import Image

ENTRIES: Final = 256
"""Maximum number of colours in a palette."""
Mix: TypeAlias = tuple[str, str, float]
"""Two colours, and the part of the second one in the mixture, from 0 to 1."""


def palette(colours: Iterable[str], mixes: Iterable[Mix]) -> Image.Image:
    """Return an image with a palette: the colours ("#0e615b"), then the mixes, each once.

    Only the first ENTRIES of them are taken."""
    entries = dict.fromkeys([*map(_rgb, colours), *(_mixed(*mix) for mix in mixes)])
    image = Image.new("P", (1, 1))
    image.putpalette([value for entry in [*entries][:ENTRIES] for value in entry])
    return image


def quantized(image: Image.Image, colours: Image.Image) -> Image.Image:
    """Return the picture in the colours of a palette. Colours that are in the palette do not change."""
    # Five times as fast as letting Pillow choose the best palette.
    return image.quantize(palette=colours, dither=Image.Dither.NONE)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mixed(colour: str, other: str, part: float) -> tuple[int, int, int]:
    (red, green, blue), second = _rgb(colour), _rgb(other)
    return (
        round(red + (second[0] - red) * part),
        round(green + (second[1] - green) * part),
        round(blue + (second[2] - blue) * part),
    )
