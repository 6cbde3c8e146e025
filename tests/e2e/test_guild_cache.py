"""Servers that are not in use are kept packed, and nobody notices."""

from collections.abc import AsyncIterator
from pathlib import Path

import discord
import pytest

from bot.client import Palmhouse
from bot.gateway.guild_cache import MOST_IN_USE, GuildCache, guild_data
from sandbox import Guild, Permission
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.players import open_table
from tests.e2e.test_night import ANNOUNCED, plan, shows


@pytest.fixture
async def packing(file: Path) -> AsyncIterator[CardRoom]:
    """The bot on a server with people, and on others."""
    async with without_a_bot() as (box, room, *people):
        box.crowd(MOST_IN_USE)  # so that this server is packed once they were read
        async with connected_bot(box, file) as bot:
            await box.until(lambda: box.gateway.is_all_sent)
            assert not (
                await people[0].slash(room, "help")
            ).failed  # so the bot has read the servers before it
            yield CardRoom(box, bot, room.guild, room, people)


def known(bot: Palmhouse, guild: Guild) -> discord.Guild:
    """Return a server as the bot knows it, read from its packed form."""
    for other in bot.guild_ids:
        assert bot.get_guild(other) is not None
    found = bot.get_guild(guild.id)
    assert found is not None
    return found


async def test_a_table_is_played_on_a_server_that_was_packed(packing: CardRoom) -> None:
    alice, ben = packing.people
    known(packing.bot, packing.guild)
    card = await open_table(packing.room, "palace start", alice, ben)
    for _ in range(2):
        assert not (await alice.click(card, "Rules")).failed
        known(packing.bot, packing.guild)
    await alice.click(card, "Start")
    await packing.box.until(lambda: card.thread is not None and card.thread.messages())


async def test_what_changes_on_a_packed_server_is_noticed(packing: CardRoom) -> None:
    denied = Permission.ATTACH_FILES
    packing.room.deny(None, denied)
    lounge = packing.guild.channel("lounge")
    role = packing.guild.role("Host", Permission.MANAGE_THREADS)
    await packing.box.until(lambda: known(packing.bot, packing.guild).get_role(role.id))
    server = known(packing.bot, packing.guild)
    room = server.get_channel(packing.room.id)
    assert isinstance(room, discord.TextChannel)
    assert not room.permissions_for(server.me).attach_files
    assert server.get_channel(lounge.id) is not None


async def test_messages_of_people_push_a_table_out_of_sight(packing: CardRoom) -> None:
    alice, ben = packing.people
    card = await open_table(packing.room, "palace start", alice, ben)
    known(packing.bot, packing.guild)
    shown = packing.bot.publisher.live.get(await packing.bot.tables.get(1), "card")
    assert shown is not None
    await alice.say(card.channel, "hello")
    await packing.box.until(lambda: packing.bot.publisher.live._below(shown) == 1)


async def test_a_private_thread_whose_receipt_is_lost_is_found_on_a_server_that_was_packed(
    packing: CardRoom,
) -> None:
    bot, guild, alice = packing.bot, packing.guild, packing.people[0]
    guild.grant(alice.user, Permission.MANAGE_GUILD)
    await plan(bot, alice, packing.room, rounds=1)
    announced = await shows(packing.box, packing.room, ANNOUNCED)
    for person in packing.people:
        await person.click(announced, "I'm coming")
    packing.box.faults.add(Fault("POST", rf"^/channels/{packing.room.id}/threads$", 503, after=True))
    cache = bot._connection._guilds
    assert isinstance(cache, GuildCache)
    await packing.box.until(lambda: cache[guild.id].threads, timeout=900)
    cache.rest(guild.id)
    await bot.publisher.wait()
    (thread,) = guild.threads
    assert (await bot.tables.get(1)).match.place == thread.id


async def test_a_server_that_removes_the_bot_is_forgotten(packing: CardRoom) -> None:
    packing.guild.remove(packing.box.world.bot)
    await packing.box.until(lambda: packing.guild.id not in packing.bot.guild_ids)
    assert packing.bot.get_guild(packing.guild.id) is None


async def test_a_server_of_real_size_is_small_when_packed_and_whole_when_unpacked(packing: CardRoom) -> None:
    cache = packing.bot._connection._guilds
    assert isinstance(cache, GuildCache)
    numbers = sorted(packing.bot.guild_ids - {packing.guild.id})
    before = [guild_data(cache[number]) for number in numbers]
    assert [guild_data(cache[number]) for number in numbers] == before
    assert {len(each["channels"]) for each in before} == {53}
    sizes = [len(packed) for packed in cache._packed.values()]
    assert max(sizes) < 5_000
