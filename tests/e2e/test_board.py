"""The board: one message of a server that always shows what is on; it stands once, also after kills and deletions."""

import asyncio
import operator
from itertools import pairwise
from pathlib import Path

import pytest

from bot.match.entries import CloseReason
from bot.match.names import safe
from bot.store import BoardPost
from cogs.board.cog import AGAIN, BETWEEN
from sandbox import Answer, Message, Permission, Person, TextChannel
from sandbox.faults import Fault
from sandbox.posting import delete
from tests.e2e.card_room import CardRoom, connected_bot, until_shown, until_stored, without_a_bot
from tests.e2e.followed_match import (
    delete_to_come_late,
    managed_channel,
    next_edit_comes_late,
    post_that_comes_late,
)
from tests.e2e.match import refusal_of
from tests.e2e.players import labels, leave, open_table, press_more, secret_channel, shown
from tests.e2e.test_challenge import calls, challenge
from tests.e2e.test_seasons import begin, pass_by, played
from tests.held import held
from tests.rooms.inside import numbers_in

TITLE = "## Card tables"


def boards(channel: TextChannel) -> list[Message]:
    return [each for each in channel.messages() if TITLE in each.text]


async def put_board(manager: Person, room: TextChannel, *channel: TextChannel) -> Answer:
    """Choose where the board is to stand, or nowhere."""
    panel = shown(await manager.slash(room, "settings show"))
    return await manager.select(panel, "settings:0:board", [*channel])


@pytest.fixture
async def lobby(here: CardRoom, manager: Person) -> TextChannel:
    """A channel with a board and nothing else but the message that it was pinned."""
    lobby = here.guild.channel("lobby")
    lobby.allow(here.box.world.bot, Permission.PIN_MESSAGES)
    await put_board(manager, here.room, lobby)
    await until_shown(here.box, lambda: len(boards(lobby)) == 1, 60)
    return lobby


async def shows(here: CardRoom, lobby: TextChannel, *texts: str) -> Message:
    """Wait until the only board there has these texts, and return it."""
    await until_shown(
        here.box,
        lambda: len(boards(lobby)) == 1 and all(each in boards(lobby)[0].text for each in texts),
        120,
    )
    return boards(lobby)[0]


async def test_nothing_is_kept_of_a_table_that_ends_after_its_board(
    here: CardRoom, lobby: TextChannel, manager: Person
) -> None:
    alice, *_ = here.people
    card = await open_table(here.room, "palmer start", alice)
    await shows(here, lobby, "table 1")
    await put_board(manager, here.room)
    await asyncio.sleep(2 * AGAIN)
    await press_more(alice, card, "Cancel")
    await asyncio.sleep(AGAIN)
    assert not any(number == 1 for _, number in numbers_in(here.bot.get_cog("Boards"), "boards"))


async def test_a_board_shows_what_is_on_from_the_lobby_to_the_end(here: CardRoom, lobby: TextChannel) -> None:
    alice, ben, *_ = here.people
    board = await shows(here, lobby, "No table is open now.", "**Daily ")
    await here.box.until(lambda: board.pinned)
    assert labels(board) == ["Play", "Open a table", "Tell me when …", "Learn"]
    card = await open_table(here.room, "palace start", alice, pace="relaxed")
    await shows(here, lobby, "**Palace** · 1 of 8 seats · 1 hour a move\n-# Alice · table 1 · closes <t:")
    page = shown(await ben.click(board, "Join"))
    assert page.ephemeral
    assert page.text.startswith("✅ You sit at [table 1](")
    await shows(here, lobby, "2 of 8 seats", "Alice and Ben")
    await alice.click(card, "Start")
    await shows(here, lobby, "**Palace** · 1 hour a move\n-# Alice and Ben · table 1")
    assert "You play in this match" in (await ben.click(board, "Watch")).told
    await leave(ben, here.thread(card))
    await here.box.until(lambda: "Alice and 🤖 Ben" in boards(lobby)[0].text, timeout=15)
    await leave(alice, here.thread(card))
    assert await shows(here, lobby, "No table is open") is board


