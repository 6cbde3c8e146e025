"""Actions of Twin It! as ints: 0 to 2 concern no face, all others are 3 * face + kind of action (HAND, HOLD, TURN).

A face is named by its number. The number belongs to one side of one card in one place and is never used again in a
match.

Each hand is an action of its own. Two hands at once are two actions with the same time, so the list of legal actions
grows with the number of faces, not of pairs. A claim in a race consists of such actions, too: `hand 12`, `hand 87`
claims two faces; `hand 12`, `hold 87`, `hand 130` claims three.
"""

import re
from collections.abc import Sequence
from typing import Final

from games.texts import Unread
from games.types import Action

FLIP: Final = Action(0)
LIFT: Final = Action(1)
READY: Final = Action(2)
FIRST: Final = 3
"""Number of actions without a face, and of kinds of action with one."""
HAND, HOLD, TURN = range(3)
"""Kinds of action with a face."""

_PLAIN: Final = ("flip", "lift", "ready")
_WITH_FACE: Final = ("hand", "hold", "turn")
_LABELS: Final = ("Flip your top card", "Lift your hand", "I am ready")
_LABELS_WITH_FACE: Final = ("Hand on {}", "Hold {} for a claim of three", "Turn {} over")
_FORM: Final = re.compile(r"\s*(hand|hold|turn)\s+([1-9][0-9]{0,5})\s*", re.IGNORECASE | re.ASCII)


def on(face: int, kind: int = HAND) -> Action:
    """Return the action of this kind with the face of that number."""
    # `Action(...)` would cost as much again, and `legal` asks for every face that shows.
    return FIRST * face + kind  # type: ignore[return-value]


def parts(action: Action) -> tuple[int, int]:
    """Return (number of the face, kind) of an action with a face."""
    return divmod(action, FIRST)


def claim(faces: Sequence[int], *, lying: bool) -> list[Action]:
    """Return the actions that lay one player's hands on one, two or three faces, as for "12 87 130" typed at once.

    `lying` says that the player already has a hand on a face. Several new hands lift it first; a single one joins
    it."""
    hands = [on(face, HOLD if 0 < place < len(faces) - 1 else HAND) for place, face in enumerate(faces)]
    return [LIFT, *hands] if lying and len(faces) > 1 else hands


def text(action: Action) -> str:
    """Return the text of an action: flip, lift, ready, hand 12, hold 87 or turn 12."""
    if action < FIRST:
        return _PLAIN[action]
    face, kind = parts(action)
    return f"{_WITH_FACE[kind]} {face}"


def parse(text: str) -> Action:
    """Return the action of a text. Raises Unread for any other text."""
    plain = text.strip().lower()
    if plain in _PLAIN:
        return Action(_PLAIN.index(plain))
    form = _FORM.fullmatch(text)
    if form is None:
        raise Unread
    return on(int(form[2]), _WITH_FACE.index(form[1].lower()))


def label(action: Action) -> str:
    """Return "Flip your top card", "Hand on 12" and so on."""
    if action < FIRST:
        return _LABELS[action]
    face, kind = parts(action)
    return _LABELS_WITH_FACE[kind].format(face)
