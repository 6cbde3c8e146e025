"""`python -m bot move-to`: everything arrives in the PostgreSQL database, or nothing, and the file stays as it is."""

import asyncio
import sqlite3
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import copy
from typing import Any

import psycopg
import pytest

from bot.cli.command_line import arguments
from bot.cli.settings import Settings
from bot.cli.start import StartRefused
from bot.cli.tasks import move_database
from bot.hosting.moving import move_to
from bot.store import TABLES, InDoubt, StoreFailed, StoreRefused, open_store
from bot.store.sql.privacy import Erasure
from bot.store.sqlite.ledger import ledger_of, write_down
from bot.store.sqlite.opening import alone, newest_version
from tests.bot.store.stores import GUILD, lobby, opened
from tests.bot.test_start import begin
from tests.postgresql import Server
from tests.stored.releases import NEWEST, migrated


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a database of the newest version with rows in every table, and the ledger of its erasure."""
    path = migrated(tmp_path / "palmhouse.sqlite3")
    ((hashed,),) = rows(path, "SELECT id FROM erasures")
    write_down(path, Erasure("cd" * 32, hashed))
    return path


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as db:
        return db.execute(query).fetchall()


def size_of(path: Path, table: str) -> int:
    return len(rows(path, f"SELECT 1 FROM {table}"))


def change(path: Path, statement: str) -> None:
    """Change the file. It has no write-ahead log afterwards."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def moved_rows(url: str) -> dict[str, list[Any]]:
    """Return the rows of all tables, sorted."""
    with psycopg.connect(url) as db:
        return {table: sorted(db.execute(f"SELECT * FROM {table}".encode())) for table in TABLES}


def people(url: str) -> dict[str, list[Any]]:
    """Return the rows of all tables that have some, without those in which a bot notes how it is itself."""
    return {table: found for table, found in moved_rows(url).items() if found and table != "facts"}


async def refused(path: Path, url: str, error: type[StoreFailed | StoreRefused] = StoreRefused) -> str:
    """Return the sentence of a refusal. Check that it hides the password, and that the file is as it was."""
    before = path.read_bytes()
    with pytest.raises(error) as refusal:
        await move_to(path, url)
    assert "secret" not in str(refusal.value)
    assert "DATABASE_URL cannot" not in str(refusal.value)
    assert path.read_bytes() == before
    return str(refusal.value)


async def test_every_row_of_every_table_is_moved(file: Path, database_url: str) -> None:
    async with opened(database_url) as store:  # as by a bot that was started there once
        await store.heartbeat(5)
        await store.set_fact("application", "5")
        await store.add_outage(5, 6)
    change(file, "UPDATE season_tables SET name = 'Bob \\N' || char(9, 10, 13, 92) || '🌴'")
    before, names = file.read_bytes(), {each.name for each in file.parent.iterdir()}
    said = await move_to(file, database_url)
    assert f"Moved {size_of(file, 'matches')} matches, " in said
    assert "everything was as stored" in said
    assert f"{file} is as it was" in said
    assert file.read_bytes() == before
    assert {each.name for each in file.parent.iterdir()} == names | {f"{file.name}.lock"}
    query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    stored = {name: sorted(rows(file, f"SELECT * FROM {name}")) for (name,) in rows(file, query)}
    ((versions,),) = rows(NEWEST, "SELECT json_group_array(name) FROM sqlite_schema")
    assert [name for name, found in stored.items() if not found and name in versions] == []
    ((hashed, at, _),) = stored["erasures"]
    stored["erasures"] = [("cd" * 32 + hashed, at, 1)]
    assert moved_rows(database_url) == stored


async def test_numbers_go_on_behind_the_highest(file: Path, database_url: str) -> None:
    highest = dict(rows(file, "SELECT * FROM sqlite_sequence"))
    change(file, f"UPDATE sqlite_sequence SET seq = {highest['matches'] + 50} WHERE name = 'matches'")
    await move_to(file, database_url)
    async with opened(database_url) as store:
        assert (await lobby(store)).id > highest["matches"] + 50
        season = await store.add_season(GUILD, 5, "Next", 1_900_000_000_000, 1_900_000_000_001)
        assert season is not None
        assert season.id == highest["seasons"] + 1


