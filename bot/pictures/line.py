"""A line of words, in any script. Pillow writes what Inter has; names in other letters are set by the rasterizer, which
joins Arabic, orders what is read from right to left, and builds the syllables of India, alike on every machine."""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.fonts import ALL_SCRIPTS, Weight, font, plain, writable
from bot.pictures.raster import stencil
from games.letters import END_OF_ISOLATE, ISOLATE, letters
from games.phrases import numbered

_LONGEST: Final = 2000
"""Pixels of a line that are drawn: no picture has room for more."""
_WIDEST: Final = 1.6
"""The width of a letter at most, in parts of the size. Some signs are wider, none by twice."""
_SIGN: Final = "sign"
"""The script of emojis and other symbols."""
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = "\u2066", "\u2067"
"""Isolates of a known direction."""


@lru_cache(1024)
def legible(text: str, size: int, width: float, weight: Weight = "Bold") -> str:
    """As much of a text as can be written, cut with "…" at `width` pixels, but not the number that tells a name from
    others like it. It may come out empty."""
    shown = writable(text)
    if length(shown, size, weight) <= width:
        return shown
    head, number = numbered(shown)
    pieces = letters(head)

    def cut(kept: int) -> str:
        return f"{''.join(pieces[:kept]).rstrip()}…{number}"

    fitting = bisect_right(range(1, len(pieces)), width, key=lambda kept: length(cut(kept), size, weight))
    return cut(fitting)


def length(text: str, size: int, weight: Weight = "Bold") -> float:
    """Return how wide a text is that can be written."""
    return font(size, weight).getlength(text) if plain(text) else _set(text, size).width


def spare(text: str, size: int) -> int:
    """Return the pixels above and below the typeface's height that a text may need: none for what Inter has, little
    for others. What is heaped higher is cut off."""
    return 0 if plain(text) else size // 4


def write_into(mask: Image.Image, text: str, left: int, size: int, weight: Weight) -> None:
    """Write a text into a mask as high as the typeface and what is spare, above and below, alike."""
    face = font(size, weight)
    if plain(text):
        ImageDraw.Draw(mask).text(
            (left, (mask.height - sum(face.getmetrics())) // 2), text, fill=255, font=face
        )
    else:
        mask.paste(_set(text, size), (left, 0))


@lru_cache(256)
def _set(text: str, size: int) -> Image.Image:
    """Return a text as a mask that is as wide as what is seen of it."""
    above, below = font(size).getmetrics()
    room = spare(text, size)
    wide, high = min(int(len(text) * _WIDEST * size), _LONGEST) + 2 * size, above + below + 2 * room
    mask = stencil(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><text x="{size}" y="{above + room}" '
        f'font-family="{ALL_SCRIPTS}" font-weight="700" font-size="{size}" xml:space="preserve">'
        f"{html.escape(_itemized(text), quote=False)}</text></svg>",
        wide,
    )
    left, _, right, _ = mask.getbbox() or (0, 0, 1, 1)
    return mask.crop((left, 0, right, high))


def _itemized(text: str) -> str:
    """Return the text with each script in an isolate of its own: the rasterizer takes what is in one direction for one
    script, and would neither join an Arabic word beside a Hebrew one nor build syllables behind a Latin letter."""
    parts = re.split(f"{ISOLATE}([^{END_OF_ISOLATE}]*){END_OF_ISOLATE}?", text)
    for place in range(1, len(parts), 2):
        parts[place] = _isolated(parts[place], "".join(_scripts(parts[place])))
    parts[::2] = ["".join(_scripts(part)) for part in parts[::2]]
    return "".join(parts)


def _scripts(text: str) -> Iterator[str]:
    """Yield the text in pieces of one script each, isolated unless it is the first in its direction. Emojis are of no
    script: joined ones are drawn as one only when they are by themselves."""
    first: dict[bool, str] = {}
    for script, piece in _pieces(text):
        first_in_direction = first.setdefault(_from_right(piece), script) == script
        if script == _SIGN or not first_in_direction:
            yield _isolated(piece, piece.rstrip()) + piece[len(piece.rstrip()) :]
        else:
            yield piece


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return the pieces of a text with the script of each. Spaces and points belong to the piece before."""
    pieces = [("", "")]
    for character in text:
        script, (before, piece) = _script(character), pieces[-1]
        if script in ("", before) or not before:
            pieces[-1] = (before or script, piece + character)
        else:
            pieces.append((script, character))
    return pieces


def _script(character: str) -> str:
    """Return the first word of a letter's Unicode name, which tells its script; "" for what may stand in any."""
    kind = unicodedata.category(character)
    if kind in ("So", "Sk"):
        return _SIGN
    script = unicodedata.name(character, "").split(" ")[0] if kind[0] in "LM" else ""
    return "" if script in ("COMBINING", "VARIATION") else script


def _isolated(text: str, inner: str) -> str:
    mark = _RIGHT_TO_LEFT if _from_right(text) else _LEFT_TO_RIGHT
    return f"{mark}{inner}{END_OF_ISOLATE}"


def _from_right(text: str) -> bool:
    """Return whether the first letter of a text is of those that are read from right to left."""
    ways = map(unicodedata.bidirectional, text)
    return next((way for way in ways if way in ("L", "R", "AL")), "L") != "L"
