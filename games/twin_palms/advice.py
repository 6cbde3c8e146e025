"""How Twin Palms is played well: rules of thumb, and a search that plays the round out in imagined deals.

Bids tell much about hands, so of several deals the search takes the one that fits the bids best.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from games.advice import Advice, Expired
from games.search import Problem, Result, SearchingStrategy
from games.twin_palms import words
from games.twin_palms.cards import BETS, CARDS, DECKS, STRENGTH, Mode, plays
from games.twin_palms.playout import best_of, pick, play_out
from games.twin_palms.sets import Made, strongest, table, weakest
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View

SHARE_BELOW: Final[dict[Mode, tuple[float, ...]]] = {
    "easy": (0, 0.54, 1),
    "normal": (0, 0.10, 0.29, 0.48, 0.69, 0.84, 1),
    "advanced": (0, 0.14, 0.25, 0.35, 0.46, 0.74, 0.83, 0.91, 1),
    "extreme": (0, 0.05, 0.10, 0.14, 0.26, 0.36, 0.47, 0.55, 0.63, 0.74, 0.83, 0.91, 1),
}
"""Which part of all sets, when hands are made into the strongest, is below each rank of sets, the weakest first."""

FEW: Final = 1.2
"""Who expects fewer tricks than this may rather want none:"""
SAFE: Final = 0.3
"""if no more than so many are to be feared when all sets are made to lose."""
SURE: Final = 0.3
"""How near to the bid the tricks expected must be for the highest bet."""

BID_DEALS: Final = 100
"""Deals in which each bid is played out."""
DEALS: Final = 4
"""Deals drawn for each one that is played out: the one that goes with the bids best."""


class TwinPalmsStrategy(SearchingStrategy[View]):
    """Count the sets that should win, keep them together, and waste the rest on each other."""

    unit = "sand dollars"
    goal = "make your bid"
    label = staticmethod(words.label)

    def advise(self, view: View, legal: Sequence[int]) -> Advice:  # noqa: ARG002
        return _bid(view) if view.phase == "bid" else _play(view)

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:
        # A beginner hopes for one trick more, bets on it, and plays what is strongest.
        if view.phase == "bid":
            tricks = min(TRICKS, round(_expected_tricks(view.hand, view)) + 1)
            return tricks * len(BETS) + (rng.choice((0, 1, 2)) if view.options.bets else 0)
        strength = STRENGTH[view.options.mode]
        return max(legal, key=lambda action: strength[action])

    def think(self, view: View, legal: Sequence[int], rng: Random, expired: Expired) -> Advice:
        return (
            _think_bid(view, rng, expired)
            if view.phase == "bid"
            else super().think(view, legal, rng, expired)
        )

    def problem(self, view: View, legal: Sequence[int]) -> Problem[list[list[int]]]:  # noqa: ARG002
        return _Tricks(view)


def _think_bid(view: View, rng: Random, expired: Expired) -> Advice:
    """Play each bid out, in deals in which the others bid by rules of thumb. A bet of the most is right when a bid
    comes true more often than not, and no bet when it does not."""
    round_ahead = _Bidding(view)
    while round_ahead.deals < BID_DEALS and not (round_ahead.deals and expired()):
        round_ahead.try_all(rng)
    stake = view.options.stake(2, view.round, view.dollars[_own(view)]) if view.options.bets else 0
    chances = [hits / round_ahead.deals for hits in round_ahead.exact]
    values = [
        margin / round_ahead.deals + stake * max(0, 2 * chance - 1)
        for margin, chance in zip(round_ahead.margins, chances, strict=True)
    ]
    tricks = max(range(TRICKS + 1), key=values.__getitem__)
    bet = 2 if stake and chances[tricks] > 0.5 else 0
    usual = _guess(view.hand, view).tricks
    why = f"Bid {tricks} works out in {round_ahead.exact[tricks]} of {round_ahead.deals} possible deals"
    if usual != tricks:
        more = f"{values[tricks] - values[usual]:.2f} {TwinPalmsStrategy.unit}"
        why += f"; bid {usual} in {round_ahead.exact[usual]}, and it brings {more} less on average"
    return Advice(tricks * len(BETS) + bet, f"{why}.")


class _Bidding:
    """What each bid came to in the deals tried so far, without bets: its margins, and how often it was exact."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat = _own(view)
        self.hidden = _Hidden(view)
        self.plans = [_plan(view.hand, tricks, view.options.mode) for tricks in range(TRICKS + 1)]
        self.deals = 0
        self.margins = [0.0] * len(self.plans)
        self.exact = [0] * len(self.plans)

    def try_all(self, rng: Random) -> None:
        """One more deal, for all bids."""
        view, seat = self.view, self.seat
        dealt = self.hidden.deal(rng)
        bids = [_guess(hand, view).tricks for hand in dealt]
        others = [_plan(hand, tricks, view.options.mode) for hand, tricks in zip(dealt, bids, strict=True)]
        self.deals += 1
        for tricks, plan in enumerate(self.plans):
            bids[seat] = tricks
            hands, need = [row[:] for row in others], bids[:]
            hands[seat] = plan[:]
            play_out(hands, need, view.start, [])
            self.margins[tricks] += _margin(bids, need, (0,) * len(bids), view.options.exact_points, seat)
            self.exact[tricks] += not need[seat]


