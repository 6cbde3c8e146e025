"""Matches of older rules: each is closed at the start, its players read why, and it counts nowhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from copy import deepcopy
from pathlib import Path

import pytest

from bot.client import Palmhouse
from bot.error_codes import ARCHIVED
from bot.messages.outbox import FAR_BACK
from bot.standings import daily
from games import GAMES
from games.lessons import lessons
from sandbox import Message, Permission, Person, Sandbox, TextChannel, Thread
from sandbox.faults import Fault
from tests.bot.store.stores import rows
from tests.e2e.card_room import connected_bot, without_a_bot
from tests.e2e.daily_player import DAY, begin
from tests.e2e.match import refusal_of
from tests.e2e.players import chat, labels, open_table, shown
from tests.e2e.test_lesson_offer import OFFER, offers


async def leave_table(
    box: Sandbox, file: Path, room: TextChannel, *people: Person, dealt: bool = False
) -> Message:
    """Open a table by a bot that ends then. Return its card."""
    async with connected_bot(box, file) as bot:
        card = await open_table(room, "thirty-one start", *people)
        if dealt:
            await people[0].click(card, "Start")
        await bot.publisher.wait()
    return card


@asynccontextmanager
async def under_older_rules(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Sandbox, TextChannel, Person]]:
    """Leave a table whose rules are older than those of the next bot. Yields its room and its host, too."""
    async with without_a_bot() as (box, room, alice, ben):
        await leave_table(box, file, room, alice, ben)
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        yield box, room, alice


@asynccontextmanager
async def dealt_under_older_rules(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[Sandbox, Thread, Message, Person]]:
    """Leave a match whose rules are older than those of the next bot. Yields its thread, live table and host, too."""
    async with without_a_bot() as (box, room, alice, ben):
        card = await leave_table(box, file, room, alice, ben, dealt=True)
        assert isinstance(card.thread, Thread)
        (board,) = (each for each in card.thread.messages() if labels(each))
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        yield box, card.thread, board, alice


@pytest.mark.parametrize("dealt", [True, False])
async def test_players_of_older_rules_read_once_that_their_match_is_closed(
    file: Path, monkeypatch: pytest.MonkeyPatch, dealt: bool
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        card = await leave_table(box, file, room, alice, ben, dealt=dealt)
        place = card.thread if dealt else room
        assert place is not None
        before = [each.id for each in place.messages()]
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        for _ in range(2):
            async with connected_bot(box, file) as bot:
                await box.until(lambda: len(place.messages()) > len(before))
                await bot.publisher.wait()
                (said,) = (each.text for each in place.messages() if each.id not in before)
                assert said == (
                    "🚪 Table 1 closed: it began under older rules and cannot go on. The match does not count. "
                    "`/thirty-one start` opens a new table."
                )
                assert "under older rules" in refusal_of(await alice.press(card, "rules:1"))
                await all_posted(bot)
                match = await bot.store.match(1)
                assert match is not None
                assert (match.phase, match.counted) == ("closed", None)


@pytest.mark.parametrize("trouble", ["deleted", "locked", "too many"])
async def test_players_whose_thread_takes_no_message_read_in_the_channel_that_their_match_is_closed(
    file: Path, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        card = await leave_table(box, file, room, alice, ben, dealt=True)
        assert isinstance(card.thread, Thread)
        if trouble == "deleted":
            card.thread.delete()
        else:
            card.thread.archive(locked=trouble == "locked")
            card.thread.guild.most_threads *= trouble == "locked"
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        for _ in range(2):
            async with connected_bot(box, file) as bot:
                await all_posted(bot)
                assert sum("Table 1 closed: it began" in each.text for each in room.messages()) == 1


@pytest.mark.parametrize("dealt", [True, False])
async def test_no_message_of_a_match_of_older_rules_keeps_buttons_though_an_edit_fails(
    file: Path, monkeypatch: pytest.MonkeyPatch, dealt: bool
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        card = await leave_table(box, file, room, alice, ben, dealt=dealt)
        places = [room, *([card.thread] if card.thread else [])]
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        box.fail("PATCH", f"^/channels/{room.id}/messages/", 503)
        async with connected_bot(box, file) as bot:
            await all_posted(bot)
            assert [labels(each) for place in places for each in place.messages() if labels(each)] == []
            closed = [
                each.text for place in places for each in place.messages() if "Table 1 closed" in each.text
            ]
            assert len(closed) == 1


async def test_a_process_that_has_lost_the_server_leaves_its_match_of_older_rules_to_another(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with under_older_rules(file, monkeypatch) as (box, room, _):
        box.fail("POST", f"^/channels/{room.id}/messages$", 503, times=99)
        async with connected_bot(box, file) as bot:
            await box.until(bot.publisher.not_shown)
            bot.tables.owns = lambda _: False
            await bot.publisher.let_go()
            await asyncio.sleep(120)
            assert bot.publisher.backlog() == 0


async def test_the_sentence_is_not_posted_again_below_chat_while_an_edit_fails(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with under_older_rules(file, monkeypatch) as (box, room, alice):
        box.fail("PATCH", f"^/channels/{room.id}/messages/", 503)
        async with connected_bot(box, file) as bot:
            await box.until(lambda: "Table 1 closed" in room.messages()[-1].text)
            await chat(alice, room, 50)
            await all_posted(bot)
            assert sum("Table 1 closed" in each.text for each in room.messages()) == 1


async def test_the_sentence_is_posted_once_where_the_bot_may_not_read_though_an_edit_fails_for_long(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with under_older_rules(file, monkeypatch) as (box, room, _):
        room.deny(box.world.bot, Permission.READ_MESSAGE_HISTORY)
        box.fail("PATCH", f"^/channels/{room.id}/messages/", 503, times=12)
        box.fail("POST", f"^/channels/{room.id}/messages$", 500, times=5, after=True)
        async with connected_bot(box, file) as bot:
            await asyncio.sleep(900)
            await all_posted(bot)
            assert sum("Table 1 closed" in each.text for each in room.messages()) == 1


async def test_no_message_in_an_archived_thread_keeps_buttons(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dealt_under_older_rules(file, monkeypatch) as (box, thread, *_):
        thread.archive()
        # Somebody archives it again and again.
        box.faults.add(Fault("PATCH", f"^/channels/{thread.id}/messages/", 400, times=3, code=ARCHIVED))
        async with connected_bot(box, file) as bot:
            await all_posted(bot)
            assert "Table 1 closed" in thread.messages()[-1].text
            assert [labels(each) for each in thread.messages() if labels(each)] == []


async def test_no_message_in_an_archived_thread_keeps_buttons_though_a_kill_left_the_sentence_there(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dealt_under_older_rules(file, monkeypatch) as (box, thread, board, _):
        as_before_the_kill = deepcopy(board.body)
        async with connected_bot(box, file) as bot:
            await all_posted(bot)
        board.body = as_before_the_kill
        rows(file, "UPDATE matches SET published = 1")
        thread.nonces.clear()  # as Discord does after some minutes
        thread.archive()
        async with connected_bot(box, file) as bot:
            await all_posted(bot)
        assert labels(board) == []
        assert sum("Table 1 closed" in each.text for each in thread.messages()) == 1


async def test_a_match_that_is_closed_where_the_bot_sees_nothing_for_a_moment_is_told_then(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dealt_under_older_rules(file, monkeypatch) as (box, thread, board, _):
        thread.parent.deny(box.world.bot, Permission.VIEW_CHANNEL)
        async with connected_bot(box, file) as bot:
            await asyncio.sleep(30)
            thread.parent.allow(box.world.bot, Permission.VIEW_CHANNEL)
            await asyncio.sleep(60)
            await all_posted(bot)
            assert "Table 1 closed" in thread.messages()[-1].text
            assert labels(board) == []


async def test_one_with_a_gap_in_its_log_is_closed_as_well(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        await leave_table(box, file, room, alice, ben)
        rows(file, "DELETE FROM log WHERE n = 1")
        monkeypatch.setattr(type(GAMES["thirty-one"]), "version", 2)
        async with connected_bot(box, file):
            await box.until(lambda: "Table 1 closed" in room.messages()[-1].text)


async def test_the_sentence_is_not_posted_again_when_a_connection_was_lost(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with under_older_rules(file, monkeypatch) as (box, room, alice), connected_bot(box, file) as bot:
        await box.until(lambda: "Table 1 closed" in room.messages()[-1].text)
        await all_posted(bot)
        for _ in range(FAR_BACK):
            await alice.say(room, "Hello")
        room.nonces.clear()  # as Discord does after some minutes
        ready = bot.wait_for("shard_ready", timeout=20)
        await box.gateway.drop(resumable=False)
        await ready
        await asyncio.sleep(5)
        assert sum("Table 1 closed" in each.text for each in room.messages()) == 1


async def test_of_a_table_of_older_rules_that_was_being_posted_again_no_message_keeps_buttons_nor_is_told_twice(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dealt_under_older_rules(file, monkeypatch) as (box, thread, board, alice):
        rows(file, f"UPDATE posts SET old = message, message = {thread.id} WHERE message = {board.id}")
        for _ in range(2):
            async with connected_bot(box, file) as bot:
                await box.until(lambda: not labels(board))
                await all_posted(bot)
                await asyncio.sleep(90)
                await chat(alice, thread, FAR_BACK)
        assert sum("Table 1 closed" in each.text for each in thread.messages()) == 1


async def test_a_lesson_that_was_offered_at_a_table_of_older_rules_is_shown(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with connected_bot(box, file):
            await open_table(room, "palmer start", alice, ben)
            await box.until(lambda: offers(ben, room))
        monkeypatch.setattr(type(GAMES["palmer"]), "version", GAMES["palmer"].version + 1)
        async with connected_bot(box, file):
            lesson = shown(await ben.click(offers(ben, room)[0], OFFER))
            assert lessons()["palmer"].steps[0].task in lesson.text


async def test_who_began_a_daily_under_older_rules_can_play_the_next_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with without_a_bot() as (box, room, alice, _):
        async with connected_bot(box, file) as bot:
            await begin(alice, room)
            game = daily.terms_of(bot.dailies.today()).game
        monkeypatch.setattr(type(game), "version", game.version + 1)
        async with connected_bot(box, file):
            box.clock.advance(DAY)
            card = shown(await alice.slash(room, "daily"))
            assert labels(card) == ["Play", "Learn", "About"]


async def all_posted(bot: Palmhouse) -> None:
    """Wait until every log is noted as shown."""
    async with asyncio.timeout(20):
        while await bot.store.unpublished():
            pass
