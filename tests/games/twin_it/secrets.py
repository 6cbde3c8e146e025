"""Facts that the contract suite needs about Twin It!: see `tests.contract.subjects.Secrets`.

A "card" of the suite is the design of one side of a card; its place is a side that has never been face up.
"""

from games.contract import Options
from games.twin_it.options import TwinItOptions
from games.twin_it.state import FREE, State, Turns
from games.types import Seat
from tests.games.twin_it.referee import Referee as Referee


def options() -> list[Options]:
    return [
        TwinItOptions(sets_to_win=1),
        TwinItOptions(mode="forbidden", sets_to_win=2, barred=1, tie_ms=2000, hand_seconds=1),
        TwinItOptions(mode="teams", sets_to_win=1, handicap=True, singles=1, hand_seconds=15),
        TwinItOptions(mode="cooperative", seconds=20, singles=1),
        TwinItOptions(mode="timed", seconds=20, hand_seconds=1, singles=18),
    ]


def cards(state: State) -> list[int]:
    piles = state.piles if isinstance(state, Turns) else []
    lying = {card for pile in piles for card in pile} | {*state.table} - {FREE}
    lying |= {card for sets in state.sets for won in sets for card in won}
    return [state.faces[2 * card + side] for card in sorted(lying) for side in (0, 1)]


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    return {f"side {side}": [design] for side, design in enumerate(state.faces) if not state.known[side]}


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    designs = list(twin.faces)
    for place, (design,) in places.items():
        designs[int(place.removeprefix("side "))] = design
    twin.faces = bytes(designs)
    return twin
