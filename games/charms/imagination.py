"""Imagination of Charms: a match drawn at random among those that a view allows.

A hidden card lies in a hand or in the rest. Public facts restrict where: a hand does not hold the kinds that it is
known to lack; every hand is good; and cards shown in a bad hand came to this seat's new hand, to the new hand of a
later seat, or to the rest.

For the last of these facts, each place has a number `late`: 0 for a hand that was dealt once, 1 for the new hand of the
first seat that was dealt another one, 2 for the next seat, and so on; the rest has the highest number. Each hidden card
has the lowest number of the places where it may lie. The cards are dealt at random. Then each card in a wrong place
moves to a right one; if that is full, another card makes room by moving on.
"""

from collections import Counter
from collections.abc import Iterator
from functools import reduce
from itertools import chain
from operator import or_
from random import Random
from typing import NamedTuple

from games.charms.cards import ALL_CARDS, BIDS, DECK, GOOD, NO_SUIT, NUMBER_CARDS, SUIT_CARDS, SUITS
from games.charms.state import NO_BID, NO_NUMBER, State
from games.charms.view import View
from games.fields import restored
from games.types import SEATS, Seat, with_seats


class _Card(NamedTuple):
    kind: int
    late: int


class _Place(NamedTuple):
    owner: int
    """A seat, or the number of seats for the rest."""
    late: int
    takes: int
    """The kinds that may lie here, as a set of kinds."""
    size: int
    """Number of cards that lie here in the end."""
    cards: list[_Card]

    def may_hold(self, card: _Card) -> bool:
        return self.takes >> card.kind & 1 == 1 and card.late <= self.late


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: others' cards and bids are drawn, and so is the seed of later deals."""
    return Deals(view).imagine(rng)


class Deals:
    """The matches that a view allows. Searches draw many of them, so what these have in common is found once."""

    def __init__(self, view: View) -> None:
        anew = list(dict.fromkeys(shown.seat for shown in view.redealt))
        late = [1 + anew.index(seat) if seat in anew else 0 for seat in SEATS[: len(view.points)]]
        late.append(1 + len(anew))
        self._view = view
        self._places = list(_places(view, late))
        self._cards = list(_hidden(view, anew, late))

    def imagine(self, rng: Random) -> State:
        """Return one of the matches, drawn at random."""
        view = self._view
        state = restored(State(view.options, len(view.points), rng.getrandbits(64), view.dealer), view)
        state.hand = view.hand_number
        state.led = NO_SUIT if view.led is None else view.led
        *hands, state.rest = self._dealt(rng)
        state.give(hands)
        state.bids = [_bid(view, seat, rng) for seat in SEATS[: state.seats]]
        state.suits = [NO_SUIT if suit is None else suit for suit in view.suits]
        state.numbers = [NO_NUMBER if number is None else number for number in view.numbers]
        return state

    def _dealt(self, rng: Random) -> list[list[int]]:
        """Return the hands by seat and, last, the rest; each ascending."""
        view = self._view
        places = [_Place(*place[:-1], []) for place in self._places]
        cards = self._cards[:]
        rng.shuffle(places)
        rng.shuffle(cards)
        astray: list[_Card] = []
        for place in places:
            for card in [cards.pop() for _ in range(place.size)]:
                (place.cards if place.may_hold(card) else astray).append(card)
        for card in astray:
            _find_place(card, places, set())
        hands: list[list[int]] = [[] for _ in range(len(view.points) + 1)]
        for place in places:
            hands[place.owner] += [card.kind for card in place.cards]
        if view.seat is not None:
            hands[view.seat] = list(view.hand)
        return [sorted(hand) for hand in hands]


def _bid(view: View, seat: Seat, rng: Random) -> int:
    known = view.bid if seat == view.seat else view.bids[seat]
    if known is not None:
        return known
    return rng.choice(BIDS) if view.has_bid[seat] else NO_BID


def _places(view: View, late: list[int]) -> Iterator[_Place]:
    """Yield the places of hidden cards: the rest, and three for each other hand."""
    rest = len(view.points)
    yield _Place(rest, late[rest], ALL_CARDS, view.rest, [])
    for seat, (size, played) in with_seats(zip(view.hand_sizes, view.played, strict=True)):
        if seat == view.seat:
            continue
        suits = sum(kind in SUITS for kind in played)
        must = max(0, GOOD - suits), max(0, GOOD - len(played) + suits)
        takes = ALL_CARDS & ~view.lacks[seat]
        # The hand was good when it was dealt, so it must still have some suit cards and some number cards.
        yield _Place(seat, late[seat], takes & SUIT_CARDS, must[0], [])
        yield _Place(seat, late[seat], takes & NUMBER_CARDS, must[1], [])
        yield _Place(seat, late[seat], takes, size - sum(must), [])


def _hidden(view: View, anew: list[Seat], late: list[int]) -> Iterator[_Card]:
    """Yield the cards whose place is hidden from this view, each with the lowest `late` of the places for it."""
    known = [*view.played, view.turned]
    if view.seat is not None:
        known[view.seat] += view.hand
    hidden = Counter(DECK)
    hidden.subtract(chain.from_iterable(known))
    tied: Counter[int] = Counter()
    later: Counter[int] = Counter()
    """Cards of the first hands that later seats showed; this seat never had any of them."""
    for place in range(len(anew), 0, -1):
        shown = [Counter(bad.cards) for bad in view.redealt if bad.seat == anew[place - 1]]
        there = (cards for cards, other in zip(known, late, strict=True) if other >= place)
        seen = Counter(chain.from_iterable(there))
        more = reduce(or_, shown) + later - seen - tied
        yield from (_Card(kind, place) for kind in more.elements())
        tied += more
        later += shown[0]
    yield from (_Card(kind, 0) for kind in (hidden - tied).elements())


def _find_place(card: _Card, places: list[_Place], tried: set[int]) -> bool:
    """Put a card into a place that has room, or in which a card can move on. Return whether that was possible.

    `tried` are the numbers of the places already tried.
    """
    for number, place in enumerate(places):
        if number in tried or not place.may_hold(card):
            continue
        tried.add(number)
        if len(place.cards) < place.size:
            place.cards.append(card)
            return True
        for held, other in enumerate(place.cards):
            if _find_place(other, places, tried):
                place.cards[held] = card
                return True
    return False
