"""People and moderators delete, lock or leave the places of a match: it continues there, or closes with an
explanation."""

import asyncio
from random import Random

import discord
import pytest

from bot.match.pages import MOST_SHOWN
from bot.messages.publisher import HOPE, LAST_HOPE, SELDOM
from games import GAMES
from sandbox import Channel, Message, Permission, Person, Thread
from sandbox.posting import delete
from tests.e2e.card_room import CardRoom
from tests.e2e.match import Match, check_answer, refusal_of, three_games_are_enough
from tests.e2e.players import (
    Turns,
    chat,
    deal,
    labels,
    latest,
    new_thread,
    open_table,
    shown,
    some_move,
    start_match,
)
from tests.e2e.test_board import put_board
from tests.e2e.test_night import added


async def started(match: Match) -> Thread:
    """Deal the match, make the first move, and return the thread."""
    await match.deal()
    assert "✅" in (await match.step()).text
    await match.rest()
    place = await match.place()
    assert isinstance(place, Thread)
    return place


async def play_until_a_post_fails(match: Match, room: Channel | None = None) -> None:
    """Play until a post of the bot fails. A hidden choice has no public text, so its move needs no post."""
    table, publisher = await match.table(), match.here.bot.publisher
    while not publisher.venue.troubles:
        check_answer(await match.step(room))
        await match.box.until(lambda: publisher.venue.troubles or table.match.published == table.state.n)


# Deleted messages


async def test_a_deleted_lobby_card_is_shown_again_by_command(match: Match) -> None:
    await match.gather()
    await match.rest()
    delete(match.card)
    host = match.people[0]
    answer = await host.slash(match.here.room, "table show")
    await match.box.until(lambda: "Table 1 is posted again" in answer.text)
    (match.card,) = [each for each in match.watcher.sees(match.here.room) if "rules:1" in each.custom_ids]
    check_answer(await host.click(match.card, "Start"))
    await match.rest()
    await match.check_that_play_continues()


@three_games_are_enough
async def test_a_match_continues_when_all_its_messages_are_deleted(match: Match) -> None:
    place = await started(match)
    for message in match.watcher.sees(place):
        delete(message)
    await match.check_that_play_continues()


# Threads and channels


async def test_a_match_whose_thread_is_deleted_continues_in_the_channel(match: Match) -> None:
    place = await started(match)
    place.delete()
    match.box.fail("POST", f"^/channels/{match.here.room.id}/messages$", 403)
    await match.check_that_play_continues(match.here.room)
    assert await match.place() is match.here.room
    hand = shown(await match.people[0].click(await match.board(), "My hand"))
    assert hand.ephemeral


async def test_the_table_of_a_deleted_thread_is_in_the_channel_before_anybody_acts(match: Match) -> None:
    place = await started(match)
    place.delete()
    await match.box.until(lambda: "hand:1:p" in str([each.custom_ids for each in match.here.room.messages()]))
    assert await match.place() is match.here.room
    await match.box.until(lambda: f"<#{place.id}>" not in match.card.text)


async def test_a_thread_that_is_deleted_in_an_outage_of_its_server_is_missed_after_it(match: Match) -> None:
    place, gateway = await started(match), match.box.gateway
    gateway.begin_outage(match.here.guild)
    place.delete()
    gateway.end_outage(match.here.guild)
    await match.box.until(lambda: "hand:1:p" in str([each.custom_ids for each in match.here.room.messages()]))
    assert await match.place() is match.here.room


@pytest.mark.parametrize("locked", [False, True])
async def test_an_archived_thread_is_reopened_and_a_locked_one_is_mentioned_with_the_hand(
    match: Match, locked: bool
) -> None:
    place, room = await started(match), match.here.room
    place.archive(locked=locked)
    if locked:
        await play_until_a_post_fails(match, room)
        hand = await match.people[0].slash(room, "hand")
        assert f"<#{place.id}> is locked" in hand.text
        assert "A moderator can unlock it" in hand.text
        place.archive(False, locked=False)
        await match.check()
        assert "is locked" not in (await match.people[0].slash(room, "hand")).text
    await match.check_that_play_continues(room)
    assert not place.archived


