"""The danger of a discard in Hand and Foot: the next player may take the pile with it."""

from math import comb
from typing import Final

from games.hand_and_foot import cards
from games.hand_and_foot.actions import FULL
from games.hand_and_foot.cards import MELDABLE, POINTS, RANK, deck
from games.hand_and_foot.melding import BELOW, TAKEN
from games.hand_and_foot.view import View
from games.types import SEATS

GAIN: Final = 30
"""Points that a taken card is worth to the player who takes it, roughly. Piles of seven make cards worth more than
their points."""


class Danger:
    """The next player's hand, as somebody who counts cards knows it."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.next = SEATS[(view.seat + 1) % view.seats]
        self.known = cards.by_rank(view.known[self.next])
        self.unseen = self._unseen()

    def _unseen(self) -> list[int]:
        """Return the number of unseen cards by rank."""
        view = self.view
        left = cards.by_rank(deck(view.seats + 1))
        groups = [view.hand, view.discards, *view.aside, *view.reds, *view.known]
        groups += (group for zones in (view.melds, view.piles) for zone in zones for group in zone)
        for group in groups:
            for card in group:
                left[RANK[card]] -= 1
        # The own cards that everybody knows were counted twice.
        for card in view.known[view.seat or 0]:
            left[RANK[card]] += 1
        return left

    def chance(self, card: int) -> float:
        """Return the probability that the next player holds two natural cards that match this one."""
        rank, view = RANK[card], self.view
        side = view.side(self.next)
        if rank not in MELDABLE or len(view.melds[side][rank]) > FULL - TAKEN:
            return 0.0
        missing = TAKEN - 1 - self.known[rank]
        if missing <= 0:
            return 1.0
        drawn = view.counts[self.next] - len(view.known[self.next])
        total = sum(self.unseen)
        matching = self.unseen[rank]
        none = comb(total - matching, drawn) / comb(total, drawn)
        if missing == 1:
            return 1 - none
        one = matching * comb(total - matching, drawn - 1) / comb(total, drawn) if drawn else 0.0
        return 1 - none - one

    def cost(self, card: int) -> float:
        """Return the points that the discard gives the next player on average."""
        view = self.view
        chance = self.chance(card)
        if view.melds[view.side(self.next)][RANK[card]] if RANK[card] in MELDABLE else ():
            chance *= 0.5  # they would have laid such cards
        if not view.has_opened(view.side(self.next)):
            chance *= 0.4  # they may be unable to make a first meld
        taken = view.discards[-BELOW:]
        return chance * (GAIN * (1 + len(taken)) + 0.5 * sum(POINTS[card] for card in taken))
