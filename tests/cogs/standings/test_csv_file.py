"""A table as a CSV file: readable by spreadsheets, harmless whatever the names."""

import csv
import io

import pytest

from cogs.standings.csv_file import FORMULA, written

HOSTILE = [
    "=HYPERLINK(1)",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    " =1",
    "＝1",
    "＋1",
    "\u202e=1",
    "=\u05d0",
    'a","b',
    "a\r\nb;c",
]


def rows(content: bytes) -> list[list[str]]:
    return [*csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))]


def test_it_has_a_byte_order_mark_a_heading_and_a_line_for_each_person() -> None:
    content = written(("Wins", "Matches"), [(1, "Zoë 🌴", "4", "9"), (2, "李", "3", "9")])
    assert content.startswith(b"\xef\xbb\xbfPlace,Name,Wins,Matches\r\n")
    assert rows(content)[1:] == [["1", "Zoë 🌴", "4", "9"], ["2", "李", "3", "9"]]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_a_formula_or_breaks_the_table(name: str) -> None:
    (_, row) = rows(written(("Wins",), [(1, name, "4")]))
    assert len(row) == 3
    assert not row[1].lstrip("\u2068 ").startswith(FORMULA)
    assert "\n" not in row[1]