async def test_a_board_cuts_what_would_be_too_long_at_seven_tables(
    here: CardRoom, lobby: TextChannel
) -> None:
    unusual = {"singles": 15, "hand_seconds": 10, "sets_to_win": 8, "tie_ms": 1968, "handicap": True}
    await open_table(here.room, "twin-it start", here.people[0], mode="teams", **unusual)
    board = await shows(here, lobby, "**Twin It!** · 1 of 6 seats · teams · ")
    line = next(each for each in board.text.splitlines() if "Twin It!" in each)
    assert line.endswith("…")
    assert len(line) < 130


async def test_a_board_says_for_whom_a_seat_is_kept(here: CardRoom, lobby: TextChannel) -> None:
    alice, ben, *_ = here.people
    await challenge(alice, here.room, ben)
    await shows(here, lobby, "**Palmer** · 1 of 6 seats · kept for Ben, open to all <t:")
    await until_shown(here.box, lambda: bool(calls(here.room)), 60)
    await ben.click(calls(here.room)[0], "Decline")
    await until_shown(here.box, lambda: "kept" not in boards(lobby)[0].text, 60)


async def test_a_board_shows_the_best_of_the_season(here: CardRoom, lobby: TextChannel) -> None:
    await begin(here, days=3)
    board = await shows(here, lobby, "**Season Autumn** · ends <t:")
    assert shown(await here.people[1].click(board, "My place")).ephemeral
    await pass_by(here, 3 * 86_400_000)
    await until_shown(here.box, lambda: "Autumn" not in boards(lobby)[0].text, 120)


async def test_a_board_prints_names_of_a_season_as_plain_text(here: CardRoom, lobby: TextChannel) -> None:
    alice = await begin(here)
    ben = here.people[1]
    ben.user.name = "# [gift](https://evil.example) `for all`"
    await played(here, alice, ben)
    assert f"2. {safe(ben.name)} · 0 points" in (await shows(here, lobby, "1. Alice · 100 points")).text


async def test_a_board_is_edited_at_most_once_in_ten_seconds(here: CardRoom, lobby: TextChannel) -> None:
    alice, *others = here.people
    board = await shows(here, lobby, "No table is open")
    card = await open_table(here.room, "palace start", alice)
    for number, other in enumerate(others[:3], start=2):
        await other.click(card, "Join")
        await shows(here, lobby, f"{number} of 8 seats")
    path = f"/channels/{lobby.id}/messages/{board.id}"
    edits = [each.time for each in here.box.requests if each.method == "PATCH" and each.path == path]
    assert len(edits) > 2
    assert all(later - earlier >= 10 for earlier, later in pairwise(edits))


async def test_a_full_table_and_one_in_a_closed_channel_are_not_on_the_board(
    here: CardRoom, lobby: TextChannel
) -> None:
    alice, ben, *_ = here.people
    await open_table(secret_channel(here, ben), "charms start", ben)
    await open_table(here.room, "palace start", alice, computers=6)
    board = await shows(here, lobby, "7 of 8 seats")
    assert "Charms" not in board.text
    await ben.click(board, "Join")
    assert "Join" not in labels(await shows(here, lobby, "8 of 8 seats"))


async def test_a_board_that_is_deleted_while_its_edit_is_answered_is_posted_again(
    here: CardRoom, lobby: TextChannel, manager: Person
) -> None:
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    board = await shows(here, lobby, "No table is open")
    path = rf"^/channels/{lobby.id}/messages/{board.id}$"
    here.box.faults.add(Fault("PATCH", path, None, after=True, delay=2))
    await open_table(here.room, "palace start", here.people[1])
    await shows(here, lobby, "1 of 8 seats")
    manager.delete(board)
    assert await shows(here, lobby, "1 of 8 seats") is not board


