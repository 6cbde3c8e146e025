"""Opening a PostgreSQL database: what is refused, what a refusal says and hides, and the tables it makes."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from bot.store import StoreFailed, StoreRefused, open_store
from bot.store.postgresql.dialect import arranged, translate
from bot.store.postgresql.opening import prepare
from bot.store.sql.versions import SCRIPTS
from bot.store.sqlite.opening import empty, newest_version
from tests.bot.store.stores import copy_scripts, lobby, move, opened
from tests.postgresql import GUARDED, Server

COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
ORDER BY table_name, ordinal_position
"""


@pytest.fixture
def url(postgresql: Server) -> Iterator[str]:
    """Yield the address of a new database without tables."""
    postgresql.execute("CREATE DATABASE new")
    yield postgresql.url("new")
    postgresql.execute("DROP DATABASE new WITH (FORCE)")


async def refused(url: str) -> str:
    """Return the sentence of a refusal. Check that it hides the password."""
    with pytest.raises(StoreRefused) as refusal:
        await open_store(url)
    assert "secret" not in str(refusal.value)
    return str(refusal.value)


def columns(url: str) -> list[tuple[str, str]]:
    """Return all tables and their columns in order."""
    with psycopg.connect(url) as db:
        return [(table, column) for table, column in db.execute(COLUMNS)]


async def test_a_new_database_gets_its_tables_once_and_keeps_its_rows(url: str) -> None:
    async with opened(url) as store:
        match = await lobby(store)
        installation = await store.fact("installation")
    assert installation is not None
    assert len(installation) == 32
    async with opened(url) as store:
        assert await store.match(match.id) == match
        assert await store.fact("installation") == installation


async def test_the_tables_are_those_of_sqlite(url: str) -> None:
    async with opened(url):
        pass
    with closing(empty()) as db:
        db.row_factory = sqlite3.Row
        names = [row[0] for row in db.execute("SELECT name FROM pragma_table_list WHERE schema = 'main'")]
        tables = sorted(name for name in names if not name.startswith("sqlite_"))
        wanted = [(each, row[1]) for each in tables for row in db.execute(f"PRAGMA table_info({each})")]
    assert [each for each in columns(url) if each[0] != "palmhouse"] == wanted


async def test_a_later_migration_runs_once_and_keeps_the_rows(url: str, tmp_path: Path) -> None:
    async with opened(url) as store:
        match = await lobby(store)
    change = "ALTER TABLE posts ADD COLUMN more BIGINT; DELETE FROM clocks;"
    scripts = copy_scripts(SCRIPTS, tmp_path / "scripts", change)
    for _ in range(2):
        await (await prepare(url, scripts)).close()
    assert ("posts", "more") in columns(url)
    newest = newest_version()
    said = f"written by a newer Palmhouse (version {newest + 1}; this one knows {newest})"
    assert said in await refused(url)
    with psycopg.connect(url) as db:
        assert [*db.execute("SELECT id FROM matches")] == [(match.id,)]


@pytest.mark.parametrize("is_shared", [False, True])
async def test_the_tables_of_a_running_bot_are_not_migrated(
    url: str, tmp_path: Path, is_shared: bool
) -> None:
    """As by an update of the code before the bot is stopped: it could not read them any more."""
    scripts = copy_scripts(SCRIPTS, tmp_path / "scripts", "ALTER TABLE posts ADD COLUMN more BIGINT;")
    store = await open_store(url, is_shared=is_shared)
    with pytest.raises(StoreRefused, match=r"is of an older version, .* Stop all"):
        await prepare(url, scripts)
    assert ("posts", "more") not in columns(url)
    await store.close()
    await (await prepare(url, scripts)).close()
    assert ("posts", "more") in columns(url)


@pytest.mark.parametrize("is_shared", [False, True])
async def test_tables_that_were_migrated_while_the_connection_was_lost_end_a_bot(
    url: str, postgresql: Server, tmp_path: Path, is_shared: bool
) -> None:
    """As when the server restarts between the update of the code and the restart of the last process."""
    scripts = copy_scripts(SCRIPTS, tmp_path / "scripts", "ALTER TABLE posts ADD COLUMN more BIGINT;")
    async with opened(url, is_shared=is_shared) as store:
        postgresql.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'new'")
        await (await prepare(url, scripts)).close()
        with pytest.raises(StoreFailed):
            await store.set_fact("written", "yes")
        async with asyncio.timeout(5):
            assert "Another bot has taken the database" in await store.until_lost()


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("SELECT 1 / 0", "division by zero"),
        ("SELECT pg_terminate_backend(pg_backend_pid())", "cannot be used"),
    ],
)
async def test_a_migration_that_fails_or_is_killed_changes_nothing(
    url: str, tmp_path: Path, failure: str, said: str
) -> None:
    async with opened(url):
        pass
    before = columns(url)
    change = f"ALTER TABLE posts ADD COLUMN more BIGINT; {failure};"
    with pytest.raises(StoreRefused, match=said):
        await prepare(url, copy_scripts(SCRIPTS, tmp_path / "scripts", change))
    assert columns(url) == before
    async with opened(url):
        pass


