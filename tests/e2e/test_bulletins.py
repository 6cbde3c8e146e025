"""Bulletins: the deal of a day where the board stands, posted once, and only where it is wanted."""

import asyncio
from pathlib import Path

import pytest

from bot.gateway.discord_time import posted_at
from bot.messages.router import NOTHING_CHOSEN
from cogs.bulletins import daily
from cogs.bulletins.cog import WHEN_REFUSED
from cogs.settings.panel import NEEDS_BOARD
from sandbox import Message, Permission, Person, TextChannel
from sandbox.components import STRING_SELECT
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom, connected_bot, until_shown, without_a_bot
from tests.e2e.daily_player import DAY, finish, wait_for_game
from tests.e2e.followed_match import managed_channel, next_comes_late
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, shown
from tests.e2e.test_board import boards, put_board
from tests.e2e.test_seasons import pass_by
from tests.held import fail, held

SILENT = 1 << 12


def dailies(channel: TextChannel) -> list[Message]:
    return [each for each in channel.messages() if any("daily:0:card:" in id_ for id_ in each.custom_ids)]


async def want(manager: Person, room: TextChannel, *kinds: str) -> Message:
    """Choose what is posted beside the board, and return the panel."""
    panel = shown(await manager.slash(room, "settings show"))
    return shown(await manager.select(panel, "settings:0:bulletins", [*kinds]))


async def next_day(here: CardRoom) -> None:
    await pass_by(here, DAY * 1000)


async def stays(channel: TextChannel, number: int) -> None:
    """Check that there are no more dailies in a channel after some minutes."""
    await asyncio.sleep(150)
    assert len(dailies(channel)) == number


@pytest.fixture
async def here(here: CardRoom, manager: Person) -> CardRoom:
    """The card room on a day of Palmer, at noon, with a board."""
    here.box.clock.advance((DAY * 3 / 2 - here.box.clock.now()) % DAY)
    await wait_for_game(here, "palmer")
    await put_board(manager, here.room, here.room)
    await until_shown(here.box, lambda: boards(here.room), 60)
    return here


async def shows(here: CardRoom, channel: TextChannel, text: str) -> Message:
    """Wait until the only daily there has this text, and return it."""
    await until_shown(here.box, lambda: len(dailies(channel)) == 1 and text in dailies(channel)[0].text, 240)
    return dailies(channel)[0]


async def test_the_deal_of_each_day_is_posted_once_in_place_of_the_one_before(
    here: CardRoom, manager: Person
) -> None:
    ben, cleo = here.people[1:3]
    await want(manager, here.room, "daily")
    post = await shows(here, here.room, "Palmer\n")
    assert post.body["flags"] & SILENT
    assert labels(post) == ["Play"]
    assert "The same cards for everybody" in post.text
    card = shown(await ben.click(post, "Play"))
    assert (card.ephemeral, labels(card)[0]) == (True, "Play")
    await finish(ben, here.room)
    await finish(cleo, here.room, seed=2)
    await stays(here.room, 1)
    await next_day(here)
    post = await shows(here, here.room, "**Yesterday · Daily ")
    assert sorted(line[3:] for line in post.text.splitlines()[-2:]) == ["Ben", "Cleo"]
    assert "of 4" not in post.text, "Placings would tell those about the deal who may still finish it."
    assert "table of the day" in shown(await ben.click(post, "Yesterday's table")).text
    assert "Only people who have finished" in refusal_of(
        await here.people[3].click(post, "Yesterday's table")
    )


async def test_those_of_several_servers_are_not_posted_in_one_burst(here: CardRoom, manager: Person) -> None:
    other = here.box.guild("Long Beach")
    other.add(manager.user)
    other.grant(manager.user, Permission.MANAGE_GUILD)
    rooms = [here.room, other.channel("lounge")]
    await put_board(manager, rooms[1], rooms[1])
    for room in rooms:
        await want(manager, room, "daily")
        await shows(here, room, "Palmer")
    await next_day(here)
    first, second = sorted([posted_at((await shows(here, room, "Charms")).id) for room in rooms])
    assert second - first >= 1_000