async def test_a_board_that_was_deleted_while_the_bot_was_removed_is_posted_again(
    here: CardRoom, lobby: TextChannel
) -> None:
    board = await shows(here, lobby, "No table is open")
    await asyncio.sleep(2 * AGAIN)
    here.guild.remove(here.box.world.bot)
    delete(board)
    await asyncio.sleep(5)
    here.guild.invite_bot()
    assert await shows(here, lobby, "No table is open") is not board


async def test_a_board_that_was_deleted_while_the_bot_did_not_see_its_channel_is_posted_again(
    here: CardRoom, lobby: TextChannel
) -> None:
    board, bot = await shows(here, lobby, "No table is open"), here.box.world.bot
    await asyncio.sleep(2 * AGAIN)
    lobby.deny(bot, Permission.VIEW_CHANNEL)
    board.deleted = True  # Discord does not tell the bot
    await asyncio.sleep(2 * AGAIN)
    lobby.allow(bot, Permission.VIEW_CHANNEL)
    assert await shows(here, lobby, "No table is open") is not board


async def test_nothing_is_sent_for_a_board_whose_channel_the_bot_does_not_see(
    here: CardRoom, lobby: TextChannel
) -> None:
    board, bot = await shows(here, lobby, "No table is open"), here.box.world.bot
    await asyncio.sleep(AGAIN)
    lobby.deny(bot, Permission.VIEW_CHANNEL)
    before = len(here.box.requests)
    await open_table(here.room, "palace start", here.people[1])
    await asyncio.sleep(3 * AGAIN)
    assert [each.path for each in here.box.requests[before:] if str(lobby.id) in each.path] == []
    lobby.allow(bot, Permission.VIEW_CHANNEL)
    assert await shows(here, lobby, "1 of 8 seats") is board


async def test_a_board_of_another_application_is_left_there_and_posted_anew(
    here: CardRoom, lobby: TextChannel
) -> None:
    board = await shows(here, lobby, "No table is open")
    await asyncio.sleep(2 * AGAIN)
    board.author = here.people[3].user
    await open_table(here.room, "palace start", here.people[1])
    await until_shown(here.box, lambda: "1 of 8 seats" in boards(lobby)[-1].text, 120)


async def test_a_board_is_right_after_an_edit_with_a_lost_receipt(here: CardRoom, lobby: TextChannel) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice, pace="relaxed")
    board = await shows(here, lobby, "1 of 8 seats")
    path = rf"^/channels/{lobby.id}/messages/{board.id}$"
    here.box.faults.add(Fault("PATCH", path, 0, times=9, after=True))
    await ben.click(card, "Join")
    await shows(here, lobby, "2 of 8 seats")
    await press_more(ben, card, "Leave")
    await shows(here, lobby, "1 of 8 seats")


async def test_a_board_that_was_taken_away_just_now_can_be_put_there_again(
    here: CardRoom, lobby: TextChannel, manager: Person
) -> None:
    for _ in range(3):
        assert "**Board**" not in shown(await put_board(manager, here.room)).text
        await here.box.until(lambda: not boards(lobby))
        assert f"**Board**: <#{lobby.id}>" in shown(await put_board(manager, here.room, lobby)).text
        await shows(here, lobby, "No table is open now.")


async def test_a_board_in_a_channel_that_the_bot_does_not_see_is_taken_away_later(
    here: CardRoom, lobby: TextChannel, manager: Person
) -> None:
    lobby.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await put_board(manager, here.room, here.room)
    await until_shown(here.box, lambda: len(boards(here.room)) == 1, 60)
    before = len(here.box.requests)
    await asyncio.sleep(3 * AGAIN)
    assert len(boards(lobby)) == 1
    assert [each.path for each in here.box.requests[before:] if str(lobby.id) in each.path] == []
    lobby.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    await until_shown(here.box, lambda: not boards(lobby), 120)


