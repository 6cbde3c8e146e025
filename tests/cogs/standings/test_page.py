"""One page of a leaderboard as a message."""

import pytest

from bot.messages.panel import Panel
from bot.standings.board import by_wins
from bot.store import Standing
from cogs.standings.page import PAGE, Board, Wanted, page_of
from games import GAMES

EVER = Wanted("", "all")


def board(*names: str, user: int = 1) -> Board:
    """Return a board of these people, best first; their numbers begin with 1."""
    standings = [
        Standing(number, name, 99, 99 - number, 1.5, 0, 99 - number, 99)
        for number, name in enumerate(names, 1)
    ]
    return Board(by_wins(standings), user, "Alice", "" if user <= len(names) else "a match", played=True)


def words(panel: Panel) -> str:
    return "\n".join([panel.texts(), *(picture.alt for picture in panel.pictures())])


@pytest.mark.parametrize("pictures", [True, False])
def test_people_of_the_same_name_get_numbers_and_a_line_with_their_accounts(pictures: bool) -> None:
    page = words(page_of(board("Alex", "Ben", "Alex"), EVER, None, pictures=pictures))
    assert "-# Alex: <@1> · Alex (2): <@3>" in page
    assert ("3. Alex (2): ahead of 97%" in page) == pictures
    assert ("\n   3 Alex (2)  " in page) == (not pictures)


@pytest.mark.parametrize(
    ("wins", "ahead", "met", "line"),
    [
        (0, 1, 1, "Alice (marked): ahead of 100%, wins 0, matches 1"),  # a computer has won
        (1, 0, 0, "Alice (marked): ahead of –, wins 1, matches 1"),
    ],
)
def test_the_share_says_of_what_it_is_and_is_left_out_without_other_people(
    wins: int, ahead: int, met: int, line: str
) -> None:
    people = by_wins([Standing(1, "Alice", 1, wins, 1.5, 0, ahead, met)])
    page = words(page_of(Board(people, 1, "Alice", "", played=True), EVER, None, pictures=True))
    assert line in page
    assert "computers aside; a match that a computer wins is nobody's win" in page


def test_long_names_that_are_equal_when_cut_get_numbers_too() -> None:
    names = board("Maximiliana of Palms", "Maximiliana of Kent")
    text, alt = (words(page_of(names, EVER, None, pictures=pictures)) for pictures in (False, True))
    assert "Maxim… (2) " in text
    assert "<@2>" in text
    assert "<@" not in alt


def test_people_of_the_same_name_on_two_pages_are_told_apart_on_both() -> None:
    names = board("Alex", *(f"P{number}" for number in range(PAGE)), "Alex")
    pages = [words(page_of(names, EVER, page, pictures=True)) for page in (0, 1)]
    assert ["-# Alex: <@1>" in page for page in pages] == [True, False]
    assert ["-# Alex: <@12>" in page for page in pages] == [False, True]


@pytest.mark.parametrize(("user", "page"), [(1, 1), (10, 1), (11, 2), (25, 3), (99, 1)])
def test_it_opens_where_the_person_stands(user: int, page: int) -> None:
    names = board(*(f"P{number}" for number in range(25)), user=user)
    shown = words(page_of(names, EVER, None, pictures=True))
    assert f"page {page} of 3" in shown
    assert ("(marked)" in shown) == (user < 99)
    assert ("Alice is not ranked yet. Missing: a match." in shown) == (user == 99)


def test_every_custom_id_is_read_as_it_was_written() -> None:
    for pool in ["", *(pool for game in GAMES.values() for pool in game.pools)]:
        for wanted in (Wanted(pool, "month"), Wanted(pool, "all")):
            assert Wanted.read(wanted.id(7).rest) == (wanted, 7)
            assert Wanted.read(wanted.id("mine").rest) == (wanted, None)
