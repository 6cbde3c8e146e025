"""A second implementation of following and winning: slow, with cards as texts, and close to the rulebook's words.

Cards are texts: "C", "K", "L", "R", "1" to "8".
"""

from collections.abc import Sequence

SUITS = ("C", "K", "L", "R")
NUMBERS = ("1", "2", "3", "4", "5", "6", "7", "8")


def is_suit(card: str) -> bool:
    return card in SUITS


def may_play(card: str, hand: Sequence[str], shows: str, led: str | None) -> bool:
    """Return whether a card of the hand may be played in tricks 2 to 12. `led` is None for the leader."""
    if card not in hand:
        return False
    if led is None:
        return True
    if shows == led:
        if not is_suit(card) or card == led:
            return True
        only_suits = all(is_suit(other) for other in hand)
        return only_suits and led not in hand
    if led in hand:
        return card == led
    return True


def may_begin(suit: str, number: str, hand: Sequence[str], led: str | None) -> bool:
    """Return whether a suit card and a number card of the hand may be played together in the first trick."""
    if suit not in hand or number not in hand or not is_suit(suit) or is_suit(number):
        return False
    if led is None or led not in hand:
        return True
    return suit == led


def taker(shown: Sequence[tuple[int, str, str]], trump: str, led: str) -> int:
    """Return the seat that takes a trick. `shown` is (seat, suit, number) in turn order."""
    having = [row for row in shown if row[1] == trump] or [row for row in shown if row[1] == led]
    highest = max(int(number) for _, _, number in having)
    return [seat for seat, _, number in having if int(number) == highest][-1]
