"""How Thirty-One is played well: rules of thumb, and a search that plays deals out with everybody following them."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice
from games.french import SIGN, SUIT
from games.search import Problem, SearchingMind
from games.thirty_one import GAME
from games.thirty_one.actions import DISCARD, DRAW, KNOCK, TAKE
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import HELD, NOBODY, State
from games.thirty_one.values import BEST, POINTS, by_suit, worth
from games.thirty_one.view import View

GOOD: Final = 2 * 24
"""Half points with which a player knocks who has had no turn yet."""
BETTER: Final = 2 * 2
"""So many more are asked for in each further turn, for hands grow,"""
ENOUGH: Final = 2 * 29
"""up to this."""
LUCK: Final = 60
"""Further exchanges in which a knocker is imagined to get a hand good enough to knock with."""
WORTH_TAKING: Final = 2 * 3
"""Half points that the top discard must add: the stock adds about as much."""


class ThirtyOneMind(SearchingMind[View]):
    """Collect one suit, and knock while the others are still collecting."""

    unit = "tokens"

    def advise(self, view: View, legal: Sequence[int]) -> Advice:
        hand = list(view.hand)
        if len(hand) > HELD:
            action = _discarding(hand, view.taken, view.options)
            kept = worth(_without(hand, action), view.options)
            return Advice(action, f"Without {SIGN[action - DISCARD]} your hand is worth most: {_said(kept)}.")
        now, asked = worth(hand, view.options), _asked(_turns_had(view.turns, view.out))
        top = view.discards[-1]
        action = _turning(hand, top, view.options, asked if KNOCK in legal else None)
        if action == KNOCK:
            return Advice(KNOCK, f"You have {_said(now)}, and few will have more as early as this.")
        if action == TAKE:
            return Advice(
                TAKE, f"{SIGN[top]} makes {_said(_with(hand, top, view.options))} of your {_said(now)}."
            )
        return Advice(DRAW, f"{SIGN[top]} adds too little to your {_said(now)}; the stock may add more.")

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:
        # A beginner keeps high cards of any suit, and knocks as soon as the hand looks fair.
        if len(view.hand) > HELD:
            return min(legal, key=lambda action: (POINTS[action - DISCARD], action))
        if KNOCK in legal and worth(view.hand, view.options) >= 2 * 20:
            return KNOCK
        return TAKE if POINTS[view.discards[-1]] >= rng.choice((9, 10, 11)) else DRAW

    def problem(self, view: View, legal: Sequence[int]) -> Problem[State]:
        return _Deal(view, legal)


class _Deal(Problem[State]):
    """What to do for the best end of the deal. Rewards are tokens."""

    iterations = 240

    def __init__(self, view: View, legal: Sequence[int]) -> None:
        self.view = view
        self.legal = legal

    def candidates(self) -> Sequence[int]:
        return self.legal

    def world(self, rng: Random) -> State:
        state = GAME.imagine(self.view, rng)
        for seat, hand in enumerate(state.hands):
            if hand and seat != self.view.seat:
                _grow(state, seat, rng)
        return state

    def reward(self, world: State, action: int) -> float:
        view, state = self.view, GAME.copy(world)
        GAME.step(state, state.turn, action)
        while state.deal == view.deal and state.turn != NOBODY:
            GAME.step(state, state.turn, _usual(state))
        lost = [before - after for before, after in zip(view.tokens, state.tokens, strict=True)]
        others = [paid for seat, paid in enumerate(lost) if seat != view.seat and not view.out[seat]]
        return sum(others) / len(others) - lost[world.turn]


def _said(half_points: int) -> str:
    return f"{half_points // 2}{'½' * (half_points % 2)}"


def _without(hand: Sequence[int], discard: int) -> list[int]:
    return [card for card in hand if card != discard - DISCARD]


def _turns_had(turns: int, out: Sequence[int]) -> int:
    return turns // out.count(0)


def _asked(turns_had: int) -> int:
    """The half points with which to knock."""
    return min(GOOD + BETTER * turns_had, ENOUGH)


def _with(hand: list[int], card: int, options: ThirtyOneOptions) -> int:
    """What the hand is worth with this card in place of the one that is missed least."""
    four = [*hand, card]
    return worth(_without(four, _discarding(four, card, options)), options)


def _turning(hand: list[int], top: int, options: ThirtyOneOptions, asked: int | None) -> int:
    """Knock with what is asked for a knock (None: it is not allowed), else take the top discard or draw."""
    now = worth(hand, options)
    if asked is not None and now >= asked:
        return KNOCK
    return TAKE if _with(hand, top, options) >= now + WORTH_TAKING else DRAW


def _discarding(hand: list[int], taken: int | None, options: ThirtyOneOptions) -> int:
    """The discard that leaves the hand worth most, and then the one that leaves the most points, of any suit."""
    loose = [card for card in hand if card != taken]
    if options.any_suit or options.three_of_a_kind:
        best = max(loose, key=lambda card: (worth(_without(hand, DISCARD + card), options), -POINTS[card]))
        return DISCARD + best
    totals = by_suit(hand)
    return DISCARD + max(loose, key=lambda card: _kept(totals, card))


def _kept(totals: list[int], card: int) -> tuple[int, int]:
    """The points of the best suit when a card goes, and how few go."""
    suit, points = SUIT[card], POINTS[card]
    best = max(total - points * (other == suit) for other, total in enumerate(totals))
    return best, -points


def _usual(state: State) -> int:
    """What the seat to act does by the rules of thumb."""
    hand = state.hands[state.turn]
    if len(hand) > HELD:
        return _discarding(hand, state.taken, state.options)
    asked = _asked(_turns_had(state.turns, state.out)) if state.knocker == NOBODY else None
    return _turning(hand, state.discards[-1], state.options, asked)


def _grow(state: State, seat: int, rng: Random) -> None:
    """Make a random hand one that its player could have collected: better with every turn, and of a knocker as good
    as a knock asks for, of others not so good."""
    turns = _turns_had(state.turns, state.out)
    for _ in range(turns):
        _exchange(state, seat, rng, _asked(turns) - 1)
    if seat == state.knocker:
        for _ in range(LUCK):
            if worth(state.hands[seat], state.options) >= _asked(max(0, turns - 1)):
                return
            _exchange(state, seat, rng, 2 * BEST)


def _exchange(state: State, seat: int, rng: Random, most: int) -> None:
    """A turn as it may have been: a hidden card for one of the stock, if the hand gets better by it and is worth no
    more than `most`. Only cards that came into the stock together can be exchanged, for everybody knows when each
    hidden card was drawn."""
    if not state.stock:
        return
    hand, place = state.hands[seat], int(rng.random() * len(state.stock))
    card = state.stock[place]
    four = [*hand, card]
    old = _discarding(four, None, state.options) - DISCARD
    if old == card or old in state.known[seat] or state.batch[old] != state.batch[card]:
        return
    four.remove(old)
    if worth(four, state.options) <= most:
        hand[:] = sorted(four)
        state.stock[place] = old


MIND: Final = ThirtyOneMind()