class _Tricks(Problem[list[list[int]]]):
    """What to play for the best end of the round. Worlds are hands made into sets; gains are sand dollars."""

    iterations = 600

    def __init__(self, view: View) -> None:
        assert view.bids is not None
        assert view.stakes is not None
        self.view = view
        self.seat = _own(view)
        self.hidden = _Hidden(view)
        self.strength = STRENGTH[view.options.mode]
        self.lying = [self.strength[action] for action in view.trick]
        self.bids = [bid // len(BETS) for bid in view.bids]
        self.need = [bid - won for bid, won in zip(self.bids, view.won, strict=True)]
        self.stakes = view.stakes
        to_beat = best_of(self.lying)
        self.rests = {
            action: self._rest(action, self.need[self.seat] - (self.strength[action] > to_beat))
            for action in self._worth_comparing(to_beat)
        }
        """The plays worth comparing, each with the strengths of the sets that are left after it."""

    def candidates(self) -> Sequence[int]:
        return list(self.rests)

    def world(self, rng: Random) -> list[list[int]]:
        hands = min((self.hidden.deal(rng) for _ in range(DEALS)), key=self.hidden.misfit)
        return [
            _plan(hand, need, self.view.options.mode) for hand, need in zip(hands, self.need, strict=True)
        ]

    def play_out(self, world: list[list[int]], action: int) -> Result:
        hands, need = [row[:] for row in world], self.need[:]
        hands[self.seat] = self.rests[action][:]
        play_out(hands, need, self.view.leader, [*self.lying, self.strength[action]])
        gain = _margin(self.bids, need, self.stakes, self.view.options.exact_points, self.seat)
        return Result(gain, not need[self.seat])

    def _worth_comparing(self, to_beat: int) -> list[int]:
        """What one would play who needs one trick more or less, and at the edges of winning and losing."""
        view, need = self.view, self.need[self.seat]
        found = [_play(view).action]
        for aim in sorted({max(0, min(len(view.hand) // 2, need + more)) for more in (-1, 0, 1)}):
            found += [_action(made, view.options.mode) for made in _sets(view.hand, aim, view.options.mode)]
        legal = sorted(plays(view.hand), key=self.strength.__getitem__)
        above = [action for action in legal if self.strength[action] > to_beat]
        below = [action for action in legal if self.strength[action] <= to_beat]
        return [*found, *above[:1], *above[-1:], *below[-2:], *legal[:1]]

    def _rest(self, action: int, need: int) -> list[int]:
        hand = list(self.view.hand)
        for kind in CARDS[action]:
            hand.remove(kind)
        return _plan(hand, need, self.view.options.mode)


class _Hidden:
    """The cards a view does not show, dealt out again and again."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.played: list[list[int]] = [[] for _ in view.dollars]
        for leader, played in ((view.leader, view.trick), *((t.leader, t.plays) for t in view.tricks)):
            for place, action in enumerate(played):
                self.played[(leader + place) % len(self.played)] += CARDS[action]
        unseen = Counter(DECKS[view.options.mode])
        unseen.subtract(view.hand)
        for cards in self.played:
            unseen.subtract(cards)
        self.unseen = list(unseen.elements())

    def deal(self, rng: Random) -> list[list[int]]:
        """Hands for all seats, each ascending."""
        random = rng.random
        stock = sorted(self.unseen, key=lambda _: random())
        return [
            list(self.view.hand) if seat == self.view.seat else sorted(stock.pop() for _ in range(size))
            for seat, size in enumerate(self.view.hand_sizes)
        ]

    def misfit(self, hands: Sequence[list[int]]) -> float:
        """How badly hands, with what was played from them, go with the bids of their players."""
        assert self.view.bids is not None
        return sum(
            abs(_guess(sorted(hand + played), self.view).expected - bid // len(BETS))
            for seat, (hand, played, bid) in enumerate(zip(hands, self.played, self.view.bids, strict=True))
            if seat != self.view.seat
        )


def _own(view: View) -> int:
    assert view.seat is not None
    return view.seat


def _margin(
    bids: Sequence[int], need: Sequence[int], stakes: Sequence[int], scale: Sequence[int], seat: int
) -> float:
    """The sand dollars of a seat over the mean of the others', when these tricks are missing from the bids."""
    points = [
        scale[bid] + stake if not missing else (bid - missing if bid else 0) - stake
        for bid, missing, stake in zip(bids, need, stakes, strict=True)
    ]
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)


@cache
def _chances(mode: Mode, seats: int) -> tuple[float, ...]:
    """By strength: about how often a set wins a trick."""
    shares = (0.0, *SHARE_BELOW[mode])
    return tuple(
        (below + (upper - below) * numbers / 121) ** (seats - 1)
        for below, upper in pairwise(shares)
        for numbers in range(121)
    )


def _expected_tricks(hand: Sequence[int], view: View) -> float:
    """About how many tricks a hand wins when it is made into the strongest sets."""
    return _won(strongest(hand, table(view.options.mode)), view)


def _won(sets: Sequence[Made], view: View) -> float:
    """About how many of these sets win."""
    chances = _chances(view.options.mode, len(view.dollars))
    return sum([chances[made.strength] for made in sets])


def _sets(hand: Sequence[int], need: int, mode: Mode) -> list[Made]:
    """The hand as sets for somebody who needs so many tricks (below 0: all), the weakest first."""
    ways = table(mode)
    strong = strongest(hand, ways)[: need if need >= 0 else None]
    left = list(hand)
    for made in strong:
        left.remove(made.low)
        left.remove(made.high)
    return sorted([*weakest(left, ways), *strong])


def _plan(hand: Sequence[int], need: int, mode: Mode) -> list[int]:
    """The strengths of those sets."""
    return [made.strength for made in _sets(hand, need, mode)]


def _action(made: Made, mode: Mode) -> int:
    strength = STRENGTH[mode]
    return next(
        action for action in plays(sorted((made.low, made.high))) if strength[action] == made.strength
    )


class _Guess(NamedTuple):
    """A bid by rules of thumb: the tricks, and how many a hand wins that is played for them."""

    tricks: int
    expected: float


def _guess(hand: Sequence[int], view: View) -> _Guess:
    expected = _expected_tricks(hand, view)
    if expected < FEW:
        feared = _won(weakest(hand, table(view.options.mode)), view)
        if feared < SAFE:
            return _Guess(0, feared)
    return _Guess(max(1, min(TRICKS, round(expected))), expected)


def _bid(view: View) -> Advice:
    tricks, expected = _guess(view.hand, view)
    bet = 0
    if view.options.bets:
        bet = 2 if abs(expected - tricks) < SURE else 1
    way = "Played to win, your sets take" if tricks else "Played to lose, your sets take"
    surely = (
        "",
        ", near enough to a whole number for half a bet",
        ", so near to a whole number that a bet pays",
    )
    return Advice(tricks * len(BETS) + bet, f"{way} about {expected:.1f} tricks{surely[bet]}.")


def _play(view: View) -> Advice:
    assert view.bids is not None
    seat, mode = _own(view), view.options.mode
    need = view.bids[seat] // len(BETS) - view.won[seat]
    strength = STRENGTH[mode]
    to_beat = best_of([strength[action] for action in view.trick])
    sets = _sets(view.hand, need, mode)
    place = pick([made.strength for made in sets], need, to_beat, len(view.trick) == len(view.dollars) - 1)
    chosen = sets[place]
    return Advice(_action(chosen, mode), _why(need, chosen.strength > to_beat))


def _why(need: int, ahead: bool) -> str:
    if need == 0:
        if ahead:
            return "You want no more tricks, and this has the best chance to be beaten or costs you least."
        return "You want no more tricks, and this is the strongest set you can get rid of."
    if need < 0:
        return "Your bid is missed already. Take what you can: each trick still brings 1, and others go without it."
    if ahead:
        return f"You need {need} more, and this can win."
    return f"You need {need} more, but not this one: it cannot be won, so waste what you need least."


STRATEGY: Final = TwinPalmsStrategy()
