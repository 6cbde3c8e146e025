"""The follow rule: what the led suit asks of a player, as sets of kinds.

Who follows must play one of the kinds that are asked for; who holds none of them plays any card. Asked for is, while
the own stack of suit cards shows another suit or none, the led suit; and while it shows the led suit, whatever
leaves it showing: a number, or the led suit again.
"""

from typing import Final

from games.charms.cards import ALL_CARDS, NO_SUIT, NUMBER_CARDS, SIGNS, SUITS


def _asked(shows: int, led: int) -> int:
    if led == NO_SUIT:
        return ALL_CARDS
    return 1 << led | (NUMBER_CARDS if shows == led else 0)


ASKED: Final = tuple(tuple(_asked(shows, led) for led in (*SUITS, NO_SUIT)) for shows in (*SUITS, NO_SUIT))
"""By the suit shown before the play and by the suit led: the kinds that are asked for. The leader may play all."""


def reason(holds: int, shows: int, led: int) -> str:
    """Why the other kinds that are held may not be played, a sentence; "" when all may."""
    asked = ASKED[shows][led]
    if not holds & asked or not holds & ~asked:
        return ""
    if shows == led:
        return f"You show {SIGNS[led]}, which is led, so play a number, or another {SIGNS[led]} over it."
    return f"{SIGNS[led]} is led, you hold it and do not show it, so you must play it."


def first_reason(holds: int, led: int) -> str:
    """The same for the suit card of the first trick."""
    if led == NO_SUIT or not holds >> led & 1:
        return ""
    return f"{SIGNS[led]} is led and you hold it, so it must be your suit card; the number is free."
