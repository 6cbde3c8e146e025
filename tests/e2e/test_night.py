"""Game nights: planning one on a phone, coming and leaving, rounds with tables, and the end."""

import asyncio
import operator
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord import ChannelType

from bot.client import Palmhouse
from bot.gateway.discord_time import posted_at
from bot.match.entries import Caretaker
from bot.match.night_rows import seal
from bot.match.nights import WEEK
from bot.match.table import Table
from bot.messages.venue import LASTS
from bot.store import Night, Preset
from cogs.night import around
from cogs.night.around import EVENT, reward, take_all_back
from cogs.night.page import Evening
from cogs.night_course import NightCourse
from games import GAMES
from games.types import with_seats
from sandbox import Channel, Message, Permission, Person, Sandbox, TextChannel, Thread
from sandbox.checks import Json
from sandbox.components import BUTTON
from sandbox.faults import Fault
from sandbox.members import Role
from sandbox.permissions import Overwrite
from tests.bot.match.test_nights import play
from tests.e2e.card_room import (
    CardRoom,
    connected_bot,
    forget_nonces,
    until_shown,
    until_stored,
    without_a_bot,
)
from tests.e2e.followed_match import (
    delete_to_come_late,
    managed_channel,
    next_comes_late,
    next_edit_comes_late,
    post_that_comes_late,
)
from tests.e2e.match import refusal_of
from tests.e2e.players import deal, labels, leave, open_table, shown, some_move, text_and_alt
from tests.e2e.test_board import put_board
from tests.e2e.test_forged import forged
from tests.e2e.test_privacy import settled
from tests.e2e.test_request_bodies import faults
from tests.e2e.test_seasons import begin
from tests.e2e.test_seeking import look
from tests.held import fail, failing, held
from tests.sandbox.openapi import SPECIFICATION

SKIPPED = 420.0
"""Seconds of the ten minutes from the plan of a night to its start in which nothing happens."""
ANNOUNCED, ROUND, END = "## Game night", "### Round ", "### The game night is "


def having(channel: TextChannel, text: str) -> list[Message]:
    return [each for each in channel.messages() if text in each.text and not each.ephemeral]


async def shows(box: Sandbox, channel: TextChannel, *texts: str, within: float = 120) -> Message:
    """Wait until exactly one message there has all of these texts, and return it."""

    def found() -> list[Message]:
        return [each for each in having(channel, texts[0]) if all(text in each.text for text in texts)]

    await until_shown(box, lambda: len(found()) == 1, within)
    return found()[0]


def part(message: Message, action: str) -> str:
    """Return the custom id of the part of a form that ends with an action."""
    parts = [*message.buttons, *message.selects]
    return next(str(each["custom_id"]) for each in parts if each["custom_id"].endswith(f":{action}"))


async def plan(
    bot: Palmhouse,
    manager: Person,
    room: TextChannel,
    *,
    rounds: int = 2,
    weekly: bool = False,
    ahead: str = "10",
    limit: int = 10,
    clicks: int = 1,
) -> Night:
    """Plan a night of quick matches of Palmer."""
    guild = room.guild.id
    await bot.store.add_preset(Preset(0, guild, "Quick", "palmer", f'{{"limit":{limit}}}', "live"), 4)
    (preset,) = await bot.store.presets(guild)
    form = shown(await manager.slash(room, "night plan"))
    await manager.select(form, part(form, "ahead"), [ahead])
    await manager.select(form, part(form, "games"), [f"p{preset.id}"])
    await manager.select(form, part(form, "rounds"), [str(rounds)])
    if weekly:
        await manager.click(form, "Each week")
    assert (
        "The game night is planned for <t:" in shown(await manager.click(form, "Plan it", times=clicks)).text
    )
    night = await bot.store.next_night(guild)
    assert night is not None
    return night


async def gather(
    here: CardRoom, manager: Person, *people: Person, room: TextChannel | None = None, **chosen: Any
) -> tuple[Night, Message]:
    """Plan a night to which these people come, or the first three. Return it with its announcement."""
    night = await plan(here.bot, manager, room or here.room, **chosen)
    announced = await shows(here.box, room or here.room, ANNOUNCED)
    for person in people or here.people[:3]:
        await person.click(announced, "I'm coming")
    # The rest of the ten minutes until the start is waited for: the bot's chores look each second.
    await here.later(SKIPPED)
    return night, announced


async def finish(bot: Palmhouse) -> None:
    """Play all open tables to their ends."""
    for match in bot.tables.of_guild(next(iter(bot.tables.guilds()))):
        await play(await bot.tables.get(match))


async def opened(bot: Palmhouse, tables: int) -> None:
    """Wait until that many tables are open and shown."""
    async with asyncio.timeout(900):
        while sum(1 for guild in bot.tables.guilds() for _ in bot.tables.of_guild(guild)) < tables:  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(1)
    await bot.publisher.wait()


class OtherChannel(TextChannel):
    """A channel of any kind; Discord gives those for voices a bitrate and a limit."""

    type = 0

    def payload(self) -> Json:
        return super().payload() | {"bitrate": 64_000, "user_limit": 0}


def added(here: CardRoom, kind: ChannelType) -> TextChannel:
    """Create a channel of this kind."""
    world = here.box.world
    channel = OtherChannel(world, world.snowflakes.next(), here.guild, "another")
    channel.type = kind.value
    world.channels[channel.id] = channel
    channel.dispatch("CHANNEL_CREATE", channel.payload())
    return channel


async def told(here: CardRoom, person: Person, command: str) -> str:
    """Return what a command about match 1 answers."""
    answer = await person.slash(here.room, command, match="1")
    await here.box.until(lambda: answer.text)
    return answer.text


async def test_a_night_from_its_plan_to_the_final_picture(here: CardRoom, manager: Person) -> None:
    bot, room = here.bot, here.room
    night = await plan(bot, manager, room)
    announced = await shows(here.box, room, ANNOUNCED, "**Nobody is coming yet**", "2 rounds of Palmer (")
    assert f"<t:{night.starts // 1000}:F>" in announced.text
    assert labels(announced) == ["I'm coming", "Not coming", "More"]
    for person in here.people:
        assert "You are coming" in (await person.click(announced, "I'm coming")).told
    dana, eve = here.people[3:]
    assert "You are not coming" in (await eve.click(announced, "Not coming")).told
    await shows(here.box, room, ANNOUNCED, "**4 are coming**: Alice, Ben, Cleo and Dana")
    await opened(bot, 1)
    first = await shows(here.box, room, "### Round 1 of 2 · Palmer", "**Table 1** <#", "Drawn by lot")
    table = await bot.tables.get(1)
    assert table.match.place not in (None, room.id)  # a thread of its own
    assert "-# Drawn by lot" in (await settled(here, await dana.click(first, "My table"))).text
    assert "you get one in the next" in refusal_of(await eve.click(first, "My table"))
    assert "the next round. You begin with the mean" in (await eve.click(announced, "I'm coming")).told
    assert refusal_of(await eve.click(first, "My table")).endswith("You get one in the next.")
    assert "no points" in (await eve.click(first, "My place")).told
    await finish(bot)
    await shows(here.box, room, ANNOUNCED, "**Round 2 of 2 begins <t:", "5 are here")
    assert "its next round seats you" in refusal_of(await dana.press(first, "rematch:1"))
    assert refusal_of(await eve.click(first, "My table")).endswith("You get one then.")
    second = await shows(here.box, room, "### Round 2 of 2", "**Standings so far**", "1st ", "Begins <t:")
    await shows(here.box, room, "### Round 2 of 2", " Eve · ")
    assert "You are " in (await dana.click(second, "My place")).told
    assert "to begin with, as you came late" in (await eve.click(second, "My place")).told
    await opened(bot, 1)
    await shows(here.box, room, "### Round 2 of 2", "**Table 2** <#", "have met before")
    await finish(bot)
    end = await shows(here.box, room, END + "over", "🏆 **")
    assert "Game night" in text_and_alt(end)
    assert "Eve: points" in text_and_alt(end)
    await shows(here.box, room, ANNOUNCED, "**It is over.** 🏆 **")
    assert "its next round" not in (await dana.press(first, "rematch:1")).told
    assert "as you came late" in (await eve.click(end, "My place")).told
    assert await bot.store.nights_to_do() == []


async def test_nobody_is_shown_as_a_computer_of_a_night_by_their_name(
    here: CardRoom, manager: Person
) -> None:
    fern = here.box.person("🤖 Fern", here.guild)
    await gather(here, manager, here.people[0], fern, rounds=1)
    await shows(here.box, here.room, ANNOUNCED, "**2 are coming**: Alice and Fern")
    await opened(here.bot, 1)
    said = (await shows(here.box, here.room, "### Round 1 of 1", "**Table 1** <#")).text
    assert (said.count("Fern"), said.count("🤖 Fern")) == (2, 1)  # there is a computer, too