async def test_nothing_is_posted_where_it_is_off_or_without_a_board(here: CardRoom, manager: Person) -> None:
    await stays(here.room, 0)
    panel = await want(manager, here.room, "daily")
    await shows(here, here.room, "Palmer")
    await manager.select(panel, "settings:0:bulletins", [])
    await next_day(here)
    await stays(here.room, 1)  # yesterday's stays
    emptied = shown(await put_board(manager, here.room))
    assert "settings:0:bulletins" not in [each["custom_id"] for each in emptied.selects]
    refused = await manager.press(panel, "settings:0:bulletins", STRING_SELECT, values=["daily"])
    assert refusal_of(refused) == NEEDS_BOARD
    assert refusal_of(await manager.press(panel, "settings:0:pace", STRING_SELECT)) == NOTHING_CHOSEN


async def test_a_bulletin_that_is_deleted_or_whose_board_moves_is_not_posted_again_that_day(
    here: CardRoom, manager: Person
) -> None:
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    other = here.guild.channel("other")
    await want(manager, here.room, "daily")
    former = await shows(here, here.room, "Palmer")
    await put_board(manager, here.room, other)
    await want(manager, here.room)
    await want(manager, here.room, "daily")
    await stays(other, 0)
    await next_day(here)
    post = await shows(here, other, "Daily ")
    assert former.deleted
    manager.delete(post)
    await stays(other, 0)
    await next_day(here)
    await shows(here, other, "Daily ")


@pytest.mark.parametrize("is_moved", [False, True])
async def test_a_bulletin_that_is_switched_off_or_moves_while_it_is_made_is_not_posted_there(
    here: CardRoom, manager: Person, is_moved: bool
) -> None:
    other = here.guild.channel("other")
    await want(manager, here.room, "daily")
    former = await shows(here, here.room, "Palmer")
    async with held(daily, "_best", next_day(here)):
        await (put_board(manager, here.room, other) if is_moved else want(manager, here.room))
    if is_moved:
        await shows(here, other, "Daily ")
    await stays(other, int(is_moved))
    assert dailies(here.room) == [former] * (not is_moved)


async def test_after_an_outage_only_the_present_day_is_posted(here: CardRoom, manager: Person) -> None:
    await want(manager, here.room, "daily")
    former = await shows(here, here.room, "Palmer")
    await pass_by(here, 3 * DAY * 1000)
    await until_shown(here.box, lambda: dailies(here.room) not in ([], [former]), 240)
    await stays(here.room, 1)


async def test_a_bulletin_waits_for_its_permission(here: CardRoom, manager: Person) -> None:
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    await want(manager, here.room, "daily")
    asked = len(here.box.requests)
    await stays(here.room, 0)
    assert not [
        each for each in here.box.requests[asked:] if each.method == "POST" and "messages" in each.path
    ]
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await asyncio.sleep(WHEN_REFUSED)
    await shows(here, here.room, "Palmer")


async def test_a_board_that_moves_while_a_bulletin_is_refused_gets_it_at_once(
    here: CardRoom, manager: Person
) -> None:
    other = here.guild.channel("other")
    here.box.faults.add(fault := Fault("POST", rf"^/channels/{here.room.id}/messages$", 403, delay=20))
    await want(manager, here.room, "daily")
    await here.box.until(lambda: not fault.times, timeout=60)
    await put_board(manager, here.room, other)
    await asyncio.sleep(30)
    assert len(dailies(other)) == 1


async def test_a_channel_that_is_deleted_ends_it(here: CardRoom, manager: Person) -> None:
    other = here.guild.channel("other")
    await put_board(manager, here.room, other)
    await want(manager, here.room, "daily")
    await shows(here, other, "Palmer")
    other.delete()
    await next_day(here)
    await stays(here.room, 0)
    await put_board(manager, here.room, here.room)
    await shows(here, here.room, "Daily ")


@pytest.mark.parametrize("after", [False, True])
async def test_a_bulletin_whose_receipt_is_lost_stands_once(
    here: CardRoom, manager: Person, after: bool
) -> None:
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 503, after=after))
    await want(manager, here.room, "daily")
    await asyncio.sleep(2 * WHEN_REFUSED)
    await shows(here, here.room, "Palmer")


