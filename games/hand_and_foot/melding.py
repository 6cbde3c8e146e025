"""Melding in Hand and Foot: the cards that may be laid, and first melds that can still reach their minimum."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from games.hand_and_foot import cards
from games.hand_and_foot.actions import FULL, LEAST, WAYS, Way, laid_points
from games.hand_and_foot.cards import JOKER, MELDABLE, RANK, RANK_POINTS, THREE, TWO, WILD
from games.hand_and_foot.state import DRAWING, State, is_clean
from games.types import Seat

MOST_WILDS: Final = 3
BELOW: Final = 6
"""Most discards that are taken with the top one."""
MOST_TAKEN: Final = BELOW + 1
"""Most discards that are taken."""
TAKEN: Final = 3
"""Cards melded at once when the discard pile is taken: its top card and two of the hand."""
IMPOSSIBLE: Final = -10_000


class Laid(NamedTuple):
    """Numbers of natural and of wild cards in a meld."""

    naturals: int
    wilds: int

    def plus(self, way: Way) -> "Laid":
        return Laid(self.naturals + way.naturals, self.wilds + way.wilds)

    @property
    def is_meld(self) -> bool:
        return LEAST <= self.naturals + self.wilds <= FULL and self.wilds < self.naturals


NOTHING: Final = Laid(0, 0)


@cache
def additions(laid: Laid, naturals: int, twos: int, jokers: int) -> tuple[Way, ...]:
    """Return the ways to lay cards on a meld, or to begin it, with these numbers of natural and wild cards in hand."""
    return tuple(
        way
        for way in WAYS
        if way.naturals <= naturals and way.twos <= twos and way.jokers <= jokers and laid.plus(way).is_meld
    )


class Hand:
    """The cards with which the seat to act can meld, and the melds on which it may lay them, by rank.

    Before the first meld of the side these are the cards laid aside. A seat that has not drawn may lay cards aside only
    to take the pile, so they then include the top discard with two cards of the hand."""

    def __init__(self, state: State, seat: Seat) -> None:
        side = state.side(seat)
        self.held = cards.by_rank(state.hands[seat])
        self.has_opened = state.has_opened(side)
        melds = state.melds[side] if self.has_opened else state.aside
        self.wilds = min(MOST_WILDS, self.held[TWO]), min(MOST_WILDS, self.held[WILD])
        self.laid = [summed(meld) if meld else NOTHING for meld in melds]
        self.points = 0 if self.has_opened else state.laid_aside()
        self.minimum = state.minimum
        self.top = takeable(state, seat)
        if state.phase == DRAWING and not self.has_opened and self.top is not None:
            self._take(self.top)

    def _take(self, rank: int) -> None:
        self.held[rank] -= TAKEN - 1
        self.laid[rank] = Laid(self.laid[rank].naturals + TAKEN, self.laid[rank].wilds)
        self.points += TAKEN * RANK_POINTS[rank]

    @property
    def is_short(self) -> bool:
        """Return whether the first meld still lacks points."""
        return not self.has_opened and self.points < self.minimum

    def ways(self, rank: int) -> tuple[Way, ...]:
        """Return the ways to lay cards of this hand on a rank."""
        laid, naturals = self.laid[rank], self.held[rank]
        if laid is NOTHING and naturals < LEAST - 1:
            return ()  # most ranks: no meld can begin with so few
        return additions(laid, min(FULL, naturals), *self.wilds)

    def reaches(self, rank: int, way: Way) -> bool:
        """Return whether the first meld can reach its minimum after laying cards in this way."""
        missing = self.minimum - self.points - laid_points(rank, way)
        return missing <= 0 or self._most((rank, way)) >= missing

    def can_open(self) -> bool:
        """Return whether the first meld can reach its minimum."""
        return self.points + self._most(None) >= self.minimum

    def _most(self, after: tuple[int, Way] | None) -> int:
        """Return the most points that the hand can still lay, after laying cards in a way."""
        held, laid = list(self.held), self.laid
        if after is not None:
            rank, way = after
            held[rank] -= way.naturals
            held[TWO] -= way.twos
            held[WILD] -= way.jokers
            laid = [*laid]
            laid[rank] = laid[rank].plus(way)
        gains = [
            _gains(laid[rank], min(FULL, held[rank]), RANK_POINTS[rank])
            for rank in MELDABLE
            if held[rank] or laid[rank].naturals
        ]
        return _best(gains, held[TWO], held[WILD])


def summed(meld: Sequence[int]) -> Laid:
    """Return the numbers of natural and of wild cards in a meld."""
    natural = len(cards.naturals(meld))
    return Laid(natural, len(meld) - natural)


@cache
def _gains(laid: Laid, naturals: int, worth: int) -> tuple[int, ...]:
    """Return the most points of natural cards that a meld can gain, by the number of wild cards it gains with them."""
    return tuple(
        max(
            (
                more * worth
                for more in range(naturals + 1)
                if laid.plus(Way(more, wilds, 0)).is_meld or not more + wilds
            ),
            default=IMPOSSIBLE,
        )
        for wilds in range(MOST_WILDS + 1)
    )


def _best(gains: Sequence[tuple[int, ...]], twos: int, jokers: int) -> int:
    """Return the most points of melds that share wild cards; the jokers, which count more, are used first."""
    best = _by_wilds(gains, twos + jokers)
    return max([total + wild_points(used, jokers) for used, total in enumerate(best)])


def _by_wilds(gains: Sequence[tuple[int, ...]], wilds: int) -> list[int]:
    """Return the most that melds gain together, by the number of wild cards that they share."""
    best = [0] + [IMPOSSIBLE] * wilds
    for gain in gains:
        best = [
            max([best[used - own] + gain[own] for own in range(min(used, len(gain) - 1) + 1)])
            for used in range(len(best))
        ]
    return best


def can_finish(piles: Iterable[Sequence[int]], melds: Sequence[Sequence[int]], hand: Sequence[int]) -> bool:
    """Return whether all cards of a hand but one can be laid on these melds, by rank, and on new ones, so that
    the side has both kinds of piles."""
    held = cards.by_rank(hand)
    # The natural cards that are left, the wild ones not laid yet, and whether piles are clean.
    ends = {(held[THREE], held[TWO] + held[WILD], frozenset(map(is_clean, piles)))}
    for rank in MELDABLE:
        ends = {
            (left + held[rank] - naturals, wilds - more, kinds | finished)
            for naturals, more, finished in _courses(summed(melds[rank]), held[rank])
            for left, wilds, kinds in ends
            if left + held[rank] - naturals <= 1 and more <= wilds
        }
    return any(left + wilds <= 1 and len(kinds) == 2 for left, wilds, kinds in ends)


@cache
def _courses(laid: Laid, naturals: int) -> frozenset[tuple[int, int, frozenset[bool]]]:
    """Return numbers of natural and wild cards that can be laid on a meld, or finish it and begin another, and
    whether the piles that they finish are clean."""
    found = {(0, 0, frozenset[bool]())}
    for more, wilds in product(range(min(FULL, naturals) + 1), range(MOST_WILDS + 1)):
        after = laid.plus(Way(more, wilds, 0))
        if not after.is_meld:
            continue
        if sum(after) < FULL:
            found.add((more, wilds, frozenset()))
            continue
        for others, others_wild, finished in _courses(NOTHING, naturals - more):
            found.add((more + others, wilds + others_wild, finished | {not after.wilds}))
    return frozenset(found)


def wild_points(used: int, jokers: int) -> int:
    """Return the points of a number of wild cards, the jokers first."""
    return min(used, jokers) * RANK_POINTS[WILD] + max(0, used - jokers) * RANK_POINTS[TWO]


def top_rank(discards: Sequence[int]) -> int | None:
    """Return the rank of the top discard if it can be melded, None for a wild card, a three or no discard."""
    rank = RANK[discards[-1]] if discards else None
    return rank if rank in MELDABLE else None


def takeable(state: State, seat: Seat) -> int | None:
    """Return the rank of the top discard if two natural cards of the hand match it and the open meld has room for all
    three; else None."""
    rank = top_rank(state.discards)
    if rank is None or sum([RANK[card] == rank for card in state.hands[seat]]) < TAKEN - 1:
        return None
    return rank if len(state.melds[state.side(seat)][rank]) <= FULL - TAKEN else None


def chosen(hand: Sequence[int], rank: int, way: Way) -> list[int]:
    """Return the cards that are laid: the lowest natural cards of the rank, twos and jokers."""
    natural = [card for card in hand if RANK[card] == rank][: way.naturals]
    twos = [card for card in hand if RANK[card] == TWO][: way.twos]
    return [*natural, *twos, *[JOKER] * way.jokers]