async def test_a_file_without_matches_is_moved(tmp_path: Path, database_url: str) -> None:
    async with opened(tmp_path / "new.sqlite3"):
        pass
    assert "Moved 0 matches" in await move_to(tmp_path / "new.sqlite3", database_url)
    async with opened(database_url) as store:
        assert (await lobby(store)).id == 1


async def test_what_a_killed_bot_has_left_in_the_write_ahead_log_is_moved(
    file: Path, tmp_path: Path, database_url: str
) -> None:
    killed = tmp_path / "killed.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        with db:
            db.execute("INSERT INTO facts VALUES ('commands', 'new')")
        for ending in ("", "-wal"):
            killed.with_name(killed.name + ending).write_bytes(Path(f"{file}{ending}").read_bytes())
    ledger_of(file).rename(ledger_of(killed))
    before = killed.read_bytes()
    await move_to(killed, database_url)
    assert ("commands", "new") in moved_rows(database_url)["facts"]
    assert killed.read_bytes() == before


async def test_a_recount_corrects_the_standings_that_were_moved(file: Path, database_url: str) -> None:
    ((match, score),) = rows(
        file, "SELECT match, score FROM results WHERE match IN (SELECT match FROM packed_logs) LIMIT 1"
    )
    change(file, f"UPDATE results SET score = {score + 1} WHERE match = {match}")
    assert f"corrected results of 1: match {match}" in await move_to(file, database_url)
    found = [each[7] for each in moved_rows(database_url)["results"] if each[0] == match]
    assert score in found


# Refusals


async def test_a_database_that_is_in_use_is_left_as_it_was(file: Path, database_url: str) -> None:
    async with opened(database_url) as store:
        assert await refused(file, database_url) == (
            "Another bot or task uses the database in the address. Stop it, or name another database."
        )
        await store.set_preference(7, "cards", "large")
    before = moved_rows(database_url)
    assert "in use already" in await refused(file, database_url)
    assert moved_rows(database_url) == before


async def test_a_file_that_is_in_use_or_of_another_version_is_refused_before_the_database_is_opened(
    file: Path, tmp_path: Path
) -> None:
    url = "postgresql://palmhouse:secret@/postgres?host=/nowhere"
    with alone(file):
        assert "Another bot or task uses the database" in await refused(file, url)
    older = Path(copy(file, tmp_path / "older.sqlite3"))
    change(older, f"PRAGMA user_version = {newest_version() - 1}")
    assert "was written by an older Palmhouse" in await refused(older, url)
    write_down(file, Erasure.of(7))
    assert "is a backup from before somebody was erased" in await refused(file, url)
    change(file, "PRAGMA user_version = 999")
    assert "was written by a newer Palmhouse" in await refused(file, url)
    file.write_text("Dear diary")
    assert "the file is not a database" in await refused(file, url)


async def test_an_address_without_a_database_is_explained(file: Path, postgresql: Server) -> None:
    for address, said in (
        (f"palmhouse:secret@/nowhere?host={postgresql.folder}", 'database "nowhere" does not exist'),
        (f"stranger:secret@/postgres?host={postgresql.folder}", 'role "stranger" does not exist'),
        ("palmhouse:secret@127.0.0.1:1/postgres", "Connection refused"),
    ):
        sentence = await refused(file, f"postgresql://{address}")
        assert sentence.startswith("The database in the address cannot be used: ")
        assert said in sentence


async def test_a_row_that_postgresql_does_not_take_is_explained(file: Path, database_url: str) -> None:
    change(file, "UPDATE season_tables SET name = char(65, 0)")
    assert "PostgreSQL refuses a row: " in await refused(file, database_url, StoreFailed)
    assert people(database_url) == {}


async def test_a_damaged_log_is_named(file: Path, database_url: str) -> None:
    ((over,),) = rows(
        file, "SELECT max(id) FROM matches WHERE phase = 'over' AND id IN (SELECT match FROM log)"
    )
    change(file, f"UPDATE log SET body = 'nonsense' WHERE match = {over} AND kind = 'move'")
    said = await refused(file, database_url, StoreFailed)
    assert said.startswith(f"The log of match {over}, which is over, does not replay")
    assert people(database_url) == {}


