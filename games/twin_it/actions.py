"""The actions of Twin It! as ints: 0 to 2 are about no face, all others are 3 * face + what is done with it.

A face is named by its number: it belongs to one side of one card at one place and is never used again in a match.

Hands come down one by one, each an action of its own: both at once are two actions at the same time, which the rules
judge in the same order anyway, and the list of what is legal grows with the faces, not with their pairs. A claim
against time is composed in the same way: `hand 12`, `hand 87` claims two; `hand 12`, `hold 87`, `hand 130` three.
"""

import re
from collections.abc import Sequence
from typing import Final

from games.contract import Illegal

FLIP: Final = 0
LIFT: Final = 1
READY: Final = 2
FIRST: Final = 3
"""The first action about a face."""
HAND, HOLD, TURN = range(3)
"""What is done with a face."""

_PLAIN: Final = ("flip", "lift", "ready")
_WITH_FACE: Final = ("hand", "hold", "turn")
_LABELS: Final = ("Flip your top card", "Lift your hand", "I am ready")
_LABELS_WITH_FACE: Final = ("Hand on {}", "Hold {} for a claim of three", "Turn {} over")
_FORM: Final = re.compile(r"\s*(hand|hold|turn)\s+([1-9][0-9]{0,5})\s*", re.IGNORECASE | re.ASCII)


def on(face: int, deed: int = HAND) -> int:
    """The action that does `deed` with the face of that number."""
    return FIRST * face + deed


def parts(action: int) -> tuple[int, int]:
    """(number of the face, deed) of an action about a face."""
    return divmod(action, FIRST)


def claim(faces: Sequence[int], *, lying: bool) -> list[int]:
    """The actions of one player that lay hands on one, two or three faces, in the order named: "12 87 130" typed at
    once. Several are put down anew, so a hand of the player that is `lying` lifts first; a single one joins it."""
    hands = [on(face, HOLD if 0 < place < len(faces) - 1 else HAND) for place, face in enumerate(faces)]
    return [LIFT, *hands] if lying and len(faces) > 1 else hands


def text(action: int) -> str:
    """flip, lift, ready, hand 12, hold 87, turn 12."""
    if action < FIRST:
        return _PLAIN[action]
    face, deed = parts(action)
    return f"{_WITH_FACE[deed]} {face}"


def parse(text: str) -> int:
    """The action a text names. Illegal for anything else, saying the form."""
    plain = text.strip().lower()
    if plain in _PLAIN:
        return _PLAIN.index(plain)
    form = _FORM.fullmatch(text)
    if form is None:
        raise Illegal(
            "That is not a move in Twin It! Write flip, lift, ready, or what to do with a face by its number: "
            "hand 12, hold 12, turn 12."
        )
    return on(int(form[2]), _WITH_FACE.index(form[1].lower()))


def label(action: int) -> str:
    """Flip your top card; Hand on 12."""
    if action < FIRST:
        return _LABELS[action]
    face, deed = parts(action)
    return _LABELS_WITH_FACE[deed].format(face)
