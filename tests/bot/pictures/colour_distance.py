"""Measure how different two pictures look: to most people, and to people who lack one kind of cones.

Distance: the root mean square of the difference over all pixels. Both pictures have the size that they have on a phone,
are slightly blurred as by an eye at reading distance, and are in OKLab (Björn Ottosson, 2020), where equal steps look
equally big. Two flat greys one just noticeable step apart have a distance of about 0.02, black and white of 1.

Colour blindness: the matrices for full dichromacy by Machado, Oliveira and Fernandes, "A Physiologically-based Model
for Simulation of Color Vision Deficiency" (IEEE TVCG, 2009), on linear light.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from operator import mul
from typing import Final, TypeAlias

from PIL import Image, ImageChops, ImageFilter

from bot.pictures.raster import sprite

Colour: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Colour, Colour, Colour]

PHONE: Final = 66
"""Width of a face in pixels: a little less than with four faces in a row on a phone 390 pixels wide."""
PAPER: Final = "#1d3a34"
"""Colour of the background."""
BLUR: Final = 0.7
"""Radius of the blur in pixels."""
GRID: Final = 33
"""Points of the lookup table along each axis; between them colours are interpolated."""

SQUARES: Final = [n * n for n in range(256)] * 3
"""Square of the difference that each number of a histogram counts."""

VISIONS: Final[dict[str, Matrix]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_CONES: Final[Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB: Final[Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


@cache
def lookup_table(vision: str) -> ImageFilter.Color3DLUT:
    """Return the filter from sRGB to OKLab as this vision sees it: lightness from 0 to 1, both colour axes plus 0.5."""

    def seen(red: float, green: float, blue: float) -> Colour:
        light = times(VISIONS[vision], (channel(red), channel(green), channel(blue)))
        cones = times(TO_CONES, each_within(light))
        lightness, a, b = times(TO_LAB, (cones[0] ** (1 / 3), cones[1] ** (1 / 3), cones[2] ** (1 / 3)))
        return lightness, a + 0.5, b + 0.5

    return ImageFilter.Color3DLUT.generate(GRID, seen)


def appearances(svgs: Iterable[str], vision: str) -> list[Image.Image]:
    """Return the pictures as this vision sees them on a phone."""
    lut = lookup_table(vision)
    return [_on_paper(svg).filter(ImageFilter.GaussianBlur(BLUR)).filter(lut) for svg in svgs]


def distance(one: Image.Image, other: Image.Image) -> float:
    """Return the distance of two appearances: 0 for the same, 0.02 hardly visible, 1 for black and white."""
    squares = sum(map(mul, ImageChops.difference(one, other).histogram(), SQUARES))
    return float((squares / (one.width * one.height)) ** 0.5 / 255)


def distances(
    pictures: list[Image.Image], pairs: Iterable[tuple[int, int]] | None = None
) -> list[tuple[float, int, int]]:
    """Return the distances of these pairs of appearances, or of all pairs, the closest first."""
    chosen = combinations(range(len(pictures)), 2) if pairs is None else pairs
    return sorted((distance(pictures[one], pictures[two]), one, two) for one, two in chosen)


def _on_paper(svg: str) -> Image.Image:
    paper = Image.new("RGB", (PHONE, PHONE), PAPER)
    face = sprite(svg, PHONE)
    paper.paste(face, (0, 0), face)
    return paper


def channel(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def times(matrix: Matrix, colour: Colour) -> Colour:
    x, y, z = colour
    red, green, blue = [a * x + b * y + c * z for a, b, c in matrix]
    return red, green, blue


def each_within(colour: Colour) -> Colour:
    red, green, blue = (min(1.0, max(0.0, value)) for value in colour)
    return red, green, blue
