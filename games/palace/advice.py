"""Strategy for Palace: rules of thumb, and a search that plays matches out with everybody following them."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice
from games.palace import GAME, cards, words
from games.palace.cards import (
    ACE,
    BLINDS,
    FIRST_BLIND,
    FITTING,
    PLAYS,
    RANKS,
    SEVEN,
    SHOWS,
    TAKE,
    TEN,
    TWO,
    WILDS,
)
from games.palace.options import PalaceOptions
from games.palace.state import GONE, State
from games.palace.view import View
from games.search import PlayoutResult, Problem, SearchingStrategy
from games.types import SEATS, Action, Seat

SPENDING: Final = (SEVEN, TWO, ACE, TEN)
"""Wilds, the least valuable first."""
KEEPING: Final = {TEN: 13, ACE: 12, TWO: 11, SEVEN: 10}
"""Value of each wild late in a match; an ordinary kind has its own number as value."""

PLAYOUTS: Final = 300
"""Playouts for the choice of a play."""
WHOLE_MATCHES: Final = 100
"""Playouts for the choice of face-up cards. Each of them is a whole match."""
SHOWS_COMPARED: Final = 4
"""Number of choices of face-up cards that the search compares. It takes the strongest ones."""


class PalaceStrategy(SearchingStrategy[View]):
    """Play the lowest cards that fit, all of a rank at once, and wilds only when nothing else fits."""

    low_wins = True
    unit = "wins"
    goal = "go out first"
    label = staticmethod(words.label)

    def advise(self, view: View, legal: Sequence[Action]) -> Advice:
        if view.phase == "show":
            return Advice(
                _strongest(legal),
                "Lay your strongest cards face up. You play them late in the match, when you have little choice.",
            )
        action = _usual(_zone(view), view.top, view.options, legal)
        return Advice(action, _why(action))

    def blunder(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        # A beginner keeps the good cards in hand, and likes to play them soon, one at a time.
        if view.phase == "show":
            return legal[0]
        singles = [action for action in legal if action < FIRST_BLIND and cards.play(action)[1] == 1]
        return rng.choice(singles or legal)

    def problem(self, view: View, legal: Sequence[Action]) -> Problem[State]:
        return _Match(view, legal)


class _Match(Problem[State]):
    """The choice of an action in a match. Gains are wins."""

    def __init__(self, view: View, legal: Sequence[Action]) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.legal = legal
        self.iterations = WHOLE_MATCHES if view.phase == "show" else PLAYOUTS

    def candidates(self) -> Sequence[Action]:
        if self.view.phase == "show":
            return sorted(self.legal, key=_keeping, reverse=True)[:SHOWS_COMPARED]
        if self.view.stock:
            return ()  # hands are refilled, so plays differ too little for this number of playouts
        if self.legal[0] in cards.BLINDS:
            return ()  # nobody knows any of these cards
        return self.legal

    def world(self, rng: Random) -> State:
        state = GAME.imagine(self.view, rng)
        for seat in SEATS[: state.seats if state.choosing else 0]:
            if seat != self.seat:
                GAME.step(state, seat, _strongest(cards.shows(state.hands[seat])))
        return state

    def play_out(self, world: State, action: Action) -> PlayoutResult:
        state = world.copy()
        GAME.step(state, self.seat, action)
        while state.turn is not None:
            GAME.step(state, state.turn, _quick(state, state.turn))
        assert state.outcome is not None
        wins = [place == 1 for place in state.outcome.placings]
        won = wins[self.seat]
        return PlayoutResult(won - (sum(wins) - won) / (state.seats - 1), won)


def _keeping(show: Action) -> int:
    return sum(KEEPING.get(kind, kind) for kind in SHOWS[show])


def _strongest(legal: Sequence[Action]) -> Action:
    return max(legal, key=_keeping)


def _zone(view: View) -> Sequence[int]:
    assert view.seat is not None
    return view.hand if any(view.hand) else view.shown[view.seat]


def _usual(zone: Sequence[int], top: int, options: PalaceOptions, legal: Sequence[Action]) -> Action:
    if not any(zone):
        return legal[0]
    for kind in FITTING[options.allow_equal][top]:
        if zone[kind] and kind not in WILDS:
            return PLAYS[kind][zone[kind]][-1]
    for kind in SPENDING:
        if zone[kind]:
            return PLAYS[kind][1][0]
    return TAKE


def _quick(state: State, seat: Seat) -> Action:
    """Return the action of the seat to act by the rules of thumb."""
    zone = state.hands[seat]
    if not any(zone):
        zone = state.shown[seat]
        if not any(zone):
            blind = state.blind[seat]
            return next(BLINDS[place] for place, kind in enumerate(blind) if kind != GONE)
    return _usual(zone, state.top, state.options, ())


def _why(action: Action) -> str:
    if action >= FIRST_BLIND:
        return (
            "Nobody knows these cards, so any of them is as good as another."
            if action != TAKE
            else "None of your cards fits, so take the pile."
        )
    kind, count = cards.play(action)
    if kind in WILDS:
        return f"Of your cards only wilds fit, and {RANKS[kind]} is the one you need least."
    if count > 1:
        return f"{RANKS[kind]} is your lowest card that fits, and you get rid of {count} at once."
    return f"{RANKS[kind]} is your lowest card that fits. Keep the higher ones: they fit more often."


STRATEGY: Final = PalaceStrategy()