async def test_rows_that_are_lost_on_their_way_are_noticed(file: Path, database_url: str) -> None:
    with installed(database_url, "BEFORE INSERT ON clocks", "RETURN NULL"):
        assert f"The table clocks has 0 rows instead of {size_of(file, 'clocks')}." in await refused(
            file, database_url, StoreFailed
        )
    assert people(database_url) == {}


async def test_a_connection_that_is_lost_at_the_end_leaves_a_doubt(file: Path, database_url: str) -> None:
    deferred = "AFTER INSERT ON clocks DEFERRABLE INITIALLY DEFERRED"
    with installed(database_url, deferred, "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL"):
        said = await refused(file, database_url, InDoubt)
    assert "so it has everything or nothing. Run this again" in said
    assert people(database_url) == {}


@contextmanager
def installed(url: str, when: str, body: str) -> Iterator[None]:
    """Install a trigger for each row until the end of the block."""
    kind = "CONSTRAINT TRIGGER" if "DEFERRED" in when else "TRIGGER"
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(
            f"CREATE FUNCTION test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body}; END $$;"
            f"CREATE {kind} test {when} FOR EACH ROW EXECUTE FUNCTION test()".encode()
        )
        try:
            yield
        finally:
            db.execute("DROP FUNCTION test CASCADE")


# Interruptions


WAITING = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'COPY ratings %'"


async def interrupted(url: str, act: Callable[[int], Awaitable[None]]) -> None:
    """Let a move wait in the middle, when it has copied matches and logs. Call `act` then with the process of the
    server for it."""
    with psycopg.connect(url) as db, psycopg.connect(url, autocommit=True) as looking:
        db.execute("LOCK TABLE ratings IN EXCLUSIVE MODE")
        async with asyncio.timeout(30):
            while (waiting := looking.execute(WAITING).fetchone()) is None:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.02)
        await act(waiting[0])


async def test_a_move_that_is_killed_leaves_nothing_and_can_be_run_again(
    file: Path, tmp_path: Path, database_url: str
) -> None:
    url = database_url.replace("palmhouse@", "palmhouse:secret@")
    process = await begin(tmp_path, "move-to", url, DATABASE_PATH=str(file), DATABASE_URL=url)

    async def kill(_: int) -> None:
        process.kill()
        await process.wait()

    before = file.read_bytes()
    await interrupted(url, kill)
    assert people(url) == {}
    assert file.read_bytes() == before
    process = await begin(
        tmp_path, "move-to", url, stdout=asyncio.subprocess.PIPE, DATABASE_PATH=str(file), DATABASE_URL=url
    )
    said, progress = (text.decode() for text in await process.communicate())
    assert process.returncode == 0, progress
    assert said.startswith(f"Moved {size_of(file, 'matches')} matches, ")
    assert said.splitlines()[-1].startswith("Set DATABASE_URL to the address now, and start the bot. ")
    assert {line.rpartition(" ")[2] for line in progress.splitlines()} == {"rows", "matches"}
    assert "secret" not in said + progress


async def test_a_connection_that_is_lost_in_the_middle_leaves_nothing(file: Path, database_url: str) -> None:
    async def end(pid: int) -> None:
        with pytest.raises(StoreRefused, match="Another bot or task uses"):
            await open_store(database_url)
        with pytest.raises(StoreRefused, match="Another bot or task uses"), alone(file):
            pass
        with psycopg.connect(database_url, autocommit=True) as db:
            db.execute(f"SELECT pg_terminate_backend({pid}, 5000)".encode())

    moving = asyncio.create_task(refused(file, database_url, StoreFailed))
    await interrupted(database_url, end)
    said = await moving
    assert said == "The connection to the PostgreSQL database was lost. Run this again when it is back."
    assert people(database_url) == {}


# The command line


def test_what_is_no_address_is_refused_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(["move-to", "mysql://me:secret@localhost/cards"])
    said = capsys.readouterr().err
    assert "this is not the address of a PostgreSQL database; write postgresql://" in said
    assert "secret" not in said


async def test_without_a_file_there_is_nothing_to_move(tmp_path: Path) -> None:
    path = tmp_path / "none.sqlite3"
    wanted = Namespace(task="move-to", sandbox=None, url="postgresql://me:secret@localhost/cards")
    with pytest.raises(StartRefused, match="so there is nothing to move"):
        await move_database(Settings(database_path=path), wanted)
    assert [*tmp_path.iterdir()] == []
