"""How Palace is played well: rules of thumb, and a search that plays matches out with everybody following them."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.advice import Advice
from games.palace import GAME, cards
from games.palace import view as sight
from games.palace.cards import (
    ACE,
    FIRST_BLIND,
    FIRST_PLAY,
    FITTING,
    FREE,
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
from games.palace.state import GONE, NOBODY, State
from games.palace.view import View
from games.search import SearchingMind

SPENDING: Final = (SEVEN, TWO, ACE, TEN)
"""The wilds in the order in which one can spare them."""
KEEPING: Final = {TEN: 13, ACE: 12, TWO: 11, SEVEN: 10}
"""What a wild is worth at the end; ordinary kinds are worth their order."""


class PalaceMind(SearchingMind[View, State]):
    """Low cards go first, as many as there are; wilds are for when nothing else fits."""

    low_wins = True
    iterations = 120

    def advise(self, view: View, legal: Sequence[int]) -> Advice:
        if view.phase == "show":
            return Advice(_strongest(legal), "The cards for the table are the strongest: you play them last.")
        action = _usual(_zone(view), view.top, view.options, legal)
        return Advice(action, _why(view, action))

    def blunder(self, view: View, legal: Sequence[int], rng: Random) -> int:
        # A beginner keeps the good cards in hand, and likes to play high.
        if view.phase == "show":
            return legal[0]
        return rng.choice(legal)

    def candidates(self, view: View, legal: Sequence[int]) -> Sequence[int]:
        if view.phase == "show":
            return sorted(legal, key=_keeping, reverse=True)[:6]
        if legal[0] in cards.BLINDS:
            return legal[:1]  # nobody knows one from another
        return legal

    def world(self, view: View, rng: Random) -> State:
        state = sight.imagine(view, rng)
        if state.choosing:
            for seat in range(state.seats):
                if seat != view.seat:
                    GAME.step(state, seat, _strongest(cards.shows(state.hands[seat])))
        return state

    def reward(self, view: View, world: State, action: int) -> float:
        assert view.seat is not None
        state = world.copy()
        GAME.step(state, view.seat, action)
        while state.turn != NOBODY:
            GAME.step(state, state.turn, _quick(state))
        return _margin(state, view.seat)

    def gain(self, reward: float) -> str:
        return f"{reward:.2f} of a win"


def _margin(state: State, seat: int) -> float:
    """By place, from 1 for the first to 0 for the last, less the others' mean."""
    assert state.outcome is not None
    placings = state.outcome.placings
    wins = [place == 1 for place in placings]
    return wins[seat] - (sum(wins) - wins[seat]) / (state.seats - 1)


def _keeping(show: int) -> int:
    return sum(KEEPING.get(kind, kind) for kind in SHOWS[show])


def _strongest(legal: Sequence[int]) -> int:
    return max(legal, key=_keeping)


def _zone(view: View) -> Sequence[int]:
    assert view.seat is not None
    return view.hand if any(view.hand) else view.shown[view.seat]


def _usual(zone: Sequence[int], top: int, options: PalaceOptions, legal: Sequence[int]) -> int:
    if not any(zone):
        return legal[0]
    for kind in FITTING[options.allow_equal][top]:
        if zone[kind] and kind not in WILDS:
            return PLAYS[kind][zone[kind]][-1]
    for kind in SPENDING:
        if zone[kind]:
            return PLAYS[kind][1][0]
    return TAKE


def _quick(state: State) -> int:
    """What the seat to act does by the rules of thumb."""
    seat = state.turn
    zone = state.hands[seat]
    if not any(zone):
        zone = state.shown[seat]
        if not any(zone):
            blind = state.blind[seat]
            return FIRST_BLIND + next(place for place, kind in enumerate(blind) if kind != GONE)
    return _usual(zone, state.top, state.options, ())


def _why(view: View, action: int) -> str:
    if action >= FIRST_BLIND:
        return "Nobody knows these cards, so one is as good as another." if action != TAKE else "Nothing fits."
    kind, count = cards.play(action)
    if kind in WILDS:
        return f"Nothing ordinary fits, and {RANKS[kind]} is the wild you can best spare."
    if count > 1:
        return f"{RANKS[kind]} is your lowest that fits, and all {count} of them go at once."
    return f"{RANKS[kind]} is your lowest that fits; what is higher fits later, too."


MIND: Final = PalaceMind()