async def test_a_bulletin_that_is_posted_again_after_a_sleep_stands_once(
    here: CardRoom, manager: Person
) -> None:
    """The machine sleeps before a request is tried again, and Discord has forgotten its nonce by then."""
    other = here.guild.channel("other")
    await want(manager, here.room, "daily")
    await shows(here, here.room, "Palmer")
    await put_board(manager, here.room, other)
    await until_shown(here.box, lambda: boards(other), 60)
    here.box.faults.add(Fault("POST", rf"^/channels/{other.id}/messages$", 500, after=True))
    await next_day(here)
    await until_shown(here.box, lambda: dailies(other), 120)
    here.box.clock.advance(600)
    other.nonces.clear()
    await here.box.until(lambda: len(dailies(other)) == 2)
    await stays(other, 1)


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("is_posted", [False, True])
async def test_a_bulletin_is_found_after_a_kill_before_it_is_stored(
    file: Path, is_posted: bool, reads: bool
) -> None:
    async with without_a_bot() as (box, room, alice, _):
        guild = room.guild
        guild.grant(alice.user, Permission.MANAGE_GUILD)
        async with connected_bot(box, file) as bot:
            await put_board(alice, room, room)
            await want(alice, room, "daily")
            await box.until(lambda: dailies(room), timeout=60)
            await asyncio.sleep(1)
            (posted, _) = await bot.store.bulletins(guild.id)
            await bot.store.keep_bulletin(posted._replace(message=None))
        room.nonces.clear()
        (post,) = dailies(room)
        if not is_posted:
            guild.grant(alice.user, Permission.MANAGE_MESSAGES)
            alice.delete(post)
        if not reads:
            room.deny(box.world.bot, Permission.READ_MESSAGE_HISTORY)
        async with connected_bot(box, file) as bot:
            await asyncio.sleep(150)
            (posted, _) = await bot.store.bulletins(guild.id)
            if reads:
                assert [each.id for each in dailies(room)] == [posted.message]
                assert (posted.message == post.id) is is_posted
            else:  # it may stand there, and shall not do so twice
                assert len(dailies(room)) == is_posted


async def test_a_bulletin_that_was_posted_after_a_backup_stands_once_when_that_is_restored(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        await put_board(manager, room, room)
        await until_shown(bot.box, lambda: boards(room), 60)
        await bot.keep_copy()
        await want(manager, room, "daily")
        await until_shown(bot.box, lambda: dailies(room), 240)
        posted = dailies(room)
        await bot.bring_back()
        await bot.start()
        await want(manager, room, "daily")
        await asyncio.sleep(600)
        assert dailies(room) == posted


async def test_a_bulletin_that_reaches_discord_only_after_a_kill_and_a_look_back_stands_once(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        await put_board(manager, room, room)
        await until_shown(bot.box, lambda: len(boards(room)) == 1, 60)
        slow = next_comes_late(bot, room)
        await bot.kill_during(lambda: want(manager, room, "daily"), lambda: not slow.times)
        await bot.start()
        await asyncio.sleep(600)
        assert len(dailies(room)) == 1


async def test_why_no_bulletin_is_posted_is_logged_once_until_it_is(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    await want(manager, here.room, "daily")
    await shows(here, here.room, "Palmer")
    for days in (1, 2):
        here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 400, times=3))
        await next_day(here)
        await asyncio.sleep(3.5 * WHEN_REFUSED)
        await stays(here.room, 1)
        assert caplog.text.count("the daily bulletin of server") == days


async def test_bulletins_that_cannot_be_read_are_logged_once(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail(monkeypatch, here.bot.store, "due_bulletins")
    await asyncio.sleep(300)
    assert caplog.text.count("bulletins could not be read") == 1


async def test_a_bulletin_that_was_refused_is_posted_later_where_the_bot_may_not_read(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    here.box.faults.add(Fault("POST", rf"^/channels/{here.room.id}/messages$", 403))
    await want(manager, here.room, "daily")
    await asyncio.sleep(WHEN_REFUSED / 2)
    assert not dailies(here.room)
    await asyncio.sleep(WHEN_REFUSED)
    await stays(here.room, 1)
    await next_day(here)
    await shows(here, here.room, "Charms")
