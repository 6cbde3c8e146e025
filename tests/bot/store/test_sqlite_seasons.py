"""Closing a season in SQLite: a fault at any statement leaves it open, or closed with its table."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.store import Finished, Result, SeasonResult, SeasonRow, StoreFailed
from bot.store.sql import seasons
from tests.bot.store.stores import ALICE, BEN, CHANNEL, GUILD, lobby, move, new_database, opened, plan

STATEMENTS = 5
"""More than the statements of a close, with BEGIN and COMMIT. Those that are sent together count once."""


def everybody(results: Sequence[SeasonResult]) -> list[SeasonRow]:
    """Return a table with all people in first place."""
    return [SeasonRow(each.user, each.name, 1, 1, 1, 1) for each in results]


async def season_at(path: Path) -> None:
    """Create a database with a season that is over, and one match of it."""
    async with opened(path) as store:
        await store.add_season(GUILD, CHANNEL, "Autumn", 1_000, 2_000)
        match = await lobby(store)
        await store.append(match.id, [move(2)], phase="play", started=1_500)
        results = [
            Result(match.id, seat, GUILD, match.game, user, "", 1, 0, 2, 1_600)
            for seat, user in enumerate((ALICE, BEN))
        ]
        await store.append(match.id, [move(3)], phase="over", finished=Finished(results, "p", "{}"))


@pytest.mark.parametrize("statement", range(STATEMENTS))
async def test_a_fault_at_any_statement_leaves_a_season_open_and_the_next_try_closes_it(
    tmp_path: Path, statement: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "palmhouse.sqlite3"
    await season_at(path)
    send, left = aiosqlite.Connection._execute, statement

    async def faulty(connection: aiosqlite.Connection, *args: Any) -> Any:
        nonlocal left
        left -= 1
        if left == -1:
            raise sqlite3.OperationalError("disk I/O error")
        return await send(connection, *args)  # type: ignore[no-untyped-call]

    async with opened(path) as store:
        monkeypatch.setattr(aiosqlite.Connection, "_execute", faulty)
        if fails := statement < STATEMENTS - 1:
            with pytest.raises(StoreFailed):
                await store.close_season(1, 2_000, everybody)
        else:
            assert await store.close_season(1, 2_000, everybody)
        monkeypatch.undo()
        assert ((await store.seasons(GUILD))[0].closed is None) == fails
        assert (await store.final_table(1) == []) == fails
        assert await store.close_season(1, 2_500, everybody) == fails
        assert [row.user for row in await store.final_table(1)] == [ALICE, BEN]


@pytest.mark.parametrize(("query", "values"), [(seasons.RESULTS, (1,)), (seasons.CLOSE, (1, 1, True))])
def test_the_matches_of_a_season_are_found_by_their_start(
    tmp_path: Path, query: str, values: Sequence[int]
) -> None:
    steps = plan(new_database(tmp_path / "palmhouse.sqlite3"), query, values)
    assert "SEARCH m USING INDEX matches_by_start (guild=? AND started>? AND started<?)" in steps
    assert not any(step.startswith("SCAN") for step in steps)
