"""A database of every version of the schema migrates: its matches load, and its standings are what a recount finds."""

from pathlib import Path

import pytest

from bot.hosting.recount import recount
from bot.match.tables import game_of
from tests.stored import schemas
from tests.stored.facts import state_of, tables_of
from tests.stored.play import Clock
from tests.stored.test_stored import rows

NEWEST = max(schemas.migrations())
WITH_RATINGS = 8
"""The first version with ratings and facts."""
SAME = (
    "SELECT match, seat, user, name, placing, score, players, ended, facts, finished FROM results ORDER BY 1, 2",
    "SELECT * FROM ratings ORDER BY user, pool, n",
    "SELECT * FROM progress ORDER BY user",
    "SELECT id, counted, rated FROM matches WHERE counted IS NOT NULL ORDER BY id",
)
"""Queries for the standings."""


@pytest.mark.parametrize("version", schemas.stored_versions())
async def test_a_stored_database_migrates_with_its_matches_and_standings(
    version: int, tmp_path: Path
) -> None:
    file = schemas.unpack(version, tmp_path / "stored.sqlite3")
    assert rows(file, "PRAGMA user_version") == [(version,)]
    logs, standings = await migrated(file, known=version >= WITH_RATINGS)
    assert rows(file, "PRAGMA user_version") == [(NEWEST,)]
    newest = schemas.unpack(schemas.stored_versions()[-1], tmp_path / "newest.sqlite3")
    assert (logs, standings) == await migrated(newest, known=True), "as in the newest file"


async def migrated(file: Path, *, known: bool) -> tuple[list[object], list[object]]:
    """Open a file, load its matches, and recount, which must find no difference if its standings are `known`. Return
    the logs and the standings."""
    numbers = [int(str(number)) for (number,) in rows(file, "SELECT id FROM matches ORDER BY id")]
    async with tables_of(file, Clock(0)) as tables:
        await tables.load()
        for number in numbers:
            match = await tables.store.match(number)
            assert match is not None
            if game_of(match) is not None:
                assert state_of(await tables.get(number)).phase == match.phase
        assert ("everything was as stored" in await recount(tables.store)) is known
        assert "everything was as stored" in await recount(tables.store)
        return [await tables.store.log(number) for number in numbers], [rows(file, query) for query in SAME]


def test_every_migration_is_as_it_was_when_its_database_was_stored() -> None:
    written = {path.name: schemas.digest(path) for path in schemas.migrations().values()}
    for name, known in schemas.hashes().items():
        assert written.get(name) == known, (
            f"{name} has changed, but people have databases that it made. Undo that, and write another migration."
        )


def test_every_version_has_a_stored_database() -> None:
    missing = {*schemas.migrations()} - {*schemas.stored_versions()}
    assert not missing, (
        f"Version {min(missing)} has no stored database. Run `python -m tests.stored.schemas < statements.sql`, with "
        "statements that fill what this version has added; without such, < /dev/null."
    )
    assert schemas.hashes().keys() == {path.name for path in schemas.migrations().values()}
