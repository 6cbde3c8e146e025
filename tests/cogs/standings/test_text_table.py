"""The table of a leaderboard as text: columns of the same width, whatever the names."""

from bot.pictures.scene import LeaderboardRow
from cogs.standings.text_table import _columns, cut, text_table

HEADS = ("rating", "wins", "played")
WIDEST = 34
"""Columns of a code block that fit a phone."""


def table(*names: str, marked: int | None = None, first: int = 1) -> str:
    rows = (
        LeaderboardRow(first + number, name, ("1540", "4", "12"), number == marked)
        for number, name in enumerate(names)
    )
    return text_table(HEADS, rows)


def test_an_arrow_stands_before_the_place_of_the_marked_person() -> None:
    _, head, first, second, _ = table("Alex", "Ben", first=98, marked=1).splitlines()
    assert head == "     player     rating wins played"
    assert first == "  98 Alex         1540    4     12"
    assert second == " >99 Ben          1540    4     12"


def test_the_number_of_a_name_is_not_cut_off() -> None:
    assert cut("Maximiliana of Palms") == "Maximilia…"
    assert cut("Maximiliana… (2)") == "Maxim… (2)"


def test_names_in_any_script_are_cut_and_padded_to_the_same_width() -> None:
    names = ("Ben", "李小龍李小龍李小龍", "\u2068محمد علي\u2069", "Zo\u0308\u0323e", "🌴" * 20)
    _, *lines, _ = table(*names, first=998).splitlines()
    assert {_columns(line) for line in lines} == {WIDEST}
    assert [line[5:-19].rstrip() for line in lines[2:4]] == ["李小龍李…", "\u2068محمد علي\u2069"]
