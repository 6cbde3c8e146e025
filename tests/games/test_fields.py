"""`@fields` writes slots, an `__init__` with fresh defaults, and a copy as deep as the annotations say."""

from typing import Any

import pytest

from games.contract import MatchState, Outcome
from games.fields import by_seat, fields

FIRST = [[0, 0], [0, 0]]
RANKS = [1, 2, 3]


@fields
class State(MatchState):
    """A match at one moment."""

    seats: int
    dealer: int
    turn: int = -1
    bids: list[int] = by_seat(7)
    hands: list[list[int]] = by_seat([])
    ranks: list[int] = RANKS
    grid: list[list[int]] = FIRST
    spots: dict[int, int] = {}  # noqa: RUF012 - what is tested
    marks: set[int] = set()  # noqa: RUF012
    up: bytearray = bytearray(2)
    tricks: list[tuple[int, ...]] = []  # noqa: RUF012
    outcome: Outcome | None = None

    @property
    def left(self) -> int:
        return (self.dealer + 1) % self.seats


def test_fields_without_a_default_come_in_order_and_the_others_by_name() -> None:
    state = State(3, 2, turn=1, tricks=[(4, 5)])
    assert (state.seats, state.dealer, state.turn, state.left) == (3, 2, 1, 0)
    assert (state.bids, state.hands, state.tricks) == ([7, 7, 7], [[], [], []], [(4, 5)])
    with pytest.raises(TypeError, match="dealer"):
        State(3)  # type: ignore[call-arg]


def test_there_are_no_attributes_but_the_fields() -> None:
    assert State.__doc__ == "A match at one moment."
    with pytest.raises(AttributeError):
        State(2, 0).tunr = 1  # type: ignore[attr-defined]


def test_no_default_is_shared_between_two_states() -> None:
    one = State(2, 0)
    change(one)
    other = State(2, 0)
    assert (other.bids, other.hands, other.ranks, other.grid) == (
        [7, 7],
        [[], []],
        [1, 2, 3],
        [[0, 0], [0, 0]],
    )
    assert (other.spots, other.marks, other.up, other.tricks) == ({}, set(), bytearray(2), [])
    assert FIRST == [[0, 0], [0, 0]]


def test_a_copy_is_independent_as_deep_as_the_annotations_say() -> None:
    state = State(2, 1, outcome=Outcome((1, 2), (3, 4), "Over."))
    kept = state.copy()
    change(state)
    assert (kept.dealer, kept.bids, kept.hands, kept.grid) == (1, [7, 7], [[], []], [[0, 0], [0, 0]])
    assert (kept.spots, kept.marks, kept.up, kept.tricks) == ({}, set(), bytearray(2), [])
    assert kept.outcome is state.outcome


@pytest.mark.parametrize("kind", [list[int] | None, tuple[list[int], ...], dict[int, list[int]]])
def test_a_field_that_could_not_be_copied_is_refused(kind: object) -> None:
    with pytest.raises(TypeError, match="cannot copy"):
        fields(type("Wrong", (), {"__annotations__": {"cards": kind}}))


@fields
class Longer(State):
    """A state with another field."""

    won: list[int] = by_seat(0)


def test_a_subclass_has_the_fields_of_its_base_before_its_own() -> None:
    state = Longer(2, 1, tricks=[(4, 5)])
    kept = state.copy()
    change(state)
    state.won[0] = 1
    assert (kept.dealer, kept.bids, kept.tricks, kept.won, kept.left) == (1, [7, 7], [(4, 5)], [0, 0], 0)


def change(state: State) -> None:
    """Change everything in a state that can change."""
    state.dealer = 0
    lists: list[list[Any]] = [state.bids, state.ranks, *state.hands, *state.grid, state.hands, state.grid]
    for changed in lists:
        changed.clear()
    state.spots[1] = 1
    state.marks.add(1)
    state.up[0] = 1
    state.tricks.append(())