async def test_a_board_where_no_table_may_be_opened_says_where_that_is_possible(
    here: CardRoom, lobby: TextChannel
) -> None:
    await here.bot.store.set_table_channels(here.guild.id, [here.room.id])
    board = await shows(here, lobby, "No table is open")
    page = shown(await here.people[1].click(board, "Open a table"))
    assert f"On this server tables may be opened only in <#{here.room.id}>. Open yours there." in page.text
    assert labels(page)[0] == "Tell me when …"


async def test_a_board_opens_its_page_though_the_database_is_slow(here: CardRoom, lobby: TextChannel) -> None:
    board = await shows(here, lobby, "No table is open")
    async with held(here.bot.store, "presets", here.people[1].click(board, "Open a table")) as opening:
        await asyncio.sleep(4)
    answer = await opening
    await here.box.until(lambda: answer.followups)
    assert answer.followups[0].ephemeral
    assert "Open a table" in answer.followups[0].text


async def test_a_board_is_pinned_once_the_bot_may_do_so(here: CardRoom, manager: Person) -> None:
    await put_board(manager, here.room, here.room)
    board = await shows(here, here.room, "No table is open")
    await asyncio.sleep(150)
    assert not [each for each in here.box.requests if "/pins/" in each.path], "it is not asked in vain"
    here.room.allow(here.box.world.bot, Permission.PIN_MESSAGES)
    await until_shown(here.box, lambda: board.pinned, 120)
    await asyncio.sleep(150)
    assert len([each for each in here.box.requests if "/pins/" in each.path]) == 1


async def test_a_board_is_pinned_before_the_bot_knows_it_as_posted(
    here: CardRoom, manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.room.allow(here.box.world.bot, Permission.PIN_MESSAGES)
    store, pinned = here.bot.store, list[bool]()
    add = store.add_board_post

    async def note(post: BoardPost) -> None:
        pinned.extend(bool(here.room.log[post.message].pinned) for _ in range(post.message > 0))
        await add(post)

    monkeypatch.setattr(store, "add_board_post", note)
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: pinned, timeout=60)
    assert pinned == [True]


async def test_a_board_that_could_not_be_pinned_shows_new_tables_at_once(
    here: CardRoom, manager: Person
) -> None:
    here.room.allow(here.box.world.bot, Permission.PIN_MESSAGES)
    here.box.faults.add(lost := Fault("PUT", "/pins/", 0, times=5))
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: lost.times < 5, timeout=120)
    await open_table(here.room, "palace start", here.people[0])
    await here.box.until(lambda: "Palace" in boards(here.room)[0].text, timeout=30)


async def test_a_board_ends_with_its_channel(here: CardRoom, lobby: TextChannel) -> None:
    await asyncio.sleep(2 * BETWEEN)  # nothing is left to edit
    lobby.delete()
    await until_stored(here.bot.store.boards, operator.not_, 30)


async def test_a_board_that_was_posted_twice_in_a_sleep_stands_once_though_its_channel_was_hidden_then(
    here: CardRoom, manager: Person
) -> None:
    path = rf"^/channels/{here.room.id}/messages$"
    fault = Fault("POST", path, 500, after=True)
    here.box.faults.add(fault)
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: not fault.times, timeout=60)
    here.box.faults.add(Fault("GET", path, 403))
    here.room.nonces.clear()
    here.box.clock.advance(3_600)
    await until_shown(here.box, lambda: len(boards(here.room)) == 2, 60)
    await until_shown(here.box, lambda: len(boards(here.room)) == 1, 120)
    await shows(here, here.room, "No table is open")


async def test_a_board_that_is_wanted_while_boards_are_read_is_posted_soon(
    here: CardRoom, manager: Person
) -> None:
    async with held(here.bot.store, "boards", after=True):
        await put_board(manager, here.room, here.room)
    await here.box.until(lambda: boards(here.room), timeout=20)


