"""The laws find what they are there to find."""

import pytest

from bot.store import LogRow
from tests.e2e.viewer import cards_in
from tests.rooms.laws import unexplained
from tests.rooms.room import Attempt
from tests.rooms.screens import french_cards_in

ALICE, BEN = 1, 2


def move(n: int, text: str = "draw", user: int | None = ALICE) -> LogRow:
    return LogRow(n, "move", 0, user, text, at=n)


def made(after: int, text: str = "", *, user: int = ALICE, acknowledged: bool = True) -> Attempt:
    return Attempt(user, after, text, acknowledged)


def test_each_acknowledged_move_explains_its_entry() -> None:
    attempts = [made(3, "draw"), made(4), made(5, "knock", acknowledged=False)]
    assert unexplained(attempts, [move(4), move(5, "take"), move(6, "knock"), move(7, user=None)]) == []


@pytest.mark.parametrize(
    "log",
    [[], [move(3)], [move(4, "take")], [move(4, user=BEN)]],
    ids=["nothing", "an earlier one", "another move", "another person's"],
)
def test_an_acknowledged_move_that_is_not_in_the_log_is_lost(log: list[LogRow]) -> None:
    assert "the acknowledged move 'draw' after entry 3 is lost" in unexplained([made(3, "draw")], log)


def test_a_second_entry_of_one_click_is_found() -> None:
    assert unexplained([made(3, "draw")], [move(4), move(5)]) == ["entry 5 ('draw') was made by no click"]


def test_a_move_that_was_not_acknowledged_may_be_in_the_log_once() -> None:
    attempt = made(3, "draw", acknowledged=False)
    assert unexplained([attempt], []) == []
    assert unexplained([attempt], [move(4)]) == []
    assert len(unexplained([attempt], [move(4), move(5)])) == 1


def test_cards_of_twin_palms_are_found_in_all_their_forms() -> None:
    forms = {
        "P3": "P3",
        "🌴P10": "P10",
        "play D7 S*=8": "D7 S*",
        "🕶️S wild": "S*",
        "🐬D8 wild": "D*",
        "Palm 3": "P3",
    }
    for form, named in forms.items():
        assert cards_in(f"1. {form}, then") == set(named.split())
    assert cards_in("Palms bid 3, PS 4, Ben 7") == set()


def test_french_cards_are_found_in_both_forms() -> None:
    assert french_cards_in("Drop ♠7, then 10♥ or ♦A") == {"7S", "10H", "AD"}
    assert french_cards_in("17 of 31, PA♠") == set()
