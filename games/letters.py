"""Letters as readers see them, each of one or more characters: what stays together when a name is cut."""

import unicodedata
from typing import Final

ISOLATE: Final = "\u2068"
END_OF_ISOLATE: Final = "\u2069"
"""Around a name that is read from right to left, so that the sentence around it is not."""
JOINERS: Final = "\u200c\u200d"
_VOWELS: Final = "\u0e33\u0eb3"
"""Thai and Lao am, drawn partly above the letter before."""
VIRAMA: Final = 9
"""The combining class of what makes one letter of two, in the scripts of India."""


def letters(text: str) -> list[str]:
    """Return the letters of a text: with accents and vowel signs, conjuncts, flags and joined emojis as one each."""
    found: list[str] = []
    for character in text:
        if found and _continues(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def closed(text: str) -> str:
    """Return a text that was cut, with the isolate ended that was open there."""
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
    """Return whether it gives the emoji before it a tone of skin, or the flag before it its country."""
    return "\U0001f3fb" <= character <= "\U0001f3ff" or "\U000e0020" <= character <= "\U000e007f"


def _in_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