async def test_a_board_moved_while_its_receipt_is_lost_stands_once(here: CardRoom, manager: Person) -> None:
    elsewhere = here.guild.channel("lobby")
    fault = Fault("POST", rf"^/channels/{here.room.id}/messages$", 503, after=True)
    here.box.faults.add(fault)
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: not fault.times, timeout=60)
    await put_board(manager, here.room, elsewhere)
    await shows(here, elsewhere, "No table is open")
    await until_shown(here.box, lambda: not boards(here.room), 120)


async def test_a_board_stays_though_one_whose_receipt_was_lost_went_with_its_channel(
    here: CardRoom, manager: Person
) -> None:
    first, second = here.guild.channel("first"), here.guild.channel("second")
    fault = Fault("POST", rf"^/channels/{first.id}/messages$", 503)
    here.box.faults.add(fault)
    await put_board(manager, here.room, first)
    await here.box.until(lambda: not fault.times, timeout=60)
    first.delete()
    await put_board(manager, here.room, second)
    await shows(here, second, "No table is open")
    await open_table(here.room, "palace start", here.people[1])
    await shows(here, second, "1 of 8 seats")


async def test_a_board_waits_until_the_bot_may_post_again(
    here: CardRoom, lobby: TextChannel, manager: Person
) -> None:
    lobby.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await open_table(here.room, "palace start", here.people[1])
    assert f"I may not post in <#{lobby.id}>" in shown(await manager.slash(here.room, "settings show")).text
    assert "I may not post in" in refusal_of(await put_board(manager, here.room, lobby))
    await asyncio.sleep(15)
    lobby.allow(here.box.world.bot, Permission.VIEW_CHANNEL)
    await shows(here, lobby, "1 of 8 seats")


async def test_a_board_is_found_again_after_a_kill_before_it_was_stored(file: Path) -> None:
    async with without_a_bot() as (box, room, alice, _):
        room.guild.grant(alice.user, Permission.MANAGE_GUILD)
        async with connected_bot(box, file) as bot:
            await put_board(alice, room, room)
            await box.until(lambda: boards(room), timeout=60)
            await asyncio.sleep(1)
            (post,) = await bot.store.board_posts(room.guild.id)
            await bot.store.delete_board_post(post)
        room.nonces.clear()
        async with connected_bot(box, file):
            await open_table(room, "palace start", alice)
            await box.until(lambda: "1 of 8 seats" in boards(room)[0].text, timeout=120)
            assert len(boards(room)) == 1


async def test_a_board_that_reaches_discord_only_after_a_kill_and_a_look_back_stands_once(
    tmp_path: Path,
) -> None:
    async with post_that_comes_late(tmp_path) as (bot, room, manager, slow):
        await bot.kill_during(lambda: put_board(manager, room, room), lambda: not slow.times)
        await bot.start()
        await asyncio.sleep(60)
        assert len(boards(room)) == 1


