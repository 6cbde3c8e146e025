"""Rules of thumb for Liar's Dice, and rounds in which everybody follows them.

A player counts the matching dice of the own cup, one more for each other player whose last bid was on that face, and
the odds for all other dice.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

from games.liars_dice.actions import (
    BID,
    CALZA,
    DOUBT,
    FACE,
    FACES,
    NO_BID,
    ONE,
    QUANTITY,
    bid,
    fixed_face,
    lowest,
    matching,
    raises,
)
from games.liars_dice.odds import ONE_IN_SIX, ONE_IN_THREE, at_least, exactly, likely
from games.types import SEATS, Action, Seat, around, with_seats

COMFORT: Final = 0.8
"""Probability with which a bid is made without hesitation."""
CHALLENGED: Final = 0.7
"""Share of bold bids that the next player is expected to doubt."""


def one_in(face: int, *, wild: bool) -> int:
    """Return the denominator of the chance that a die matches `face`."""
    return ONE_IN_THREE if wild and face != ONE else ONE_IN_SIX


def support(cup: Sequence[int], *, wild: bool) -> list[int]:
    """Return how many dice of a cup match each face, by face; the first number means nothing."""
    return [0, *(matching(cup, face, wild=wild) for face in FACES)]


class Round:
    """A round at one moment, as far as the rules of thumb need it. Lists are by seat."""

    __slots__ = ("bids", "dice", "left", "own", "standing", "total", "trusting", "turn", "wild")

    def __init__(
        self, dice: Sequence[int], turn: Seat, bids: Sequence[tuple[Seat, Action]], *, wild: bool
    ) -> None:
        self.dice = dice
        self.total = sum(dice)
        self.wild = wild
        self.turn = turn
        self.left = [_next_in(seat, dice) for seat in SEATS[: len(dice)]]
        """The next seat to the left that is in."""
        self.own: list[list[int]] = [[] for _ in dice]
        """Matching dice of each cup by face, see `support`; only those of the seat to act are needed for a choice."""
        self.bids = [NO_BID] * len(dice)
        """The last bid of each seat."""
        for seat, action in bids:
            self.bids[seat] = action
        self.standing = bids[-1][1] if bids else NO_BID
        self.trusting = True
        """False when nobody believes a bid."""

    def with_cups(self, own: list[list[int]], *, trusting: bool = True) -> "Round":
        """Return a copy with these matching dice, see `own`, and `trusting`."""
        twin = Round.__new__(Round)
        twin.dice, twin.total, twin.wild, twin.left = self.dice, self.total, self.wild, self.left
        twin.turn, twin.standing, twin.bids, twin.own = self.turn, self.standing, self.bids[:], own
        twin.trusting = trusting
        return twin

    def probability(self, action: Action) -> float:
        """Return the probability of a bid as the seat to act sees it."""
        needed, hidden, chance = self._unknown(action)
        return at_least(needed, hidden, chance)

    def exact(self) -> float:
        """Return the probability that the standing bid is exact, as the seat to act sees it."""
        needed, hidden, chance = self._unknown(self.standing)
        return exactly(needed, hidden, chance)

    def _unknown(self, action: Action) -> tuple[int, int, int]:
        """Return how many hidden dice must match, how many there are, and the denominator of the chance of each."""
        face, hinted = FACE[action], self.hinted(FACE[action])
        needed = QUANTITY[action] - self.own[self.turn][face] - hinted
        return needed, self.total - self.dice[self.turn] - hinted, one_in(face, wild=self.wild)

    def hinted(self, face: int) -> int:
        """Return the number of other players whose last bid was on this face: each has one such die, if trusted."""
        if not self.trusting:
            return 0
        return sum(
            FACE[each] == face for seat, each in with_seats(self.bids) if each >= BID and seat != self.turn
        )

    def choose(self) -> Action:
        """Return the doubt or the bid that the rules of thumb choose for the seat to act."""
        most = self.comfortable()
        if most != NO_BID:
            return most
        options = self.least()
        if not options:
            return DOUBT
        best = max(options, key=self.probability)
        if self.standing == NO_BID:
            return best
        survives = 1 - CHALLENGED * (1 - self.probability(best))
        return DOUBT if 1 - self.probability(self.standing) > survives else best

    def comfortable(self) -> Action:
        """Return the highest bid that is probable enough; NO_BID if none is."""
        found, top = NO_BID, -1
        for least in self.least():
            face, hinted = FACE[least], self.hinted(FACE[least])
            hidden = self.total - self.dice[self.turn] - hinted
            sure = likely(hidden, one_in(face, wild=self.wild), COMFORT)
            quantity = self.own[self.turn][face] + hinted + sure
            if quantity >= QUANTITY[least] and height(quantity, face, wild=self.wild) > top:
                found, top = bid(quantity, face), height(quantity, face, wild=self.wild)
        return found

    def least(self) -> tuple[Action, ...]:
        """Return the lowest bid on each face that the seat to act may bid on."""
        face = fixed_face(self.standing, self.dice[self.turn], palifico=not self.wild)
        return _least(self.standing, self.total, face, wild=self.wild)

    def play_out(self) -> tuple[Seat, int]:
        """Play to the end of the round, and return the seat that loses a die and -1.

        All cups must be known."""
        while (action := self.choose()) != DOUBT:
            self.make(action)
        return self.call(DOUBT)

    def make(self, action: Action) -> None:
        self.bids[self.turn] = self.standing = action
        self.turn = self.left[self.turn]

    def call(self, action: Action) -> tuple[Seat, int]:
        """Return the seat that a call by the seat to act hits, and the dice that it gains or loses."""
        face, quantity = FACE[self.standing], QUANTITY[self.standing]
        found = sum(own[face] for own in self.own if own)
        if action == CALZA:
            return self.turn, 1 if found == quantity else -1
        bidder = next(seat for seat, each in with_seats(self.bids) if each == self.standing)
        return (bidder if found < quantity else self.turn), -1


def height(quantity: int, face: int, *, wild: bool) -> int:
    """Return a number that is greater for higher bids. While ones are wild, one of them is worth two of a face."""
    return 16 * quantity + 7 if wild and face == ONE else 8 * quantity + face


def _next_in(seat: Seat, dice: Sequence[int]) -> Seat:
    return next((other for other in around(seat, len(dice))[1:] if dice[other]), seat)


@cache
def _least(standing: Action, dice: int, face: int, *, wild: bool) -> tuple[Action, ...]:
    return tuple(lowest(raises(standing, dice, wild=wild, face=face)).values())
