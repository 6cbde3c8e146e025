"""A sandbox with the bot connected to it, in one process but with real sockets and real files."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from bot.cli.start import enter_sandbox
from bot.client import Palmhouse
from bot.gateway.discord_time import DiscordTime
from bot.match.times import Times
from bot.store import open_store
from sandbox import TOKEN, Channel, Guild, Message, Person, Sandbox, TextChannel
from tests.bot.store.stores import new_database
from tests.simulation.loop import Loop
from tests.simulation.workers import rasterizer, thinker

Stored = TypeVar("Stored")
PATIENCE = 30.0
"""Seconds within which an interaction must get its first answer. Discord allows three, but a busy machine may stop
for longer: ten were too few where other work took both processors."""
UNDER_WAY = 0.02
"""Seconds until an interaction reaches the bot. Meanwhile it has heard what became of its answer to the last one, as
nobody acts faster than that."""
QUICK = Times(reading=(0, 0), grace=0)
"""Times of tests, which read nothing and are called at once."""
REGISTERED: dict[tuple[str, ...], tuple[str, dict[Any, Any]]] = {}
"""By the cogs that a bot has beside the usual ones: what its database says about its commands once Discord knows them,
and these commands. In virtual time a new database has that already: a quarter of each start would be for them."""
NAMES = ("Alice", "Ben", "Cleo", "Dana", "Eve")


class CardRoom:
    """A Discord server with one channel, five people, and the bot."""

    def __init__(
        self, box: Sandbox, bot: Palmhouse, guild: Guild, room: TextChannel, people: list[Person]
    ) -> None:
        self.box = box
        self.bot = bot
        self.guild = guild
        self.room = room
        self.people = people

    async def rest(self) -> None:
        """Wait until the bot has heard what its last answer came to, and everything is shown."""
        await asyncio.sleep(2 * UNDER_WAY)
        await self.bot.publisher.wait()

    async def later(self, seconds: float) -> None:
        """Let time pass that nobody waits for, and the bot learn it."""
        self.box.clock.advance(seconds)
        await self.people[-1].slash(self.room, "tables")

    def thread(self, card: Message) -> Channel:
        """Return the thread of the match that the card belongs to."""
        return self.box.world.channel(card.id)

    def transcript(self, place: Channel) -> list[str]:
        """Return the bot's public messages there, line by line."""
        ours = [m for m in place.messages() if m.author is self.box.world.bot and not m.ephemeral]
        return [line for m in ours for line in m.text.splitlines()]


async def forget_nonces(place: Channel) -> None:
    """Let time pass in which Discord forgets the nonces of a channel again and again, as it does after minutes."""
    for _ in range(3):
        await asyncio.sleep(300)
        place.nonces.clear()


def new_sandbox(**options: Any) -> Sandbox:
    """Return a sandbox that interactions leave as late as Discord. In real time a busy machine may take longer."""
    box = Sandbox(**options)
    box.under_way = lambda: UNDER_WAY
    if not isinstance(asyncio.get_running_loop(), Loop):
        box.interactions.first_answer = PATIENCE
    return box


async def until_shown(box: Sandbox, condition: Callable[[], object], within: float) -> None:
    """Wait until what is posted fulfils a condition. It is looked at after each change and each second, which costs
    less than `until` where it takes minutes."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within):
            while not condition():
                await box.clock.change(1.0)
    await box.until(condition, 0.05)  # its error names the last messages


async def until_stored(
    read: Callable[[], Awaitable[Stored]], wanted: Callable[[Stored], object], within: float = 300
) -> Stored:
    """Read something each second until it is as wanted. Return it."""
    async with asyncio.timeout(within):
        while not wanted(found := await read()):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(1)
    return found


@asynccontextmanager
async def card_room(
    where: Path | str, *, rate_limits: bool = False, **chance: Any
) -> AsyncIterator[CardRoom]:
    """Run the bot on a sandbox. At the end of the block every request must have been valid for Discord."""
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(new_sandbox(rate_limits=rate_limits))
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        people = [box.person(name, guild) for name in NAMES]
        bot = await stack.enter_async_context(connected_bot(box, where, **chance))
        yield CardRoom(box, bot, guild, room, people)
    assert box.complaints == [], box.complaints


async def registered(where: Path, **chance: Any) -> tuple[str, dict[Any, Any]]:
    """Let a bot register its commands, and return what is kept of them in its database and at Discord."""
    async with card_room(where, **chance) as here:
        return await here.bot.store.fact("commands") or "", here.box.commands._commands


@asynccontextmanager
async def without_a_bot() -> AsyncIterator[tuple[Sandbox, TextChannel, Person, Person]]:
    """A server with a channel, Alice and Ben, to which bots can connect one after the other."""
    async with new_sandbox() as box:
        guild = box.guild("Palm Beach")
        yield box, guild.channel("card-room"), box.person("Alice", guild), box.person("Ben", guild)
    assert box.complaints == []


@asynccontextmanager
async def connected_bot(box: Sandbox, where: Path | str, **chance: Any) -> AsyncIterator[Palmhouse]:
    """Connect the bot to the sandbox until the end of the block. It has no worker processes and draws nothing."""
    async with AsyncExitStack() as stack:
        await enter_sandbox(stack, box.url)
        is_new = isinstance(where, Path) and not where.exists()
        if is_new:
            new_database(Path(where))
        store = await open_store(where)
        kept = REGISTERED.get(chance.get("extra_cogs", ()))
        if kept and is_new and isinstance(asyncio.get_running_loop(), Loop) and not box.commands.all():
            # If the bot defines them in another way, it registers them all the same.
            known, commands = kept
            await store.set_fact("commands", known)
            box.commands._commands = dict(commands)
        usual: dict[str, Any] = {"rasterizer": rasterizer(), "thinker": thinker(), "times": QUICK}
        usual["time"] = DiscordTime(inf)  # where the sandbox's clock jumps, no machine has slept
        bot = await stack.enter_async_context(Palmhouse(store, **(usual | chance)))
        bot._connection.guild_ready_timeout = 0.01  # the sandbox sends all servers at once
        if not isinstance(asyncio.get_running_loop(), Loop):
            bot.admission.late = PATIENCE  # else a busy machine defers what a test reads at once
        await bot.login(TOKEN)
        connection = asyncio.create_task(bot.connect())
        await bot.wait_until_ready()
        yield bot
        await bot.publisher.wait()
        await bot.close()
        await connection
