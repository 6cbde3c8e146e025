"""The secrets of High Card for the contract suite: see `tests.contract.subjects.Secrets`."""

from games.contract import Event, Options
from games.types import Seat, with_seats
from tests.toy import GAME
from tests.toy.rules import HighCardOptions, Shown, State


def options() -> list[Options]:
    return [HighCardOptions(), HighCardOptions(hands=2), HighCardOptions(hands=5)]


def cards(state: State) -> list[int]:
    return _dealt(state) + _undealt(state)


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    if state.outcome is not None:
        return {}
    hands = {f"hand {other}": hand for other, hand in with_seats(state.hands) if other != seat}
    return {"undealt": _undealt(state), **hands}


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for other, pick in with_seats(state.picks):
        if f"hand {other}" in places:
            twin.hands[other] = sorted(places[f"hand {other}"])
            twin.picks[other] = pick and twin.hands[other][state.hands[other].index(pick)]
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    twins = []
    for other, pick in with_seats(state.picks):
        for card in GAME.legal(state, other) if other != seat and pick is not None else ():
            twin = state.copy()
            twin.picks[other] = card
            twins.append(twin)
    return twins


class Referee:
    """Counts who had the highest card."""

    def __init__(self, options: HighCardOptions, seats: int) -> None:
        self.won = [0] * seats

    def scores(self) -> tuple[int, ...]:
        return tuple(self.won)

    def receive(self, event: Event) -> None:
        if isinstance(event, Shown):
            self.won[event.cards.index(max(event.cards))] += 1


def _dealt(state: State) -> list[int]:
    """Return the cards that are held, and those of the tricks of the hand."""
    return [card for cards in (*state.hands, *state.tricks) for card in cards]


def _undealt(state: State) -> list[int]:
    """Return the cards that nobody knows."""
    return sorted(set(range(1, 13)).difference(_dealt(state)))
