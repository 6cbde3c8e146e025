"""In docs/security.md each line on what cannot be done names a test, and every test that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """Return the names of the tests in a file; none if there is no such file."""
    file = TESTS / path
    nodes = ast.parse(file.read_text(encoding="utf-8")).body if file.exists() else []
    functions = [each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))


def test_every_test_that_it_names_exists() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) > 50
    assert [f"{path}::{test}" for path, test in named if test not in names_of_tests(path)] == []


def test_every_line_of_its_tables_names_a_test() -> None:
    tables = re.findall(r"^\| cannot \| because \| test \|\n(?:\|.*\n)+", PAGE, re.MULTILINE)
    assert len(tables) > 10
    for line in [line for table in tables for line in table.splitlines()[2:]]:
        cells = line.strip("| ").split(" | ")
        assert len(cells) == 3, line
        assert NAMED.sub("", cells[2]).strip() == "", line
        assert NAMED.search(cells[2]), line


def test_links_lead_to_files_and_headings_that_exist() -> None:
    headings = {heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)}
    for link in re.findall(r"\]\((?!https:)([^)]+)\)", PAGE):
        file, _, anchor = link.partition("#")
        assert (TESTS.parent / "docs" / file).exists()
        assert not anchor or anchor in headings
