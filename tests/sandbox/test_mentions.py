"""Mentions: which users and roles a message names, which people it pings, and what prevents that."""

from typing import Any

import discord
import pytest

from sandbox import Guild, Permission, Person, TextChannel
from tests.sandbox.bots import Bot, Interaction

ALL = discord.AllowedMentions.all()
NONE = discord.AllowedMentions.none()


@pytest.fixture
def may_mention_all(guild: Guild) -> None:
    """Give the bot the permission to mention everyone."""
    guild.grant(guild.world.bot, Permission.MENTION_EVERYONE)


@pytest.mark.parametrize("text", ["@everyone", "@here"])
@pytest.mark.usefixtures("may_mention_all")
async def test_everyone_is_mentioned_if_permission_and_request_allow_it(
    alice: Person, ben: Person, channel: discord.TextChannel, text: str
) -> None:
    quiet = await channel.send(text, allowed_mentions=NONE)
    loud = await channel.send(text, allowed_mentions=ALL)
    assert (quiet.mention_everyone, loud.mention_everyone) == (False, True)
    assert [[each.id for each in person.pings] for person in (alice, ben)] == [[loud.id]] * 2


async def test_everyone_is_not_mentioned_without_permission(
    alice: Person, channel: discord.TextChannel
) -> None:
    sent = await channel.send("@everyone", allowed_mentions=ALL)
    assert (sent.mention_everyone, alice.pings) == (False, [])


async def test_a_role_is_mentioned_if_it_is_mentionable(
    guild: Guild, alice: Person, ben: Person, channel: discord.TextChannel
) -> None:
    guild.grant(ben.user, Permission(0))
    role = guild.roles[guild.members[ben.id].roles[0]]
    text = f"<@&{role.id}>"
    await channel.send(text, allowed_mentions=ALL)
    role.mentionable = True
    await channel.send(text, allowed_mentions=NONE)
    sent = await channel.send(text, allowed_mentions=ALL)
    assert [each.id for each in sent.role_mentions] == [role.id]
    assert ([each.id for each in ben.pings], alice.pings) == ([sent.id], [])


async def test_a_text_display_pings(alice: Person, channel: discord.TextChannel) -> None:
    view = discord.ui.LayoutView().add_item(discord.ui.TextDisplay(alice.mention))
    shown = await channel.send(view=view)
    assert [each.id for each in shown.mentions] == [alice.id]
    assert [each.id for each in alice.pings] == [shown.id]


async def test_a_person_who_cannot_see_the_channel_is_not_pinged(
    room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    room.deny(alice.user, Permission.VIEW_CHANNEL)
    await channel.send(alice.mention)
    assert alice.pings == []


async def test_an_edit_changes_mentions_but_pings_nobody(
    alice: Person, ben: Person, channel: discord.TextChannel
) -> None:
    sent = await channel.send(alice.mention)
    edited = await sent.edit(content=ben.mention)
    assert [each.id for each in edited.mentions] == [ben.id]
    quiet = await edited.edit(content=f"{alice.mention}!", allowed_mentions=NONE)
    assert quiet.mentions == []
    assert [[each.id for each in person.pings] for person in (alice, ben)] == [[sent.id], []]


@pytest.mark.usefixtures("may_mention_all")
async def test_an_ephemeral_message_pings_nobody(bot: Bot, room: TextChannel, alice: Person) -> None:
    async def act(it: Interaction) -> Any:
        await it.response.send_message(f"@everyone {alice.mention}", ephemeral=True, allowed_mentions=ALL)

    bot.act = act
    await alice.slash(room, "do")
    assert alice.pings == []
