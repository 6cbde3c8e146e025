"""PostgreSQL that is slow, full, frozen or gone: moves are refused soon and kindly, nothing acknowledged is lost."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest

from bot.store import InDoubt, Match, Store, StoreFailed, Unreadable
from bot.store.postgresql import connection
from bot.store.postgresql.faults import GONE, fault
from bot.store.postgresql.lock import KEY
from bot.store.postgresql.store import PostgreSQLStore
from tests.bot.store.stores import lobby, move, opened
from tests.postgresql import Server, frozen, server, sessions

SOON = 2.5
"""Seconds within which everything is answered. Discord's limit is three."""
BACK = 10
"""Seconds within which a store finds a server again that is back, on a busy machine."""


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with opened(database_url) as store:
        yield store


@contextmanager
def soon() -> Iterator[None]:
    """Check that the block ends in time."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < SOON


async def append_until_kept(store: Store, match: Match, n: int) -> None:
    """Append entry `n` again and again until it is kept."""
    async with asyncio.timeout(BACK):
        while True:
            with suppress(StoreFailed):
                return await store.append(match.id, [move(n)])
            await asyncio.sleep(0.05)


async def append_until_refused(store: Store, match: Match) -> None:
    """Append an entry again and again while the database does not answer."""
    while True:
        try:
            await store.append(match.id, [move(2)])
        except StoreFailed as failure:
            if "does not answer" not in str(failure):
                raise
        await asyncio.sleep(0.05)


async def append_each(store: Store, matches: Sequence[Match], *bodies: str) -> list[BaseException | None]:
    """Append a move with each of these bodies to a match, at the same time. Return what came of each."""
    appends = (store.append(match.id, [move(2, body)]) for match, body in zip(matches, bodies, strict=True))
    return await asyncio.gather(*appends, return_exceptions=True)


async def numbers(store: Store, match: Match) -> list[int]:
    return [row.n for row in await store.log(match.id)]


# Gone


async def test_while_the_server_is_gone_all_is_refused_soon_and_then_play_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server() as own:
        async with opened(f"{own.url('postgres')}&options=-csynchronous_commit%3Don") as store:
            match = await lobby(store)
            await store.append(match.id, [move(2)])
            own.stop()
            for _ in range(2):
                with (
                    soon(),
                    pytest.raises(StoreFailed, match=r"^This was not saved: the database does not answer"),
                ):
                    await store.append(match.id, [move(3)])
                with soon(), pytest.raises(Unreadable, match="does not answer"):
                    await store.log(match.id)
            assert store._writer.fault
            await asyncio.to_thread(own.start)
            await append_until_kept(store, match, 3)
            assert await numbers(store, match) == [1, 2, 3]
            assert (await store.health()).fault is None


async def test_a_server_that_has_ended_an_idle_connection_is_not_noticed(
    store: Store, database_url: str
) -> None:
    match = await lobby(store)
    await numbers(store, match)
    with psycopg.connect(database_url, autocommit=True) as db:
        for pid in sessions(database_url):
            db.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
    async with asyncio.timeout(BACK):
        await store.append(match.id, [move(2)])
        assert await numbers(store, match) == [1, 2]


async def test_a_server_that_freezes_is_given_up_soon(
    store: Store, database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    match = await lobby(store)
    await numbers(store, match)
    assert caplog.messages == []
    with frozen(database_url):
        with soon(), pytest.raises(StoreFailed, match="does not answer"):
            await store.append(match.id, [move(2)])
        with soon(), pytest.raises(Unreadable, match="does not answer"):
            await store.log(match.id)
    await append_until_kept(store, match, 2)
    assert await numbers(store, match) == [1, 2]
    assert caplog.messages.count("a connection to the database is lost; it is opened again") == 2
    assert "the connection to the database is open again" in caplog.messages


async def test_writes_that_wait_behind_a_frozen_one_are_answered_soon(
    store: Store, database_url: str
) -> None:
    matches = [await lobby(store) for _ in range(5)]
    with frozen(database_url):
        first = asyncio.create_task(store.append(matches[0].id, [move(2)]))
        await asyncio.sleep(0.1)
        with soon():
            rest = (store.append(match.id, [move(2)]) for match in matches[1:])
            outcomes = await asyncio.gather(first, *rest, return_exceptions=True)
    assert isinstance(outcomes[0], StoreFailed)
    for match, outcome in zip(matches, outcomes, strict=True):
        if outcome is not None:
            await append_until_kept(store, match, 2)
        assert await numbers(store, match) == [1, 2]


# A commit whose answer is lost


class Proxy:
    """Stands between a store and the server, and interferes when a commit comes along."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self.on_commit = ""
        """Fate of the next commit: "keep" and "lose" it without an answer, "keep and vanish", or "keep late"."""
        self.is_late = asyncio.Event()
        """Set when a late commit arrives."""
        self.opened = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        with closing(writer):
            if not self.opened:
                return
            back, forth = await asyncio.open_unix_connection(self._server)
            answers = asyncio.create_task(_copy(back, writer))
            with closing(forth):
                while (data := await reader.read(65_536)) and not (self.on_commit and b"COMMIT" in data):
                    forth.write(data)
                answers.cancel()
                if data:
                    how, self.on_commit = self.on_commit, ""
                    self.opened = how != "keep and vanish"
                    if how == "keep late":
                        await self.is_late.wait()
                    if how != "lose":
                        forth.write(data)
                        await back.read(65_536)  # the answer, which nobody gets


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)


