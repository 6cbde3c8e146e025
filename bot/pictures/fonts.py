"""The house's own typefaces, so that pictures look the same everywhere, under the SIL Open Font License: Inter, and for
letters and signs that it has not a selection of Noto's, made by `scripts/names_font.py`.

Neither is opened before something needs it. Then it is mapped, not read: only what is written comes into memory.
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
"""The family of the other one, which has Inter's letters, too."""
ALL_SCRIPTS_FILE: Final = _FOLDER / "PalmhouseNames.ttf"
_MISSING: Final = "\uffff"
"""No font has it: drawn as the box that stands for what a font has not."""
_UNSEEN: Final = frozenset((*JOINERS, ISOLATE, END_OF_ISOLATE, "\ufe0e", "\ufe0f"))
"""Not drawn, but they change how the letters beside them look or where they stand."""


@cache
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """The typeface at so many pixels per em. The plain layout engine: others depend on what is installed."""
    return ImageFont.truetype(FILES[weight], size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(1024)
def writable(text: str) -> str:
    """Return what of a text can be written: without characters that no typeface has, ready-made ligatures as their
    letters. It may come out empty."""
    if plain(text):
        return " ".join(text.split())
    known = "".join(map(_known, unicodedata.normalize("NFC", text)))
    return " ".join(known.split()) if any(map(_seen, known)) else ""


@lru_cache(1024)
def plain(text: str) -> bool:
    """Return whether Inter has every character of a text and each is drawn by itself, beside the one before."""
    return all(map(_plain, text))


def drawable(text: str) -> bool:
    """Return whether a text can be written as it is meant. Emojis lose their colours."""
    return plain(text) or all(_known(letter) == letter and not _sign(letter) for letter in text)


@cache
def _plain(letter: str) -> bool:
    return letter == " " or (unicodedata.category(letter)[0] not in "CM" and _has(font(24), letter))


@cache
def _known(letter: str) -> str:
    """Return the letter if it can be written, else what it is made of, or ""."""
    made = unicodedata.normalize("NFKC", letter)
    if letter.isspace() or letter in _UNSEEN or _plain(letter):
        return letter
    if unicodedata.category(letter)[0] == "C":
        return ""
    if _has(_all_scripts(), letter):
        return letter
    return made if made != letter and all(map(_known, made)) else ""


def _seen(letter: str) -> bool:
    return not letter.isspace() and letter not in _UNSEEN


def _sign(letter: str) -> bool:
    """Return whether it is an emoji or the like that Inter has not."""
    return unicodedata.category(letter) in ("So", "Sk") and not _plain(letter)


@cache
def _all_scripts() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ALL_SCRIPTS_FILE, 24, layout_engine=ImageFont.Layout.BASIC)


def _has(face: ImageFont.FreeTypeFont, letter: str) -> bool:
    return _drawn(face, letter) not in (_drawn(face, _MISSING), b"")


def _drawn(face: ImageFont.FreeTypeFont, letter: str) -> bytes:
    return bytes(face.getmask(letter))
