"""The secrets of High Card for the contract suite: see `tests.contract.subjects.Secrets`."""

from games.contract import Event, Options
from games.types import SEATS, Seat, with_seats
from tests.toy import GAME
from tests.toy.rules import HighCardOptions, Shown, State


def options() -> list[Options]:
    return [HighCardOptions(), HighCardOptions(hands=2), HighCardOptions(hands=5)]


def cards(state: State) -> list[int]:
    held = [card for hand in state.hands for card in hand]
    return held + _undealt(state) + _shown(state)


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    if state.outcome is not None:
        return {}
    places = {"undealt": _undealt(state)}
    for other, hand in with_seats(state.hands):
        if other != seat:
            places[f"hand {other}"] = [card for card in hand if card != state.picks[other]]
            places[f"pick {other}"] = [card for card in hand if card == state.picks[other]]
    return places


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for other in SEATS[: len(state.hands)]:
        if f"hand {other}" in places:
            pick = places[f"pick {other}"]
            twin.hands[other] = sorted(places[f"hand {other}"] + pick)
            twin.picks[other] = pick[0] if pick else None
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


def _shown(state: State) -> list[int]:
    """Return the cards shown in the hand being played, or in the last hand of a finished match."""
    tricks = state.tricks[-3:] if state.outcome is not None else state.tricks[len(state.tricks) // 3 * 3 :]
    return [card for trick in tricks for card in trick]


def _undealt(state: State) -> list[int]:
    """Return the cards that were not dealt, which nobody knows."""
    known = [card for hand in state.hands for card in hand] + _shown(state)
    return [card for card in range(1, 13) if card not in known]
