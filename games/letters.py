"""Splitting of text into letters as readers see them: cutting a name must not break one.

One such letter (in Unicode: grapheme cluster) has one or more characters.
"""

import unicodedata
from typing import Final

ROBOT: Final = "🤖"
"""The sign before a computer's name. Pictures draw it themselves (`bot.pictures.painting.write`)."""

# These two enclose a name that is written from right to left, so that the sentence around it keeps its direction.
ISOLATE: Final = "\u2068"
END_OF_ISOLATE: Final = "\u2069"
JOINERS: Final = "\u200c\u200d"
_VOWELS: Final = "\u0e33\u0eb3"
"""Thai and Lao "am", drawn partly above the letter before it."""
VIRAMA: Final = 9
"""Unicode combining class of the sign that joins two letters into one, in Indian scripts."""


def letters(text: str) -> list[str]:
    """Split a text into letters; accents stay with their letter, and a flag or a joined emoji is one letter."""
    found: list[str] = []
    for character in text:
        if found and _continues(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def closed(text: str) -> str:
    """Add the end marks (END_OF_ISOLATE) that a text lost when it was cut."""
    return text + END_OF_ISOLATE * (text.count(ISOLATE) - text.count(END_OF_ISOLATE))


def _continues(letter: str, character: str) -> bool:
    last = letter[-1]
    return (
        unicodedata.category(character)[0] == "M"
        or character in (*JOINERS, *_VOWELS, END_OF_ISOLATE)
        or last in (JOINERS[1], ISOLATE)
        or _modifies(character)
        or (unicodedata.combining(last) == VIRAMA and unicodedata.category(character) == "Lo")
        or (_in_flag(last) and _in_flag(character) and sum(map(_in_flag, letter)) == 1)
    )


def _modifies(character: str) -> bool:
    """Return whether the character sets the skin tone of the emoji, or the country of the flag, before it."""
    return "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f"


def _in_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