async def test_a_migration_that_makes_the_tables_anew_is_not_taken_for_a_restore(
    url: str, tmp_path: Path
) -> None:
    async with opened(url) as store:
        match = await lobby(store)
        log = await store.log(match.id)
    change = (
        "ALTER TABLE matches RENAME TO former; CREATE TABLE matches (LIKE former INCLUDING ALL);"
        "INSERT INTO matches SELECT * FROM former;"
    )
    scripts = copy_scripts(SCRIPTS, tmp_path / "scripts", change)
    for _ in range(2):
        await (await prepare(url, scripts)).close()
    with psycopg.connect(url) as db:
        assert [*db.execute("SELECT max(n) FROM log WHERE match = %s", (match.id,))] == [(len(log),)]


async def test_a_dump_of_an_older_version_is_migrated_before_its_restore_is_noted(
    url: str, tmp_path: Path
) -> None:
    scripts = copy_scripts(SCRIPTS, tmp_path / "scripts")
    for each in (scripts / "migrations").iterdir():
        each.unlink()
    await (await prepare(url, scripts)).close()
    with psycopg.connect(url) as db:
        db.execute("UPDATE facts SET value = '' WHERE key = 'tables'")
    async with opened(url) as store:
        assert (await lobby(store)).id > 10_000


async def test_the_database_of_another_program_is_left_alone(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("CREATE TABLE theirs (id BIGINT)")
    assert "belongs to another program and was left alone" in await refused(url)
    assert columns(url) == [("theirs", "id")]


async def test_only_one_bot_may_use_a_database(url: str) -> None:
    async with opened(url) as store:
        assert "Another bot or task uses the database" in await refused(url)
        match = await lobby(store)
        await store.append(match.id, [move(2)])
    async with opened(url) as store:
        assert len(await store.log(match.id)) == 2


async def test_a_refusal_gives_the_reason_and_never_the_password(postgresql: Server) -> None:
    host = postgresql.folder
    for address, said in (
        (f"postgresql://palmhouse:secret@/nowhere?host={host}", 'database "nowhere" does not exist'),
        (f"postgresql://stranger:secret@/postgres?host={host}", 'role "stranger" does not exist'),
        ("postgresql://palmhouse:secret@/postgres?host=/nowhere", "No such file or directory"),
        ("postgresql://palmhouse:secret@127.0.0.1:1/postgres", "Connection refused"),
        ("postgresql://palmhouse:secret%zz@/postgres", "it is malformed"),
        ("postgresql://palmhouse:secret@/postgres?colour=red", "it is malformed"),
        (f"postgresql://palmhouse:secret@/postgres?host={host}&sslmode=blue", "sslmode"),
    ):
        sentence = await refused(address)
        assert sentence.startswith("The database in DATABASE_URL cannot be used: ")
        assert said in sentence
        assert sentence.endswith("DATABASE_URL."), "the remedy"


async def test_a_password_with_an_at_sign_that_is_not_escaped_is_not_shown_either() -> None:
    """Everything after the first @ is the name of the host then, and no such host is found."""
    for address in (
        "postgresql://palmhouse:half@secret@localhost/palmhouse",
        "postgresql://palmhouse:half@secret,quarter@localhost/palmhouse",
    ):
        sentence = await refused(address)
        assert sentence.startswith("The database in DATABASE_URL cannot be used: ")
        assert "%40" in sentence


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
async def test_a_database_that_cannot_hold_all_names_is_refused(postgresql: Server, encoding: str) -> None:
    name = encoding.lower()
    postgresql.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    said = await refused(postgresql.url(name))
    assert f"has the encoding {encoding}" in said
    assert "createdb --encoding=UTF8" in said
    postgresql.execute(f"DROP DATABASE {name}")


async def test_a_wrong_password_and_too_many_connections_are_given_as_the_reason(postgresql: Server) -> None:
    postgresql.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD 'the secret' CONNECTION LIMIT 0")
    for password, said in (
        ("secret", "password authentication failed for user"),
        ("the%20secret", "too many connections for role"),
    ):
        sentence = await refused(f"postgresql://{GUARDED}:{password}@/postgres?host={postgresql.folder}")
        assert f'{said} "{GUARDED}"' in sentence
    postgresql.execute(f"DROP ROLE {GUARDED}")


async def test_a_user_who_may_not_make_tables_is_told_so(postgresql: Server, url: str) -> None:
    postgresql.execute("CREATE ROLE guest LOGIN")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("REVOKE CREATE ON SCHEMA public FROM public")
    assert "may not do this" in await refused(url.replace("palmhouse@", "guest@"))
    postgresql.execute("DROP ROLE guest")


def test_statements_are_translated() -> None:
    for statement, wanted in (
        ("SELECT ? , ?", ("SELECT $1 , $2", ())),
        ("SELECT ?2, ?1, ?2", ("SELECT $2, $1, $2", ())),
        ("SELECT :b, :a, :b, 1::text", ("SELECT $1, $2, $1, 1::text", ("b", "a"))),
        ("SELECT r.user, placing FROM results AS r", ('SELECT r."user", "placing" FROM results AS r', ())),
        ("SELECT 'text only', only", ("SELECT 'text only', \"only\"", ())),
        ("FROM a INDEXED BY i CROSS JOIN b ON :user = 1", ("FROM a  JOIN b ON $1 = 1", ("user",))),
    ):
        assert translate(statement) == wanted
    assert arranged({"a": 1, "b": 2}, ("b", "a")) == [2, 1]
