"""One line of text, in any script.

Pillow sets text for which Inter has all characters. The rasterizer sets all other text: it joins Arabic letters, orders
text that is read from right to left and builds Indian syllables, with the same result on every machine.
"""

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.fonts import ALL_SCRIPTS, Weight, drawable_part, font, inter_has_all
from bot.pictures.raster import coverage
from games.letters import END_OF_ISOLATE, ISOLATE, letters
from games.phrases import numbered

_LONGEST: Final = 2000
"""Maximum width of a line in pixels. No picture is that wide."""
_WIDEST: Final = 2.6
"""Largest width of a letter, in font sizes. Few are wider than 1.6."""
_SYMBOL: Final = "symbol"
"""Our name for the script of emojis and other symbols."""
_LEFT_TO_RIGHT, _RIGHT_TO_LEFT = "\u2066", "\u2067"
"""Characters that begin a part of the text with a direction of its own."""


@lru_cache(1024)
def cut_to_fit(text: str, size: int, width: float, weight: Weight = "Bold") -> str:
    """Return the drawable part of a text, cut with "…" to at most `width` pixels. The result can be empty.

    A number at the end, as in "Alice (2)", is kept: it distinguishes players of one name."""
    shown = drawable_part(text)
    if text_width(shown, size, weight) <= width:
        return shown
    head, number = numbered(shown)
    pieces = letters(head)

    def cut(kept: int) -> str:
        return f"{''.join(pieces[:kept]).rstrip()}…{number}"

    fitting = bisect_right(range(1, len(pieces)), width, key=lambda kept: text_width(cut(kept), size, weight))
    return cut(fitting)


def text_width(text: str, size: int, weight: Weight = "Bold") -> float:
    """Return the width of a drawable text in pixels."""
    return font(size, weight).getlength(text) if inter_has_all(text) else _typeset(text, size).width


def extra_height(text: str, size: int) -> int:
    """Return the pixels that a text may need both above and below the height of the typeface. Inter needs none.

    Accents that are stacked higher are cut off."""
    return 0 if inter_has_all(text) else size // 4


def write_into(mask: Image.Image, text: str, left: int, size: int, weight: Weight) -> None:
    """Write a text into a mask, `left` pixels from its left edge, with the typeface in the middle of its height."""
    typeface = font(size, weight)
    if inter_has_all(text):
        ImageDraw.Draw(mask).text(
            (left, (mask.height - sum(typeface.getmetrics())) // 2), text, fill=255, font=typeface
        )
    else:
        mask.paste(_typeset(text, size), (left, 0))


@lru_cache(256)
def _typeset(text: str, size: int) -> Image.Image:
    """Set a text with the rasterizer. Return it as a mask, as wide as its visible part."""
    above, below = font(size).getmetrics()
    room = extra_height(text, size)
    wide, high = min(int(len(text) * _WIDEST * size), _LONGEST) + 2 * size, above + below + 2 * room
    mask = coverage(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><text x="{size}" y="{above + room}" '
        f'font-family="{ALL_SCRIPTS}" font-weight="700" font-size="{size}" xml:space="preserve">'
        f"{html.escape(_itemized(text), quote=False)}</text></svg>",
        wide,
    )
    left, _, right, _ = mask.getbbox() or (0, 0, 1, 1)
    return mask.crop((left, 0, right, high))


def _itemized(text: str) -> str:
    """Return the text with each script in an isolate of its own."""
    # Otherwise the rasterizer treats neighbouring scripts of one direction as one: it neither joins Arabic letters
    # beside a Hebrew word, nor builds syllables after a Latin letter.
    parts = re.split(f"{ISOLATE}([^{END_OF_ISOLATE}]*){END_OF_ISOLATE}?", text)
    for place in range(1, len(parts), 2):
        parts[place] = _isolated(parts[place], "".join(_scripts(parts[place])))
    parts[::2] = ["".join(_scripts(part)) for part in parts[::2]]
    return "".join(parts)


def _scripts(text: str) -> Iterator[str]:
    """Yield the text in pieces of one script each, isolated except those of the first script of a direction."""
    first: dict[bool, str] = {}
    for script, piece in _pieces(text):
        first_in_direction = first.setdefault(_from_right(piece), script) == script
        # Otherwise the rasterizer does not draw several joined characters as one emoji.
        if script == _SYMBOL or not first_in_direction:
            yield _isolated(piece, piece.rstrip()) + piece[len(piece.rstrip()) :]
        else:
            yield piece


def _pieces(text: str) -> list[tuple[str, str]]:
    """Return the pieces of a text, each with its script. Spaces and punctuation belong to the piece before them."""
    pieces = [("", "")]
    for character in text:
        script, (before, piece) = _script(character), pieces[-1]
        if script in ("", before) or not before:
            pieces[-1] = (before or script, piece + character)
        else:
            pieces.append((script, character))
    return pieces


def _script(character: str) -> str:
    """Return the script of a letter, "" for a character of any script."""
    # The script is the first word of the Unicode name, as in "GREEK SMALL LETTER ALPHA".
    kind = unicodedata.category(character)
    if kind in ("So", "Sk"):
        return _SYMBOL
    script = unicodedata.name(character, "").split(" ")[0] if kind[0] in "LM" else ""
    return "" if script in ("COMBINING", "VARIATION") else script


def _isolated(text: str, inner: str) -> str:
    """Return `inner` in an isolate with the direction of `text`."""
    mark = _RIGHT_TO_LEFT if _from_right(text) else _LEFT_TO_RIGHT
    return f"{mark}{inner}{END_OF_ISOLATE}"


def _from_right(text: str) -> bool:
    """Return whether the first letter of a text is read from right to left."""
    directions = map(unicodedata.bidirectional, text)
    return next((each for each in directions if each in ("L", "R", "AL")), "L") != "L"
