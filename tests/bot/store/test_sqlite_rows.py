"""Rows in SQLite: strict columns, and numbers that are never used again."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bot.store import Attempt, LogRow, Match, Post, ProgressRow, RatingRow, Result, Season, Store, StoreFailed
from bot.store.sql import guilds, matches, privacy
from tests.bot.store.stores import ALICE, GUILD, lobby, move, new_database, opened, plan, rows

ABOUT_ALL_MATCHES: dict[str, tuple[str, Any]] = {
    "untold": (matches.UNPUBLISHED, ()),
    "in threads": (matches.ENDED_IN_THREADS, (5,)),
    "members": (matches.MEMBERS, ()),
    "left": (matches.LEFT, (ALICE,)),
    "guilds": (guilds.MARK_LEFT, {"present": "[]", "at": 5, "shards": "[0]", "count": 1}),
    "presets": (guilds.PRESETS, (GUILD,)),
    "named": (privacy.NAMED, {"user": ALICE}),
    "last end": (privacy.LATEST_END, ()),
    **{table: statement for table, _, statement in privacy.exports(ALICE)},
}
"""By what they find: queries that could read every match there ever was."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(tmp_path / "palmhouse.sqlite3") as store:
        yield store


async def test_the_number_of_a_match_is_never_used_again(tmp_path: Path) -> None:
    """Buttons of old messages contain the match's number."""
    path = tmp_path / "palmhouse.sqlite3"
    async with opened(path) as store:
        last = await lobby(store)
    for table in ("log", "clocks", "matches"):
        rows(path, f"DELETE FROM {table}")
    async with opened(path) as store:
        assert (await lobby(store)).id > last.id


async def test_every_table_is_strict_and_its_columns_are_the_fields_of_its_row(tmp_path: Path) -> None:
    async with opened(tmp_path / "palmhouse.sqlite3"):
        db = sqlite3.connect(tmp_path / "palmhouse.sqlite3")
        tables = db.execute("SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'")
        strict = dict(tables.fetchall())
        columns = {
            row: [name for (name,) in db.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            for row, table in (
                (Match, "matches"),
                (Result, "results"),
                (Post, "posts"),
                (RatingRow, "ratings"),
                (ProgressRow, "progress"),
                (Attempt, "daily_attempts"),
                (Season, "seasons"),
            )
        }
        db.close()
    assert len(strict) == 33
    assert all(strict.values())
    for row, names in columns.items():
        assert names == [field.name for field in fields(row)]


@pytest.mark.parametrize(
    "entry",
    [
        LogRow(2, "move", "two", ALICE, "x", 1),  # type: ignore[arg-type]
        LogRow(2, "move", 0, ALICE, "x", 1.5),  # type: ignore[arg-type]
        LogRow(2, "move", 0, ALICE, b"x", 1),  # type: ignore[arg-type]
        LogRow(2, "move", 0, ALICE, None, 1),  # type: ignore[arg-type]
        LogRow(2, "", 0, ALICE, "x", 1),
        LogRow(2, "k" * 21, 0, ALICE, "x", 1),
    ],
)
async def test_values_of_another_type_or_length_are_refused(store: Store, entry: LogRow) -> None:
    match = await lobby(store)
    with pytest.raises(StoreFailed):
        await store.append(match.id, [entry])


async def test_a_number_too_large_for_the_database_is_the_callers_mistake_and_changes_nothing(
    store: Store,
) -> None:
    match = await lobby(store)
    with pytest.raises(OverflowError):
        await store.append(match.id, [move(2), LogRow(3, "move", 0, 2**63, "", 1)])
    assert len(await store.log(match.id)) == 1


async def test_a_healthy_store_names_its_file_and_the_space_on_the_disk(store: Store) -> None:
    health = await store.health()
    assert health.path is not None
    assert 0 < health.path.stat().st_size <= health.size
    assert health.free is not None
    assert health.free > 0


@pytest.mark.parametrize(("query", "values"), ABOUT_ALL_MATCHES.values(), ids=ABOUT_ALL_MATCHES.keys())
def test_no_query_reads_the_whole_table_of_matches(tmp_path: Path, query: str, values: Any) -> None:
    steps = plan(new_database(tmp_path / "palmhouse.sqlite3"), query, values)
    scans = [step for step in steps if step.split()[:2] in (["SCAN", "matches"], ["SCAN", "m"])]
    assert [step for step in scans if not step.endswith("INDEX open_matches")] == []