@pytest.mark.parametrize("kills", [1, 2])
async def test_a_board_posted_again_that_reaches_discord_only_after_a_kill_stands_once(
    tmp_path: Path, kills: int
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        await put_board(manager, room, room)
        await until_shown(box, lambda: len(boards(room)) == 1, 60)
        await delete_to_come_late(bot, room, manager, boards(room)[0])
        for _ in range(kills):
            await bot.kill()
            await bot.start()
            await until_shown(box, lambda: len(boards(room)) == 1, 15)
        await asyncio.sleep(600)
        assert len(boards(room)) == 1


async def test_an_edit_of_a_board_that_arrives_after_a_kill_and_a_newer_one_does_not_stay(
    tmp_path: Path,
) -> None:
    async with managed_channel(tmp_path) as (bot, room, manager):
        box = bot.box
        alice = box.person("Alice", room.guild)
        await put_board(manager, room, room)
        await until_shown(box, lambda: len(boards(room)) == 1, 60)
        (board,) = boards(room)
        slow = await next_edit_comes_late(bot, board)
        await bot.kill_during(lambda: open_table(room, "palace start", alice), lambda: not slow.times)
        await bot.start()
        await alice.slash(room, "table leave")
        await until_shown(box, lambda: "No table is open" in boards(room)[0].text, 20)
        await asyncio.sleep(600)
        assert "No table is open" in boards(room)[0].text


@pytest.mark.parametrize("moved", [False, True])
async def test_a_board_that_may_stand_there_waits_until_the_bot_may_read_what_does(
    here: CardRoom, manager: Person, moved: bool, caplog: pytest.LogCaptureFixture
) -> None:
    elsewhere = here.guild.channel("lobby")
    fault = Fault("POST", rf"^/channels/{here.room.id}/messages$", 500, times=5, after=True)
    here.box.faults.add(fault)
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: not fault.times, timeout=60)
    here.room.nonces.clear()
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    if moved:
        await put_board(manager, here.room, elsewhere)
    await asyncio.sleep(4 * AGAIN)
    assert len(boards(here.room)) == 1
    assert caplog.text.count("the board of server") <= 1, "for the error, not for each look"
    if moved:  # the new one does not wait
        for number in (1, 2):
            await open_table(here.room, "palace start", here.people[number])
            await until_shown(here.box, lambda n=number: f"table {n}" in boards(elsewhere)[0].text, 15)  # type: ignore[misc]
        for number in (1, 2):
            await (await here.bot.tables.get(number)).close(CloseReason.NOT_SHOWN)
    here.room.allow(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    await shows(here, elsewhere if moved else here.room, "No table is open")
    await until_shown(here.box, lambda: len(boards(here.room)) == (not moved), 120)


async def test_a_board_is_taken_away_though_the_next_one_stands_unread(
    here: CardRoom, manager: Person
) -> None:
    elsewhere = here.guild.channel("lobby")
    elsewhere.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    await put_board(manager, here.room, here.room)
    await shows(here, here.room, "No table is open")
    fault = Fault("POST", rf"^/channels/{elsewhere.id}/messages$", 500, times=5, after=True)
    here.box.faults.add(fault)
    await put_board(manager, here.room, elsewhere)
    await here.box.until(lambda: not fault.times, timeout=60)
    await until_shown(here.box, lambda: not boards(here.room), 120)
    assert len(boards(elsewhere)) == 1


@pytest.mark.parametrize("slept", [False, True])
async def test_a_board_waits_for_nothing_to_be_read_once_it_is_known_whether_it_stands_there(
    here: CardRoom, manager: Person, slept: bool
) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    # discord.py tries it again after an error of Discord, here a sleep of the machine later.
    status = 500 if slept else 403
    here.box.faults.add(fault := Fault("POST", rf"^/channels/{here.room.id}/messages$", status))
    await put_board(manager, here.room, here.room)
    await here.box.until(lambda: not fault.times, timeout=60)
    if slept:
        here.box.clock.advance(3_600)
    await shows(here, here.room, "No table is open")
    await open_table(here.room, "palace start", here.people[1])
    await shows(here, here.room, "1 of 8 seats")


async def test_a_board_that_was_deleted_in_a_timeout_of_the_bot_is_posted_where_it_may_not_read(
    here: CardRoom, manager: Person
) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    await put_board(manager, here.room, here.room)
    board = await shows(here, here.room, "No table is open")
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    here.guild.time_out(here.box.world.bot, 600)
    manager.delete(board)
    await asyncio.sleep(300)
    assert not boards(here.room)
    await asyncio.sleep(300)
    await shows(here, here.room, "No table is open")


async def test_why_a_board_cannot_be_posted_is_logged_once(
    here: CardRoom, manager: Person, caplog: pytest.LogCaptureFixture
) -> None:
    await put_board(manager, here.room, here.room)
    board = await shows(here, here.room, "No table is open")
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES)
    here.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    manager.delete(board)
    await asyncio.sleep(10 * AGAIN)
    assert caplog.text.count("the board of server") == 1
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES)
    await shows(here, here.room, "No table is open")
