"""Actions of Palmer as small ints with lookup tables, and the four places of a square.

Places are 0 to 3: top left, top right, bottom left, bottom right. Action 0 draws. Each other kind of action has four
actions, one for each place: take the pile's top card for it, place the drawn card there, turn over the card there.

A set of places is an int with one bit for each place.
"""

from typing import Final

from games.texts import parser
from games.types import Action

PLACES: Final = range(4)
PLACE_NAMES: Final = ("top left", "top right", "bottom left", "bottom right")
PLACE_TEXTS: Final = ("TL", "TR", "BL", "BR")
BOTTOM: Final = PLACES[2:]
"""Places of the row that its player may look at."""
ALL_UP: Final = 0b1111

# An action is a kind and a place: TAKE + 2 takes for the bottom left. TAKE itself is the one for the top left.
DRAW: Final = Action(0)
TAKE: Final = 1
PLACE: Final = TAKE + len(PLACES)
TURN_OVER: Final = PLACE + len(PLACES)
ACTIONS: Final = tuple(map(Action, range(TURN_OVER + len(PLACES))))

WAY: Final = (DRAW, *(way for way in (TAKE, PLACE, TURN_OVER) for _ in PLACES))
"""Kind of each action: DRAW, TAKE, PLACE or TURN_OVER."""
WHERE: Final = (-1, *(place for _ in (TAKE, PLACE, TURN_OVER) for place in PLACES))
"""Place of each action, -1 for DRAW."""

FACE_DOWN: Final = tuple(tuple(place for place in PLACES if not up >> place & 1) for up in range(ALL_UP + 1))
"""Places of the face-down cards, by the set of places that are face up."""
BEFORE_DRAWING: Final = tuple(
    (DRAW, *(ACTIONS[way + place] for way in (TAKE, TURN_OVER) for place in down)) if down else ()
    for down in FACE_DOWN
)
"""Legal actions at the beginning of a turn, by the set of places that are face up, sorted."""
WITH_DRAWN: Final = tuple(tuple(ACTIONS[PLACE + place] for place in down) for down in FACE_DOWN)
"""Legal actions with a drawn card, by the set of places that are face up, sorted."""

_VERBS: Final = {TAKE: "take", PLACE: "place", TURN_OVER: "turn"}
TEXT: Final = ("draw", *(f"{_VERBS[WAY[action]]} {PLACE_TEXTS[WHERE[action]]}" for action in ACTIONS[TAKE:]))
"""Text of every action, as in the log."""

parse: Final = parser(TEXT)
