"""A database of an older version still loads to the same facts, and its matches continue."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.stored import frozen
from tests.stored.facts import KINDS, Table, Tables, all_matches, seating, state_of, tables_of
from tests.stored.play import Clock, play

FAULTS = {
    "vote": (89, "UPDATE log SET body = replace(body, ' keep', ' wait') WHERE kind = 'vote'"),
    "name": (20, "UPDATE log SET body = body || '.' WHERE kind = 'join'"),
    "pace": (84, "UPDATE log SET body = 'live' WHERE kind = 'pace'"),
    "strength": (86, "UPDATE log SET body = replace(body, 'sharp', 'steady') WHERE kind = 'computer'"),
    "seats": (95, "UPDATE log SET body = replace(body, ' 0', ' 1') WHERE kind = 'remind'"),
    "reason": (15, "UPDATE log SET body = 'it could not be shown.' WHERE kind = 'close'"),
    "time": (20, "UPDATE log SET at = at + 1 WHERE n = 2"),
    "deadline": (84, "UPDATE clocks SET due = due + 1"),
}
"""For each fault a match and a statement: after the statement the facts about the match must differ."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a copy of the stored database."""
    return frozen.copy(tmp_path)


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as db, db:
        return db.execute(query).fetchall()


async def test_every_match_loads_to_the_same_facts_as_before(file: Path) -> None:
    expected, found = frozen.read(frozen.FACTS), await frozen.facts_of(file)
    for name, lines in expected.items():
        assert found[name] == lines, name
    assert [*found] == [*expected]


async def test_the_public_record_is_unchanged(file: Path) -> None:
    """After an intended change of wording, `make golden` writes the record again."""
    assert await frozen.record_of(file) == frozen.read(frozen.RECORD)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_changed_row_is_noticed(file: Path, fault: str) -> None:
    match, statement = FAULTS[fault]
    name, expected = f"match {match}", frozen.read(frozen.FACTS)
    assert (await frozen.facts_of(file, match))[name] == expected[name]
    rows(file, statement)
    assert (await frozen.facts_of(file, match))[name] != expected[name]


def test_every_kind_of_entry_is_in_the_file(file: Path) -> None:
    newer = {"sit", "cut", "keep pace", "reserve", "release", "options", "wish"}
    assert {kind for (kind,) in rows(file, "SELECT DISTINCT kind FROM log")} >= KINDS - newer


async def test_stored_matches_can_be_played_to_their_end(file: Path) -> None:
    ((latest,),) = rows(file, "SELECT max(max(at), (SELECT max(due) FROM clocks)) FROM log")
    assert isinstance(latest, int)
    clock = Clock(latest)
    async with tables_of(file, clock) as tables:
        await tables.load()
        opened = [await tables.get(match.id) for match in await tables.store.open_matches()]
        for table in opened:
            await finish(tables, table, clock)
        assert await tables.store.open_matches() == []
        ended = {table.id: state_of(table).phase for table in opened}
        assert {*ended.values()} == {"over"}, ended
        assert {match.id for match in await all_matches(tables) if match.phase == "over"} >= ended.keys()


async def finish(tables: Tables, table: Table, clock: Clock) -> None:
    """Fill and start a lobby, then play fallback moves to the end."""
    state, user = state_of(table), state_of(table).host.user
    if state.phase == "lobby":
        for _ in range(len(state.players), state.game.seats(state.options).start):
            await seating.add_computer(table, user, "steady", clock.time)
        await table.start(user, clock.time)
    await play(table, clock, draw=False)
