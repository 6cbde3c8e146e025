"""The table of a leaderboard as text: names in columns, and numbers that distinguish people of the same name."""

from bot.pictures.scene import LeaderboardRow
from cogs.standings.text_table import _columns, text_table

HEADS = ("rating", "wins", "of")
WIDEST = 34
"""Columns of a code block that fit a phone."""


def table(*names: str, marked: int | None = None, first: int = 1) -> str:
    rows = [
        LeaderboardRow(first + number, name, ("1540", "4", "12"), number == marked)
        for number, name in enumerate(names)
    ]
    return text_table(HEADS, rows, range(1, len(names) + 1))


def test_people_of_the_same_name_get_numbers_and_a_line_with_their_accounts() -> None:
    text = table("Alex", "Ben", "Alex")
    assert "\n   3 Alex (2)  " in text
    assert text.endswith("```\n-# Alex: <@1> · Alex (2): <@3>")


def test_long_names_that_are_equal_when_cut_get_numbers_too() -> None:
    text = table("Maximiliana of Palms", "Maximiliana of Kent")
    assert "Maximiliana… " in text
    assert "Maximil… (2) " in text


def test_different_names_need_no_line_with_accounts() -> None:
    assert table("Alex", "Ben").endswith("\n```")


def test_an_arrow_stands_before_the_place_of_the_marked_person() -> None:
    _, head, first, second, _ = table("Alex", "Ben", first=98, marked=1).splitlines()
    assert head == "     player       rating wins   of"
    assert first == "  98 Alex           1540    4   12"
    assert second == " >99 Ben            1540    4   12"


def test_names_in_any_script_are_cut_and_padded_to_the_same_width() -> None:
    names = ("Ben", "李小龍李小龍李小龍", "\u2068محمد علي\u2069", "Zo\u0308\u0323e", "🌴" * 20)
    _, *lines, _ = table(*names, first=998).splitlines()
    assert {_columns(line) for line in lines} == {WIDEST}
    assert [line[5:-17].rstrip() for line in lines[2:4]] == ["李小龍李小…", "\u2068محمد علي\u2069"]
