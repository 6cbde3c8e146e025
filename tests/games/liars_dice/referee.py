"""A second referee of Liar's Dice: slow, with (quantity, face) instead of numbers of actions, and close to the words of
the rules. It receives the public events and checks every one that follows from earlier ones."""

import re
from math import ceil

from games.contract import Event
from games.ending import Ended
from games.liars_dice import GAME
from games.liars_dice.events import BidMade, RoundBegan, RoundEnded
from games.liars_dice.options import LiarsDiceOptions
from games.types import SEATS, Action, Seat, with_seats
from tests.seats import FIRST

Bid = tuple[int, int]
"""Quantity and face."""


def bid_of(action: Action) -> Bid:
    """Return the bid that the text of an action names."""
    found = re.fullmatch(r"bid (\d+)x(\d)", GAME.text(action))
    assert found, "a bid has this form"
    return int(found[1]), int(found[2])


class Referee:
    """A referee that knows how many dice each seat has, and whose turn it is."""

    def __init__(self, options: LiarsDiceOptions, seats: int) -> None:
        self.options = options
        self.dice = [5] * seats
        self.turn: Seat | None = None
        self.rounds = 0
        self.palifico = False
        self.had: set[Seat] = set()
        """Seats that have had their palifico round."""
        self.bid: Bid | None = None
        self.bidder = FIRST
        self.gone: list[Seat] = []
        """Seats that are out, in order."""
        self.over = False

    def scores(self) -> tuple[int, ...]:
        return tuple(self.dice)

    def receive(self, event: Event) -> None:
        assert not self.over
        match event:
            case RoundBegan():
                self.begin(event)
            case BidMade():
                assert event.seat == self.turn
                assert self.may_bid(event.seat, bid_of(event.bid))
                self.bid, self.bidder, self.turn = bid_of(event.bid), event.seat, self.next_in(event.seat)
            case RoundEnded():
                self.end(event)
            case Ended():
                assert len(self.still_in()) == 1 or self.rounds == 200
                self.over = True

    def begin(self, event: RoundBegan) -> None:
        if self.turn is None:
            self.turn = event.opener
        self.rounds += 1
        single = self.dice[self.turn] == 1 and self.turn not in self.had
        self.palifico = self.options.palifico and single and len(self.still_in()) > 2
        self.had |= {self.turn} if self.palifico else set()
        self.bid = None
        assert (event.round, event.opener) == (self.rounds, self.turn)
        assert event.palifico == self.palifico
        assert list(event.dice) == self.dice

    def still_in(self) -> list[Seat]:
        return [seat for seat, dice in with_seats(self.dice) if dice]

    def next_in(self, seat: Seat) -> Seat:
        """Return the next seat to the left that has dice."""
        seat = SEATS[(seat + 1) % len(self.dice)]
        return seat if self.dice[seat] else self.next_in(seat)

    def may_bid(self, seat: Seat, bid: Bid) -> bool:
        quantity, face = bid
        if not 1 <= quantity <= sum(self.dice):
            return False
        if self.bid is None:
            return self.palifico or face != 1
        least, old = self.bid
        if self.palifico:
            return (face == old or self.dice[seat] == 1) and (
                quantity > least or (quantity == least and face > old)
            )
        match old == 1, face == 1:
            case False, True:
                return quantity >= ceil(least / 2)
            case True, False:
                return quantity >= 2 * least + 1
        return quantity > least or (quantity == least and face > old)

    def may_call(self, seat: Seat, *, calza: bool) -> bool:
        if self.bid is None or not self.dice[seat]:
            return False
        return self.options.calza and seat != self.bidder if calza else seat == self.turn

    def end(self, event: RoundEnded) -> None:
        assert self.bid is not None
        assert self.may_call(event.caller, calza=event.calza)
        assert (event.round, event.bidder, bid_of(event.bid)) == (self.rounds, self.bidder, self.bid)
        assert [len(cup) for cup in event.cups] == self.dice
        assert all(die in (1, 2, 3, 4, 5, 6) for cup in event.cups for die in cup)
        assert event.found == self.count(event.cups)
        self.judge(event.caller, event.found, calza=event.calza)
        assert list(event.dice) == self.dice

    def count(self, cups: tuple[tuple[int, ...], ...]) -> int:
        assert self.bid is not None
        face, together = self.bid[1], [die for cup in cups for die in cup]
        wild = 0 if self.palifico or face == 1 else together.count(1)
        return together.count(face) + wild

    def judge(self, caller: Seat, found: int, *, calza: bool) -> None:
        """Let somebody lose or gain a die, and find the opener."""
        assert self.bid is not None
        exact, short = found == self.bid[0], found < self.bid[0]
        loser = self.bidder if short and not calza else caller
        if calza and exact:
            self.dice[caller] = min(5, self.dice[caller] + 1)
            self.turn = caller
            return
        self.dice[loser] -= 1
        self.gone += [loser] * (not self.dice[loser])
        self.turn = loser if self.dice[loser] or not self.still_in() else self.next_in(loser)