@pytest.mark.parametrize("fails", [False, True], ids=["at once", "though the database fails then"])
async def test_who_looks_for_the_game_of_a_night_has_found_it_there(
    here: CardRoom, manager: Person, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    await gather(here, manager)
    await look(manager, here.room, "palmer", Until="tonight")
    if fails:
        fail(monkeypatch, here.bot.store, "find_seats", once=True)
    await opened(here.bot, 1)
    await asyncio.sleep(80 if fails else 3)
    assert await here.bot.store.seek(here.guild.id, manager.id) is None


async def test_hands_and_seed_are_hidden_until_the_round_is_over(here: CardRoom, manager: Person) -> None:
    bot, room = here.bot, here.room
    people = [*here.people, here.box.person("Finn", here.guild)]
    night, _ = await gather(here, manager, *people)
    await opened(bot, 2)
    first, second = [await bot.tables.get(match) for match in (1, 2)]
    await play(first)
    await bot.publisher.wait()
    for command in ("replay", "verify"):
        assert "Other tables of this game night" in await told(here, manager, command)
    await play(second)
    await shows(here.box, room, "### Round 2 of 2", "Begins")
    assert "when the night is over" in await told(here, manager, "verify")
    assert "Other tables" not in await told(here, manager, "replay")
    await opened(bot, 2)
    await finish(bot)
    await shows(here.box, room, END + "over")
    proof = await told(here, manager, "verify")
    for value in (first.match.seed, night.secret, seal(night)):
        assert f":** `{value}`\n" in proof, "on a line of its own, as a phone shows it whole"


async def test_nobody_sees_another_table_with_the_deal_that_they_still_play(
    here: CardRoom, manager: Person
) -> None:
    bot, room, watcher = here.bot, here.room, here.box.person("Gina", here.guild)
    people = [*here.people, here.box.person("Finn", here.guild)]
    await gather(here, manager, *people, rounds=1)
    await opened(bot, 2)
    first, second = [await bot.tables.get(match) for match in (1, 2)]
    await here.box.until(lambda: first.match.place and second.match.place, timeout=60)
    thread = here.box.world.channel(first.match.place or 0)
    (card,) = [each for each in having(room, "-# Table 1") if "Watch" in labels(each)]
    other = next(each for each in people if first.state.seat_of(each.id) is None)
    assert {each.id for each in people if thread.sees(each.id)} == {*first.state.held}
    assert isinstance(thread, Thread)
    assert not thread.invitable, "nobody lets others in by a mention"
    assert "You play the same deal at table 2" in refusal_of(await other.click(card, "Watch"))
    assert f"<#{thread.id}>" not in shown(await other.slash(room, "play")).text
    assert not thread.sees(other.id)
    assert not thread.sees(watcher.id)
    assert "The match is played in" in (await settled(here, await watcher.click(card, "Watch"))).text
    assert thread.sees(watcher.id)
    await play(second)
    assert "The match is played in" in (await settled(here, await other.click(card, "Watch"))).text
    assert thread.sees(other.id)


async def test_a_table_whose_private_thread_is_deleted_goes_on_in_another_one(
    here: CardRoom, manager: Person
) -> None:
    bot, people = here.bot, [*here.people, here.box.person("Finn", here.guild)]
    await gather(here, manager, *people, rounds=1)
    await opened(bot, 2)
    table = await bot.tables.get(1)
    for is_last in (False, True):
        await asyncio.sleep(LASTS / 1000)
        await here.box.until(lambda: table.match.place in here.box.world.channels, timeout=60)
        await bot.publisher.wait()
        thread = here.box.world.channel(table.match.place or 0)
        assert isinstance(thread, Thread)
        assert {each.id for each in people if thread.sees(each.id)} == {*table.state.held}
        assert "My hand" in labels(thread.messages()[-1])
        await shows(here.box, here.room, f"The match is on in <#{thread.id}>")
        if is_last:
            here.room.deny(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
        thread.delete()
    await here.box.until(lambda: table.match.place == here.room.id)


async def test_a_table_goes_on_in_another_thread_when_the_bot_is_removed_from_its_private_one(
    here: CardRoom, manager: Person
) -> None:
    bot, random = here.bot, Random(1)
    await gather(here, manager, rounds=1)
    await opened(bot, 1)
    table = await bot.tables.get(1)
    await here.box.until(lambda: table.match.place in here.box.world.channels, timeout=60)
    await asyncio.sleep(LASTS / 1000)
    thread = here.box.world.channel(table.match.place or 0)
    assert isinstance(thread, Thread)
    del thread.members[here.box.world.bot.id]
    while table.match.place == thread.id:
        seat, action = some_move(table.state, random)
        await table.play(table.state.players[seat].user, [table.state.game.text(action)], table.clock.now())
        await bot.publisher.wait()
    another = here.box.world.channel(table.match.place or 0)
    assert isinstance(another, Thread)
    assert {each.id for each in here.people if another.sees(each.id)} == {*table.state.held}
    assert "My hand" in labels(another.messages()[-1])


@pytest.mark.parametrize("status", [0, 503])
async def test_people_are_in_the_new_thread_of_their_table_though_the_network_fails_or_it_is_deleted_at_once(
    here: CardRoom, manager: Person, status: int
) -> None:
    bot = here.bot
    await gather(here, manager, rounds=1, limit=50)
    await opened(bot, 1)
    table, random = await bot.tables.get(1), Random(1)
    while table.pages.live.first == 1:  # the first message there would bring them in
        seat, action = some_move(table.state, random)
        await table.play(table.state.players[seat].user, [table.state.game.text(action)], table.clock.now())
    await bot.publisher.wait()
    await asyncio.sleep(LASTS / 1000)
    here.box.faults.add(Fault("PUT", r"/thread-members/", status, times=1 if status else 2))
    thread = here.box.world.channel(table.match.place or 0)
    assert isinstance(thread, Thread)
    thread.delete()
    await here.box.until(lambda: table.match.place in here.box.world.channels, timeout=60)
    await bot.publisher.wait()
    thread = here.box.world.channel(table.match.place or 0)
    assert isinstance(thread, Thread)
    assert {each.id for each in here.people if thread.sees(each.id)} == {*table.state.held}
    await asyncio.sleep(0 if posted_at(thread.id) + LASTS > bot.time.now() else LASTS)
    thread.delete()
    await here.box.until(lambda: table.match.place == here.room.id)


async def test_who_left_the_thread_of_a_table_comes_back_by_a_button(here: CardRoom, manager: Person) -> None:
    thread, ben = await place_of_a_table(here, manager), here.people[1]
    assert isinstance(thread, Thread)
    del thread.members[ben.id]
    assert not thread.sees(ben.id)
    begun = await shows(here.box, here.room, ROUND, f"<#{thread.id}>")
    assert f"<#{thread.id}>" in (await settled(here, await ben.click(begun, "My table"))).text
    assert thread.sees(ben.id)


async def test_where_private_threads_are_not_allowed_tables_have_public_ones(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
    await one_round(here, manager)
    table = await here.bot.tables.get(1)
    assert table.match.place == table.match.card


async def test_in_an_announcement_channel_tables_have_public_threads(here: CardRoom, manager: Person) -> None:
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/threads$", 400, times=2))
    await one_round(here, manager)
    table = await here.bot.tables.get(1)
    assert table.match.place == table.match.card


async def test_a_night_without_people_is_told_off_in_one_message(here: CardRoom, manager: Person) -> None:
    await plan(here.bot, manager, here.room, weekly=True)
    announced = await shows(here.box, here.room, ANNOUNCED, "each week")
    await here.people[1].click(announced, "I'm coming")
    end = await shows(here.box, here.room, END + "off", "Fewer than two people came", within=900)
    assert await shows(here.box, here.room, ANNOUNCED, "**It is off.**") is announced
    assert labels(announced) == []
    assert await here.bot.store.next_night(here.guild.id) is None
    form = shown(await manager.click(end, "Plan another"))
    assert "Plan a game night" in form.text


async def try_for(here: CardRoom, night: Night, hours: int) -> None:
    """Wait some minutes in which the messages of a night are not allowed, as after so many hours of tries."""
    cog = here.bot.get_cog("NightCourse")
    assert isinstance(cog, NightCourse)
    cog._hidden[night.id] -= hours * 3_600
    await asyncio.sleep(200)


@pytest.mark.parametrize("hours", [0, 7])
async def test_an_announcement_that_the_bot_does_not_see_loses_its_buttons_when_it_does(
    here: CardRoom, manager: Person, hours: int
) -> None:
    night = await plan(here.bot, manager, here.room)
    announced = await shows(here.box, here.room, ANNOUNCED)
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await asyncio.sleep(900)
    now = await here.bot.store.night(night.id)
    assert now is not None
    assert now.phase == "off"
    await try_for(here, night, hours)
    here.room.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    await asyncio.sleep(200)
    assert (labels(announced) == []) == (hours < 6)
    assert await here.bot.store.nights_to_do() == []


async def test_nothing_is_sent_for_a_planned_night_whose_channel_the_bot_does_not_see(
    here: CardRoom, manager: Person
) -> None:
    _, announced = await gather(here, manager, ahead="60")
    await shows(here.box, here.room, ANNOUNCED, "3 are coming")
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    before = len(here.box.requests)
    await here.people[3].click(announced, "I'm coming")
    await asyncio.sleep(300)
    assert [each for each in here.box.requests[before:] if str(here.room.id) in each.path] == []
    here.room.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    await shows(here.box, here.room, ANNOUNCED, "4 are coming")


@pytest.mark.parametrize("hours", [0, 7])
async def test_a_night_that_ends_while_the_bot_may_not_post_is_told_when_it_may(
    here: CardRoom, manager: Person, hours: int
) -> None:
    night = await plan(here.bot, manager, here.room)
    announced = await shows(here.box, here.room, ANNOUNCED)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await asyncio.sleep(900)
    assert labels(announced) == []
    await try_for(here, night, hours)
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await asyncio.sleep(200)
    assert len(having(here.room, END + "off")) == (hours < 6)
    assert await here.bot.store.nights_to_do() == []


async def test_why_a_night_cannot_be_announced_is_logged_once(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    await plan(here.bot, manager, here.room, ahead="60")
    announced = await shows(here.box, here.room, ANNOUNCED)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    manager.delete(announced)
    await asyncio.sleep(900)
    assert len([each for each in caplog.messages if "game night" in each]) == 1
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    announced = await shows(here.box, here.room, ANNOUNCED, within=120)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    manager.delete(announced)
    await asyncio.sleep(300)
    assert len([each for each in caplog.messages if "game night" in each]) == 2, "it could meanwhile"


async def test_that_the_end_of_a_night_is_refused_with_its_pictures_is_logged(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    night = await plan(here.bot, manager, here.room)
    await shows(here.box, here.room, ANNOUNCED)
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 400))
    assert await here.bot.nights.cancel(night)
    await shows(here.box, here.room, END + "off")
    await asyncio.sleep(1)
    assert caplog.text.count("refused and sent without pictures: 400") == 1


async def test_that_the_end_of_a_night_waits_is_logged_once(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    await plan(here.bot, manager, here.room)
    await shows(here.box, here.room, ANNOUNCED)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await asyncio.sleep(1500)
    assert len([each for each in caplog.messages if "game night" in each]) == 1


async def test_the_message_of_a_round_that_is_not_played_is_gone_though_the_bot_may_not_post(
    here: CardRoom, manager: Person
) -> None:
    night, _ = await gather(here, manager)
    await opened(here.bot, 1)
    await finish(here.bot)
    await shows(here.box, here.room, "### Round 2 of 2", "Begins")
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    now = await here.bot.store.night(night.id)
    assert now is not None
    assert await here.bot.nights.cancel(now)
    here.bot.dispatch("night_set", here.guild.id)
    await asyncio.sleep(60)
    assert having(here.room, "### Round 2 of 2") == []


async def place_of_a_table(here: CardRoom, manager: Person) -> Channel:
    """Begin a night of one round with one table. Return where it is played."""
    await gather(here, manager, rounds=1)
    await opened(here.bot, 1)
    return here.box.world.channel((await here.bot.tables.get(1)).match.place or 0)


async def test_each_table_tells_its_result_before_the_night_does(here: CardRoom, manager: Person) -> None:
    place = await place_of_a_table(here, manager)
    here.box.faults.add(Fault("POST", rf"^/channels/{place.id}/messages$", None, times=99, delay=3))
    await finish(here.bot)
    end = await shows(here.box, here.room, END + "over")
    result = next(each for each in place.messages() if "🏆" in each.text)
    assert result.id < end.id


async def test_a_table_that_cannot_be_shown_does_not_hold_up_the_end(here: CardRoom, manager: Person) -> None:
    place = await place_of_a_table(here, manager)
    here.box.faults.add(Fault("POST", rf"^/channels/{place.id}/messages$", 503, times=999))
    await finish(here.bot)
    await shows(here.box, here.room, END + "over", within=30)
    assert not any("🏆" in each.text for each in place.messages())
    here.box.faults.clear()


async def test_a_weekly_night_is_announced_again(here: CardRoom, manager: Person) -> None:
    night, _ = await gather(here, manager, rounds=1, weekly=True)
    await opened(here.bot, 1)
    await finish(here.bot)
    await shows(here.box, here.room, END + "over")
    again = await shows(
        here.box,
        here.room,
        ANNOUNCED,
        f"<t:{night.starts // 1000 + 7 * 86400}:F>",
        "**Nobody is coming yet**",
    )
    course = here.bot.cogs["NightCourse"]
    assert isinstance(course, NightCourse)
    await here.box.until(lambda: course._shown.keys() == {(here.guild.id, again.id)}, timeout=120)


async def test_the_host_cancels_and_others_may_not(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    night = await plan(here.bot, manager, here.room, weekly=True)
    announced = await shows(here.box, here.room, ANNOUNCED)
    assert (
        f"-# <@{manager.id}>, who planned it, and people who manage tables here can cancel this game night."
        in shown(await ben.click(announced, "More")).text
    )
    more = shown(await manager.click(announced, "More"))
    assert seal(night) in more.text
    assert "No other night follows then" in more.text
    answer = await forged(ben, announced, "night:0:1:0:cancel", BUTTON, [])
    assert "Ask one of them" in refusal_of(answer)
    assert "cancelled, and no other one follows" in shown(await manager.click(more, "Cancel it")).text
    await shows(here.box, here.room, END + "off", "It was cancelled.")
    for person, action in ((manager, "cancel"), (ben, "come"), (ben, "go"), (ben, "more")):
        answer = await forged(person, announced, f"night:0:1:0:{action}", BUTTON, [])
        assert "over, or was cancelled" in refusal_of(answer)
    for rest in ("1:0:dance", "9:0:come", "x", "1", ":::"):
        assert refusal_of(await forged(ben, announced, f"night:0:{rest}", BUTTON, []))


async def test_a_night_that_is_on_is_ended_only_by_who_is_sure(here: CardRoom, manager: Person) -> None:
    night, announced = await gather(here, manager)
    await opened(here.bot, 1)
    more = shown(await manager.click(announced, "More"))
    assert "`Cancel it`, and no other round begins. Matches under way go on, without points." in more.text
    asked = shown(await manager.click(more, "Cancel it"))
    assert asked.text.startswith("**Cancel this game night for everybody?** No other round begins, and")
    more = shown(await manager.click(asked, "No, go on"))
    assert (await here.bot.nights.get(night.id, here.guild.id)).phase == "round"
    answer = await forged(here.people[1], announced, "night:0:1:0:end", BUTTON, [])
    assert "Ask one of them" in refusal_of(answer)
    asked = shown(await manager.click(more, "Cancel it"))
    assert "is cancelled" in shown(await manager.click(asked, "Yes, cancel it")).text
    announced = await shows(here.box, here.room, ANNOUNCED, "**It is off.**")
    assert "It was cancelled" not in announced.text, "the last message says so"
    await shows(here.box, here.room, END + "off", "It was cancelled.")


async def test_who_leaves_is_replaced_by_a_computer(here: CardRoom, manager: Person) -> None:
    bot = here.bot
    await gather(here, manager, *here.people)
    await opened(bot, 1)
    ben, cleo, finn = *here.people[1:3], here.box.person("Finn", here.guild)
    table = await bot.tables.get(1)
    announced = await shows(here.box, here.room, ANNOUNCED, "5 are here")
    assert "A computer plays on" in (await ben.click(announced, "Leave")).told
    assert ben.id in table.state.left
    assert "this is your table" in (await ben.click(announced, "I'm coming")).told
    assert ben.id not in table.state.left
    await ben.click(announced, "Leave")
    dana = here.people[3]
    assert "A computer" not in (await finn.click(announced, "I'm coming")).told
    assert "A computer" not in (await finn.click(announced, "Leave")).told
    assert "not on the list of those who come" in refusal_of(await finn.click(announced, "Leave"))
    await leave(cleo, here.box.world.channel(table.match.place or 0))
    await finish(bot)
    await shows(here.box, here.room, ANNOUNCED, "3 are here")
    second = await shows(here.box, here.room, "### Round 2 of 2")
    assert "round 1: 0, as a computer played for you" in (await ben.click(second, "My place")).told
    assert "as a computer" not in (await dana.click(second, "My place")).told


async def test_a_first_table_calls_all_once_though_the_clock_of_the_bot_is_ahead(
    here: CardRoom, manager: Person
) -> None:
    await gather(here, manager, rounds=1)
    here.bot.time.set_forward(400)
    await opened(here.bot, 1)
    await asyncio.sleep(10)
    table = await here.bot.tables.get(1)
    place = here.box.world.channels[table.match.place or 0]
    assert [len(each.pings) for each in place.log.values() if each.pings] == [3]


async def test_who_leaves_a_last_round_that_is_over_for_them_reads_of_no_way_back(
    here: CardRoom, manager: Person
) -> None:
    bot = here.bot
    await gather(here, manager, *here.people[:3], rounds=1)
    await opened(bot, 1)
    announced = await shows(here.box, here.room, ANNOUNCED, "3 are here")
    table = await bot.tables.get(1)
    for person in here.people[:2]:
        assert "A computer plays on in your seat" in (await person.click(announced, "Leave")).told
    said = (await here.people[2].click(announced, "Leave")).told
    assert not table.is_open
    assert "You have left" in said
    assert "computer" not in said
    assert "brings you back" not in said


async def test_who_has_played_a_round_that_is_still_on_does_not_begin_anew(
    here: CardRoom, manager: Person
) -> None:
    bot, finn = here.bot, here.box.person("Finn", here.guild)
    await gather(here, manager, *here.people, finn)
    await opened(bot, 2)
    announced = await shows(here.box, here.room, ANNOUNCED, "6 are here")
    table = await bot.tables.get(1)
    await play(table)
    user = table.state.players[0].user
    (played,) = [each for each in (*here.people, finn) if each.id == user]
    said = (await played.click(announced, "I'm coming")).told
    assert said.endswith("you get a seat in the next round.")


async def let_a_computer_play(bot: Palmhouse, *people: Person) -> None:
    """Let computers finish the match of table 1 for people whose time is up."""
    table, now = await bot.tables.get(1), bot.time.now()
    seats = [
        seat
        for seat, player in with_seats(table.state.players)
        if player.user in [each.id for each in people]
    ]
    async with table.changing(now):
        await table.commit(now, Caretaker((*seats,)))
    await finish(bot)


async def test_who_was_away_is_called_once_and_is_back_with_one_press(
    here: CardRoom, manager: Person
) -> None:
    _, ben, cleo, dana, _ = here.people
    _, announced = await gather(here, manager, *here.people)
    await here.bot.store.set_preference(cleo.id, "pings", "never")
    await opened(here.bot, 1)
    await dana.click(announced, "Leave")
    await let_a_computer_play(here.bot, ben, cleo)
    called = f"<@{ben.id}> and <@{cleo.id}> were away: `I'm coming` brings you back."
    second = await shows(here.box, here.room, "### Round 2 of 2", called)
    assert second.pings == {ben.id}
    assert labels(second) == ["I'm coming", "My place"]
    await ben.click(second, "I'm coming")
    await shows(here.box, here.room, "### Round 2 of 2", f"<@{cleo.id}> was away")
    await opened(here.bot, 1)
    (begun,) = having(here.room, "### Round 2 of 2")
    assert begun is second
    assert ben.id in (await here.bot.tables.get(2)).state.held
    assert "away" not in begun.text


async def test_a_seat_that_somebody_left_is_offered_to_nobody(here: CardRoom, manager: Person) -> None:
    await gather(here, manager)
    await opened(here.bot, 1)
    ben, table = here.people[1], await here.bot.tables.get(1)
    place = here.box.world.channel(table.match.place or 0)
    question = shown(await ben.slash(place, "table leave")).text
    assert question.endswith(
        "A computer plays on for you. You are rated as last, whatever happens to the seat. "
        "`I'm back` undoes that."
    )
    await leave(ben, place)
    await here.rest()
    seen = [*place.messages(), *here.room.messages()]
    assert any("👋 Ben left. A computer plays on in that seat." in each.text for each in seen)
    assert "Take Ben's seat" not in [label for each in seen for label in labels(each)]


async def test_only_managers_of_tables_plan_and_only_in_channels(here: CardRoom, manager: Person) -> None:
    ben = here.people[1]
    assert "Only people who manage tables" in refusal_of(await ben.slash(here.room, "night plan"))
    form = shown(await manager.slash(here.room, "night plan"))
    assert next(each for each in form.buttons if each["label"] == "Plan it")["disabled"]
    answer = await forged(ben, form, part(form, "plan").replace("::", ":0:"), BUTTON, [])
    assert "Only people who manage tables" in refusal_of(answer)


async def test_no_night_is_planned_where_its_tables_cannot_have_threads(
    here: CardRoom, manager: Person
) -> None:
    for place in (added(here, ChannelType.voice), await deal(here, 2)):
        assert "needs a text channel" in refusal_of(await manager.slash(place, "night plan"))


async def test_the_form_offers_no_step_into_the_past(here: CardRoom, manager: Person) -> None:
    form = shown(await manager.slash(here.room, "night plan"))

    def disabled() -> set[str]:
        return {each["label"] for each in form.buttons if each.get("disabled")} - {"Plan it"}

    await manager.select(form, part(form, "ahead"), ["30"])
    assert disabled() == {"−1 h", "−1 day"}
    await manager.click(form, "+1 day")
    assert disabled() == set()
    here.box.clock.advance(86_400)
    await manager.click(form, "−1 day")
    assert disabled() == {"−15 min", "−1 h", "−1 day"}


async def test_the_form_says_the_pace_of_a_night_which_is_not_that_of_a_preset(
    here: CardRoom, manager: Person
) -> None:
    await here.bot.store.add_preset(Preset(0, here.guild.id, "Slow", "palmer", "{}", "relaxed"), 4)
    form = shown(await manager.slash(here.room, "night plan"))
    await manager.select(form, part(form, "games"), ["p1"])
    assert "**Games**: Slow\n**Rounds**: 3 · 90 seconds a move" in form.text


async def test_a_game_that_leaves_the_menu_is_not_planned_unseen(here: CardRoom, manager: Person) -> None:
    form = shown(await manager.slash(here.room, "night plan"))
    first, *_ = GAMES.values()
    await manager.select(form, part(form, "games"), ["0", "1"])
    await here.bot.store.leave_out(here.guild.id, [first.slug])
    assert "A game or preset that you chose" in refusal_of(await manager.click(form, "Plan it"))
    await manager.click(form, "+1 day")
    assert first.title not in form.text
    assert "is planned" in shown(await manager.click(form, "Plan it")).text


async def test_no_night_has_more_games_than_rounds(here: CardRoom, manager: Person) -> None:
    form = shown(await manager.slash(here.room, "night plan"))
    await manager.select(form, part(form, "games"), ["0", "1"])
    await manager.select(form, part(form, "rounds"), ["1"])
    assert "**More games than rounds**: choose fewer games, or more rounds." in form.text
    assert next(each for each in form.buttons if each["label"] == "Plan it")["disabled"]
    await manager.select(form, part(form, "rounds"), ["2"])
    assert "More games than rounds" not in form.text
    assert not next(each for each in form.buttons if each["label"] == "Plan it")["disabled"]


async def test_forged_plans_are_refused(here: CardRoom, manager: Person) -> None:
    form = shown(await manager.slash(here.room, "night plan"))
    for rest, refused in (
        ("1:0:3:0:plan", "That time is past"),
        ("99999999999:0:3:0:plan", "up to a year ahead"),
        ("99999999999:p77:3:0:plan", "is not offered here any more"),
        ("99999999999:0:9:0:plan", "does not work any more"),
        ("x:0:3:0:plan", "does not work any more"),
        ("1:2", "does not work any more"),
        ("1:0:3:0:+77", "does not work any more"),
    ):
        answer = await forged(manager, form, f"night-plan:0:{rest}", BUTTON, [])
        assert refused in refusal_of(answer), rest


async def test_two_nights_at_once_are_refused(here: CardRoom, manager: Person) -> None:
    await plan(here.bot, manager, here.room, ahead="60")
    form = shown(await manager.slash(here.room, "night plan"))
    await manager.select(form, part(form, "ahead"), ["120"])
    await manager.select(form, part(form, "games"), ["p1"])
    assert "less than 4 hours" in refusal_of(await manager.click(form, "Plan it"))
    await manager.click(form, "+1 day")
    assert "is planned for" in shown(await manager.click(form, "Plan it")).text


async def test_a_double_click_plans_one_night(here: CardRoom, manager: Person) -> None:
    await plan(here.bot, manager, here.room, ahead="60", clicks=2)
    await asyncio.sleep(60)
    assert len(await here.bot.store.nights_to_do()) == 1


@pytest.mark.parametrize("is_off", [False, True])
async def test_an_announcement_that_takes_no_more_edits_is_replaced_by_one_with_what_is_new(
    here: CardRoom, manager: Person, is_off: bool
) -> None:
    """Discord takes few edits of messages older than an hour in a channel."""
    box, room = here.box, here.room
    night = await plan(here.bot, manager, room, ahead="1440")
    old = await shows(box, room, ANNOUNCED)
    await here.later(4_000)

    async def others_are_edited() -> None:
        while True:
            while box.rate_limits.unannounced("old edits", room.id) is None:
                pass
            await asyncio.sleep(0.001)

    async with asyncio.TaskGroup() as work:
        others = work.create_task(others_are_edited())
        if is_off:
            await here.bot.nights.cancel(night)
            here.bot.dispatch("night_set", here.guild.id)
        else:
            await here.people[0].click(old, "I'm coming")
        await shows(box, room, ANNOUNCED, "**It is off.**" if is_off else "**1 is coming**")
        others.cancel()
    assert having(room, ANNOUNCED)[0] is not old


async def test_a_night_is_found_again_after_a_kill_before_its_message_was_stored(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        async with connected_bot(box, file) as bot:
            night = await plan(bot, alice, room, rounds=1)
            announced = await shows(box, room, ANNOUNCED)
            await bot.store.delete_night_post(night.id, 0)
        room.nonces.clear()
        async with connected_bot(box, file) as bot:
            for person in (alice, ben):
                await person.click(announced, "I'm coming")
            assert await shows(box, room, ANNOUNCED, "Alice and Ben") is announced
            await opened(bot, 1)
        async with connected_bot(box, file) as bot:
            await opened(bot, 1)
            await finish(bot)
            await shows(box, room, END + "over")
            assert len(having(room, ROUND)) == 1


async def test_a_night_is_announced_once_while_the_disk_is_full_where_the_bot_may_not_read(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    with failing(here.bot.store, "add_night_post"):
        await plan(here.bot, manager, here.room, ahead="60")
        await forget_nonces(here.room)
    await asyncio.sleep(120)
    assert len(having(here.room, ANNOUNCED)) == 1


async def test_a_night_that_reaches_discord_only_after_a_kill_and_a_look_back_is_announced_once(
    tmp_path: Path,
) -> None:
    async with post_that_comes_late(tmp_path) as (bot, room, manager, slow):
        await plan(bot.client, manager, room)
        await bot.box.until(lambda: not slow.times)
        await bot.kill()
        await bot.start()
        await asyncio.sleep(90)
        assert len(having(room, ANNOUNCED)) == 1


async def test_an_announcement_posted_again_that_reaches_discord_only_after_a_kill_stands_once(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        await plan(bot.client, manager, room, ahead="60")
        announced = await shows(box, room, ANNOUNCED)
        await delete_to_come_late(bot, room, manager, announced)
        await bot.kill()
        await bot.start()
        await asyncio.sleep(600)
        assert len(having(room, ANNOUNCED)) == 1


async def test_an_edit_of_an_announcement_that_arrives_after_a_kill_and_a_newer_one_does_not_stay(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        alice, ben = (box.person(name, room.guild) for name in ("Alice", "Ben"))
        await plan(bot.client, manager, room, ahead="60")
        announced = await shows(box, room, ANNOUNCED)
        slow = await next_edit_comes_late(bot, announced)
        await bot.kill_during(lambda: alice.click(announced, "I'm coming"), lambda: not slow.times)
        await bot.start()
        await ben.click(announced, "I'm coming")
        await shows(box, room, ANNOUNCED, "Alice and Ben", within=20)
        await asyncio.sleep(600)
        assert "Alice and Ben" in having(room, ANNOUNCED)[0].text


async def test_an_edit_that_arrives_after_a_kill_and_the_end_of_its_night_brings_no_button_back(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        alice = box.person("Alice", room.guild)
        night = await plan(bot.client, manager, room, ahead="60")
        announced = await shows(box, room, ANNOUNCED)
        slow = await next_edit_comes_late(bot, announced)
        await bot.kill_during(lambda: alice.click(announced, "I'm coming"), lambda: not slow.times)
        await bot.start()
        assert await bot.client.nights.cancel(night)
        await shows(box, room, END + "off", within=20)
        assert "I'm coming" not in labels(announced)
        await until_shown(box, lambda: "I'm coming" in labels(announced), 60)  # that of before the kill
        await until_stored(bot.client.store.nights_to_do, operator.not_, 120)
        assert "I'm coming" not in labels(announced)


async def test_the_last_message_of_a_night_that_reaches_discord_only_after_a_kill_stands_once(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        night = await plan(bot.client, manager, room, ahead="60")
        await shows(bot.box, room, ANNOUNCED)
        slow = next_comes_late(bot, room)
        await bot.kill_during(lambda: bot.client.nights.cancel(night), lambda: not slow.times)
        await bot.start()
        await asyncio.sleep(600)
        assert len(having(room, END)) == 1


async def test_a_table_of_a_night_that_a_kill_kept_from_its_start_offers_only_what_works(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        held, goes_on, begin = asyncio.Event(), asyncio.Event(), Table.begin

        async def begin_late(table: Table) -> None:
            held.set()
            await goes_on.wait()
            await begin(table)

        monkeypatch.setattr(Table, "begin", begin_late)
        async with connected_bot(box, file) as bot:
            await plan(bot, alice, room, rounds=1)
            announced = await shows(box, room, ANNOUNCED)
            for person in (alice, ben):
                await person.click(announced, "I'm coming")
            await held.wait()
        async with connected_bot(box, file) as bot:
            card = await shows(box, room, "The match begins in a moment.")
            assert labels(card) == ["My hand", "Rules"]
            assert "begins in a moment" in shown(await alice.click(card, "My hand")).text
            goes_on.set()
            await opened(bot, 1)
            await shows(box, room, "The match is on in")
            assert sum("hand:1:card" in each.custom_ids for each in room.messages()) == 1


async def one_round(here: CardRoom, manager: Person) -> Night:
    """Plan a night of one round, let three people come, and play it to its end."""
    night, _ = await gather(here, manager, rounds=1)
    await opened(here.bot, 1)
    await finish(here.bot)
    await shows(here.box, here.room, END + "over")
    return night


async def test_a_night_is_in_the_calendar_where_that_is_allowed(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    night = await plan(here.bot, manager, here.room)
    announced = await shows(here.box, here.room, ANNOUNCED)
    await here.box.until(lambda: here.guild.events)
    (event,) = here.guild.events.values()
    assert event["entity_metadata"] == {"location": f"<#{here.room.id}>"}
    assert datetime.fromisoformat(event["scheduled_start_time"]).timestamp() == night.starts / 1000
    await here.bot.store.delete_night_post(night.id, EVENT)  # as if a kill had come before it was stored
    await here.people[1].click(announced, "I'm coming")
    await shows(here.box, here.room, ANNOUNCED, "**1 is coming**")
    assert len(here.guild.events) == 1
    await manager.click(shown(await manager.click(announced, "More")), "Cancel it")
    await here.box.until(lambda: not here.guild.events, timeout=60)
    if SPECIFICATION.exists():
        assert [fault for sent in here.box.bodies for fault in faults(sent)] == []


async def test_a_night_is_in_the_calendar_only_while_everybody_sees_its_channel(
    here: CardRoom, manager: Person
) -> None:
    bot = here.box.world.bot
    here.guild.grant(bot, Permission.CREATE_EVENTS)
    here.room.deny(None, Permission.VIEW_CHANNEL)
    here.room.allow(bot, Permission.VIEW_CHANNEL)
    here.room.allow(manager.user, Permission.VIEW_CHANNEL)
    await plan(here.bot, manager, here.room, ahead="60")
    await shows(here.box, here.room, ANNOUNCED)
    await asyncio.sleep(150)
    assert not here.guild.events, "everybody on the server reads the calendar"
    here.room.allow(None, Permission.VIEW_CHANNEL)
    await here.box.until(lambda: here.guild.events, timeout=150)
    here.room.deny(None, Permission.VIEW_CHANNEL)
    await here.box.until(lambda: not here.guild.events, timeout=150)


async def test_an_event_that_fails_does_not_stop_a_night(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    here.box.faults.add(Fault("POST", r"scheduled-events$", 400))
    await one_round(here, manager)
    assert here.guild.events == {}


async def test_an_event_is_made_and_deleted_once_discord_works_again(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    here.box.faults.add(Fault("POST", r"scheduled-events$", 503, times=2))
    await plan(here.bot, manager, here.room, ahead="60")
    announced = await shows(here.box, here.room, ANNOUNCED)
    await here.box.until(lambda: here.guild.events, timeout=300)
    here.box.faults.add(Fault("DELETE", r"scheduled-events/", 503, times=2))
    await manager.click(shown(await manager.click(announced, "More")), "Cancel it")
    await shows(here.box, here.room, END + "off")
    await here.box.until(lambda: not here.guild.events, timeout=300)


async def test_the_event_of_a_night_that_is_off_is_deleted_once_that_is_allowed_again(
    here: CardRoom, manager: Person
) -> None:
    bot = here.box.world.bot
    here.guild.grant(bot, Permission.CREATE_EVENTS)
    night = await plan(here.bot, manager, here.room, ahead="60")
    await here.box.until(lambda: here.guild.events)
    may_create_events = here.guild.members[bot.id].roles.pop()
    here.guild.member_changed(bot)
    assert await here.bot.nights.cancel(night)
    await shows(here.box, here.room, END + "off")
    await asyncio.sleep(150)
    here.guild.members[bot.id].roles.append(may_create_events)
    here.guild.member_changed(bot)
    await here.box.until(lambda: not here.guild.events, timeout=150)


async def with_an_event_that_stays(here: CardRoom, manager: Person) -> Night:
    """Plan a night whose event the bot may not delete any more."""
    bot = here.box.world.bot
    here.guild.grant(bot, Permission.CREATE_EVENTS)
    night = await plan(here.bot, manager, here.room, ahead="60")
    await here.box.until(lambda: here.guild.events)
    here.guild.members[bot.id].roles.pop()
    here.guild.member_changed(bot)
    return night


async def test_that_the_end_of_a_night_waits_is_logged_also_while_its_event_stands(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    night = await with_an_event_that_stays(here, manager)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    assert await here.bot.nights.cancel(night)
    await asyncio.sleep(300)
    assert len([each for each in caplog.messages if "game night" in each]) == 1


async def test_a_night_that_is_off_does_not_wait_for_ever_to_delete_its_event(
    here: CardRoom, manager: Person
) -> None:
    night = await with_an_event_that_stays(here, manager)
    assert await here.bot.nights.cancel(night)
    await shows(here.box, here.room, END + "off")
    await here.later(3 * 3600)
    await until_stored(here.bot.store.nights_to_do, operator.not_)


async def test_an_event_that_somebody_deletes_is_not_created_again(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    await plan(here.bot, manager, here.room, ahead="60")
    announced = await shows(here.box, here.room, ANNOUNCED)
    await here.box.until(lambda: here.guild.events)
    here.guild.events.clear()
    await asyncio.sleep(150)
    assert here.guild.events == {}
    await manager.click(shown(await manager.click(announced, "More")), "Cancel it")
    await shows(here.box, here.room, END + "off")
    await until_stored(here.bot.store.nights_to_do, operator.not_)


async def plan_anew(here: CardRoom, manager: Person, night: Night) -> Night:
    """Plan another night for the same time."""
    games = [(GAMES["palmer"], GAMES["palmer"].Options())]
    again = await here.bot.nights.plan(here.guild.id, here.room.id, manager.id, night.starts, games, rounds=1)
    here.bot.dispatch("night_set", here.guild.id)
    return again


async def test_a_night_planned_anew_for_its_time_is_in_the_calendar(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    night = await plan(here.bot, manager, here.room, ahead="60")
    announced = await shows(here.box, here.room, ANNOUNCED)
    await here.box.until(lambda: here.guild.events)
    # So that the event of the first one is deleted only after a minute.
    here.box.faults.add(Fault("PATCH", rf"/messages/{announced.id}$", 503))
    await manager.click(shown(await manager.click(announced, "More")), "Cancel it")
    again = await plan_anew(here, manager, night)
    await asyncio.sleep(150)
    assert [*here.guild.events] == [(await here.bot.store.night_posts(again.id))[EVENT]]


async def test_a_night_planned_anew_leaves_another_its_event_that_is_not_stored_yet(
    here: CardRoom, manager: Person
) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    planning = plan(here.bot, manager, here.room, ahead="60")
    async with held(around, "_create", planning, after=True) as planned:
        night = await planned
        assert await here.bot.nights.cancel(night)
        again = await plan_anew(here, manager, night)
        await asyncio.sleep(30)
    await asyncio.sleep(150)
    assert [*here.guild.events] == [(await here.bot.store.night_posts(again.id))[EVENT]]


async def test_an_event_with_a_lost_answer_is_deleted_with_its_night(here: CardRoom, manager: Person) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    here.box.faults.add(Fault("POST", r"scheduled-events$", 503, after=True))
    night = await plan(here.bot, manager, here.room, ahead="60")
    await here.box.until(lambda: here.guild.events)
    assert await here.bot.nights.cancel(night)
    await here.box.until(lambda: not here.guild.events, timeout=150)


async def test_an_event_that_discord_made_twice_stands_once_and_is_deleted_with_its_night(
    here: CardRoom, manager: Person
) -> None:
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    here.box.faults.add(Fault("POST", r"scheduled-events$", 500, after=True))
    here.box.faults.add(Fault("DELETE", r"scheduled-events/", 500, after=True))
    night = await plan(here.bot, manager, here.room, ahead="60")
    await asyncio.sleep(60)
    assert len(here.guild.events) == 1
    here.box.faults.add(Fault("DELETE", r"scheduled-events/", 500, after=True))
    assert await here.bot.nights.cancel(night)
    await here.box.until(lambda: not here.guild.events, timeout=150)


@pytest.mark.parametrize("is_off", [False, True])
async def test_an_event_that_reaches_discord_only_after_a_kill_stands_once_while_its_night_is_planned(
    tmp_path: Path, is_off: bool
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        room.guild.grant(box.world.bot, Permission.CREATE_EVENTS)
        box.faults.add(slow := Fault("POST", r"scheduled-events$", None, delay=20, arrives=True))
        night = await plan(bot.client, manager, room, ahead="60")
        await box.until(lambda: not slow.times, timeout=60)
        await bot.kill()
        await bot.start()
        assert not is_off or await bot.client.nights.cancel(night)
        await asyncio.sleep(600)
        assert len(room.guild.events) == (not is_off)


async def role_to_win(here: CardRoom, manager: Person) -> Role:
    """Choose a role for winners, which the bot may give."""
    champion = here.guild.role("Champion", Permission(0))
    here.guild.grant(here.box.world.bot, Permission.MANAGE_ROLES)
    panel = shown(await manager.slash(here.room, "settings show"))
    chosen = shown(await manager.select(panel, "settings:0:night-role", [champion]))
    assert f"have a role for a week: <@&{champion.id}>" in chosen.text
    assert "I cannot give that role" not in chosen.text
    return champion


async def won(here: CardRoom, manager: Person) -> tuple[set[int], Callable[[], set[int]]]:
    """Choose a role for winners, and play a night. Return the winners, and who has the role."""
    champion = await role_to_win(here, manager)
    night = await one_round(here, manager)
    winners = {row.user for row in await here.bot.nights.standings(night) if row.place == 1}

    def having() -> set[int]:
        return {user for user, member in here.guild.members.items() if champion.id in member.roles}

    await until_shown(here.box, lambda: having() == winners, 300)
    return winners, having


async def test_nobody_wins_a_night_by_cancelling_it_while_they_lead(here: CardRoom, manager: Person) -> None:
    champion = await role_to_win(here, manager)
    _, announced = await gather(here, manager, rounds=2)
    await opened(here.bot, 1)
    await finish(here.bot)
    await opened(here.bot, 1)
    more = shown(await manager.click(announced, "More"))
    await manager.click(shown(await manager.click(more, "Cancel it")), "Yes, cancel it")
    await shows(here.box, here.room, END + "over", "It was cancelled.\nNobody wins.", " point")
    await shows(here.box, here.room, ANNOUNCED, "**It is over.** Nobody wins.")
    await until_stored(here.bot.store.nights_to_do, operator.not_)
    assert not any(champion.id in each.roles for each in here.guild.members.values())


async def test_a_role_that_discord_fails_to_give_is_given_later(here: CardRoom, manager: Person) -> None:
    here.box.faults.add(Fault("PUT", r"/roles/\d+$", 503, times=2))
    await won(here, manager)


async def test_the_winner_has_the_role_at_once_though_the_bot_does_not_see_the_channel(
    here: CardRoom, manager: Person
) -> None:
    champion = await role_to_win(here, manager)
    await gather(here, manager, rounds=1)
    await opened(here.bot, 1)
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await finish(here.bot)
    await here.box.until(lambda: any(champion.id in each.roles for each in here.guild.members.values()), 150)
    before = len(here.box.requests)
    await asyncio.sleep(300)
    assert not [each for each in here.box.requests[before:] if each.path.startswith("/guilds/")], "only once"


async def test_a_role_that_discord_refuses_to_give_is_tried_once(here: CardRoom, manager: Person) -> None:
    champion = await role_to_win(here, manager)
    here.box.faults.add(Fault("PUT", rf"/roles/{champion.id}$", 400, times=99))
    await one_round(here, manager)
    await until_stored(here.bot.store.nights_to_do, operator.not_)


async def test_a_role_that_cannot_be_taken_back_when_its_week_is_over_is_taken_back_later(
    here: CardRoom, manager: Person
) -> None:
    winners, having = await won(here, manager)
    bot = here.box.world.bot
    may_manage_roles = here.guild.members[bot.id].roles.pop()
    here.guild.member_changed(bot)
    here.box.clock.advance(7 * 86_400)
    await here.people[4].slash(here.room, "help")
    await asyncio.sleep(150)
    assert having() == winners
    here.guild.members[bot.id].roles.append(may_manage_roles)
    here.guild.member_changed(bot)
    await here.box.until(lambda: having() == set(), timeout=180)


async def test_a_winner_who_had_the_role_before_keeps_it(here: CardRoom, manager: Person) -> None:
    champion = await role_to_win(here, manager)
    for person in here.people:
        here.guild.members[person.id].roles.append(champion.id)
        here.guild.member_changed(person.user)
    await one_round(here, manager)
    await until_stored(here.bot.store.nights_to_do, operator.not_)
    await here.later(8 * 86_400)
    await asyncio.sleep(150)
    assert all(champion.id in here.guild.members[person.id].roles for person in here.people)


async def test_a_role_that_allows_more_since_it_was_chosen_is_not_given(
    here: CardRoom, manager: Person
) -> None:
    champion = await role_to_win(here, manager)
    champion.permissions = Permission.MANAGE_MESSAGES
    here.guild.dispatch("GUILD_ROLE_UPDATE", {"guild_id": str(here.guild.id), "role": champion.payload()})
    await one_round(here, manager)
    await until_stored(here.bot.store.nights_to_do, operator.not_)
    assert not any(champion.id in each.roles for each in here.guild.members.values())
    said = f"! <@&{champion.id}> allows more than everybody may"
    assert said in shown(await manager.slash(here.room, "doctor")).text


async def test_who_wins_again_as_their_role_is_taken_back_keeps_it(here: CardRoom, manager: Person) -> None:
    winners, having = await won(here, manager)
    night = await here.bot.store.night(1)
    assert night is not None
    here.box.faults.add(fault := Fault("DELETE", r"/roles/\d+$", None, delay=10))
    await here.later(7 * 86_400)
    await here.box.until(lambda: not fault.times, timeout=180)
    await reward(here.bot, await Evening.of(here.bot.store, night))
    await asyncio.sleep(120)
    assert having() == winners


async def test_what_is_around_a_night_waits_until_discord_has_described_the_server(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    _, having = await won(here, manager)
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS)
    here.box.faults.add(fault := Fault("POST", r"scheduled-events$", 503))
    await plan(here.bot, manager, here.room, ahead=str(8 * 24 * 60))
    await here.box.until(lambda: not fault.times)
    here.box.gateway.begin_outage(here.guild)
    await here.box.gateway.drop(resumable=False)
    here.box.clock.advance(7 * 86_400)
    await asyncio.sleep(150)
    assert having() != set()
    assert "ERROR" not in [each.levelname for each in caplog.records]
    here.box.gateway.end_outage(here.guild)
    await here.box.until(lambda: having() == set() and here.guild.events, timeout=300)


async def test_who_erases_themselves_gives_the_role_back(here: CardRoom, manager: Person) -> None:
    winners, having = await won(here, manager)
    winner = next(each for each in here.people if each.id in winners)
    here.box.faults.add(Fault("DELETE", r"/roles/\d+$", 503, times=10))
    question = shown(await winner.slash(here.room, "privacy erase"))
    answer = await winner.click(question, "Erase me")
    await here.box.until(lambda: "nothing was erased" in answer.text, timeout=60)
    assert winner.id in having()
    here.box.faults.clear()
    answer = await winner.click(question, "Erase me")
    await here.box.until(lambda: "You are erased" in answer.text)
    assert winner.id not in having()


async def test_who_erases_themselves_reads_before_that_a_role_may_stay(
    here: CardRoom, manager: Person
) -> None:
    winners, having = await won(here, manager)
    winner = next(each for each in here.people if each.id in winners)
    here.guild.time_out(here.box.world.bot, 3_600)
    question = shown(await winner.slash(here.room, "privacy erase"))
    assert "winner of a game night where I am not allowed to take it back" in question.text
    answer = await winner.click(question, "Erase me")
    await here.box.until(lambda: "You are erased" in answer.text)
    assert winner.id in having()


async def test_a_role_that_is_given_while_its_winner_is_erased_does_not_stay(
    here: CardRoom, manager: Person
) -> None:
    winners, having = await won(here, manager)
    winner = next(each for each in here.people if each.id in winners)
    night = await here.bot.store.night(1)
    assert night is not None
    evening = await Evening.of(here.bot.store, night)
    question = shown(await winner.slash(here.room, "privacy erase"))
    async with held(here.bot.store, "erase_person", winner.click(question, "Erase me")) as erasing:
        rewarding = asyncio.create_task(reward(here.bot, evening))
        await asyncio.sleep(30)
    await rewarding
    answer = await erasing
    await here.box.until(lambda: "You are erased" in answer.text)
    assert winner.id not in having()


async def test_a_role_that_is_given_while_another_process_erases_its_winner_does_not_stay(
    here: CardRoom, manager: Person
) -> None:
    champion = await role_to_win(here, manager)
    here.box.faults.add(slow := Fault("PUT", r"/roles/\d+$", None, delay=10))
    await one_round(here, manager)
    await here.box.until(lambda: not slow.times, timeout=300)
    (given,) = await here.bot.store.night_roles(here.bot.time.now() + WEEK)
    await take_all_back(here.bot, given.user)  # without the lock, which each process has for itself
    assert await here.bot.tables.erase(given.user)
    await asyncio.sleep(30)
    assert champion.id not in here.guild.members[given.user].roles


@pytest.mark.parametrize(("status", "delay"), [(None, 5), (0, 0)], ids=["slow", "unreachable"])
@pytest.mark.parametrize("button", ["My table", "Watch"])
async def test_the_way_to_a_table_is_told_in_time_though_discord_brings_nobody_in(
    here: CardRoom, manager: Person, button: str, status: int | None, delay: int
) -> None:
    await place_of_a_table(here, manager)
    table = await here.bot.tables.get(1)
    begun = await shows(here.box, here.room, ROUND, f"<#{table.match.place}>")
    (card,) = [each for each in having(here.room, "-# Table 1") if "Watch" in labels(each)]
    here.box.faults.add(Fault("PUT", "/thread-members/", status, times=5, delay=delay))
    clicked = await here.people[1].click(card if button == "Watch" else begun, button)
    assert f"<#{table.match.place}>" in (await settled(here, clicked)).text


async def test_who_comes_is_announced_at_once_though_the_answer_to_them_is_lost(
    here: CardRoom, manager: Person
) -> None:
    await plan(here.bot, manager, here.room)
    announced = await shows(here.box, here.room, ANNOUNCED)
    await asyncio.sleep(5)
    here.box.faults.add(Fault("POST", "/callback$", 500, times=10))
    await here.people[1].press(announced, part(announced, "come"))
    await here.box.until(lambda: "1 is coming" in announced.text.lower(), timeout=10)


async def test_a_role_that_allows_something_cannot_be_won(here: CardRoom, manager: Person) -> None:
    power = here.guild.role("Moderator", Permission.MANAGE_MESSAGES)
    panel = shown(await manager.slash(here.room, "settings show"))
    staff, hidden = here.guild.role("Staff", Permission(0)), here.guild.channel("staff-room")
    hidden.deny(None, Permission.VIEW_CHANNEL)
    hidden.overwrites[staff.id] = Overwrite(staff.id, 0, allow=Permission.VIEW_CHANNEL)
    hidden.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    for role in (power, staff):
        refused = await manager.select(panel, "settings:0:night-role", [role])
        assert "so nobody can win it" in refusal_of(refused)
    high = here.guild.role("High", Permission(0))
    assert (
        "I cannot give that role" in shown(await manager.select(panel, "settings:0:night-role", [high])).text
    )
    await one_round(here, manager)


async def test_who_chooses_the_role_of_winners_reads_that_the_bot_does_not_see_every_channel(
    here: CardRoom, manager: Person
) -> None:
    staff, hidden = here.guild.role("Staff", Permission(0)), here.guild.channel("staff-room")
    panel = shown(await manager.slash(here.room, "settings show"))
    panel = shown(await manager.select(panel, "settings:0:night-role", [staff]))
    assert "I do not see" not in panel.text
    hidden.overwrites[staff.id] = Overwrite(staff.id, 0, allow=Permission.VIEW_CHANNEL)
    hidden.deny(None, Permission.VIEW_CHANNEL)
    said = "I cannot know what that role opens in 1 channel of this server that I do not see."
    assert said in shown(await manager.slash(here.room, "settings show")).text


async def test_the_board_shows_the_next_night(here: CardRoom, manager: Person) -> None:
    await put_board(manager, here.room, here.room)
    await plan(here.bot, manager, here.room)
    board = await shows(here.box, here.room, "## Card tables", "**Game night** in <#", "nobody is coming yet")
    assert "You are coming" in (await here.people[1].click(board, "I'm coming")).told
    await shows(here.box, here.room, "## Card tables", "1 is coming")
    await shows(here.box, here.room, ANNOUNCED, "**1 is coming**: Ben")
    await shows(here.box, here.room, END + "off", within=900)
    await here.box.until(lambda: "Game night" not in board.text, timeout=60)


async def test_the_board_offers_no_seat_in_the_last_round(here: CardRoom, manager: Person) -> None:
    await put_board(manager, here.room, here.room)
    await gather(here, manager)
    await opened(here.bot, 1)
    board = await shows(here.box, here.room, "## Card tables", "Round 1 of 2 · 3 are here")
    assert "I'm coming" in labels(board)
    await finish(here.bot)
    await shows(here.box, here.room, "## Card tables", "Round 2 of 2 begins <t:")
    await opened(here.bot, 1)
    board = await shows(here.box, here.room, "## Card tables", "Round 2 of 2 · 3 are here")
    assert "I'm coming" not in labels(board)


async def test_play_offers_the_next_night_to_who_may_read_there(here: CardRoom, manager: Person) -> None:
    ben, lounge = here.people[1], here.guild.channel("lounge")
    await plan(here.bot, manager, here.room)
    page = shown(await ben.slash(lounge, "play"))
    assert f"**Game night** in <#{here.room.id}>" in page.text
    assert "You are coming" in (await ben.click(page, "I'm coming")).told
    page = shown(await ben.slash(lounge, "play"))
    assert "1 is coming, you too" in page.text
    assert "I'm coming" not in labels(page)
    here.room.deny(None, Permission.VIEW_CHANNEL)
    assert "Game night" not in shown(await ben.slash(lounge, "play")).text


async def test_the_doctor_says_what_a_night_lacks(here: CardRoom, manager: Person) -> None:
    champion = here.guild.role("Champion", Permission(0))
    await here.bot.store.set_night_role(here.guild.id, champion.id)
    await plan(here.bot, manager, here.room)
    here.room.deny(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
    text = shown(await manager.slash(here.room, "doctor")).text
    for said in (
        f"! I cannot give <@&{champion.id}> to winners",
        f"! I lack **Create Private Threads** in <#{here.room.id}>: at a game night",
        "✓ Game nights stay out of this server's calendar: I lack **Create Events**",
    ):
        assert said in text
    here.guild.grant(here.box.world.bot, Permission.CREATE_EVENTS | Permission.MANAGE_ROLES)
    here.room.allow(here.box.world.bot, Permission.CREATE_PRIVATE_THREADS)
    assert "night" not in shown(await manager.slash(here.room, "doctor")).text


async def test_the_doctor_says_that_an_announcement_channel_has_no_private_threads(
    here: CardRoom, manager: Person
) -> None:
    room = added(here, ChannelType.news)
    await plan(here.bot, manager, room)
    said = (
        f"! <#{room.id}> is an announcement channel, which has no private threads: at a game night everybody"
    )
    assert said in shown(await manager.slash(here.room, "doctor")).text


async def test_a_night_goes_on_while_the_bot_may_not_post_and_is_shown_later(
    here: CardRoom, manager: Person
) -> None:
    night, _ = await gather(here, manager, rounds=1)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await until_stored(lambda: here.bot.store.night(night.id), lambda now: now and now.phase == "round", 900)
    await asyncio.sleep(5)
    assert having(here.room, ROUND) == []
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await shows(here.box, here.room, "### Round 1 of 1", "**Table 1** <#", within=300)


async def test_a_server_that_removed_the_bot_meanwhile_hears_that_its_night_is_off(
    here: CardRoom, manager: Person
) -> None:
    await gather(here, manager)
    here.guild.remove(here.box.world.bot)
    here.box.clock.advance(3 * 3600)
    await asyncio.sleep(10)
    here.guild.invite_bot()
    await here.people[4].slash(here.room, "help")
    await shows(here.box, here.room, END + "off", "The bot was away for too long.")


@pytest.mark.parametrize("lost", [1, 5], ids=["once", "again and again where nothing can be read"])
async def test_a_round_with_a_lost_receipt_is_posted_once(here: CardRoom, manager: Person, lost: int) -> None:
    await gather(here, manager)
    if lost > 1:
        here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 503, times=lost, after=True))
    await shows(here.box, here.room, "### Round 1 of 2", "**Table 1** <#", within=900)
    assert len(having(here.room, ROUND)) == 1


async def test_an_announcement_whose_receipt_is_lost_is_posted_again_once_it_is_deleted(
    here: CardRoom, manager: Person
) -> None:
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 503, times=5, after=True))
    night = await plan(here.bot, manager, here.room)
    await until_stored(lambda: here.bot.store.night_posts(night.id), bool)
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    manager.delete(await shows(here.box, here.room, ANNOUNCED))
    await shows(here.box, here.room, ANNOUNCED, within=10)


async def test_a_night_that_is_planned_while_others_are_read_is_announced_at_once(
    here: CardRoom, manager: Person
) -> None:
    here.bot.dispatch("night_set", here.guild.id)  # as when somebody comes to another night
    async with held(here.bot.store, "due_nights", after=True):
        await plan(here.bot, manager, here.room)
    await shows(here.box, here.room, ANNOUNCED, within=20)


async def test_no_server_waits_for_one_whose_requests_are_slow(here: CardRoom, manager: Person) -> None:
    other = here.box.guild("Elsewhere")
    room, host = other.channel("card-room"), here.box.person("Olga", other)
    other.grant(host.user, Permission.MANAGE_GUILD)
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", None, delay=50))
    await plan(here.bot, manager, here.room)
    await asyncio.sleep(5)
    await plan(here.bot, host, room)
    await shows(here.box, room, ANNOUNCED, within=10)
    assert having(here.room, ANNOUNCED) == []


async def test_a_night_ends_with_its_channel_and_opens_no_more_tables(
    here: CardRoom, manager: Person
) -> None:
    lobby = here.guild.channel("lobby")
    night, _ = await gather(here, manager, room=lobby)
    await opened(here.bot, 1)
    lobby.delete()
    await until_stored(here.bot.store.nights_to_do, operator.not_)
    found = await here.bot.store.night(night.id)
    assert found is not None
    assert (found.phase, found.reason) == ("over", "cancelled")
    assert len(await here.bot.store.night_tables(night.id)) == 1


async def test_who_erases_themselves_is_not_named_any_more(here: CardRoom, manager: Person) -> None:
    await gather(here, manager, ahead="60")
    await shows(here.box, here.room, ANNOUNCED, "**3 are coming**: Alice, Ben and Cleo")
    await here.bot.tables.erase(here.people[1].id)
    await shows(here.box, here.room, ANNOUNCED, "**2 are coming**: Alice and Cleo")


async def test_a_board_and_a_page_with_all_that_they_can_show_fit_into_a_message(
    here: CardRoom, manager: Person
) -> None:
    hosts = [here.box.person(f"A guest with a long name {n}", here.guild) for n in range(10)]
    await begin(here, days=3)
    await plan(here.bot, manager, here.room)
    for n, host in enumerate(hosts):
        seek = await host.click(shown(await host.slash(here.room, "play")), "Tell me when …")
        assert seek.modal is not None
        await host.submit(seek.modal, {"Games": ["palmer"], "Pace": ["any"]})
        card = await open_table(here.room, "palace start", host, computers=1)
        if n < 5:
            await host.click(card, "Start")
    await put_board(manager, here.room, here.room)
    said = ("and 2 more open tables", "and 2 more matches", "**Game night**", "**Season", "looks for")
    await shows(here.box, here.room, "## Card tables", *said)
    for name in "ABC":
        await here.bot.store.add_preset(Preset(0, here.guild.id, name, "palmer", "{}", "live"), 4)
    page = shown(await here.people[0].slash(here.room, "play"))
    assert all(said in page.text for said in ("Tables of this server", "Open here", "To watch", "Game night"))
