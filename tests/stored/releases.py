"""What is stored of each release: a database, the facts about it, its public record, and a log of each game.

A database, facts and logs of a release are never written again: people have such databases. When a test finds a
difference, the present code reads them wrongly, or lacks a migration or a new version of a game's rules.
"""

import shutil
from pathlib import Path
from typing import Final

from bot.store.sqlite.opening import prepare
from tests.bot.store.stores import rows
from tests.stored.facts import all_matches, general_facts, match_facts, story_lines, tables_of
from tests.stored.making import GUILD
from tests.stored.play import Clock

HERE: Final = Path(__file__).parent
RELEASES: Final = sorted(
    (path for path in HERE.iterdir() if path.name[0].isdigit()),
    key=lambda path: [*map(int, path.name.split("."))],
)
"""A folder for each release, named by its version, the newest last."""
DATABASE: Final = "palmhouse.sqlite3"
FACTS: Final = "facts.txt"
RECORD: Final = "record.txt"
NEWEST: Final = RELEASES[-1] / DATABASE
"""The database of the newest release. Copy it before you open it."""
HEADING: Final = "## "

Sections = dict[str, list[str]]


def migrated(path: Path) -> Path:
    """Copy the database of the newest release, and bring it to the present version. Tables that are newer are empty."""
    shutil.copy(NEWEST, path)
    prepare(path)
    return path


async def facts_of(file: Path, *only: int) -> Sections:
    """Return the facts by heading: one for the file, one for each match. `only`: numbers of matches (default: all)."""
    users = [user for (user,) in rows(file, "SELECT user FROM preferences")]
    async with tables_of(file, Clock(0)) as tables:
        sections = {"room": await general_facts(tables, users, GUILD)}
        matches = await all_matches(tables)
        for match in [match for match in matches if not only or match.id in only]:
            sections[f"match {match.id}"] = await match_facts(tables, match)
    return sections


async def record_of(file: Path) -> Sections:
    """Return the public records of matches with every kind of entry: every kind of line that a table adds."""
    numbers = rows(file, "SELECT DISTINCT max(match) FROM log GROUP BY kind ORDER BY 1")
    async with tables_of(file, Clock(0)) as tables:
        sections = {f"match {number}": await story_lines(tables, number) for (number,) in numbers}
    return {name: lines for name, lines in sections.items() if any(lines)}


def write(sections: Sections, file: Path) -> None:
    """Write each section with its heading to the file."""
    text = "\n".join("\n".join([f"{HEADING}{name}", *sections[name], ""]) for name in sections)
    file.write_text(text, encoding="utf-8")


def read(file: Path) -> Sections:
    """Return the sections in a file that `write` has written."""
    _, *parts = ("\n" + file.read_text(encoding="utf-8")).split("\n" + HEADING)
    sections: Sections = {}
    for part in parts:
        name, *rest = part.rstrip("\n").split("\n")
        sections[name] = rest
    return sections
