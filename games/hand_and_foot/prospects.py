"""Worth of a hand of Hand and Foot: merits of melds, uses of cards, and the chance to play all of it."""

from collections import Counter
from functools import cached_property
from typing import Final, NamedTuple

from games.hand_and_foot import cards
from games.hand_and_foot.actions import FULL, Way, laid_points, melded
from games.hand_and_foot.cards import IS_WILD, MELDABLE, POINTS, RANK, RANK_POINTS
from games.hand_and_foot.melding import can_finish, chosen
from games.hand_and_foot.scoring import CLEAN, DIRTY, OUT, RED_THREE
from games.hand_and_foot.state import AGREED, is_clean, partner
from games.hand_and_foot.view import View
from games.types import SEATS, Action

UNSEEN: Final = 10
"""Points of an unseen card, roughly."""
PAIR: Final = 12
"""Points that a second card of a rank is worth in a hand: the two can become a meld or take the pile."""
USEFUL: Final = 40
"""Points that a card is worth in a hand when the own side can add it to a meld."""


class Habits(NamedTuple):
    """Limits for wild cards in melds that have none yet. Each strength has its own."""

    spoils: int
    """Most natural cards that get their first wild one. Larger melds can become clean piles."""
    dirty: int
    """Dirty melds and piles of the side at which a player in the foot begins no more of them."""


STEADY: Final = Habits(spoils=4, dirty=2)
SHARP: Final = Habits(spoils=2, dirty=len(MELDABLE) * FULL)


class Prospects:
    """The situation of the seat to act, and of its side."""

    def __init__(self, view: View, habits: Habits) -> None:
        assert view.seat is not None
        self.view = view
        self.habits = habits
        self.seat = view.seat
        self.side = view.side(view.seat)
        self.held = cards.by_rank(view.hand)
        self.melds = view.melds[self.side]
        self.wilds = [sum(IS_WILD[card] for card in meld) for meld in self.melds]
        self.piles = [is_clean(pile) for pile in view.piles[self.side]]
        self.alone = partner(view.seat, view.seats) is None

    # Melds

    def merit(self, action: Action) -> float:
        """Return how good it is to lay these cards; 0 or less means to keep them."""
        rank, way = melded(action)
        if way.wilds:
            return self._merit_with_wilds(rank, way)
        if way.naturals < min(self.held[rank], FULL - len(self.melds[rank])):
            return 0.0  # laying all of them is better
        return 100.0 + laid_points(rank, way) + self._finish(rank, way)

    def _finish(self, rank: int, way: Way) -> float:
        """Return the points of a pile that is finished."""
        if len(self.melds[rank]) + way.cards < FULL:
            return 0.0
        return float(DIRTY if way.wilds or self.wilds[rank] else CLEAN)

    def _merit_with_wilds(self, rank: int, way: Way) -> float:
        """Return the merit of laying wild cards: on dirty melds; on a clean one only if it is small."""
        if way.naturals < min(self.held[rank], FULL - len(self.melds[rank]) - way.wilds):
            return 0.0
        size = len(self.melds[rank]) + way.cards
        finish = self._finish(rank, way)
        if not self.wilds[rank] and not self._may_be_dirty(rank):
            return 0.0
        return 20.0 + finish + 5 * size - 2 * way.jokers

    def _may_be_dirty(self, rank: int) -> bool:
        """Return whether a meld without wild cards may get some: when few others are dirty."""
        dirty = sum(1 for wilds in self.wilds if wilds) + self.piles.count(False)
        size = len(self.melds[rank]) + self.held[rank]
        if dirty >= self.habits.dirty and not self.view.feet[self.seat]:
            return False
        largest = max(
            len(meld) + self.held[other]
            for other, meld in enumerate(self.melds)
            if other in MELDABLE and not self.wilds[other]
        )
        # The largest meld should become a clean pile.
        return size <= self.habits.spoils and (True in self.piles or size < largest)

    # Going out

    @cached_property
    def can_finish(self) -> bool:
        """Return whether the player can go out in this turn, if the partner agrees."""
        has_foot = self.view.feet[self.seat]
        return not has_foot and can_finish(self.view.piles[self.side], self.melds, self.view.hand)

    @property
    def goes_out(self) -> bool:
        """Return whether the player goes out in this turn: alone, once both kinds of piles are there."""
        may = len({*self.piles}) == 2 if self.alone else self.view.consent == AGREED
        return may and self.can_finish

    def leads_out(self, action: Action) -> bool:
        """Return whether the player can still go out after laying these cards."""
        rank, way = melded(action)
        laid = chosen(self.view.hand, rank, way)
        meld, piles, melds = sorted([*self.melds[rank], *laid]), [*self.view.piles[self.side]], [*self.melds]
        melds[rank] = () if len(meld) == FULL else tuple(meld)
        piles += [tuple(meld)] * (len(meld) == FULL)
        return can_finish(piles, melds, [*(Counter(self.view.hand) - Counter(laid)).elements()])

    # Cards

    def use(self, card: int) -> float:
        """Return the use of a card in this hand: what it costs to discard it."""
        rank = RANK[card]
        if IS_WILD[card]:
            return 100.0 + POINTS[card]
        if rank not in MELDABLE:
            return -20.0
        # High cards help a first meld, and cost most if they are left over.
        high = RANK_POINTS[rank] if self.view.feet[self.seat] else -RANK_POINTS[rank]
        use = PAIR * min(2, self.held[rank] - 1) + 0.3 * high
        return use + USEFUL if self.melds[rank] else float(use)

    def if_out(self) -> tuple[int, int]:
        """Return about how many points the own side, and the best other one, would have if the deal ended now, with
        the bonus for the own side."""
        own = self._points(self.side) + OUT
        return own, max(self._points(side) for side in range(len(self.view.totals)) if side != self.side)

    def _points(self, side: int) -> int:
        view = self.view
        total = sum(CLEAN if is_clean(pile) else DIRTY for pile in view.piles[side])
        total += sum(map(cards.points, (*view.piles[side], *view.melds[side])))
        for seat in SEATS[: view.seats]:
            if view.side(seat) == side:
                total += RED_THREE * len(view.reds[seat]) - UNSEEN * view.feet[seat]
                total -= cards.points(view.hand) if seat == self.seat else UNSEEN * view.counts[seat]
        return total
