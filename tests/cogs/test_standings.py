"""`/leaderboard`: names in columns, and numbers that distinguish people of the same name."""

from bot.store import Standing
from cogs.standings import table


def rows(*names: str) -> list[Standing]:
    return [Standing(number, name, 2, 1, 1.5) for number, name in enumerate(names, 1)]


def test_people_of_the_same_name_get_numbers_and_a_line_with_their_accounts() -> None:
    text = table(rows("Alex", "Ben", "Alex"))
    assert "\n 1 Alex (2)  " in text
    assert text.endswith("```\n-# Alex: <@1> · Alex (2): <@3>")


def test_long_names_that_are_equal_when_cut_get_numbers_too() -> None:
    text = table(rows("Maximiliana of Palms", "Maximiliana of Kent"))
    assert "Maximiliana o… " in text
    assert "Maximilia… (2) " in text


def test_different_names_need_no_line_with_accounts() -> None:
    assert table(rows("Alex", "Ben")).endswith("\n```")


def test_names_in_any_script_are_cut_and_padded_to_the_same_width() -> None:
    _, *lines, _ = table(rows("Ben", "李小龍李小龍李小龍", "محمد علي", "Zo\u0308\u0323e")).splitlines()
    assert [line[3:-15] for line in lines[1:]] == [
        "Ben           ",
        "李小龍李小龍… ",
        "\u2068محمد علي\u2069      ",
        "Zọ\u0308e           ",
    ]
