"""Two processes with one database: each handles the tables of its own guilds only."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from bot.match.deadlines import TABLE
from bot.match.state import Player
from bot.match.table import Table
from bot.match.tables import Tables
from bot.match.times import Times
from bot.store import Store, open_store
from games import GAMES
from tests.toy.rules import GAME as TOY

NOW = 1_000_000


class Half(Tables):
    """The tables of all even or of all odd guilds."""

    def __init__(self, store: Store, rest: int) -> None:
        super().__init__(store, lambda: NOW, times=Times(lobby=5000), owns=lambda guild: guild % 2 == rest)

    async def lobby(self, guild: int) -> Table:
        """Open a table with one person at it."""
        at_table = partial(self.open, TOY, TOY.Options(), channel=guild * 10, at=NOW)
        return await at_table(guild=guild, players=[Player(guild * 100, "Alice")])


@pytest.fixture
async def halves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Half, Half]]:
    """Open a table in a guild of each process, then start both processes again."""
    monkeypatch.setitem(GAMES, TOY.slug, TOY)
    stores = [await open_store(tmp_path / "palmhouse.sqlite3") for _ in range(2)]
    await Half(stores[0], 0).lobby(2)
    await Half(stores[1], 1).lobby(3)
    even, odd = Half(stores[0], 0), Half(stores[1], 1)
    await even.load()
    await odd.load()
    yield even, odd
    for store in stores:
        await store.close()


async def test_a_process_knows_the_open_tables_of_its_guilds_only(halves: tuple[Half, Half]) -> None:
    for tables, guild in zip(halves, (2, 3), strict=True):
        assert [match.guild for match in await tables.open_matches()] == [guild]
        assert tables.seated(200) == tables.here(20) == ([1] if guild == 2 else [])
        assert tables.seated(300) == tables.here(30) == ([2] if guild == 3 else [])


async def test_a_deadline_is_met_by_the_process_that_owns_its_table(halves: tuple[Half, Half]) -> None:
    even, odd = halves
    assert await even.due_deadlines(NOW + 5000) == [(1, TABLE)]
    assert await odd.due_deadlines(NOW + 5000) == [(2, TABLE)]


async def test_an_outage_puts_off_the_deadlines_of_the_process_that_had_it(
    halves: tuple[Half, Half],
) -> None:
    even, odd = halves
    await even.postpone(700, lambda _: True)
    assert await even.store.deadlines(1) == {TABLE: NOW + 5700}
    assert await odd.store.deadlines(2) == {TABLE: NOW + 5000}


async def test_messages_that_lag_behind_are_posted_by_the_process_that_owns_the_table(
    halves: tuple[Half, Half],
) -> None:
    even, odd = halves
    assert (await even.unpublished(), await odd.unpublished()) == ([1], [2])
