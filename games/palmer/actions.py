"""The actions of Palmer as small ints with tables, and the four places of a square.

Places are 0 to 3: top left, top right, bottom left, bottom right. Action 0 draws. Then come four actions, one for
each place, of each of the other ways: take the top of the pile for it, place the drawn card there, turn it over.

What lies face up in a square is a set of bits, one for each place; tables are by such a set.
"""

from typing import Final

from games.texts import parser

PLACES: Final = range(4)
PLACE_NAMES: Final = ("top left", "top right", "bottom left", "bottom right")
PLACE_TEXTS: Final = ("TL", "TR", "BL", "BR")
BOTTOM: Final = PLACES[2:]
"""The row its player may look at."""
ALL_UP: Final = 0b1111

DRAW: Final = 0
TAKE: Final = 1
PLACE: Final = TAKE + len(PLACES)
TURN: Final = PLACE + len(PLACES)
ACTIONS: Final = range(TURN + len(PLACES))
"""TAKE, PLACE and TURN are the first actions of their way, those for the top left."""

WAY: Final = (DRAW, *(way for way in (TAKE, PLACE, TURN) for _ in PLACES))
WHERE: Final = (-1, *(place for _ in (TAKE, PLACE, TURN) for place in PLACES))
"""The way of each action, and its place; to draw has none."""

FACE_DOWN: Final = tuple(tuple(place for place in PLACES if not up >> place & 1) for up in range(ALL_UP + 1))
TURNS: Final = tuple(
    (DRAW, *(way + place for way in (TAKE, TURN) for place in down)) if down else () for down in FACE_DOWN
)
"""What may be done at the beginning of a turn, sorted."""
PLACINGS: Final = tuple(tuple(PLACE + place for place in down) for down in FACE_DOWN)
"""What may be done with a drawn card, sorted."""

_VERBS: Final = {TAKE: "take", PLACE: "place", TURN: "turn"}
TEXT: Final = ("draw", *(f"{_VERBS[WAY[action]]} {PLACE_TEXTS[WHERE[action]]}" for action in ACTIONS[TAKE:]))
"""The one text form of every action."""

parse: Final = parser(
    TEXT,
    "That is not a move in Palmer. Write draw, or take, place or turn and one of your four places: "
    "TL, TR (top left, top right), BL, BR (bottom left, bottom right), as in take BL.",
)
"""The action a text names; Illegal for anything else, saying the form."""
