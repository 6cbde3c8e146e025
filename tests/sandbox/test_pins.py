"""Pins: the bot's requests, and how messages show them."""

import discord
import pytest

from sandbox import Guild, Permission, TextChannel


async def test_a_pin_is_listed_and_posts_a_system_message(
    guild: Guild, room: TextChannel, channel: discord.TextChannel
) -> None:
    guild.grant(guild.world.bot, Permission.PIN_MESSAGES)
    first, second = [await channel.send("first"), await channel.send("second")]
    await first.pin()
    await second.pin()
    assert [each.id async for each in channel.pins()] == [second.id, first.id]
    assert (await channel.fetch_message(first.id)).pinned is True
    announcement = await channel.fetch_message(room.messages()[-1].id)
    assert announcement.type is discord.MessageType.pins_add
    await second.unpin()
    assert [each.id async for each in channel.pins()] == [first.id]
    with pytest.raises(discord.NotFound):
        await channel.get_partial_message(1).pin()
