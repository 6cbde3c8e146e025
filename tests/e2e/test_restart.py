"""A restart that nobody notices: the next run of the bot continues the session with Discord's gateway."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.client import SESSION, Palmhouse
from bot.gateway.guild_cache import guild_data as stored
from bot.gateway.session import LASTS, MOST_GUILDS, Session, SessionsLeftOpen
from bot.gateway.shards import IDENTIFY_PAUSE
from bot.store import open_store
from sandbox import Message, Person, Sandbox, TextChannel
from sandbox.gateway import IDENTIFY_PERIOD
from tests.e2e.card_room import connected_bot, without_a_bot
from tests.e2e.hosted import until
from tests.e2e.players import open_table

GONE = "/gone"
"""Path of a gateway that is not there any more."""


class Room:
    """A lobby of two people."""

    def __init__(self, box: Sandbox, room: TextChannel, people: list[Person], card: Message) -> None:
        self.box = box
        self.room = room
        self.people = people
        self.card = card

    async def can_play(self) -> bool:
        """Return whether a button is answered, and a new table can be opened."""
        await open_table(self.room, "palace start", *self.people)
        return not (await self.people[0].click(self.card, "Rules")).failed


@pytest.fixture
async def stopped(file: Path) -> AsyncIterator[Room]:
    """A bot that ran until there was a lobby, and was stopped."""
    async with without_a_bot() as (box, room, *people):
        async with connected_bot(box, file):
            card = await open_table(room, "palace start", *people)
        box.clock.advance(IDENTIFY_PERIOD)  # another session may begin
        yield Room(box, room, people, card)


@asynccontextmanager
async def changed(file: Path, **values: object) -> AsyncIterator[None]:
    """Change the stored session."""
    store = await open_store(file)
    kept = json.loads(await store.fact(SESSION) or "")
    (only,) = kept["sessions"]
    for name, value in values.items():
        (only if name in only else kept)[name] = value
    await store.set_fact(SESSION, json.dumps(kept))
    await store.close()
    yield


async def test_a_move_while_the_bot_restarts_counts_once(stopped: Room, file: Path) -> None:
    clicking = asyncio.create_task(stopped.people[0].click(stopped.card, "Start"))
    await asyncio.sleep(0.001)
    async with connected_bot(stopped.box, file) as bot:
        assert not (await clicking).failed
        assert [row.kind for row in await bot.store.log(1)].count("start") == 1
    assert stopped.box.gateway.identifies == 1
    async with connected_bot(stopped.box, file) as bot:
        assert [row.kind for row in await bot.store.log(1)].count("start") == 1


async def test_a_click_while_the_bot_still_finishes_an_answer_is_handled_by_its_next_run(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben, *_):
        async with connected_bot(box, file) as first:
            card = await open_table(room, "palace start", alice, ben)
            box.clock.advance(IDENTIFY_PERIOD)
            box.fail("POST", "/callback$", None, delay=60)
            slow = asyncio.create_task(ben.slash(room, "help"))
            await box.until(lambda: bool(first._working))

            async def click_late() -> None:
                await box.until(lambda: first._leaving)
                assert not (await alice.click(card, "Start")).failed

            clicking = asyncio.create_task(click_late())
        async with connected_bot(box, file) as second:
            assert box.gateway.identifies == 1
            await clicking
            assert [row.kind for row in await second.store.log(1)].count("start") == 1
        box.clock.advance(60)
        await slow


def session(bot: Palmhouse) -> SessionsLeftOpen:
    found = SessionsLeftOpen.of(bot, bot.sockets, 0)
    assert found is not None
    return found


async def test_a_session_that_discord_refuses_is_replaced_at_once(stopped: Room, file: Path) -> None:
    began = asyncio.get_running_loop().time()
    stopped.box.gateway.sessions.clear()
    async with connected_bot(stopped.box, file) as bot:
        await stopped.box.until(lambda: stopped.box.gateway.identifies == 2)
        await bot.wait_until_ready()
        assert asyncio.get_running_loop().time() - began < IDENTIFY_PAUSE
        assert await stopped.can_play()


@pytest.mark.parametrize(
    "values",
    [{"left": 0}, {"form": 0, "guilds": [{}]}, {"application": 7}, {"gateway": GONE}, {"sequence": 10**6}],
    ids=["long-ago", "another-form", "another-application", "gone-gateway", "unknown-events"],
)
async def test_a_session_that_cannot_be_continued_is_replaced(
    stopped: Room, file: Path, values: dict[str, object]
) -> None:
    if values.get("gateway") == GONE:
        values = {"gateway": stopped.box.url.replace("http", "ws") + GONE}
    async with changed(file, **values), connected_bot(stopped.box, file) as bot:
        await stopped.box.until(lambda: stopped.box.gateway.identifies == 2)
        await bot.wait_until_ready()
        assert await stopped.can_play()


async def test_the_token_is_sent_to_no_gateway_that_a_changed_database_names(
    stopped: Room, file: Path
) -> None:
    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer)
        writer.close()

    asked: list[asyncio.StreamWriter] = []
    async with await asyncio.start_server(serve, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        async with changed(file, gateway=f"ws://127.0.0.1:{port}"), connected_bot(stopped.box, file):
            assert stopped.box.gateway.identifies == 2
    assert asked == []


@pytest.mark.parametrize(
    ("gateway", "known"),
    [
        ("wss://gateway-us-east1-b.discord.gg", True),
        ("wss://gateway.discord.gg/?v=10", True),
        ("ws://gateway.discord.gg", False),
        ("wss://discord.gg.attacker.example", False),
        ("wss://attackerdiscord.gg", False),
        ("wss://gateway.discord.gg@attacker.example", False),
        ("ws://127.0.0.1:8420", False),
        ("gateway.discord.gg", False),
    ],
)
def test_a_session_is_continued_at_discords_addresses_alone(gateway: str, known: bool) -> None:
    left = SessionsLeftOpen(1, 1_000_000, 5, [], [Session(0, "s", 3, gateway)])
    assert (SessionsLeftOpen.read(left.text(), 5, left.left) is not None) is known


async def test_a_bot_on_many_servers_begins_a_new_session(stopped: Room, file: Path) -> None:
    for n in range(MOST_GUILDS):
        stopped.box.guild(f"Palm Beach {n}")
    async with connected_bot(stopped.box, file) as bot:
        await until(lambda: len(bot.guilds) > MOST_GUILDS)
        assert SessionsLeftOpen.of(bot, bot.sockets, 0) is None


def test_a_session_lasts_a_while() -> None:
    left = SessionsLeftOpen(1, 1_000_000, 5, [], [Session(0, "s", 3, "wss://gateway.discord.gg")])
    assert SessionsLeftOpen.read(left.text(), 5, left.left + LASTS) == left
    assert SessionsLeftOpen.read(left.text(), 5, left.left - 900) == left, "Discord's times are whole seconds"
    assert SessionsLeftOpen.read(left.text(), 5, left.left + LASTS + 1) is None
    assert SessionsLeftOpen.read(replace(left, application=6).text(), 5, left.left) is None
    assert SessionsLeftOpen.read("", 5, left.left) is None


@pytest.mark.parametrize("kind", [*discord.ChannelType], ids=str)
def test_a_channel_of_any_kind_is_restored(kind: discord.ChannelType) -> None:
    state = discord.Client(intents=discord.Intents(guilds=True))._connection
    about: Any = {"id": "5", "username": "Palmhouse", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=about)
    deny = {"id": "7", "type": 0, "allow": "0", "deny": str(discord.Permissions(send_messages=True).value)}
    channel: dict[str, Any] = {"id": "8", "type": kind.value, "name": "n", "position": 3, "parent_id": None}
    channel |= {"bitrate": 64_000, "user_limit": 0, "permission_overwrites": [deny]}
    guild: dict[str, Any] = {"id": "7", "name": "Palm Beach", "owner_id": "9", "channels": [channel]}
    first = discord.Guild(data=guild, state=state)  # type: ignore[arg-type]
    again = discord.Guild(data=stored(first), state=state)  # type: ignore[arg-type]
    assert stored(again) == stored(first)
    assert len(again.channels) == (kind.value in (0, 2, 4, 5, 13, 15, 16))
