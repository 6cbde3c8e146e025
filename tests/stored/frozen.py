"""The frozen facts beside the database, and the public record of a few matches.

    python -m tests.stored.frozen          write the record again, after its wording was changed on purpose
    python -m tests.stored.frozen facts    write the facts, once, together with a new database

Never write the facts again for a version that people have used: when a test finds a difference, a stored log loads
differently now, and the code is wrong.
"""

import asyncio
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.stored.facts import all_matches, general_facts, match_facts, story_lines, tables_of
from tests.stored.play import Clock

HERE = Path(__file__).parent
DATABASE = HERE / "version-13.sqlite3"
FACTS = HERE / "version-13-facts.txt"
RECORD = HERE / "version-13-record.txt"
HEADING = "## "

GUILD = 700_000_000_000_000_001
"""Server of most of the matches."""
RECORDED = (1, 6, 7, 88, 89, 90, 91, 92, 98, 99, 101, 103, 105)
"""Matches whose public record is kept, among them every kind of line that the table itself adds."""

Sections = dict[str, list[str]]


def copy(folder: Path) -> Path:
    """Copy the database into a folder, for opening it writes. Return the copy."""
    return Path(shutil.copy(DATABASE, folder / "stored.sqlite3"))


async def facts_of(file: Path, *only: int) -> Sections:
    """Return the facts by heading: one for the file, one for each match. `only`: numbers of matches (default: all)."""
    with closing(sqlite3.connect(file)) as db:
        users = [user for (user,) in db.execute("SELECT user FROM preferences")]
    async with tables_of(file, Clock(0)) as tables:
        sections = {"house": await general_facts(tables, users, GUILD)}
        matches = await all_matches(tables)
        for match in [match for match in matches if not only or match.id in only]:
            sections[f"match {match.id}"] = await match_facts(tables, match)
    return sections


async def record_of(file: Path) -> Sections:
    """Return the public record of the matches in RECORDED."""
    async with tables_of(file, Clock(0)) as tables:
        return {f"match {number}": await story_lines(tables, number) for number in RECORDED}


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


def main(what: str) -> None:
    kept, file = {"record": (record_of, RECORD), "facts": (facts_of, FACTS)}[what]
    with TemporaryDirectory() as folder:
        sections = asyncio.run(kept(copy(Path(folder))))
    before = read(file) if file.exists() else {}
    write(sections, file)
    sys.stdout.write(f"{file.name}: {'as before' if sections == before else 'changed'}\n")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "record")
