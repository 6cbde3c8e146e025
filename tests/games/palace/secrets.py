"""Facts that the contract suite needs about Palace: see `tests.contract.subjects.Secrets`.

A forced pick-up shows everybody that the hand held no card that fitted. The unknown cards of such a hand cannot be
exchanged freely, so `unseen` omits all of them as long as anything is ruled out for one of them. `test_memory` shows
that `imagine` respects what is ruled out and finds every hand that is possible.
"""

from games.contract import Options
from games.palace import GAME
from games.palace.cards import ACTIONS, SHOWS, counts, expand
from games.palace.options import PalaceOptions
from games.palace.state import GONE, NO_SHOW, State
from games.types import SEATS, Seat, with_seats
from tests.games.palace.referee import Referee as Referee


def options() -> list[Options]:
    return [
        PalaceOptions(),
        PalaceOptions(allow_equal=True, four_across_turns=True),
        PalaceOptions(voluntary_pickup=True),
        PalaceOptions(play_for_places=True),
        PalaceOptions(allow_equal=True, voluntary_pickup=True, four_across_turns=True, play_for_places=True),
    ]


def cards(state: State) -> list[int]:
    held = [kind for zone in (*state.hands, *state.shown) for kind in expand(zone)]
    down = [kind for blind in state.blind for kind in blind if kind != GONE]
    return held + down + state.stock + state.pile + expand(state.gone)


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    places = {f"stock {place}": [kind] for place, kind in enumerate(state.stock)}
    for other in SEATS[: state.seats]:
        if other != seat and not state.ruled_out[other]:
            chosen = _chosen(state, other)
            places[f"hand {other}"] = _without(_unknown(state, other), chosen)
            places[f"choice {other}"] = chosen
        for place, kind in enumerate(state.blind[other]):
            if kind != GONE:
                places[f"face down {other} {place}"] = [kind]
    return places


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    twin.stock = [places[f"stock {place}"][0] for place in range(len(state.stock))]
    for other in SEATS[: state.seats]:
        if f"hand {other}" in places:
            chosen = places[f"choice {other}"]
            twin.hands[other] = counts([*expand(state.known[other]), *places[f"hand {other}"], *chosen])
            twin.shows[other] = ACTIONS[SHOWS.index(tuple(sorted(chosen)))] if chosen else state.shows[other]
        twin.blind[other] = [
            places[f"face down {other} {place}"][0] if kind != GONE else GONE
            for place, kind in enumerate(state.blind[other])
        ]
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    """Before the reveal, replace every other choice by the first and by the last legal one."""
    twins = []
    for other, show in with_seats(state.shows):
        if other != seat and show != NO_SHOW:
            for choice in {GAME.legal(state, other)[0], GAME.legal(state, other)[-1]} - {show}:
                twin = state.copy()
                twin.shows[other] = choice
                twins.append(twin)
    return twins


def _unknown(state: State, seat: Seat) -> list[int]:
    """Return the cards of a hand that it did not take up publicly."""
    pairs = zip(state.hands[seat], state.known[seat], strict=True)
    return expand([held - known for held, known in pairs])


def _chosen(state: State, seat: Seat) -> list[int]:
    """Return the three cards chosen to lie face up, while the choice is hidden."""
    return [] if state.shows[seat] == NO_SHOW else list(SHOWS[state.shows[seat]])


def _without(held: list[int], some: list[int]) -> list[int]:
    left = counts(held)
    for kind in some:
        left[kind] -= 1
    return expand(left)
