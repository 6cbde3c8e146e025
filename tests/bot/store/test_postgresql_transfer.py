"""Standings that move from a file to a server, people who stay erased there, and dumps."""

from collections.abc import Sequence
from pathlib import Path

import psycopg

from bot.store import FORMER, Finished, GuildStandings, LogRow, Match, Result, Store
from tests.bot.store.stores import ALICE, BEN, GUILD, lobby, move, opened
from tests.postgresql import Server


async def played(store: Store) -> Match:
    """Create a match that Alice has won and Ben has lost."""
    match = await lobby(store)
    results = [
        Result(match.id, seat, GUILD, match.game, user, name, seat + 1, 0, 2, 50)
        for seat, (user, name) in enumerate(((ALICE, "Alice"), (BEN, "Ben")))
    ]
    await store.append(match.id, [move(2)], phase="over", started=20, ended=50, finished=Finished(results))
    return match


def again(_: Match, __: Sequence[LogRow], results: Sequence[Result]) -> Finished:
    return Finished(results)


async def exported(store: Store) -> GuildStandings:
    """Return the standings of the guild, all in memory."""
    found = []
    await store.export_guild(
        GUILD,
        lambda all_: found.append(GuildStandings(all_.guild, all_.total, [*all_.matches], [*all_.seasons])),
    )
    return found[0]


async def test_standings_move_from_a_file_to_a_server_once_and_back(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(tmp_path / "palmhouse.sqlite3") as file, opened(database_url) as server:
        matches = [await played(file) for _ in range(3)]
        before = await file.leaderboard(GUILD)
        done = await server.import_guild(await exported(file), again, lambda *_: None)
        assert (len(done.matches), done.known_matches) == (3, 0)
        assert await server.leaderboard(GUILD) == before
        assert (await lobby(server)).id > max(done.matches)
        done = await server.import_guild(await exported(file), again, lambda *_: None)
        assert (done.matches, done.known_matches) == ([], 3)
        await played(server)
        done = await file.import_guild(await exported(server), again, lambda *_: None)
        assert (len(done.matches), done.known_matches) == (1, 3)
        assert (await lobby(file)).id > matches[-1].id


async def test_a_match_gets_its_number_back_and_no_later_one_gets_it(database_url: str) -> None:
    async with opened(database_url) as server:
        await lobby(server)
        match = await played(server)
        standings = await exported(server)
        with psycopg.connect(database_url) as db:  # as an older dump would be
            for table, column in (
                ("log", "match"),
                ("results", "match"),
                ("clocks", "match"),
                ("matches", "id"),
            ):
                db.execute(f"DELETE FROM {table} WHERE {column} = {match.id}".encode())
            db.execute("SELECT setval('matches_id_seq', 1)")
        done = await server.import_guild(standings, again, lambda *_: None)
        assert done.matches == [match.id]
        assert (await lobby(server)).id > match.id


async def test_whoever_was_erased_on_a_server_stays_erased_when_standings_are_imported(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(tmp_path / "palmhouse.sqlite3") as file, opened(database_url) as server:
        await played(server)
        assert await server.erase_person(ALICE, 99) is not None
        assert await server.erase_person(ALICE, 99) is None
        assert (await server.export_person(ALICE)).is_unknown
        await played(file)
        done = await server.import_guild(await exported(file), again, lambda *_: None)
        assert done.erased == 1
        assert (await server.export_person(ALICE)).is_unknown
        names = [standing.name for standing in await server.leaderboard(GUILD)]
        assert sorted(names) == ["Ben", FORMER, FORMER]


async def test_a_dump_can_be_restored_over_what_is_there_and_an_import_brings_back_what_is_lost(
    postgresql: Server, database_url: str
) -> None:
    async with opened(database_url) as store:
        match = await played(store)
    restore = postgresql.dumped(database_url)
    async with opened(database_url) as store:
        lost = await played(store)
        standings = await exported(store)
    restore()
    async with opened(database_url) as store:
        assert [each.matches for each in await store.leaderboard(GUILD)] == [1, 1]
        assert await store.log(match.id, after=1) == [move(2)]
        assert (await lobby(store)).id > lost.id
        assert (await store.import_guild(standings, again, lambda *_: None)).matches == [lost.id]
