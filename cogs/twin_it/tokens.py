"""Players' marks: a shape, a colour and an initial for each seat, alone or on the back of a hand. And a sign."""

import unicodedata
from collections.abc import Callable
from itertools import chain
from typing import Final

from PIL import Image

from bot.pictures.fonts import drawable_part
from bot.pictures.raster import sprite
from cogs.twin_it.colours import INK, LILAC, LIME, ORANGE, PINK, RED, SKY, SUN, WHITE
from cogs.twin_it.shapes import Svg, box, disc, path, polygon, star, turned
from games.letters import END_OF_ISOLATE, ISOLATE, letters
from games.phrases import numbered

COLOURS: Final = (SUN, SKY, PINK, LIME, ORANGE, LILAC)
"""Colours by seat."""
_SHAPES: Final[tuple[Callable[[float, str], Svg], ...]] = (
    lambda size, fill: disc(50, 50, size, fill),
    lambda size, fill: box(50, 50, 1.75 * size, 1.75 * size, fill, 6),
    lambda size, fill: turned(box(50, 50, 1.55 * size, 1.55 * size, fill, 6), 45),
    lambda size, fill: polygon(
        [
            (50 + size * x, 50 + size * y)
            for x, y in ((-1.05, -0.85), (1.05, -0.85), (0.62, 0.95), (-0.62, 0.95))
        ],
        fill,
    ),
    lambda size, fill: star(50, 50, 6, 1.1 * size, 0.86 * size, fill),
    lambda size, fill: star(50, 50, 5, 1.22 * size, 0.74 * size, fill),
)
"""Shapes by seat, drawn around (50, 50). `size` is the distance from there to the rim."""
_FINGERS: Final = ((17, 38, 42), (35, 22, 50), (53, 17, 50), (71, 24, 50))
"""Fingers from left to right: x of the middle, y of the tip, length."""
_INVISIBLE: Final = dict.fromkeys(map(ord, (ISOLATE, END_OF_ISOLATE)))


def initial(seat: int, name: str) -> str:
    """Return the first letter or digit of a name, else its first emoji, else the number of the seat, from 1 on."""
    found = letters(numbered(drawable_part(name))[0].translate(_INVISIBLE))
    words = (letter for letter in found if letter[0].isalnum())
    emojis = (letter for letter in found if unicodedata.category(letter[0]) == "So")
    return next(chain(words, emojis), str(seat + 1)).upper()


def token(seat: int, name: str, size: int) -> Image.Image:
    """Return the mark of a player, `size` pixels square."""
    return sprite(_svg(_mark(seat, initial(seat, name), 42, COLOURS[seat])), size)


def sign(size: int) -> Image.Image:
    """Return the sign of what is forbidden, `size` pixels square."""
    bar = turned(box(50, 50, 12, 70, RED), 135)
    return sprite(_svg(disc(50, 50, 44, RED) + disc(50, 50, 32, WHITE) + bar), size)


def hand(seat: int, name: str, size: int) -> Image.Image:
    """Return a player's hand, seen from above, with the player's mark on its back, `size` pixels square."""
    mark = f'<g transform="translate(19 36) scale(0.56)">{_mark(seat, initial(seat, name), 40, WHITE)}</g>'
    return sprite(_svg(_outline(INK, 7) + _outline(COLOURS[seat], 0) + mark), size)


def _mark(seat: int, letter: str, size: float, fill: str) -> Svg:
    shape = _SHAPES[seat]
    return (
        shape(size, INK)
        + shape(size - 5, fill)
        + f'<text x="50" y="67" font-family="Inter" font-weight="700" '
        f'font-size="48" text-anchor="middle" fill="{INK}">{letter}</text>'
    )


def _outline(colour: str, rim: float) -> Svg:
    """Return a hand in one colour, with a rim around it."""
    fingers = [
        path(f"M{x} {tip} V{tip + length}", stroke=colour, width=14 + rim) for x, tip, length in _FINGERS
    ]
    thumb = path("M74 78 L90 58", stroke=colour, width=14 + rim)
    palm = path("M17 60 H71 V78 Q66 91 44 91 Q20 91 17 74Z", colour, colour, 14 + rim)
    return "".join(fingers) + thumb + palm


def _svg(shapes: Svg) -> Svg:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{shapes}</svg>'
