"""Requests of the bot for messages, threads and direct messages: what they show and when they are refused."""

import asyncio
import io
from typing import Any

import discord
import pytest

import sandbox
from sandbox import Guild, Impossible, Permission, Person, Sandbox, TextChannel
from sandbox.permissions import Overwrite
from tests.sandbox.bots import Bot, refusal


async def test_messages_are_sent_edited_and_deleted(
    room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    sent = await channel.send("one", file=discord.File(io.BytesIO(b"x"), "a.txt"))
    (shown,) = alice.sees(room)
    assert shown.text == "one"
    await sent.edit(content="two", embed=None)
    assert (shown.text, shown.edits, len(shown.files)) == ("two", 1, 1)
    await sent.delete()
    assert alice.sees(room) == []
    assert {"one", "two", "a.txt"} <= set(alice.everything())


async def test_history_is_listed_newest_first_and_by_ids(
    room: TextChannel, channel: discord.TextChannel
) -> None:
    sent = [await channel.send(str(number)) for number in range(5)]

    async def listed(**query: Any) -> list[str]:
        return [each.content async for each in channel.history(**query)]

    assert await listed() == ["4", "3", "2", "1", "0"]
    assert await listed(limit=2) == ["4", "3"]
    assert await listed(before=sent[2]) == ["1", "0"]
    assert await listed(after=sent[2]) == ["3", "4"]
    assert (await channel.fetch_message(sent[3].id)).content == "3"


@pytest.mark.parametrize("limit", ["0", "101", "all"])
async def test_a_list_has_1_to_100_messages(bot: Bot, room: TextChannel, limit: str) -> None:
    route = discord.http.Route("GET", f"/channels/{room.id}/messages")
    assert await refusal(bot.http.request(route, params={"limit": limit})) == (400, 50035)


async def test_a_repeated_nonce_returns_the_first_message(
    box: Sandbox, room: TextChannel, channel: discord.TextChannel
) -> None:
    """This makes it safe to repeat a request whose answer was lost."""
    first = await channel.send("once", nonce="n1")
    assert (await channel.send("once", nonce="n1")).id == first.id
    box.fail("POST", "/messages$", 503, after=True)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("twice", nonce="n2")
    await channel.send("twice", nonce="n2")
    assert [each.text for each in room.messages()] == ["once", "twice"]
    box.clock.advance(3600)
    assert (await channel.send("once", nonce="n1")).id != first.id


async def test_only_the_creation_of_a_message_contains_its_nonce(
    box: Sandbox, bot: Bot, channel: discord.TextChannel
) -> None:
    sent = await channel.send("x", nonce="n1")
    await box.until(lambda: bot.said)
    fetched = await channel.fetch_message(sent.id)
    assert [sent.nonce, bot.said[0].nonce, fetched.nonce] == ["n1", "n1", None]


async def test_content_of_others_is_readable_if_it_mentions_the_bot(
    bot: Bot, room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    await channel.send("mine")
    await alice.say(room, "to others")
    await alice.say(room, f"<@{room.world.bot.id}>")
    read = [each async for each in channel.history(oldest_first=True)]
    assert [each.content for each in read] == ["mine", "", f"<@{room.world.bot.id}>"]
    await alice.say(alice.dms, "in private")
    direct = await (await bot.fetch_user(alice.id)).create_dm()
    assert [each.content async for each in direct.history()] == ["in private"]


async def test_the_ephemeral_flag_is_ignored_outside_interactions(
    room: TextChannel, alice: Person, bot: Bot
) -> None:
    body = {"content": "for all to see", "flags": 64}
    await bot.http.request(discord.http.Route("POST", f"/channels/{room.id}/messages"), json=body)
    assert [each.ephemeral for each in alice.sees(room)] == [False]


async def test_messages_of_others_cannot_be_edited_or_deleted(
    guild: Guild, room: TextChannel, alice: Person, bot: Bot, channel: discord.TextChannel
) -> None:
    said = await alice.say(room, "mine")
    partial = channel.get_partial_message(said.id)
    assert await refusal(partial.edit(content="x")) == (403, 50005)
    assert await refusal(partial.delete()) == (403, 50013)
    guild.grant(guild.world.bot, Permission.MANAGE_MESSAGES)
    await partial.delete()
    assert alice.sees(room) == []


async def test_permissions_come_from_roles_and_overwrites(
    guild: Guild, room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    bot = guild.world.bot
    room.deny(None, Permission.SEND_MESSAGES)
    assert await refusal(channel.send("x")) == (403, 50013)
    room.allow(bot, Permission.SEND_MESSAGES)
    await channel.send("x")
    room.deny(bot, Permission.ATTACH_FILES)
    assert await refusal(channel.send(file=discord.File(io.BytesIO(b""), "a"))) == (403, 50013)
    room.deny(bot, Permission.VIEW_CHANNEL)
    assert await refusal(channel.send("x")) == (403, 50001)
    guild.grant(bot, Permission.ADMINISTRATOR)
    await channel.send("x")


async def test_of_a_channel_that_the_bot_does_not_see_it_is_told_only_that_it_is_there(
    box: Sandbox, guild: Guild, room: TextChannel, channel: discord.TextChannel
) -> None:
    staff = guild.role("Staff", Permission(0))
    room.overwrites[staff.id] = Overwrite(staff.id, 0, allow=Permission.VIEW_CHANNEL)
    room.deny(box.world.bot, Permission.VIEW_CHANNEL)
    await box.until(lambda: channel.name == "___hidden___")
    assert [*channel.overwrites] == [channel.guild.default_role]
    assert not channel.permissions_for(channel.guild.default_role).view_channel
    guild.grant(box.world.bot, Permission.ADMINISTRATOR)
    await box.until(lambda: channel.name == room.name)
    assert staff.id in {each.id for each in channel.overwrites}


async def test_people_see_and_do_only_what_permissions_allow(
    bot: Bot, room: TextChannel, alice: Person, ben: Person, channel: discord.TextChannel
) -> None:
    room.deny(ben.user, Permission.VIEW_CHANNEL)
    await channel.send("hidden from Ben")
    assert (len(alice.sees(room)), ben.sees(room)) == (1, [])
    assert "hidden from Ben" not in ben.everything()


async def test_a_member_in_timeout_can_only_read(
    box: Sandbox, guild: Guild, room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    await channel.send("x")
    guild.time_out(alice.user, 60)
    room.allow(box.world.bot, Permission.SEND_MESSAGES)
    guild.time_out(box.world.bot, 60)
    with pytest.raises(Impossible):
        await alice.say(room, "x")
    assert [each.text for each in alice.sees(room)] == ["x"]
    assert (await channel.guild.fetch_member(alice.id)).is_timed_out()
    assert await refusal(channel.send("y")) == (403, 50013)
    box.clock.advance(61)
    await channel.send("y")


async def test_a_deleted_channel_does_not_exist_for_the_bot(
    box: Sandbox, bot: Bot, room: TextChannel, channel: discord.TextChannel
) -> None:
    room.delete()
    await box.until(lambda: bot.get_channel(room.id) is None)
    assert await refusal(channel.send("x")) == (404, 10003)


# Threads.


async def open_thread(
    guild: Guild, channel: discord.TextChannel, **how: Any
) -> tuple[discord.Thread, sandbox.Thread]:
    """Start a public thread. Return it as the bot sees it, and as it is in the sandbox."""
    thread = await (await channel.send("a table")).create_thread(name="open", **how)
    (place,) = guild.threads
    return thread, place


async def test_a_thread_on_a_message_has_its_id_and_exists_once(
    guild: Guild, room: TextChannel, alice: Person, channel: discord.TextChannel
) -> None:
    sent = await channel.send("table 1")
    thread = await sent.create_thread(name="Table 1")
    assert thread.id == sent.id
    assert await refusal(sent.create_thread(name="again")) == (400, 160004)
    await thread.send("hello")
    (place,) = guild.threads
    assert alice.sees(place)[-1].text == "hello"
    inside = discord.http.Route("POST", f"/channels/{thread.id}/threads")
    assert await refusal(channel._state.http.request(inside, json={"name": "x", "type": 12})) == (400, 50024)


async def test_only_members_and_moderators_see_a_private_thread(
    guild: Guild, alice: Person, ben: Person, channel: discord.TextChannel
) -> None:
    cleo = guild.world.user("Cleo")
    guild.add(cleo)
    thread = await channel.create_thread(name="hands")
    await thread.add_user(discord.Object(alice.id))
    await thread.send("only us")
    (place,) = guild.threads
    assert "only us" in [each.text for each in alice.sees(place)]
    assert ben.sees(place) == []
    guild.grant(ben.user, Permission.MANAGE_THREADS)
    assert "only us" in [each.text for each in ben.sees(place)]
    await thread.send(f"without <@{cleo.id}>", allowed_mentions=discord.AllowedMentions.none())
    assert not place.sees(cleo.id)
    await thread.send(f"come in, <@{cleo.id}>")
    assert place.sees(cleo.id)


async def test_threads_need_their_own_permissions(
    guild: Guild, room: TextChannel, channel: discord.TextChannel
) -> None:
    (thread, _), sent = await open_thread(guild, channel), await channel.send("x")
    room.deny(None, Permission.CREATE_PRIVATE_THREADS)
    assert await refusal(channel.create_thread(name="x")) == (403, 50013)
    room.deny(None, Permission.SEND_MESSAGES)
    await thread.send("this is not the permission that counts here")
    room.deny(None, Permission.SEND_MESSAGES_IN_THREADS)
    assert await refusal(thread.send("x")) == (403, 50013)
    room.deny(None, Permission.CREATE_PUBLIC_THREADS)
    assert await refusal(sent.create_thread(name="x")) == (403, 50013)
    assert await refusal(thread.delete()) == (403, 50013)


async def test_an_archived_thread_refuses_edits_and_a_message_unarchives_it(
    guild: Guild, alice: Person, channel: discord.TextChannel
) -> None:
    thread, place = await open_thread(guild, channel)
    sent = await thread.send("one")
    await thread.edit(archived=True)
    assert place.archived is True
    assert await refusal(sent.edit(content="x")) == (400, 50083)
    assert await refusal(thread.edit(archived=True)) == (400, 50083)
    assert await refusal(thread.add_user(discord.Object(alice.id))) == (400, 50083)
    await sent.delete()
    assert place.archived is True
    await thread.send("two")
    assert [each.archived for each in guild.threads] == [False]
    place.archive(locked=True)
    assert await refusal(thread.send("three")) == (403, 160005)
    guild.grant(guild.world.bot, Permission.MANAGE_THREADS)
    await thread.send("four")


async def test_an_answer_unarchives_a_thread_unless_it_is_locked(
    guild: Guild, bot: Bot, alice: Person, channel: discord.TextChannel
) -> None:
    _, place = await open_thread(guild, channel)
    unarchived = []
    for locked in (False, True):
        task = asyncio.create_task(alice.slash(place, "do"))
        interaction = await bot.inbox.get()
        place.archive(locked=locked)
        await interaction.response.send_message("an answer")
        await task
        unarchived.append(not place.archived)
    assert unarchived == [True, False]
    assert [each.text for each in alice.sees(place)][-2:] == ["an answer"] * 2


async def test_a_thread_without_new_messages_is_archived(
    box: Sandbox, guild: Guild, alice: Person, channel: discord.TextChannel
) -> None:
    """Edits do not count as activity. The bot is informed."""
    thread, place = await open_thread(guild, channel, auto_archive_duration=60)
    sent = await thread.send("one")
    box.clock.advance(3000)
    await alice.say(place, "two")
    box.clock.advance(3000)
    await sent.edit(content="one!")
    assert place.archived is False
    box.clock.advance(700)
    await box.until(lambda: place.archived)
    assert await refusal(sent.edit(content="one?")) == (400, 50083)
    await box.until(lambda: channel.guild.get_thread(place.id) is None)
    await thread.send("three")
    box.clock.advance(3500)
    await sent.edit(content="one.")


async def test_a_mention_that_is_not_allowed_has_no_effect(
    guild: Guild, alice: Person, ben: Person, channel: discord.TextChannel
) -> None:
    thread, place = await open_thread(guild, channel)
    sent = await thread.send(
        f"{alice.mention} {ben.mention}", allowed_mentions=discord.AllowedMentions(users=[ben.user])
    )
    assert [each.id for each in sent.mentions] == [ben.id]
    assert (alice.pings, alice.id in place.members) == ([], False)
    assert ([each.id for each in ben.pings], ben.id in place.members) == ([sent.id], True)


# Direct messages.


async def test_direct_messages_reach_one_person(bot: Bot, alice: Person, ben: Person) -> None:
    user = await bot.fetch_user(alice.id)
    await user.send("your hand")
    assert [each.text for each in alice.dms.messages()] == ["your hand"]
    assert "your hand" in alice.everything()
    assert "your hand" not in ben.everything()


async def test_direct_messages_to_strangers_and_closed_ones_are_refused(
    bot: Bot, guild: Guild, alice: Person
) -> None:
    user = await bot.fetch_user(alice.id)
    alice.close_dms()
    assert await refusal(user.send("x")) == (403, 50007)
    alice.open_dms()
    alice.leave(guild)
    assert await refusal(user.send("x")) == (403, 50278)
    nobody = discord.http.Route("POST", "/users/@me/channels")
    assert await refusal(bot.http.request(nobody, json={"recipient_id": "1"})) == (400, 50033)


async def test_writing_in_a_thread_joins_it(
    guild: Guild, alice: Person, channel: discord.TextChannel
) -> None:
    _, place = await open_thread(guild, channel)
    await alice.say(place, "hello")
    assert alice.id in place.members