@pytest.mark.parametrize("threads", [True, False])
async def test_a_match_whose_channel_is_deleted_ends_and_does_not_count(match: Match, threads: bool) -> None:
    if not threads:
        match.here.room.deny(match.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
    await match.deal()
    elsewhere = match.here.guild.channel("elsewhere")
    match.here.room.delete()
    table, (alice, text) = await match.table(), await match.next()
    while table.is_open:
        check_answer(await match.step(elsewhere))
        await match.rest()
    assert "its channel is gone" in refusal_of(await alice.slash(elsewhere, "move", action=text, table="1"))
    assert "You sit at no table" in (await alice.slash(elsewhere, "tables")).text
    assert "No match has been finished" in (await alice.slash(elsewhere, "leaderboard")).text
    assert await match.here.bot.store.unpublished() == []


@pytest.mark.parametrize(
    ("lacks", "pictures"), [(Permission.ATTACH_FILES, False), (Permission.VIEW_CHANNEL, True)]
)
async def test_a_record_is_made_without_pictures_only_where_the_bot_could_post_it_so(
    match: Match, lacks: Permission, pictures: bool
) -> None:
    await match.deal()
    table, venue = await match.table(), match.here.bot.publisher.venue
    match.here.room.deny(match.box.world.bot, lacks)
    await match.box.until(lambda: not venue._allows(table, discord.Permissions(lacks)))
    assert venue.may_attach(table) == pictures


async def test_a_match_in_a_stage_channel_is_shown_without_pictures_where_they_are_not_allowed(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    stage = added(here, discord.ChannelType.stage_voice)
    stage.deny(
        here.box.world.bot,
        Permission.ATTACH_FILES | Permission.READ_MESSAGE_HISTORY | Permission.CREATE_PUBLIC_THREADS,
    )
    card = await open_table(stage, "palace start", alice, ben)
    await alice.click(card, "Start")
    await here.box.until(lambda: any("0 of 2 have chosen" in each.text for each in stage.messages()))
    assert not here.bot.publisher.venue.may_read(await here.bot.tables.get(1))


async def archived_with_a_table(here: CardRoom) -> Thread:
    """Return an archived thread in which a table was opened."""
    alice, ben, *_ = here.people
    thread = new_thread(here.room, alice)
    card = await open_table(thread, "palace start", alice, ben, pace="relaxed")
    await alice.click(card, "Start")
    await here.rest()
    await chat(ben, thread, 3)
    thread.archive()
    return thread


async def test_a_match_that_was_opened_in_a_thread_is_shown_there_again_from_the_archive_without_pictures(
    here: CardRoom,
) -> None:
    await archived_with_a_table(here)
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    answer = await here.people[0].slash(here.room, "table show", table="1")
    await here.box.until(lambda: answer.text)
    assert "Table 1 is posted again" in answer.text


@pytest.mark.parametrize("lacks", [Permission.SEND_MESSAGES_IN_THREADS, Permission.VIEW_CHANNEL])
async def test_if_the_bot_loses_a_permission_the_open_hand_says_so_and_posts_are_made_later(
    match: Match, lacks: Permission
) -> None:
    await started(match)
    room, bot = match.here.room, match.box.world.bot
    hand = shown(await match.people[0].slash(room, "hand"))
    room.deny(bot, lacks)
    await play_until_a_post_fails(match)
    await match.box.until(lambda: "I may not post" in hand.text)
    assert "Somebody who manages it can let me" in hand.text
    assert "find what is missing by `/doctor`." in hand.text
    room.allow(bot, lacks)
    await match.box.until(lambda: "I may not post" not in hand.text)
    await match.check_that_play_continues()


async def test_who_asks_for_a_table_in_a_locked_thread_reads_that_it_is_locked(here: CardRoom) -> None:
    place = await deal(here, 2)
    assert isinstance(place, Thread)
    await chat(here.people[4], place, 3)
    place.archive(locked=True)
    answer = await here.people[1].slash(here.room, "table show", table="1")
    await here.box.until(lambda: answer.text)
    assert "That thread is locked" in answer.text
    assert "I lack" not in answer.text


async def test_who_does_not_see_a_channel_learns_nothing_of_its_table(here: CardRoom) -> None:
    elsewhere, (alice, ben, cleo, *_) = here.guild.channel("elsewhere"), here.people
    await open_table(elsewhere, "palace start", alice)
    await chat(alice, elsewhere, 3)
    elsewhere.deny(None, Permission.VIEW_CHANNEL)
    for user in (here.box.world.bot, ben.user):
        elsewhere.allow(user, Permission.VIEW_CHANNEL)
    before = len(elsewhere.messages())
    for command in ("table show", "table end", "table leave", "table back", "hand"):
        answer = await cleo.slash(here.room, command, table="1")
        await here.box.until(lambda answer=answer: answer.text)  # type: ignore[misc]
        assert "There is no such table" in answer.text, command
    assert "There is no such table" in (await cleo.slash(here.room, "hand", table="9" * 26)).text
    assert len(elsewhere.messages()) == before
    for person in (alice, ben):  # who sits there, and who sees the channel
        answer = await person.slash(here.room, "table show", table="1")
        await here.box.until(lambda answer=answer: "Table 1" in answer.text)  # type: ignore[misc]


async def test_in_a_timeout_of_the_bot_nobody_is_asked_for_a_permission(
    here: CardRoom, manager: Person
) -> None:
    place, lobby, said = await deal(here, 2), here.guild.channel("lobby"), "I am in a timeout until <t:"
    await put_board(manager, here.room, lobby)
    here.guild.time_out(here.box.world.bot, 600)
    await chat(here.people[4], place, 3)
    for answer in (
        await here.people[4].slash(here.room, "palmer start"),
        await here.people[4].slash(place, "table show", table="1"),
        await here.people[1].slash(here.room, "hand"),
        await manager.slash(here.room, "settings season start", name="Autumn", days=1),
        await manager.slash(here.room, "settings show"),
        await put_board(manager, here.room, lobby),
    ):
        await here.box.until(lambda answer=answer: said in answer.text)  # type: ignore[misc]
        assert "Somebody with Timeout Members can end it" in answer.text
        assert "give me" not in answer.text
    await asyncio.sleep(780)
    assert said not in shown(await here.people[1].slash(here.room, "hand")).text
    assert shown(await here.people[4].slash(here.room, "palmer start")).components


async def test_why_a_table_cannot_be_shown_is_logged_once(
    match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    place, bot = await started(match), match.box.world.bot
    match.here.room.deny(bot, Permission.SEND_MESSAGES_IN_THREADS)
    await play_until_a_post_fails(match)
    await asyncio.sleep(600)
    assert caplog.text.count("table 1 could not be shown") == 1
    match.here.room.allow(bot, Permission.SEND_MESSAGES_IN_THREADS)
    await match.rest()
    place.archive(locked=True)
    await play_until_a_post_fails(match, match.here.room)
    await asyncio.sleep(600)
    assert caplog.text.count("table 1 could not be shown") == 2
    place.archive(False, locked=False)
    await match.check()


async def test_a_message_is_not_said_to_be_sent_in_words_where_nothing_may_be_sent(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    thread = await archived_with_a_table(here)
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    await here.people[0].slash(here.room, "table show", table="1")
    await asyncio.sleep(600)
    assert thread.archived
    assert "without pictures" not in caplog.text


async def test_a_match_that_ended_where_the_bot_may_not_post_until_the_next_day_is_shown_then(
    match: Match,
) -> None:
    place, room, bot = await started(match), match.here.room, match.box.world.bot
    room.deny(bot, Permission.VIEW_CHANNEL)
    await play_to_the_end_in_silence(match)
    await match.here.later(LAST_HOPE / 2000)
    await asyncio.sleep(SELDOM)  # for the tries once a minute
    seen = len(match.box.requests)
    await asyncio.sleep(4 * SELDOM)
    assert 0 < len(match.box.requests) - seen < 30
    answer = await match.people[0].slash(room, "table show", table="1")
    await match.box.until(lambda: answer.text)
    assert "posted again" not in answer.text
    room.allow(bot, Permission.VIEW_CHANNEL)
    await asyncio.sleep(2 * SELDOM)
    await match.check()
    assert len(last_messages(place)) == 1
    assert "The match is on" not in match.card.text


async def test_the_last_messages_of_a_match_are_tried_seldom_after_a_start_of_one_of_several_processes(
    match: Match,
) -> None:
    await started(match)
    match.here.room.deny(match.box.world.bot, Permission.VIEW_CHANNEL)
    await play_to_the_end_in_silence(match)
    await match.here.later(LAST_HOPE / 2000)
    await asyncio.sleep(SELDOM)  # for the tries once a minute
    tables = match.here.bot.tables
    tables.forget(await match.table())
    await asyncio.sleep(SELDOM)
    seen = len(match.box.requests)
    for _ in range(30):  # as a process does that others may have told something
        await tables.follow()
        await asyncio.sleep(30)
    assert len(match.box.requests) - seen < 30


async def test_a_match_that_ends_where_the_bot_may_never_post_is_left_after_a_day(match: Match) -> None:
    place = await started(match)
    match.here.room.deny(match.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    await play_to_the_end_in_silence(match)
    match.box.clock.advance(LAST_HOPE / 1000)
    await match.watcher.slash(match.here.room, "tables")  # a command tells the bot the time
    table = await match.table()
    await match.box.until(lambda: table.match.published == table.state.n)
    assert not last_messages(place)


async def test_last_messages_that_are_forbidden_as_the_bot_comes_back_after_a_day_are_tried_for_some_time(
    match: Match,
) -> None:
    place, room, bot = await started(match), match.here.room, match.box.world.bot
    room.deny(bot, Permission.SEND_MESSAGES_IN_THREADS)
    await play_to_the_end_in_silence(match)
    await match.here.later(LAST_HOPE / 1000)
    await match.box.gateway.drop()
    await asyncio.sleep(300)
    room.allow(bot, Permission.SEND_MESSAGES_IN_THREADS)
    await match.box.until(lambda: last_messages(place), timeout=120)
    await match.check()


async def test_the_result_is_posted_though_discord_fails_when_the_last_message_is_given_up(
    match: Match,
) -> None:
    await started(match)
    room = match.here.room
    room.deny(match.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    await play_to_the_end_in_silence(match)
    match.box.fail("POST", f"^/channels/{room.id}/messages$", 503)
    match.box.clock.advance(HOPE / 1000)
    await match.watcher.slash(room, "tables")  # a command tells the bot the time
    table = await match.table()
    await match.box.until(lambda: ("result", 0) in table.posts, timeout=120)


async def play_to_the_end_in_silence(match: Match) -> None:
    """Play to the end without waiting for messages, and wait until the last ones are refused twice."""
    table = await match.table()
    while table.is_open:
        person, text = await match.next()
        await table.play(person.id, [text], table.clock.now())
    seen = len(match.box.requests)
    await match.box.until(lambda: sum(each.status == 403 for each in match.box.requests[seen:]) > 1)


def last_messages(place: Channel) -> list[Message]:
    """Return the last messages of matches there."""
    return [each for each in place.messages() if "verify:1" in each.custom_ids]


async def test_a_lobby_closes_with_its_channel(here: CardRoom) -> None:
    elsewhere = here.guild.channel("elsewhere")
    await open_table(elsewhere, "palace start", here.people[0])
    table = await here.bot.tables.get(1)
    elsewhere.delete()
    await here.box.until(lambda: not table.is_open)
    assert "You sit at no table" in (await here.people[0].slash(here.room, "tables")).text


async def test_other_channels_are_deleted_without_a_look_at_archived_threads(here: CardRoom) -> None:
    place = await deal(here, 3, pace="correspondence")
    assert isinstance(place, Thread)
    place.archive()
    before = len(here.box.requests)
    for n in range(3):
        here.guild.channel(f"ticket-{n}").delete()
    await asyncio.sleep(5)
    assert len(here.box.requests) == before
    here.room.delete()
    table = await here.bot.tables.get(1)
    await here.box.until(lambda: not table.is_open)


async def test_a_table_in_an_archived_thread_is_posted_in_words_where_no_files_are_allowed(
    here: CardRoom,
) -> None:
    bot, venue = here.box.world.bot, here.bot.publisher.venue
    here.room.deny(bot, Permission.ATTACH_FILES)
    place, table = await deal(here, 3, pace="correspondence"), await here.bot.tables.get(1)
    assert isinstance(place, Thread)
    place.archive()
    seat, action = some_move(table.state, Random(1))
    await table.play(table.state.players[seat].user, [table.state.game.text(action)], table.clock.now())
    await here.box.until(lambda: not place.archived or venue.troubles)
    is_posted = not venue.troubles
    here.room.allow(bot, Permission.ATTACH_FILES)  # else the bot would try for ever
    assert is_posted


async def test_no_thread_is_made_where_the_bot_could_not_write_in_it(here: CardRoom) -> None:
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    await here.rest()
    await deal(here, 2)
    assert "My hand" in labels(latest(here.people[0], here.room))
    assert here.room.threads == []


async def test_a_match_leaves_its_archived_thread_while_the_server_has_too_many(here: CardRoom) -> None:
    place, table = await deal(here, 3, pace="correspondence"), await here.bot.tables.get(1)
    assert isinstance(place, Thread)
    place.archive()
    here.guild.most_threads = 0
    first = table.pages.live.first
    while table.pages.live.first == first:
        seat, action = some_move(table.state, Random(1))
        await table.play(table.state.players[seat].user, [table.state.game.text(action)], table.clock.now())
    await here.rest()
    assert "My hand" in labels(latest(here.people[0], here.room))
    assert place.archived


async def test_a_table_that_was_opened_in_a_thread_waits_there_while_the_server_has_too_many(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    place = await archived_with_a_table(here)
    here.guild.most_threads = 0
    answer = await alice.slash(here.room, "table show", table="1")
    await here.box.until(lambda: "1,000 active threads" in answer.text)
    assert "1,000 active threads" in shown(await ben.slash(here.room, "hand")).text
    before = len(here.box.requests)
    await asyncio.sleep(600)
    assert len(here.box.requests) - before < 30
    here.guild.most_threads = 1000
    await here.box.until(lambda: not place.archived, timeout=120)
    await here.rest()
    assert "1,000" not in shown(await ben.slash(here.room, "hand")).text


async def test_a_match_that_ended_in_its_thread_on_a_server_with_too_many_is_left_after_a_day(
    here: CardRoom,
) -> None:
    await archived_with_a_table(here)
    table = await here.bot.tables.get(1)
    here.guild.most_threads = 0
    while table.is_open:
        seat, action = some_move(table.state, Random(1))
        await table.play(table.state.players[seat].user, [table.state.game.text(action)], table.clock.now())
    await here.later(LAST_HOPE / 2000)
    await asyncio.sleep(SELDOM)  # for the tries once a minute
    seen = len(here.box.requests)
    await asyncio.sleep(4 * SELDOM)
    assert len(here.box.requests) - seen < 30
    await here.later(LAST_HOPE / 2000)
    await here.box.until(lambda: table.match.published == table.state.n, timeout=2 * SELDOM)


# People who leave


@three_games_are_enough
async def test_a_computer_plays_for_a_member_who_left_the_server_until_they_are_back(match: Match) -> None:
    place = await started(match)
    person, _ = await match.next()
    person.leave(match.here.guild)
    seat, table = match.people.index(person), await match.table()
    while seat not in table.state.away:
        others = [other for other in table.state.awaited() if other != seat]
        for other in others:
            move = match.game.text(table.state.legal(other)[0])
            await table.play(match.people[other].id, [move], table.clock.now())
        await match.time_out()
        await match.wait_for_deadlines()
    match.here.guild.add(person.user)
    await match.check()
    assert f"A computer plays for {person.name} until they press `I'm back`" in "\n".join(
        match.here.transcript(place)
    )
    await match.check_that_play_continues()
    assert seat not in table.state.away


async def test_when_the_bot_is_removed_its_tables_close_and_posts_are_not_retried(match: Match) -> None:
    await started(match)
    table = await match.table()
    match.here.guild.remove(match.box.world.bot)
    await match.box.until(lambda: not table.is_open)
    await match.rest()
    store = match.here.bot.store
    assert await store.unpublished() == []
    assert await store.open_matches() == []
    assert await store.leaderboard(match.here.guild.id) == []


@three_games_are_enough
async def test_without_permission_to_post_files_the_table_is_described_in_words(match: Match) -> None:
    match.here.room.deny(match.box.world.bot, Permission.ATTACH_FILES)
    await match.deal()
    board = await match.board()
    assert board.files == []
    assert all(person.name in board.text for person in match.people)
    assert "✅" in (await match.step()).text
    await match.rest()
    assert match.here.bot.publisher.venue.troubles == {}


async def test_a_long_record_leaves_room_for_its_score_sheet_in_words(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = GAMES["liars-dice"]
    lines, length = game.record.lines, MOST_SHOWN // 4 - 1
    monkeypatch.setattr(
        game.record, "lines", lambda *told: [line.ljust(length, "…") for line in lines(*told)]
    )
    here.room.deny(here.box.world.bot, Permission.ATTACH_FILES)
    card = await start_match(here, "liars-dice start", *here.people)
    turns = Turns(here, await here.bot.tables.get(1), place := here.thread(card))
    await here.rest()
    first = latest(here.people[0], place)
    for move in ("bid 10x6", "doubt"):
        await turns.person(0).slash(place, "move", action=move)
    await here.box.until(lambda: first.buttons == [])
    await here.rest()
    assert "… left out: 2 earlier lines" in first.text
    assert "dice left" in first.text
    assert here.bot.publisher.not_shown() == set()
