"""Actions of Thirty-One as small ints: 0 draws, 1 takes the top discard, 2 knocks, the others discard a card."""

from typing import Final

from games import french
from games.texts import parser
from games.types import Action

DRAW: Final = Action(0)
TAKE: Final = Action(1)
KNOCK: Final = Action(2)
DISCARD: Final = 3
"""Action that discards card 0; the other cards follow in order."""
ACTIONS: Final = tuple(map(Action, range(DISCARD + len(french.PACK))))
DISCARDS: Final = ACTIONS[DISCARD:]
"""Actions that discard, by card."""

TEXT: Final = ("draw", "take", "knock", *(f"discard {card}" for card in french.TEXT))
"""Text of every action, as in the log."""

parse: Final = parser(
    TEXT,
    {
        f"{verb} {card}": action
        for verb in ("discard", "drop")
        for cards in (french.TEXT, french.SIGN, french.SUIT_FIRST)
        for card, action in zip(cards, DISCARDS, strict=True)
    },
)