@asynccontextmanager
async def between(postgresql: Server, folder: Path) -> AsyncIterator[tuple[Proxy, str]]:
    """Yield a proxy for the database of the tests, and its address."""
    proxy = Proxy(postgresql.folder / ".s.PGSQL.5432")
    async with await asyncio.start_unix_server(proxy.serve, folder / ".s.PGSQL.5432"):
        yield proxy, f"postgresql://palmhouse@/palmhouse?host={folder}"


@pytest.fixture
async def through(
    database_url: str, postgresql: Server, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Store, Match]]:
    """Yield a store behind a proxy that interferes with the next commit, and a match there."""
    async with between(postgresql, tmp_path) as (proxy, url), opened(url) as store:
        match = await lobby(store)
        proxy.on_commit = request.param
        yield store, match


@pytest.mark.parametrize("through", ["keep"], indirect=True)
async def test_a_commit_whose_answer_is_lost_counts(through: tuple[Store, Match]) -> None:
    store, match = through
    with soon():
        await store.append(match.id, [move(2)])
    assert await numbers(store, match) == [1, 2]
    await store.append(match.id, [move(3)])


@pytest.mark.parametrize("through", ["lose"], indirect=True)
async def test_a_commit_that_never_arrives_is_refused_and_nothing_is_kept(
    through: tuple[Store, Match],
) -> None:
    store, match = through
    with soon(), pytest.raises(StoreFailed, match=r"^This was not saved: the database does not answer"):
        await store.append(match.id, [move(2)], deadlines={})
    assert await numbers(store, match) == [1]
    assert await store.deadlines(match.id) == {-1: 9_000}
    await store.append(match.id, [move(2)])


@pytest.mark.parametrize("through", ["keep and vanish"], indirect=True)
async def test_a_commit_of_which_nothing_can_be_learned_is_called_uncertain(
    through: tuple[Store, Match], database_url: str
) -> None:
    store, match = through
    with soon(), pytest.raises(StoreFailed, match=r"^It is not certain whether this was saved"):
        await store.append(match.id, [move(2)])
    direct = await PostgreSQLStore.open(database_url, is_alone=False)
    assert await numbers(direct, match) == [1, 2]
    await direct.close()


async def test_nothing_is_loaded_while_a_commit_may_still_come_to_be_seen(
    database_url: str, postgresql: Server, tmp_path: Path
) -> None:
    async with between(postgresql, tmp_path) as (proxy, url):
        # Without the lock, as it would end the transaction; it cannot end one that waits for a disk.
        store = await PostgreSQLStore.open(url, is_alone=False)
        match = await lobby(store)
        proxy.on_commit = "keep late"
        with soon(), pytest.raises(InDoubt):
            await store.append(match.id, [move(2)])
        assert await numbers(store, match) == [1]
        with pytest.raises(Unreadable, match="does not answer"):
            await store.flush()
        proxy.is_late.set()
        async with asyncio.timeout(BACK):
            while store._database.doubted:
                with suppress(Unreadable):
                    await store.flush()
        assert await numbers(store, match) == [1, 2]
        await store.close()


async def test_all_is_loaded_from_a_server_that_does_not_know_a_commit_in_doubt(database_url: str) -> None:
    """As one that came back as an older copy."""
    store = await PostgreSQLStore.open(database_url, is_alone=False)
    store._database.doubted = {str(10**9)}
    await store.flush()
    assert not store._database.doubted
    await store.close()


# Slow, full, refused


@pytest.fixture
def failing(database_url: str) -> Iterator[Callable[[str], None]]:
    """Yield a function that lets each new entry of a log run a statement of PL/pgSQL."""
    with psycopg.connect(database_url, autocommit=True) as db:

        def fail(statement: str) -> None:
            db.execute(
                "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql"
                f" AS $$ BEGIN {statement}; RETURN NEW; END $$".encode()
            )

        fail("NULL")
        db.execute("CREATE TRIGGER fail BEFORE INSERT ON log FOR EACH ROW EXECUTE FUNCTION fail()")
        yield fail
        db.execute("DROP FUNCTION fail CASCADE")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("RAISE disk_full", "the disk of the database is full; free some space"),
        ("PERFORM pg_sleep(5)", "the database is too slow"),
        ("RAISE read_only_sql_transaction", "the database takes no writes"),
        ("PERFORM 1 / 0", "division by zero"),
    ],
)
async def test_a_write_that_the_server_refuses_is_explained_and_fails_alone(
    store: Store, failing: Callable[[str], None], statement: str, said: str
) -> None:
    matches = [await lobby(store) for _ in range(2)]
    failing(f"IF NEW.body = 'bad' THEN {statement}; END IF")
    with soon(), pytest.raises(StoreFailed, match=said):
        await store.append(matches[0].id, [move(2, "bad")], deadlines={})
    is_fault = said != "division by zero"
    assert (store._writer.fault is not None) == is_fault
    outcomes = await append_each(store, matches, "bad", "good")
    assert isinstance(outcomes[0], StoreFailed)
    assert outcomes[1] is None
    assert [await numbers(store, match) for match in matches] == [[1], [1, 2]]
    assert await store.deadlines(matches[0].id) == {-1: 9_000}


