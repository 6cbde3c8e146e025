"""The leases of processes that share the shards of a bot, on a real server; renewals are fast here."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack

import psycopg
import pytest

from bot.gateway.held_shards import Bot, HeldShards, ShardsTaken, Waits
from bot.gateway.shard_range import ShardRange
from bot.store.postgresql.processes import PostgreSQLProcesses
from tests.postgresql import Server, sessions

NOW = 1_000_000


SOON = Waits(renewal=0.05, sure=2.0, look=0.05)
"""Renewals are frequent, and a lease is sure for two seconds only."""


class Process:
    """A process whose bot notes which shards it serves."""

    def __init__(self, url: str, wanted: str, waits: Waits = SOON) -> None:
        self.held = HeldShards(PostgreSQLProcesses(url), ShardRange.parse(wanted), waits)
        self.now = NOW
        self.slept = 0
        """Ms by which its clock is corrected before it leaves a shard, and once more while it leaves it."""
        self.is_lively = True
        self.away: Mapping[int, int] = {}
        self.served = dict[int, int]()
        """By shard: the time up to which people could act there."""

    def begin(self, shard: int, since: int, away: Mapping[int, int]) -> None:
        self.served[shard] = since
        self.away = away

    async def hand_over(self, _shards: Sequence[int]) -> None:
        self.now += self.slept

    async def end(self, shard: int) -> None:
        self.now += self.slept
        del self.served[shard]

    async def run(self, stack: AsyncExitStack) -> None:
        """Claim the shards, log in, and run until the stack is left."""
        await self.start(stack)
        self.log_in()

    async def start(self, stack: AsyncExitStack) -> None:
        """Claim the shards, and run without a login until the stack is left."""
        stack.push_async_callback(self.held.close)
        await self.held.claim()
        running = asyncio.create_task(self.held.run())
        stack.callback(running.cancel)

    def log_in(self) -> None:
        self.held.serve_with(
            Bot(
                self.begin,
                self.end,
                lambda _: self.is_lively,
                lambda: self.now,
                lambda: self.away,
                self.hand_over,
            )
        )


@pytest.fixture
async def stack(database_url: str) -> AsyncIterator[AsyncExitStack]:
    """A stack whose processes are closed at the end, on a database without leases."""
    with psycopg.connect(database_url) as db:
        db.execute("DROP TABLE IF EXISTS leases, session_turns")
    async with AsyncExitStack() as stack:
        yield stack


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.05)
    assert condition()


async def test_processes_for_any_shards_share_them_equally(stack: AsyncExitStack, database_url: str) -> None:
    async with AsyncExitStack() as leaving:
        fixed, one, two = (Process(database_url, wanted) for wanted in ("0-1/8", "any/8", "any/8"))
        third = Process(database_url, "any/8")
        for each in (fixed, one, two):
            await each.run(stack)
        await third.run(leaving)
        everybody = fixed, one, two, third
        await until(lambda: [len(each.served) for each in everybody] == [2, 2, 2, 2])
        assert sorted(shard for each in everybody for shard in each.served) == [*range(8)]
        assert [guild for guild in range(8) if fixed.held.owns(guild << 22)] == [0, 1]
    await until(lambda: [len(each.served) for each in (fixed, one, two)] == [2, 3, 3])


async def test_a_process_for_any_shards_takes_none_before_it_has_logged_in(
    stack: AsyncExitStack, database_url: str
) -> None:
    one, two = (Process(database_url, "any/4") for _ in range(2))
    await one.run(stack)
    await until(lambda: len(one.served) == 4)
    await two.start(stack)
    await asyncio.sleep(10 * SOON.renewal)
    assert len(one.served) == 4, "nobody else would serve them while Discord is away for the other one"
    two.log_in()
    await until(lambda: [len(each.served) for each in (one, two)] == [2, 2])


async def test_another_number_of_shards_is_refused_while_a_process_logs_in(
    stack: AsyncExitStack, database_url: str
) -> None:
    await Process(database_url, "any/2").start(stack)
    with pytest.raises(ShardsTaken):
        await Process(database_url, "any/4").run(stack)


async def test_a_shard_is_left_before_its_lease_ends_when_the_database_does_not_answer(
    stack: AsyncExitStack, database_url: str, postgresql: Server, caplog: pytest.LogCaptureFixture
) -> None:
    process = Process(database_url, "0-2/3")
    await process.run(stack)
    await until(lambda: len(process.served) == 3)
    postgresql.execute("ALTER DATABASE palmhouse ALLOW_CONNECTIONS false")
    try:
        for each in sessions(postgresql.url("postgres")):
            postgresql.execute(f"SELECT pg_terminate_backend({each})")
        await until(lambda: not process.held.owns(0))
        await until(lambda: not process.served)
        said = [each for each in caplog.messages if "could not be renewed" in each]
        assert len(said) == len({*said}), "each reason once"
    finally:
        postgresql.execute("ALTER DATABASE palmhouse ALLOW_CONNECTIONS true")
    await until(lambda: len(process.served) == 3)
    assert {*process.served.values()} == {NOW}, "the time since the last renewal is given back"


async def test_who_leaves_a_shard_says_until_when_people_could_act_there(
    stack: AsyncExitStack, database_url: str
) -> None:
    one, two = (Process(database_url, "any/2") for _ in range(2))
    await one.run(stack)
    await until(lambda: len(one.served) == 2)
    one.slept = 7_200_000
    await two.run(stack)
    await until(lambda: len(two.served) == 1)
    # A deadline of a shard that is served is moved by a correction; one of a shard that is being left is not.
    assert [*two.served.values()] == [NOW + 7_200_000]


async def test_a_shard_is_owned_once_the_bot_serves_it(stack: AsyncExitStack, database_url: str) -> None:
    process = Process(database_url, "0/1")
    await process.run(stack)
    assert [*process.held] == [0]
    assert not process.held.owns(0), "its clock does not know yet since when nobody could act there"
    await until(lambda: process.held.owns(0))
    assert [*process.served] == [0]


async def test_it_is_noted_at_once_since_when_nobody_can_act(
    stack: AsyncExitStack, database_url: str
) -> None:
    process = Process(database_url, "0/1", Waits(renewal=60.0))
    process.is_lively = False
    await process.run(stack)
    await until(lambda: 0 in process.served)

    def noted() -> object:
        with psycopg.connect(database_url) as db:
            return db.execute("SELECT lively FROM leases WHERE shard = 0").fetchall()

    assert noted() == [(NOW,)], "nobody has lost any time before"
    process.now, process.is_lively = NOW + 1, True
    process.held.renew_soon()
    await until(lambda: noted() == [(NOW + 1,)])


async def test_shards_of_a_process_that_runs_are_refused(stack: AsyncExitStack, database_url: str) -> None:
    process = Process(database_url, "1/2")
    await process.run(stack)
    name = process.held.processes.holder
    for wanted, said in (
        ("0-1/2", f"Shard 1 of 2 is served by {name}, which has it until "),
        ("0/4", f"SHARDS names 4 shards in all, but {name} has 2."),
        ("any/4", f"SHARDS names 4 shards in all, but {name} has 2."),
    ):
        async with AsyncExitStack() as refused:
            with pytest.raises(ShardsTaken) as refusal:
                await Process(database_url, wanted).run(refused)
        assert str(refusal.value).startswith(said)
    await until(lambda: [*process.served] == [1])


async def test_the_shards_of_a_process_that_has_died_are_taken_once_its_leases_end(
    stack: AsyncExitStack, database_url: str
) -> None:
    dead = PostgreSQLProcesses(database_url)
    stack.push_async_callback(dead.close)
    await dead.take(0, 1)
    process = Process(database_url, "0/1")
    waiting = asyncio.create_task(process.run(stack))
    await asyncio.sleep(0.5)
    assert not waiting.done()
    with psycopg.connect(database_url, autocommit=True) as db:
        db.execute("UPDATE leases SET until = now()")
    await waiting
    await until(lambda: [*process.served] == [0])
