"""Strategy for Twin Palms: rules of thumb, and a search that plays the round out in imagined deals.

A bid tells much about the hand behind it, so the search draws several deals and plays the one that fits the bids best.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import inf
from random import Random
from typing import Final, NamedTuple

from games.advice import Advice, Expired
from games.phrases import counted
from games.search import PlayoutResult, Problem, SearchingStrategy
from games.twin_palms import words
from games.twin_palms.cards import BETS, BIDS, CARDS, DECKS, STRENGTH, Mode, plays
from games.twin_palms.playout import best_of, pick, play_out
from games.twin_palms.sets import Made, strongest, weakest
from games.twin_palms.state import TRICKS
from games.twin_palms.view import View
from games.types import Action, Seat, around, with_seats

SHARE_BELOW: Final[dict[Mode, tuple[float, ...]]] = {
    "easy": (0, 0.54, 1),
    "normal": (0, 0.10, 0.29, 0.48, 0.69, 0.84, 1),
    "advanced": (0, 0.14, 0.25, 0.35, 0.46, 0.74, 0.83, 0.91, 1),
    "extreme": (0, 0.05, 0.10, 0.14, 0.26, 0.36, 0.47, 0.55, 0.63, 0.74, 0.83, 0.91, 1),
}
"""By mode and rank of sets (kind and suits, the weakest first): the share of sets that are weaker, and at the end 1.

