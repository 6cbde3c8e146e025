"""The rule of following suit, as sets of kinds.

Some kinds are asked for. A follower who holds one of them must play one; any other follower may play any card. If the
follower does not show the led suit, cards of that suit are asked for. If the follower shows it already, number cards
and cards of that suit are asked for, because these keep it showing.
"""

from typing import Final

from games.charms.cards import ALL_CARDS, NO_SUIT, NUMBER_CARDS, SIGNS, SUITS


def _asked(shows: int, led: int) -> int:
    if led == NO_SUIT:
        return ALL_CARDS
    return 1 << led | (NUMBER_CARDS if shows == led else 0)


ASKED: Final = tuple(tuple(_asked(shows, led) for led in (*SUITS, NO_SUIT)) for shows in (*SUITS, NO_SUIT))
"""Kinds asked for, by the suit shown before the play and the suit led. The leader (NO_SUIT led) may play all."""


def reason(holds: int, shows: int, led: int) -> str:
    """Return a sentence on why some of the held kinds may not be played; "" when all may."""
    asked = ASKED[shows][led]
    if not holds & asked or not holds & ~asked:
        return ""
    if shows == led:
        return (
            f"{SIGNS[led]} is led and you show it. Keep showing it: play a number, or another {SIGNS[led]}."
        )
    return f"{SIGNS[led]} is led. You hold it and do not show it, so you must play it."


def first_reason(holds: int, led: int) -> str:
    """Return a sentence on why the suit card of the first trick must be of the led suit; "" when it need not."""
    if led == NO_SUIT or not holds >> led & 1:
        return ""
    return f"{SIGNS[led]} is led and you hold it, so play it as your suit card. Choose any number card."
