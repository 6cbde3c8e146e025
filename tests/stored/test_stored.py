"""A database of each release migrates, and loads to the same facts; its standings stay, and its matches go on."""

import shutil
from pathlib import Path

import pytest

from bot.hosting.recount import recount
from bot.match import seats, terms
from bot.match.entries import KINDS
from bot.match.table import Table
from bot.match.tables import Tables
from bot.store import open_store
from tests.bot.store.stores import rows
from tests.stored.facts import all_matches, tables_of
from tests.stored.making import make_database
from tests.stored.play import Clock, play
from tests.stored.releases import DATABASE, FACTS, RECORD, RELEASES, facts_of, read, record_of

FAULTS = {
    "vote": "UPDATE log SET body = replace(body, ' keep', ' wait') WHERE kind = 'vote' AND body LIKE '% keep'",
    "name": "UPDATE log SET body = body || '.' WHERE kind = 'sit'",
    "pace": "UPDATE log SET body = 'live' WHERE kind = 'pace'",
    "strength": "UPDATE log SET body = replace(body, 'sharp', 'steady') WHERE kind = 'computer' AND body LIKE 'sharp%'",
    "seats": "UPDATE log SET body = body || ' 0' WHERE kind = 'remind'",
    "reason": "UPDATE log SET body = 'not shown' WHERE kind = 'close'",
    "time": "UPDATE log SET at = at + 1 WHERE n = 2",
    "deadline": "UPDATE clocks SET due = due + 1",
}
"""For each fault a statement: after it the facts about the matches that it changes must differ."""


@pytest.fixture(params=RELEASES, ids=lambda folder: folder.name)
def release(request: pytest.FixtureRequest) -> Path:
    """Return the folder of a release."""
    folder: Path = request.param
    return folder


@pytest.fixture
def file(release: Path, tmp_path: Path) -> Path:
    """Return a copy of the database of a release."""
    return Path(shutil.copy(release / DATABASE, tmp_path))


async def test_every_match_loads_to_the_same_facts_as_before(release: Path, file: Path) -> None:
    expected, found = read(release / FACTS), await facts_of(file)
    for name, lines in expected.items():
        assert found[name] == lines, name
    assert [*found] == [*expected]


async def test_the_public_record_is_unchanged(release: Path, file: Path) -> None:
    """After an intended change of wording, `make golden` writes the record again."""
    assert await record_of(file) == read(release / RECORD)


async def test_a_recount_finds_the_standings_as_stored(file: Path) -> None:
    store = await open_store(file)
    try:
        assert "everything was as stored" in await recount(store)
    finally:
        await store.close()


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_changed_row_is_noticed(release: Path, file: Path, fault: str) -> None:
    table, _, condition = FAULTS[fault].removeprefix("UPDATE ").partition(" SET ")
    where = condition.partition(" WHERE ")[2] or "1"
    ((match,),) = rows(file, f"SELECT max(match) FROM {table} WHERE {where}")
    rows(file, FAULTS[fault])
    name = f"match {match}"
    assert (await facts_of(file, match))[name] != read(release / FACTS)[name]


def test_every_kind_of_entry_of_a_release_can_be_read(file: Path) -> None:
    assert {kind for (kind,) in rows(file, "SELECT DISTINCT kind FROM log")} <= {*KINDS}


async def test_stored_matches_can_be_played_to_their_end(file: Path) -> None:
    ((latest,),) = rows(file, "SELECT max(max(at), (SELECT max(due) FROM clocks)) FROM log")
    clock = Clock(latest)
    async with tables_of(file, clock) as tables:
        await tables.load()
        opened = [await tables.get(match.id) for match in await tables.store.open_matches()]
        for table in opened:
            await finish(tables, table, clock)
        assert await tables.store.open_matches() == []
        ended = {table.id: table.state.phase for table in opened}
        assert {*ended.values()} == {"over"}, ended
        assert {match.id for match in await all_matches(tables) if match.phase == "over"} >= ended.keys()


async def finish(tables: Tables, table: Table, clock: Clock) -> None:
    """Fill and start a lobby, then play fallback moves to the end."""
    state, user = table.state, table.state.host.user
    if state.phase == "lobby":
        if state.game.slug == "hand-and-foot":  # four deals would take longer than all other matches
            await terms.set_option(table, user, "deals", 1, clock.time)
        for _ in range(len(state.players), state.game.seats(state.options).start):
            await seats.add_computer(table, user, "steady", clock.time)
        await table.start(user, clock.time)
    await play(table, clock, draw=False)


def test_a_database_of_the_present_version_can_be_made_with_everything(tmp_path: Path) -> None:
    make_database(tmp_path / DATABASE)  # a release needs it
    assert (tmp_path / DATABASE).exists()