async def test_after_a_time_without_writes_the_bot_plays_on_by_itself(
    store: Store, database_url: str
) -> None:
    match = await lobby(store)
    name = psycopg.conninfo.conninfo_to_dict(database_url)["dbname"]
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        for pid in sessions(database_url):  # the setting is for new sessions
            db.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
        with pytest.raises(StoreFailed, match="the database takes no writes"):
            async with asyncio.timeout(BACK):
                await append_until_refused(store, match)
        db.execute("SET default_transaction_read_only = off")
        db.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    await append_until_kept(store, match, 2)
    assert await numbers(store, match) == [1, 2]


async def test_a_commit_that_the_server_refuses_fails_for_all_and_the_next_succeeds(
    store: Store, failing: Callable[[str], None], database_url: str
) -> None:
    matches = [await lobby(store) for _ in range(2)]
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute(
            "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON log DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION fail()"
        )
    failing("IF NEW.body = 'bad' AND TG_WHEN = 'AFTER' THEN RAISE 'too late'; END IF")
    for bodies, kept in ((("bad", "good"), []), (("good", "good"), [2])):
        outcomes = await append_each(store, matches, *bodies)
        assert ["too late" in str(outcome) for outcome in outcomes] == [not kept] * 2
        assert [await numbers(store, match) for match in matches] == [[1, *kept]] * 2


async def test_a_text_that_the_server_cannot_keep_is_refused_alone(store: Store) -> None:
    matches = [await lobby(store) for _ in range(2)]
    outcomes = await append_each(store, matches, "\0", "good")
    assert "cannot keep this" in str(outcomes[0])
    assert outcomes[1] is None
    assert [await numbers(store, match) for match in matches] == [[1], [1, 2]]
    assert store._writer.fault is None


async def test_a_slow_read_is_ended_and_holds_up_no_other(store: Store) -> None:
    match = await lobby(store)
    slow = asyncio.create_task(store._read("SELECT pg_sleep(5)"))
    await asyncio.sleep(0.05)
    assert await numbers(store, match) == [1]
    assert not slow.done()
    with soon(), pytest.raises(Unreadable, match="too slow"):
        await slow


async def test_a_read_or_write_about_many_matches_has_more_time(
    store: Store, failing: Callable[[str], None], database_url: str
) -> None:
    await store._read_long(f"SELECT pg_sleep({connection.LONGEST + 0.2})")
    match = await lobby(store)
    failing(f"PERFORM pg_sleep({connection.LONGEST + 0.2})")
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("CREATE TRIGGER slow BEFORE INSERT ON guilds_left FOR EACH ROW EXECUTE FUNCTION fail()")
    await store.mark_left_guilds([], 5)
    assert await store.left_guilds(5) == []  # its match is open
    await store.append(match.id, [], phase="closed")
    assert await store.left_guilds(5) == [match.guild]


async def test_a_bot_whose_database_another_one_has_taken_meanwhile_ends(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        store = await PostgreSQLStore.open(database_url, give_up=0.1)
        stack.push_async_callback(store.close)
        match = await lobby(store)
        other = stack.enter_context(psycopg.connect(database_url, autocommit=True))
        for pid in sessions(database_url):
            other.execute(f"SELECT pg_terminate_backend({pid}, 5000)")
        other.execute(f"SELECT pg_advisory_lock({KEY})")
        with soon(), pytest.raises(StoreFailed, match="does not answer"):
            await store.append(match.id, [move(2)])
        async with asyncio.timeout(BACK):
            assert "Another bot has taken the database" in await store.until_lost()


async def test_two_processes_at_one_match_store_each_entry_once(database_url: str) -> None:
    stores = [await PostgreSQLStore.open(database_url, is_alone=False) for _ in range(2)]
    match = await lobby(stores[0])

    async def play(store: Store) -> list[int]:
        won = []
        for n in range(2, 30):
            with suppress(StoreFailed):
                await store.append(match.id, [move(n)])
                won.append(n)
        return won

    won = await asyncio.gather(*map(play, stores))
    assert sorted(won[0] + won[1]) == (await numbers(stores[0], match))[1:]
    for each in stores:
        await each.close()


async def test_the_server_ends_a_connection_that_is_frozen_in_a_transaction(
    store: Store, database_url: str
) -> None:
    match = await lobby(store)
    async with await connection.opened(database_url) as raw:
        await raw.execute("BEGIN")
        await raw.execute("SELECT 1 FROM matches FOR UPDATE")
        await append_until_kept(store, match, 2)  # this row is kept from it until then
        with pytest.raises(psycopg.Error) as ended:
            await raw.execute("COMMIT")
    assert fault(ended.value) == GONE
