"""The figures about source code, on a checkout small enough to count by hand."""

import json
from pathlib import Path

import pytest

from bench import style
from bench.__main__ import main

BLOCK = "".join(f"        total += {n}\n" for n in range(style.BLOCK))
ONE = f'''"""What this is."""

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from bot.two import Two

LIMIT = 3  # seconds; more and nobody waits
"""Whether there is one."""


class One:
    """A thing."""

    def __init__(self, two: "Two") -> None:
        self.two: Any = two
        """How it came here."""
        self.number = cast(int, two.number)

    def sum(self) -> int:
        total = 0
{BLOCK}        return total
'''
TWO = f'''"""Another thing."""


class Two:
    number = 2  # type: ignore[assignment]

    def sum(self) -> int:
        """Return the sum."""
        from bot.one import One

        assert One
        total = 1
{BLOCK}        return total + 1
'''
FILES = {
    "bot/__init__.py": "",
    "bot/one.py": ONE,
    "bot/two.py": TWO,
    "bot/store/__init__.py": "",
    "bot/store/rows.py": "from bot.store.file import File\n",
    "bot/store/file.py": "import os\n\nfrom bot import one\n\nFile = one, os\n",
    "games/three.py": "import games\n",
    "tests/test_one.py": "from bot.one import One\n\n\ndef test_one() -> None:\n    assert One\n",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with those files."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def bot(checkout: Path) -> style.Figures:
    """The figures of its package `bot`."""
    return style.measure([checkout])[str(checkout)]["bot"]


def test_size_is_counted_in_files_lines_and_functions(bot: style.Figures) -> None:
    assert (bot.files, bot.lines) == (6, sum(FILES[name].count("\n") for name in FILES if "bot" in name[:3]))
    assert (bot.functions, bot.function_median, bot.function_longest) == (3, 9, 13)


def test_a_subfolder_is_a_wing_and_so_is_a_file_beside_it(bot: style.Figures) -> None:
    assert bot.wings == len(["bot", "bot.one", "bot.two", "bot.store"])
    assert bot.arrows == len(["one to two", "two to one", "store to one"])
    assert bot.floors == 2


def test_circles_include_imports_for_types_and_in_functions(bot: style.Figures) -> None:
    assert (bot.circles, bot.modules_in_circles) == (1, 2)


def test_ways_around_the_types_are_counted(bot: style.Figures) -> None:
    assert (bot.casts, bot.type_ignores, bot.anys) == (1, 1, 1)


def test_docstrings_that_begin_like_a_question_are_counted_those_of_attributes_too(
    bot: style.Figures,
) -> None:
    assert (bot.docstrings, bot.questions) == (6, 3)


def test_comments_for_tools_are_no_comments(bot: style.Figures) -> None:
    assert bot.comments_per_100_lines == pytest.approx(100 / bot.lines)


def test_six_equal_lines_in_two_places_are_a_repeated_block(checkout: Path) -> None:
    assert style.measure([checkout])[str(checkout)]["bot"].repeated_blocks == 1
    two = checkout / "bot" / "two.py"
    two.write_text(TWO.replace("+= 3", "+= 4"), encoding="utf-8")
    assert style.measure([checkout])[str(checkout)]["bot"].repeated_blocks == 0


def test_all_packages_are_summed_up(checkout: Path) -> None:
    found = style.measure([checkout])[str(checkout)]
    assert [*found] == ["games", "bot", "tests", "all"]
    assert found["all"].files == len(FILES)
    assert found["all"].arrows == found["bot"].arrows + 1
    assert found["all"].tests == found["tests"].tests == 1


def test_a_longer_chain_and_a_circle_are_told_from_a_graph() -> None:
    graph = {"a": {"b"}, "b": {"c", "d"}, "c": {"b"}, "d": set[str]()}
    assert style.circles(graph) == [{"b", "c"}]
    assert style.floors(graph) == 3


def test_two_checkouts_are_printed_line_below_line(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(checkout)
    (checkout / "before" / "bot").mkdir(parents=True)
    (checkout / "before" / "bot" / "old.py").write_text("OLD = 1\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["bench", "style", "before", "."])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["games", "bot", "tests", "all"]
    assert [line.split() for line in lines[1:3]] == [["files", "before", "1", "1"], [".", "1", "6", "1", "8"]]
    monkeypatch.setattr("sys.argv", ["bench", "style", "--json"])
    main()
    assert json.loads(capsys.readouterr().out)["."]["bot"]["files"] == 6


def test_a_folder_without_sources_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="There is no checkout in"):
        style.measure([tmp_path])
