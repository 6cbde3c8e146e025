"""The actions of Thirty-One as small ints: 0 draws, 1 takes the top discard, 2 knocks, the others discard a card."""

from typing import Final

from games import french
from games.texts import parser

DRAW: Final = 0
TAKE: Final = 1
KNOCK: Final = 2
DISCARD: Final = 3
"""Of card 0; the other cards follow."""
ACTIONS: Final = range(DISCARD + len(french.PACK))

TEXT: Final = ("draw", "take", "knock", *(f"discard {card}" for card in french.TEXT))
"""The one text form of every action."""

parse: Final = parser(
    TEXT,
    "That is not a move in Thirty-One. Write draw, take (the top discard) or knock; or discard and a card by "
    "rank (A, 2 to 10, J, Q, K) and suit letter (C, D, H, S), as in discard 10H.",
)
"""The action a text names; Illegal for anything else, saying the form."""
