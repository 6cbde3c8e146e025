"""Strategy for Charms: rules of thumb, and a search that plays hands out with everybody following them."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice
from games.charms import GAME, words
from games.charms.cards import BASE, BIDS, CARDS, NO_SUIT, NUMBER, NUMBERS, SUITS, TRICKS
from games.charms.imagination import Deals
from games.charms.rules import strength_after
from games.charms.state import State
from games.charms.view import View
from games.phrases import counted
from games.search import PlayoutResult, Problem, SearchingStrategy
from games.types import Action, Seat, with_seats

TRUMP_TRICKS: Final = 0.9
"""Expected tricks added by each trump above the average."""
NUMBER_TRICKS: Final = 0.1
"""Expected tricks added by each point of the hand's numbers above the average."""
NEAR: Final = 3
"""Largest difference from the bid by rules of thumb that the search tries."""

HOLDS_ONE: Final = (
    0.0,
    *(0.15 + 0.05 * number for number in NUMBERS),
    *(0.67 + 0.04 * number for number in NUMBERS),
)
"""Chance that one follower does not beat a play, by strength: 0, numbers 1 to 8 with the led suit, then with trump."""
HOLDS: Final = tuple(tuple(chance**following for chance in HOLDS_ONE) for following in range(4))
"""Chance that nobody beats a play, by the number of followers and strength."""
TRUMP_COST, SUIT_COST = 8, 2
"""Cost of playing a trump, and of playing another suit card. A number card costs its number."""
COST: Final = tuple(
    tuple(
        sum(NUMBER[kind] or (TRUMP_COST if kind == trump else SUIT_COST) for kind in played)
        for played in CARDS
    )
    for trump in SUITS
)
"""Cost of each action, by trump."""

DEALS_PER_WORLD: Final = 3
"""Number of deals drawn for each world. The one that fits the bids best is played out."""


class CharmsStrategy(SearchingStrategy[View]):
    """Bid by trumps and high numbers, win tricks until the bid is made, then lose the others."""

    low_wins = True
    unit = "points"
    goal = "make your bid"
    label = staticmethod(words.label)

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        if view.phase == "bid":
            bid = _bid(view.hand, view.trump, len(view.points))
            trumps = counted(view.hand.count(view.trump), "trump")
            return Advice(
                BIDS[bid],
                f"A hand with {trumps} and these numbers usually wins about {counted(bid, 'trick')}.",
            )
        # The rules of thumb do not depend on hidden cards, so any world gives the same advice.
        assert view.seat is not None
        situation = _Situation(GAME.imagine(view, Random(0)), view.seat)  # noqa: S311
        action = situation.best(legal)
        return Advice(action, situation.why(action, legal))

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner hopes for a trick or two more, and likes to show the highest card.
        if view.phase == "bid":
            return BIDS[min(TRICKS, _bid(view.hand, view.trump, len(view.points)) + rng.choice((1, 2)))]
        return legal[-1]

    def problem(self, view: View, legal: Sequence[Action]) -> Problem[State]:
        return _Hand(view, legal)


class _Hand(Problem[State]):
    """The choice of a bid or play. Gains are the others' points: points are bad."""

    iterations = 220

    def __init__(self, view: View, legal: Sequence[Action]) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.legal = legal
        self.deals = Deals(view)

    def candidates(self) -> Sequence[Action]:
        if self.view.phase == "play":
            return self.legal
        bid = _bid(self.view.hand, self.view.trump, len(self.view.points))
        return [other for other in self.legal if abs(other - bid) <= NEAR]

    def world(self, rng: Random) -> State:
        if self.view.phase == "play":
            state = min((self.deals.imagine(rng) for _ in range(DEALS_PER_WORLD)), key=self._misfit)
        else:
            state = self.deals.imagine(rng)
            for seat, bid in with_seats(self.view.bids):
                if bid is None:
                    state.bids[seat] = _bid(state.hands[seat], state.trump, state.seats)
        state.hand = state.options.hands  # the match ends with this hand, so no playout deals the next one
        return state

    def play_out(self, world: State, action: Action) -> PlayoutResult:
        state = world.copy()
        if self.view.phase == "play":
            GAME.step(state, self.seat, action)
        else:
            state.bids[self.seat] = action
            state.trick, state.turn = 1, state.leader
        while (seat := state.turn) is not None:
            legal = GAME.legal(state, seat)
            GAME.step(state, seat, legal[0] if len(legal) == 1 else _Situation(state, seat).best(legal))
        sheet = state.sheets[-1]
        own = sheet[self.seat]
        others = sum([row.points for row in sheet]) - own.points
        return PlayoutResult(others / (state.seats - 1) - own.points, own.tricks == own.bid)

    def _misfit(self, state: State) -> int:
        """Return how badly the others' hands, with the cards they have played, fit their bids."""
        held = [[*hand, *played] for hand, played in zip(state.hands, state.played, strict=True)]
        return sum(
            abs(_bid(cards, state.trump, state.seats) - bid)
            for seat, (cards, bid) in with_seats(zip(held, state.bids, strict=True))
            if seat != self.seat
        )


def _bid(hand: Sequence[int], trump: int, seats: int) -> int:
    """Return the expected number of tricks of a hand, rounded."""
    trumps = hand.count(trump)
    numbers = sum(NUMBER[kind] - 4.5 for kind in hand if kind not in SUITS)
    expected = TRICKS / seats + TRUMP_TRICKS * (trumps - 1.5) + NUMBER_TRICKS * numbers
    return max(0, min(TRICKS, round(expected)))


class _Situation:
    """Facts for the seat to play: the strength to beat, how many players follow, and whether it needs a trick."""

    __slots__ = ("following", "needs_trick", "seat", "state", "to_beat")

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.seat = seat
        self.following = (state.leader - seat - 1) % state.seats
        self.needs_trick = state.bids[seat] > state.winners.count(seat)
        self.to_beat = 0
        if state.led != NO_SUIT:
            base = BASE[state.trump][state.led]
            suits, numbers = state.suits, state.numbers
            for place in range(state.leader, state.leader + state.seats - self.following - 1):
                other = place % state.seats
                self.to_beat = max(self.to_beat, base[suits[other]] + numbers[other])

    def best(self, legal: Sequence[Action]) -> Action:
        """Return the best play: to win at low cost or, when no trick is needed, to lose with a strong card."""
        merits = [self._merit(action) for action in legal]
        return legal[merits.index(max(merits))]

    def why(self, action: Action, legal: Sequence[Action]) -> str:
        """Return the reason for a play, one of the legal ones."""
        wins = self._chance(action)
        if self.needs_trick:
            if wins:
                return "You need more tricks, and this can win at low cost."
            return "You need more tricks, but you cannot win this one. Play the card you need least."
        if wins and wins == min(map(self._chance, legal)):
            return "You need no more tricks. This is the least likely to win."
        return "You need no more tricks. Get rid of a card that might win one later."

    def _chance(self, action: Action) -> float:
        strength = strength_after(self.state, self.seat, action)
        return HOLDS[self.following][strength] if strength > 0 and strength >= self.to_beat else 0.0

    def _merit(self, action: Action) -> float:
        cost = COST[self.state.trump][action]
        if self.needs_trick:
            return self._chance(action) - 0.04 * cost
        return 0.01 * cost - self._chance(action)


STRATEGY: Final = CharmsStrategy()