Measured on random hands, each split into its strongest sets."""

BID_ZERO_BELOW: Final = 1.2
"""Expected tricks below which a bid of 0 is considered."""
ZERO_RISK_AT_MOST: Final = 0.3
"""Largest number of expected tricks, when the hand is played to lose, for a bid of 0."""
MAX_BET_WITHIN: Final = 0.3
"""Largest difference between bid and expected tricks for the max bet."""

BID_DEALS: Final = 100
"""Number of deals in which each bid is played out."""
DEALS_PER_WORLD: Final = 4
"""Number of deals drawn for each world. The one that fits the bids best is played out."""


class TwinPalmsStrategy(SearchingStrategy[View]):
    """Keep the strongest sets for the tricks that are needed, and throw the weakest cards away together."""

    unit = "sand dollars"
    goal = "make your bid"
    label = staticmethod(words.label)

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:  # noqa: ARG002
        return _bid(view) if view.phase == "bid" else _play(view)

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner hopes for one trick more, bets on it, and plays what is strongest.
        if view.phase == "bid":
            tricks = min(TRICKS, round(_expected_tricks(strongest(view.hand, view.options.mode), view)) + 1)
            return BIDS[tricks * len(BETS) + (rng.choice((0, 1, 2)) if view.options.bets else 0)]
        strength = STRENGTH[view.options.mode]
        return max(legal, key=lambda action: strength[action])

    def think(self, view: View, legal: Sequence[Action], rng: Random, expired: Expired) -> Advice:
        return (
            _think_bid(view, rng, expired)
            if view.phase == "bid"
            else super().think(view, legal, rng, expired)
        )

    def problem(self, view: View, legal: Sequence[Action]) -> Problem[list[list[int]]]:  # noqa: ARG002
        return _Tricks(view)


def _think_bid(view: View, rng: Random, expired: Expired) -> Advice:
    """Play each bid out in deals in which the others bid by rules of thumb.

    The max bet is best when the bid comes true in more than half of these deals; otherwise no bet is best."""
    bidding = _Bidding(view)
    while bidding.deals < BID_DEALS and not (bidding.deals and expired()):
        bidding.try_all(rng)
    stake = view.options.stakes(view.round, view.dollars[_own(view)])[2]
    chances = [hits / bidding.deals for hits in bidding.exact]
    values = [
        margin / bidding.deals + stake * max(0, 2 * chance - 1)
        for margin, chance in zip(bidding.margins, chances, strict=True)
    ]
    tricks = max(range(TRICKS + 1), key=values.__getitem__)
    bet = 2 if stake and chances[tricks] > 0.5 else 0
    usual = _guess(view.hand, view).tricks
    why = f"A bid of {tricks} comes true in {bidding.exact[tricks]} of {bidding.deals} possible deals."
    if usual != tricks:
        more = f"{values[tricks] - values[usual]:.2f} {TwinPalmsStrategy.unit}"
        why += f" A bid of {usual} does in {bidding.exact[usual]}, and brings {more} less on average."
    return Advice(BIDS[tricks * len(BETS) + bet], why)


class _Bidding:
    """Results of each bid in the deals tried so far, without bets.

    By bid: `margins` is the sum of its margins (see `_margin`), `exact` the number of deals in which it came true."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat = _own(view)
        self.hidden = _Hidden(view)
        self.plans = [_plan(view.hand, tricks, view.options.mode) for tricks in range(TRICKS + 1)]
        self.deals = 0
        self.margins = [0.0] * len(self.plans)
        self.exact = [0] * len(self.plans)

    def try_all(self, rng: Random) -> None:
        """Play one more deal out with every bid."""
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
    """The choice of a play. Worlds are hands as the strengths of their sets; gains are sand dollars."""

    iterations = 600

    def __init__(self, view: View) -> None:
        assert view.bids is not None
        assert view.stakes is not None
        self.view = view
        self.seat = _own(view)
        self.hidden = _Hidden(view)
        self.strength = STRENGTH[view.options.mode]
        self.in_trick = [self.strength[action] for action in view.trick]
        self.bids = [bid // len(BETS) for bid in view.bids]
        self.need = [bid - won for bid, won in zip(self.bids, view.won, strict=True)]
        self.stakes = view.stakes
        to_beat = best_of(self.in_trick)
        self.rests = {
            action: self._rest(action, self.need[self.seat] - (self.strength[action] > to_beat))
            for action in self._worth_comparing(to_beat)
        }
        """Plays to compare, each with the strengths of the sets that remain in hand after it."""

    def candidates(self) -> Sequence[Action]:
        return list(self.rests)

    def world(self, rng: Random) -> list[list[int]]:
        hands = self.hidden.likely_deal(rng)
        return [
            _plan(hand, need, self.view.options.mode) for hand, need in zip(hands, self.need, strict=True)
        ]

    def play_out(self, world: list[list[int]], action: Action) -> PlayoutResult:
        hands, need = [row[:] for row in world], self.need[:]
        hands[self.seat] = self.rests[action][:]
        play_out(hands, need, self.view.leader, [*self.in_trick, self.strength[action]])
        gain = _margin(self.bids, need, self.stakes, self.view.options.exact_points, self.seat)
        return PlayoutResult(gain, not need[self.seat])

    def _worth_comparing(self, to_beat: int) -> list[Action]:
        """Return the plays to compare.

        They are the sets for the tricks needed, or for one trick more or less; the weakest and the strongest play that
        wins; the two strongest plays that lose; and the weakest play of all."""
        view, need = self.view, self.need[self.seat]
        found = [_play(view).action]
        for aim in sorted({max(0, min(len(view.hand) // 2, need + more)) for more in (-1, 0, 1)}):
            found += [_action(made, view.options.mode) for made in _sets(view.hand, aim, view.options.mode)]
        legal = sorted(plays(view.hand), key=self.strength.__getitem__)
        above = [action for action in legal if self.strength[action] > to_beat]
        below = [action for action in legal if self.strength[action] <= to_beat]
        return [*found, *above[:1], *above[-1:], *below[-2:], *legal[:1]]

    def _rest(self, action: Action, need: int) -> list[int]:
        hand = list(self.view.hand)
        for kind in CARDS[action]:
            hand.remove(kind)
        return _plan(hand, need, self.view.options.mode)


class _Hidden:
    """Cards that a view does not show, and random deals of them."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.played: list[list[int]] = [[] for _ in view.dollars]
        for leader, played in ((view.leader, view.trick), *((t.leader, t.plays) for t in view.tricks)):
            for seat, action in zip(around(leader, len(self.played)), played, strict=False):
                self.played[seat] += CARDS[action]
        unseen = Counter(DECKS[view.options.mode])
        unseen.subtract(view.hand)
        for cards in self.played:
            unseen.subtract(cards)
        self.unseen = list(unseen.elements())
        self.places = range(len(self.unseen))
        self.bids = [
            (seat, bid // len(BETS)) for seat, bid in with_seats(view.bids or ()) if seat != view.seat
        ]
        """The other seats and the tricks that they have bid."""

    def deal(self, rng: Random) -> list[list[int]]:
        """Return random hands for all seats, each ascending."""
        random = rng.random
        draws = [random() for _ in self.unseen]
        stock = [self.unseen[place] for place in sorted(self.places, key=draws.__getitem__)]
        hands, end = [], len(stock)
        for seat, size in with_seats(self.view.hand_sizes):
            if seat == self.view.seat:
                hands.append(list(self.view.hand))
            else:
                hands.append(sorted(stock[end - size : end]))
                end -= size
        return hands

    def likely_deal(self, rng: Random) -> list[list[int]]:
        """Return the one of a few random deals that fits the bids best."""
        likely: list[list[int]] = []
        least = inf
        for _ in range(DEALS_PER_WORLD):
            hands = self.deal(rng)
            misfit = self._misfit(hands, least)
            if misfit < least:
                likely, least = hands, misfit
        return likely

    def _misfit(self, hands: Sequence[list[int]], least: float) -> float:
        """Return how badly the hidden hands, with the cards already played from them, fit the bids of their players.

        Stops with a part of the sum that is not below `least`."""
        misfit = 0.0
        for seat, tricks in self.bids:
            misfit += abs(_guess(sorted(hands[seat] + self.played[seat]), self.view).expected - tricks)
            if misfit >= least:
                break
        return misfit


def _own(view: View) -> Seat:
    assert view.seat is not None
    return view.seat


def _margin(
    bids: Sequence[int], need: Sequence[int], stakes: Sequence[int], scale: Sequence[int], seat: Seat
) -> float:
    """Return the sand dollars of `seat` in this round, minus the mean of the others'.

    `need` has by seat the tricks missing from the bid, negative for tricks too many; `scale` the points by bid."""
    points = [
        scale[bid] + stake if not missing else (bid - missing if bid else 0) - stake
        for bid, missing, stake in zip(bids, need, stakes, strict=True)
    ]
    own = points[seat]
    return own - (sum(points) - own) / (len(points) - 1)


@cache
def _chances(mode: Mode, seats: int) -> tuple[float, ...]:
    """Return, by strength of a set, its approximate chance to win a trick."""
    shares = (0.0, *SHARE_BELOW[mode])
    return tuple(
        (below + (upper - below) * numbers / 121) ** (seats - 1)
        for below, upper in pairwise(shares)
        for numbers in range(121)
    )


def _expected_tricks(sets: Sequence[Made], view: View) -> float:
    """Return the expected number of tricks that these sets win, roughly."""
    chances = _chances(view.options.mode, len(view.dollars))
    return sum([chances[made.strength] for made in sets])


def _sets(hand: Sequence[int], need: int, mode: Mode) -> list[Made]:
    """Split the hand into sets for a player who needs `need` tricks, or all when below 0. The weakest set is first."""
    return sorted(_split(hand, need, mode))


def _plan(hand: Sequence[int], need: int, mode: Mode) -> list[int]:
    """Return the strengths of the sets that `_sets` makes."""
    return sorted([made.strength for made in _split(hand, need, mode)])


def _split(hand: Sequence[int], need: int, mode: Mode) -> list[Made]:
    if not need:
        return weakest(hand, mode)
    strong = strongest(hand, mode)[: need if need > 0 else None]
    left = list(hand)
    for made in strong:
        left.remove(made.one)
        left.remove(made.other)
    return [*weakest(left, mode), *strong]


def _action(made: Made, mode: Mode) -> Action:
    strength = STRENGTH[mode]
    return next(
        action for action in plays(sorted((made.one, made.other))) if strength[action] == made.strength
    )


class _Guess(NamedTuple):
    """Bid by rules of thumb: the tricks to bid, and the tricks expected when the hand is played for that bid."""

    tricks: int
    expected: float


def _guess(hand: Sequence[int], view: View) -> _Guess:
    mode = view.options.mode
    expected = _expected_tricks(strongest(hand, mode), view)
    if expected < BID_ZERO_BELOW:
        risk = _expected_tricks(weakest(hand, mode), view)
        if risk < ZERO_RISK_AT_MOST:
            return _Guess(0, risk)
    return _Guess(max(1, min(TRICKS, round(expected))), expected)


def _bid(view: View) -> Advice:
    tricks, expected = _guess(view.hand, view)
    stakes = view.options.stakes(view.round, view.dollars[_own(view)])
    wanted = 2 if abs(expected - tricks) < MAX_BET_WITHIN else 1
    # Of bets with the same stake the form offers one.
    bet = 0 if not stakes[wanted] else 2 if stakes[wanted] == stakes[2] else 1
    aim = "to win" if tricks else "to lose"
    reasons = ("", f": not very close to {tricks}, so a half bet", f": close to {tricks}, so a max bet")
    why_bet = reasons[bet] * (bet == wanted)
    return Advice(
        BIDS[tricks * len(BETS) + bet], f"If you play {aim}, you take about {expected:.1f} tricks{why_bet}."
    )


def _play(view: View) -> Advice:
    assert view.bids is not None
    seat, mode = _own(view), view.options.mode
    bid = view.bids[seat] // len(BETS)
    need = bid - view.won[seat]
    strength = STRENGTH[mode]
    to_beat = best_of([strength[action] for action in view.trick])
    sets = _sets(view.hand, need, mode)
    place = pick([made.strength for made in sets], need, to_beat, len(view.trick) == len(view.dollars) - 1)
    chosen = sets[place]
    return Advice(_action(chosen, mode), _why(bid, need, chosen.strength > to_beat))


def _why(bid: int, need: int, ahead: bool) -> str:
    if need == 0:
        if ahead:
            return (
                "You need no more tricks. This set is likely to be beaten, or wins a trick you cannot avoid."
            )
        return "You need no more tricks. This is your strongest set that does not win now."
    if need < 0:
        still = "each one still brings 1, and " if bid else ""
        return f"Your bid is already missed. Take more tricks: {still}the others do not get them."
    more = counted(need, "more trick")
    if ahead:
        return f"You need {more}, and this set can win now."
    return f"You need {more}, but you cannot win this one. Throw away the set you need least."


STRATEGY: Final = TwinPalmsStrategy()
