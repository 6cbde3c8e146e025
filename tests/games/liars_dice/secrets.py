"""Facts that the contract suite needs about Liar's Dice: see `tests.contract.subjects.Secrets`.

Dice are no cards: they are rolled anew, so what stays the same in a match is how many there are. A seat has five, under
its cup or lost.
"""

from collections.abc import Iterator, Sequence

from games.contract import Options
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.state import State
from games.types import SEATS, Seat, with_seats
from tests.games.liars_dice.referee import Referee as Referee


def options() -> list[Options]:
    return [
        LiarsDiceOptions(),
        LiarsDiceOptions(palifico=False),
        LiarsDiceOptions(calza=True),
        LiarsDiceOptions(calza=True, palifico=False),
    ]


def cards(state: State) -> list[int]:
    """Return the seat of every die, under a cup or lost. When the match is over, the dice left lie on the table."""
    left = [len(cup) for cup in state.cups] if state.outcome is None else state.dice
    assert left == state.dice, "the cups have as many dice as their seats"
    lost = [5 - dice for dice in left]
    assert min(lost) >= 0
    return [seat for seat in SEATS[: state.seats] for _ in range(left[seat] + lost[seat])]


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    return {f"cup {other}": list(cup) for other, cup in with_seats(state.cups) if other != seat and cup}


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for name, dice in places.items():
        twin.cups[int(name.removeprefix("cup "))] = sorted(dice)
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    """Return states in which all dice of the others show other faces: any faces are possible under a cup."""
    return [twin for turn in range(1, 6) if (twin := _turned(state, seat, turn)).cups != state.cups]


def _turned(state: State, seat: Seat | None, turn: int) -> State:
    """Return the state with `turn` added to the faces of all others' dice."""
    twin = state.copy()
    twin.cups = [
        list(cup) if other == seat else sorted(_faces(cup, turn)) for other, cup in with_seats(state.cups)
    ]
    return twin


def _faces(cup: Sequence[int], turn: int) -> Iterator[int]:
    return ((die - 1 + turn) % 6 + 1 for die in cup)
