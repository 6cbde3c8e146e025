"""The bot's own typefaces (SIL Open Font License), so that pictures look the same on every machine.

Texts are set in Inter. Characters that Inter does not have are set in a selection from Noto, which
`scripts/names_font.py` makes. A font file is opened at its first use and memory-mapped: only the parts in use take up
memory.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from PIL import ImageFont

from games.letters import END_OF_ISOLATE, ISOLATE, JOINERS

Weight: TypeAlias = Literal["Medium", "Bold"]

_FOLDER: Final = Path(__file__).with_name("fonts")
FAMILY: Final = "Inter"
FILES: Final = {weight: _FOLDER / f"Inter-{weight}.otf" for weight in ("Medium", "Bold")}
ALL_SCRIPTS: Final = "Palmhouse Names"
"""Family of the second typeface. It has Inter's letters, too."""
ALL_SCRIPTS_FILE: Final = _FOLDER / "PalmhouseNames.ttf"
_MISSING: Final = "\uffff"
"""A character that no font has. It is drawn as the box that stands for a missing character."""
_INVISIBLE: Final = frozenset((*JOINERS, ISOLATE, END_OF_ISOLATE, "\ufe0e", "\ufe0f"))
"""Characters that are not drawn, but change the look or the place of the letters beside them."""


@cache
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Return Inter at `size` pixels per em."""
    # Pillow's other layout engine needs libraries of the machine, so its results differ.
    return ImageFont.truetype(FILES[weight], size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(1024)
def drawable_part(text: str) -> str:
    """Remove the characters that neither typeface has, and replace ligatures by their letters.

    The result can be empty."""
    if inter_has_all(text):
        return " ".join(text.split())
    known = "".join(map(_known, unicodedata.normalize("NFC", text)))
    return " ".join(known.split()) if any(map(_visible, known)) else ""


@lru_cache(1024)
def inter_has_all(text: str) -> bool:
    """Return whether Pillow can set a text in Inter: it has every character, and none joins or moves another one."""
    return all(map(_inter_has, text))


def drawable(text: str) -> bool:
    """Return whether a text can be drawn unchanged. False for emojis, which would lose their colours."""
    return inter_has_all(text) or all(_known(letter) == letter and not _is_symbol(letter) for letter in text)


@cache
def _inter_has(letter: str) -> bool:
    return letter == " " or (unicodedata.category(letter)[0] not in "CM" and _has(font(24), letter))


@cache
def _known(letter: str) -> str:
    """Return the letter if it can be drawn, else the letters that it is made of, or ""."""
    made = unicodedata.normalize("NFKC", letter)
    if letter.isspace() or letter in _INVISIBLE or _inter_has(letter):
        return letter
    if unicodedata.category(letter)[0] == "C":
        return ""
    if _has(_all_scripts(), letter):
        return letter
    return made if made != letter and all(map(_known, made)) else ""


def _visible(letter: str) -> bool:
    return not letter.isspace() and letter not in _INVISIBLE


def _is_symbol(letter: str) -> bool:
    """Return whether it is an emoji or a similar symbol that Inter does not have."""
    return unicodedata.category(letter) in ("So", "Sk") and not _inter_has(letter)


@cache
def _all_scripts() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ALL_SCRIPTS_FILE, 24, layout_engine=ImageFont.Layout.BASIC)


def _has(typeface: ImageFont.FreeTypeFont, letter: str) -> bool:
    return _bitmap(typeface, letter) not in (_bitmap(typeface, _MISSING), b"")


def _bitmap(typeface: ImageFont.FreeTypeFont, letter: str) -> bytes:
    return bytes(typeface.getmask(letter))
