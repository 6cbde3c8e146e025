"""Moves as people type them: "bid 7x5", "7×5", "bid 7 x 5", "7 fives" or "seven fives"."""

import re
from typing import Final

from games.liars_dice.actions import FACES, TEXT
from games.liars_dice.words import NUMBERS, face_name
from games.texts import parser
from games.types import Action

_exact: Final = parser(TEXT)
_BID: Final = re.compile(r"\s*(?:bid\s+)?(?:(\d+)\s*[x×]\s*(\w+)|([\w-]+)\s+([a-z]+))\s*", re.IGNORECASE)
"""A quantity and a face, as digits or as words."""
_QUANTITIES: Final = {"a": "1", **{word: str(number) for number, word in enumerate(NUMBERS)}}
_FACES: Final = {face_name(face, quantity): str(face) for face in FACES for quantity in (1, 2)}


def parse(text: str) -> Action:
    """Return the action that a text names. Raises Unread for any other text."""
    found = _BID.fullmatch(text)
    return _exact(_as_in_the_log(found) if found else text)


def _as_in_the_log(found: re.Match[str]) -> str:
    quantity, face = (found[1] or found[3]).lower(), (found[2] or found[4]).lower()
    return f"bid {_QUANTITIES.get(quantity, quantity)}x{_FACES.get(face, face)}"
