"""The live table is always the last message where a match is played, whatever fails in between."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from bot.error_codes import NETWORK_FAILED
from bot.match.entries import CloseReason
from bot.match.table import Table
from bot.messages.live_messages import FAR_BELOW, HIDDEN_BELOW
from bot.messages.panel import Panel, text
from bot.messages.posts import LATELY, MOST_LETTERS, SINCE, newest
from bot.pictures.worker_client import NotYet, WorkerClient
from bot.store import InDoubt, Post, StoreFailed
from bot.upkeep.clock import HEARTBEAT
from sandbox import Channel, Message, Permission, Person, TextChannel, Thread
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.match import Match, three_games_are_enough
from tests.e2e.players import (
    bid,
    chat,
    deal,
    hand_of,
    labels,
    latest,
    open_table,
    set_preferences,
    shown,
    some_move,
    text_and_alt,
)
from tests.e2e.processes import BotProcess
from tests.held import failing, held, losing_answers
from tests.rooms.inside import numbers_in

BOARD = "What beats what"
"""A button that only the live table has."""


async def dealt(bot: BotProcess, room: TextChannel, mode: str = "normal") -> FollowedMatch:
    """Return a match of Alice and Ben in its only round."""
    people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben")]
    match = FollowedMatch(bot, room, people, mode=mode, rounds=1)
    await match.deal()
    return match


def boards(place: Channel) -> list[Message]:
    return [each for each in place.messages() if BOARD in labels(each)]


async def hide(board: Message, place: Channel, person: Person) -> None:
    """Push a table out of sight by chat, and wait until it is posted again."""
    await chat(person, place, HIDDEN_BELOW)
    await person.world.clock.wait_for(lambda: board.deleted, 60)


# Which messages are there


async def test_a_late_command_shows_a_table_that_it_has_read_before_it_had_a_place(here: CardRoom) -> None:
    """As the card's answer does that a slow disk has held up until the match was on."""
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    opened = await here.bot.tables.get(1)
    opened.outdate()
    await ben.click(card, "Join")
    await alice.click(card, "Start")
    await here.rest()
    assert opened.match.place is None
    here.bot.publisher.wake(opened)
    await here.rest()
    assert len(boards(here.thread(card))) == 1


@pytest.mark.parametrize(("status", "failures"), [(0, 2), (429, 5)], ids=["no connection", "rate limit"])
async def test_who_wants_no_calls_is_added_to_the_thread_though_that_fails_at_first(
    here: CardRoom, status: int, failures: int
) -> None:
    alice, ben, *_ = here.people
    await set_preferences(ben, here.room, pings="never")
    card = await open_table(here.room, "palace start", alice, ben)
    here.box.faults.add(Fault("PUT", rf"/thread-members/{ben.id}$", status, times=failures))
    await alice.click(card, "Start")
    await here.rest()
    assert ben.id in here.thread(card).members  # type: ignore[attr-defined]  # it is a thread


async def test_who_wants_no_calls_is_added_to_a_thread_that_is_made_after_the_first_round(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    await set_preferences(ben, here.room, pings="never")
    card = await open_table(here.room, "twin-palms start", alice, ben)
    here.box.faults.add(fault := Fault("POST", "/threads$", times=5))
    await alice.click(card, "Start")
    await here.box.until(lambda: fault.times == 0)
    table = await here.bot.tables.get(1)
    while len(table.pages.kept) == 1:
        seat, action = some_move(table.state, Random(table.state.n))
        await table.play((alice, ben)[seat].id, [table.state.game.text(action)], table.clock.now())
    await asyncio.sleep(20)
    await here.rest()
    assert ben.id in here.thread(card).members  # type: ignore[attr-defined]  # it is a thread


async def test_a_call_is_one_message_which_is_deleted_when_the_players_have_acted(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, ben, alice)
    await here.rest()
    (call,) = [each for each in place.messages() if each.text.startswith("**<@")]
    assert call.pings
    before = len(here.box.requests)
    player = next(person for person in (alice, ben) if person.id in call.pings)
    offered = await player.autocomplete(place, "move", "action", "")
    await player.slash(place, "move", action=offered[0]["value"])
    await here.rest()
    assert call.deleted
    made = [each for each in here.box.requests[before:] if each.template.startswith("/channels")]
    assert sorted(each.method for each in made) == ["DELETE", "PATCH", "POST"]


# Races between commits, posts and failures


async def test_a_message_that_discord_always_refuses_blocks_nothing_else(match: Match) -> None:
    await match.deal()
    match.box.fail("POST", r"^/channels/\d+/messages$", 400, times=2)
    first, text = await match.next()
    await first.slash(await match.place(), "move", action=text)
    await match.rest()
    while (await match.table()).is_open:
        await match.step()
    await match.rest()
    assert (await match.place()).messages()[-1].text.startswith("🏆")
    assert await match.here.bot.store.unpublished() == []


async def test_a_table_that_cannot_be_posted_again_is_edited_in_place(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    board = latest(alice, place, BOARD)
    await ben.say(place, "Hello")
    here.room.deny(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)
    await alice.slash(here.room, "move", action="bid 1", table="1")
    await here.box.until(lambda: "1 of 2 have bid" in text_and_alt(board))
    assert not board.deleted
    here.room.allow(here.box.world.bot, Permission.SEND_MESSAGES_IN_THREADS)


async def test_nothing_is_kept_of_a_table_whose_channel_is_deleted_while_it_is_hidden(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await ben.say(place, "Hello")
    here.room.deny(here.box.world.bot, Permission.VIEW_CHANNEL)
    await alice.slash(here.room, "move", action="bid 1", table="1")
    await here.box.until(lambda: 1 in here.bot.publisher.live.stuck)
    here.room.delete()
    await here.box.until(
        lambda: not any(number == 1 for _, number in numbers_in(here.bot, "bot")), timeout=60
    )


async def test_pictures_of_a_table_that_was_replaced_are_not_waited_for(here: CardRoom) -> None:
    await deal(here, 2)
    table, live = await here.bot.tables.get(1), here.bot.publisher.live
    replaced = live.get(table, "table")
    assert replaced is not None
    replaced.message, replaced.lacks_pictures = live._outbox.message(table, here.room.id, 1), True
    await table.close(CloseReason.VOTED)
    await here.box.until(
        lambda: not any(number == 1 for _, number in numbers_in(here.bot, "bot")), timeout=60
    )


async def test_a_table_that_another_application_posted_is_posted_again(here: CardRoom) -> None:
    """As after the host has changed the token to that of a new application."""
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    former = latest(alice, place, BOARD)
    former.author = here.people[4].user
    await alice.slash(here.room, "move", action="bid 1", table="1")
    await here.rest()
    assert latest(ben, place, BOARD) is not former
    assert "1 of 2 have bid" in text_and_alt(latest(ben, place, BOARD))


@pytest.mark.parametrize(
    ("pace", "lines"), [("live", LATELY), ("relaxed", LATELY), ("correspondence", SINCE)]
)
async def test_by_correspondence_the_table_says_more_of_what_happened_lately(
    here: CardRoom, pace: str, lines: int
) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "hand-and-foot start", alice, ben, pace=pace)
    await alice.click(card, "Start")
    table = await here.bot.tables.get(1)
    while len(table.pages.live.lines(table.state.game)) <= SINCE:
        await fall_back(table)
    happened = table.pages.live.lines(table.state.game)
    assert await lines_on(here, card, table, happened) == happened[-lines:]


def test_long_lines_are_fewer() -> None:
    long = "x" * (MOST_LETTERS // 2)
    assert newest([long, "a", long, "b"], 3) == ["a", long, "b"]
    assert newest([long, "a", long, "b"], 4) == ["a", long, "b"]


async def test_the_table_also_says_what_the_page_before_ends_with(here: CardRoom) -> None:
    """The page was cut because it is long, and the same deal goes on."""
    alice, ben, *_ = here.people
    card = await open_table(here.room, "hand-and-foot start", alice, ben, pace="correspondence")
    await alice.click(card, "Start")
    table = await here.bot.tables.get(1)
    happened: list[str] = []
    while table.pages.live.first == 1:
        happened = table.pages.live.lines(table.state.game)
        await fall_back(table)
    happened += table.pages.live.lines(table.state.game)
    assert await lines_on(here, card, table, happened) == happened[-SINCE:]


async def fall_back(table: Table) -> None:
    """Make a fallback move for the awaited player."""
    state = table.state
    seat = state.awaited()[0]
    action = state.game.fallback(state.game_state, seat)
    await table.play(state.players[seat].user, [state.game.text(action)], table.clock.now())


@pytest.mark.parametrize("kept", [True, False])
async def test_a_move_without_an_answer_is_shown_soon_and_who_is_next_called_if_it_was_kept(
    here: CardRoom, kept: bool
) -> None:
    place = await deal(here, 2, pace="correspondence")
    await bid(place, *here.people[:2])
    await hand_of(here.people[1], place)
    await asyncio.sleep(30)
    await here.rest()
    table = await here.bot.tables.get(1)
    (board,) = boards(place)
    before, first, seen = board.text, table.state.awaited()[0], len(here.box.requests)
    lost = losing_answers if kept else partial(failing, error=InDoubt("The answer was lost."))
    with lost(here.bot.store, "append"), pytest.raises(InDoubt):
        await fall_back(table)
    await asyncio.sleep(HEARTBEAT + 1)
    await here.rest()
    table = here.bot.tables._loaded[1]
    assert not table.is_behind
    if kept:
        assert latest(here.people[1 - first], place).pings == {table.state.players[1 - first].user}
        assert board.text != before
    else:  # as if nothing had been tried
        assert [each.path for each in here.box.requests[seen:] if each.method != "GET"] == []


async def lines_on(here: CardRoom, card: Message, table: Table, happened: list[str]) -> list[str]:
    """Return the lines of `happened` that the live table shows."""
    await here.rest()
    board = latest(here.people[1], here.thread(card), table.state.game.reference_title)
    said = text_and_alt(board).splitlines()
    return [line for line in happened if line in said]


async def test_a_record_in_an_archived_thread_has_its_picture(here: CardRoom) -> None:
    place = await deal(here, 2, rounds=1)
    table = await here.bot.tables.get(1)
    while table.is_open:
        state = table.state
        seat = state.awaited()[0]
        if len(state.game.view(state.game_state, seat).hand) <= 2:  # the last trick
            await here.rest()
            place.archive()  # type: ignore[attr-defined]  # it is a thread
        await fall_back(table)
    await here.rest()
    records = [each for each in place.messages() if "takes it" in each.text]
    assert records
    assert all(file["filename"].startswith("scores-") for each in records for file in each.files)
    assert all(each.files for each in records)


async def test_a_table_that_was_found_after_an_error_is_posted_again_as_a_new_message(here: CardRoom) -> None:
    place = await deal(here, 2)
    table = await here.bot.tables.get(1)

    shown = [place.log[table.posts["page", 1].message]]
    for times in (0, 5, 0, 0):  # the receipt of the new post is lost so often
        here.box.faults.add(Fault("POST", rf"^/channels/{place.id}/messages$", 500, times, after=True))
        await hide(shown[-1], place, here.people[1])
        await here.rest()
        shown.append(place.log[table.posts["page", 1].message])
    assert len({each.id for each in shown}) == 5
    assert not shown[-1].deleted


async def test_what_was_being_sent_when_a_table_was_left_is_found_when_it_comes_back(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where processes that share the shards take a table from each other."""
    place = await deal(here, 2)
    here.box.faults.add(Fault("POST", rf"^/channels/{place.id}/messages$", None, after=True, delay=5.0))

    await chat(here.people[1], place, HIDDEN_BELOW)
    await here.box.until(lambda: len(boards(place)) == 2, timeout=60)
    with monkeypatch.context() as left:
        left.setattr(here.bot.tables, "runs", lambda _: False)
        await here.bot.publisher.let_go()
    place.nonces.clear()
    await here.rest()
    assert len(boards(place)) == 1


@pytest.mark.parametrize("in_doubt", [False, True], ids=["", "in doubt"])
async def test_a_table_that_is_posted_again_after_a_sleep_stands_once(here: CardRoom, in_doubt: bool) -> None:
    """The machine sleeps before a request is tried again, and Discord has forgotten its nonce by then."""
    card = await open_table(here.room, "twin-palms start", *here.people[:2])
    await here.rest()
    here.bot.publisher._recovery.doubt([1] * in_doubt)  # its messages are read before that request
    here.box.faults.add(Fault("POST", r"^/channels/\d+/messages$", 500, after=True))

    await here.people[0].click(card, "Start")
    await here.box.until(lambda: card.thread and boards(card.thread))
    here.box.clock.advance(600)
    place = here.thread(card)
    place.nonces.clear()
    await here.box.until(lambda: len(boards(place)) == 2)
    await here.rest()
    assert len(boards(place)) == 1


async def test_a_result_that_is_posted_after_a_sleep_stands_once(here: CardRoom) -> None:
    await deal(here, 2, mode="easy", rounds=1)
    await here.rest()
    here.box.faults.add(slow := Fault("POST", f"^/channels/{here.room.id}/messages$", 500, after=True))
    while (table := await here.bot.tables.get(1)).is_open:
        seat = table.state.awaited()[0]
        move = table.state.game.text(table.state.game.fallback(table.state.game_state, seat))
        await table.play(table.state.players[seat].user, [move], here.bot.time.now())
    await here.box.until(lambda: not slow.times)
    here.box.clock.advance(600)
    here.room.nonces.clear()
    await here.rest()
    assert sum(each.text.startswith("🏆") for each in here.room.messages()) == 1


async def test_a_table_that_is_left_as_it_begins_to_be_shown_is_shown_when_it_comes_back(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await deal(here, 2)
    table = await here.bot.tables.get(1)
    board = place.log[table.posts["page", 1].message]
    board.deleted = True
    with monkeypatch.context() as left:
        left.setattr(here.bot.tables, "runs", lambda _: False)
        here.bot.publisher.wake(table)
        await here.bot.publisher.let_go()  # before the task has begun
    await here.rest()
    assert boards(place)


async def test_a_record_that_is_deleted_again_and_again_is_posted_each_time(here: CardRoom) -> None:
    """Discord remembers the nonces of deleted messages, too."""
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    table, records = await here.bot.tables.get(1), here.bot.publisher._records
    post, panel = table.posts["page", 1], Panel(text("The record"))
    copies = [post.message]
    for _ in range(3):
        place.log[copies[-1]].deleted = True
        copies.append(await records._edit(table, replace(post, message=copies[-1]), panel))
    assert len({*copies}) == 4
    assert not place.log[copies[-1]].deleted


async def test_a_call_that_could_not_be_noted_does_not_stay_above_its_table(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice, ben)
    await here.rest()
    table, store = await here.bot.tables.get(1), here.bot.tables.store
    board, keep = place.log[table.posts["page", 1].message], store.save_post

    async def fail(post: Post) -> None:
        if post.kind == "call" and post.message:
            raise StoreFailed("The disk is full.")
        await keep(post)

    def calls() -> list[int]:
        return [each.id for each in place.messages() if each.pings and each.id > board.id]

    with monkeypatch.context() as full:
        full.setattr(store, "save_post", fail)
        await fall_back(table)
        await here.box.until(calls)
        await hide(board, place, alice)
    await here.rest()
    assert calls() == []


# Faults found in a review


async def test_a_table_that_closes_without_a_card_needs_no_post(match: Match) -> None:
    await match.gather()
    match.here.guild.grant(match.watcher.user, Permission.MANAGE_MESSAGES)
    match.watcher.delete(match.card)
    await match.people[0].press(match.card, "cancel:1")
    await match.rest()
    asked = len(match.box.requests)
    await asyncio.sleep(0.3)
    assert len(match.box.requests) == asked


@three_games_are_enough
async def test_a_table_shown_again_at_the_end_of_its_round_is_posted_once(match: Match) -> None:
    await match.deal()
    place = await match.place()
    for _ in range(12):
        if not (await match.table()).is_open or not (await match.table()).state.awaited():
            break
        await chat(match.watcher, place, 3)
        shown = asyncio.create_task(match.watcher.slash(place, "table show"))
        await match.step()
        await shown
        await match.rest()
    await match.check()


async def test_everybody_who_asks_for_the_table_at_the_same_time_is_answered(match: Match) -> None:
    match.here.bot.publisher.live.on_screen = 0
    await match.deal()
    place = await match.place()
    match.box.fail("POST", r"/messages$", 503)
    asked = [person.slash(place, "table show") for person in (match.watcher, *match.people)]
    answers = [shown(answer) for answer in await asyncio.gather(*asked)]
    await match.box.until(lambda: not any(answer.loading for answer in answers))
    assert all("is posted again" in answer.text for answer in answers)
    await match.check()


async def test_whoever_asks_for_a_table_does_not_wait_until_it_would_be_tried_again(here: CardRoom) -> None:
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    board = latest(alice, place, BOARD)
    here.box.fail("POST", r"/messages$", 0, times=1_000)
    await chat(cleo, place, HIDDEN_BELOW)
    await here.box.until(here.bot.publisher.not_shown)
    await asyncio.sleep(2)  # a second try has failed, too, and the next one comes 5 s later
    here.box.faults.clear()
    began = here.box.clock.now()
    answer = await cleo.slash(place, "table show")
    await here.box.until(lambda: "is posted again" in answer.text)
    assert here.box.clock.now() < began + 2
    await here.box.until(lambda: board.deleted)


async def test_a_table_wanted_while_its_card_is_posted_again_is_posted_again(here: CardRoom) -> None:
    here.bot.publisher.live.on_screen = 0
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    board = latest(alice, place, BOARD)
    await chat(cleo, here.room, FAR_BELOW + 1)
    card = Fault("POST", f"^/channels/{here.room.id}/messages$", None, after=True, delay=2.0)
    here.box.faults.add(card)
    await bid(place, alice)
    await here.box.until(lambda: not card.times)
    answer = await cleo.slash(place, "table show")
    await here.box.until(lambda: "is posted again" in answer.text)
    await here.rest()
    assert board.deleted


@pytest.mark.parametrize("is_deleted", [False, True], ids=["asked for", "thread deleted"])
async def test_a_table_wanted_while_an_edit_of_it_is_under_way_is_posted_again(
    match: Match, is_deleted: bool
) -> None:
    match.here.bot.publisher.live.on_screen = 0
    await match.deal()
    place, board = await match.place(), await match.board()
    edit = Fault("PATCH", f"/messages/{board.id}$", None, after=True, delay=0.5)
    match.box.faults.add(edit)
    await match.step()
    await match.box.until(lambda: not edit.times)
    if is_deleted:
        place.delete()  # type: ignore[attr-defined]  # it is a thread
    else:
        answer = await match.watcher.slash(place, "table show")
        await match.box.until(lambda: "is posted again" in answer.text)
    await match.rest()
    assert await match.board() is not board
    assert board.deleted or is_deleted


@pytest.mark.parametrize("chats", [0, 1], ids=["", "below chat"])
@pytest.mark.parametrize(
    ("status", "times", "code"),
    [(200, 0, 0), (500, 5, 0), (403, 1, NETWORK_FAILED), (0, 2, 0)],
    ids=["read", "failing", "refused by the network", "cut"],
)
async def test_a_secret_action_after_a_restart_changes_no_message(
    tmp_path: Path, status: int, times: int, code: int, chats: int
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        people = match.people
        await match.play()
        await bot.box.until(bot.all_posted)
        await bot.kill()
        await bot.start()
        await chat(people[1], match.thread, chats)
        await asyncio.sleep(15)  # so that the table would be posted again at once
        before = [(each.id, each.edits) for each in (match.card, *boards(match.thread))]
        seat = match.state.seat_of(people[0].id)
        assert seat not in match.state.awaited()
        bot.box.faults.add(unread := Fault("GET", r"/messages/\d+$", status, times, code=code))
        answer = await people[0].slash(match.thread, "move", action="bid 0")
        assert "✅" in answer.told
        await bot.box.until(lambda: not unread.times, timeout=60)
        await bot.box.until(bot.all_posted, timeout=90)
        assert [(each.id, each.edits) for each in (match.card, *boards(match.thread))] == before
        bot.lines.clear()  # they say what failed


async def test_a_secret_action_posts_no_table_again_before_its_time(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    await bid(place, alice)
    await here.rest()
    await hide(latest(ben, place, BOARD), place, ben)
    await chat(ben, place, HIDDEN_BELOW)
    before = [*place.messages()]
    await bid(place, alice, action="bid 2")
    await asyncio.sleep(2)
    assert place.messages() == before
    await here.box.until(lambda: place.messages()[-1] is latest(ben, place, BOARD), timeout=60)


async def test_a_secret_action_posts_no_card_again(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    await bid(place, alice)
    await here.rest()
    await chat(ben, here.room, FAR_BELOW + 1)
    before = [*here.room.messages()]
    await bid(place, alice, action="bid 2")
    await here.rest()
    assert here.room.messages() == before
    await bid(place, ben, cleo)
    await here.rest()
    assert "watch:1" in here.room.messages()[-1].custom_ids


async def test_chat_hides_a_table_that_nobody_has_touched_since_a_restart(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.kill()
        await bot.start()
        await hide(match.board, match.thread, match.people[0])
        assert match.thread.messages()[-1] is latest(match.people[0], match.thread, BOARD)


async def test_a_table_that_reaches_discord_only_after_a_kill_and_a_look_back_stands_once(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        first, place = match.board, rf"^/channels/{match.thread.id}/messages$"
        bot.box.faults.add(slow := Fault("POST", place, None, delay=120, arrives=True))
        await chat(match.people[0], match.thread, HIDDEN_BELOW)
        await bot.box.until(lambda: not slow.times, timeout=60)
        await bot.kill()
        await bot.start()
        await bot.box.until(bot.all_posted)
        await asyncio.sleep(150)
        assert match.board.id > first.id
        assert len(boards(match.thread)) == 1


async def test_a_table_that_reaches_discord_only_after_a_kill_and_its_end_has_no_buttons(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.box.until(bot.all_posted)
        place = rf"^/channels/{match.thread.id}/messages$"
        bot.box.faults.add(slow := Fault("POST", place, None, delay=20, arrives=True))
        await chat(match.people[0], match.thread, HIDDEN_BELOW)
        await bot.box.until(lambda: not slow.times, timeout=60)
        await bot.kill()
        await bot.start()
        table = await bot.client.tables.get(1)
        await table.close(CloseReason.NOT_SHOWN)
        await asyncio.sleep(120)
        assert boards(match.thread) == []


async def test_a_restored_backup_leaves_one_table_where_it_was_posted_again_since(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.keep_copy()
        await hide(match.board, match.thread, match.people[0])
        await bot.bring_back()
        await bot.start()
        await match.play()
        await bot.box.until(bot.all_posted)
        assert len(boards(match.thread)) == 1


async def test_after_a_restore_the_table_says_below_what_was_undone_that_it_does_not_count(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.keep_copy()
        await match.finish()
        undone = match.thread.messages()[-1]
        await bot.bring_back()
        await bot.start()
        await bot.box.until(bot.all_posted)
        assert match.board.id > undone.id
        assert "What was played after that does not count" in match.board.text
        said = "\n".join(each.text for each in match.thread.messages())
        assert said.count("Whoever runs the bot has restored a backup") == 1


async def test_after_a_restore_a_move_before_the_bot_has_looked_back_does_not_hide_its_note(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.keep_copy()
        await match.people[0].say(match.thread, "What was that?")
        undone = match.thread.messages()[-1]
        await bot.bring_back()
        bot.box.faults.add(Fault("GET", "/messages", None, delay=2))
        await bot.start()
        await match.play()
        await bot.box.until(bot.all_posted)
        (noted,) = [each for each in match.thread.messages() if "has restored a backup" in each.text]
        assert noted.id > undone.id


async def test_a_match_that_starts_again_after_a_restore_does_not_look_as_it_did_before(
    tmp_path: Path,
) -> None:
    """For minutes Discord returns the messages of the first start, as their nonces are the same."""
    async with bot_and_channel(tmp_path) as (bot, room):
        alice, ben = (bot.box.person(name, room.guild) for name in ("Alice", "Ben"))
        card = await open_table(room, "twin-palms start", alice, ben)
        await bot.keep_copy()
        await alice.click(card, "Start")
        await bot.box.until(lambda: card.thread)
        thread = card.thread
        assert thread
        await bid(thread, alice)
        await bot.box.until(lambda: "1 of 2 have bid" in text_and_alt(latest(ben, thread, BOARD)))
        await bot.bring_back(knows_nonces=True)
        await bot.start()
        await bot.box.until(lambda: "Start" in {each["label"] for each in card.buttons})
        await alice.click(card, "Start")
        await bot.box.until(bot.all_posted, timeout=90)
        assert "1 of 2 have bid" not in text_and_alt(latest(ben, thread, BOARD))


async def test_a_vote_stays_below_a_table_that_was_posted_again(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 3)
    await alice.slash(place, "table pace", pace="relaxed")
    await here.rest()
    await ben.say(place, "Hm")
    await bid(place, cleo)
    await here.rest()
    *_, board, call = [each for each in place.messages() if not each.ephemeral]
    assert BOARD in {each["label"] for each in board.buttons}
    assert [each["label"] for each in call.buttons] == ["My hand", "Yes to relaxed", "No to relaxed"]
    assert "Yes to relaxed: 1 of 3" in call.text


async def test_a_kill_while_a_vote_is_posted_again_is_not_hidden(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    await alice.slash(place, "table pace", pace="relaxed")
    await here.rest()
    outbox, store = here.bot.publisher.live._outbox, here.bot.tables.store
    assert not await store.unpublished()
    chatting = asyncio.create_task(chat(ben, place, HIDDEN_BELOW))
    async with held(outbox, "_post", after=True):  # the table, then its vote
        await chatting
    async with held(outbox, "_post", after=True):
        assert "Yes to relaxed" in place.messages()[-1].text
        assert [each.id for each in await store.unpublished()] == [1]
    await here.rest()
    assert not await store.unpublished()


async def test_a_kill_between_deleting_a_vote_above_a_table_and_posting_it_below_is_not_hidden(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 3)
    await alice.slash(place, "table pace", pace="relaxed")
    await here.rest()
    store = here.bot.tables.store
    assert not await store.unpublished()
    async with held(here.bot.publisher.live.calls, "show", chat(ben, place, HIDDEN_BELOW)):
        assert not [each for each in place.messages() if "Yes to relaxed" in each.text]
        assert [each.id for each in await store.unpublished()] == [1]
    await here.rest()
    assert "Yes to relaxed" in place.messages()[-1].text
    assert not await store.unpublished()


async def test_a_kill_between_posting_a_card_again_in_play_and_noting_it_is_not_hidden(
    here: CardRoom,
) -> None:
    alice, ben, cleo, *_ = here.people
    place = await deal(here, 2)
    await bid(place, alice)
    await here.rest()
    store = here.bot.tables.store
    assert not await store.unpublished()
    await chat(cleo, here.room, FAR_BELOW + 1)
    async with held(here.bot.publisher.live, "note_card", bid(place, ben)):
        assert [each.id for each in await store.unpublished()] == [1]
    await here.rest()
    assert not await store.unpublished()


async def test_a_kill_while_a_table_moves_from_a_deleted_thread_to_its_channel_is_not_hidden(
    here: CardRoom,
) -> None:
    place = await deal(here, 2)
    await here.rest()
    store = here.bot.tables.store
    assert not await store.unpublished()
    assert isinstance(place, Thread)
    place.delete()
    async with held(here.bot.publisher.live, "post_table"):
        assert [each.id for each in await store.unpublished()] == [1]
    await here.box.until(lambda: boards(here.room))
    await here.rest()
    assert not await store.unpublished()


async def test_a_result_is_posted_once_in_the_channel_even_after_a_long_outage(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room, mode="easy")
        await match.finish()
        await bot.kill()
        bot.write(
            "DELETE FROM posts WHERE kind IN ('end', 'result')"
        )  # killed before it recorded these posts
        bot.write("UPDATE matches SET published = published - 1")
        bot.forget_nonces()
        await bot.start()
        await bot.box.until(bot.all_posted, timeout=90)
        for place in (room, match.thread):
            assert sum(each.text.startswith("🏆") for each in place.messages()) == 1


async def test_a_thread_that_is_deleted_while_the_bot_is_away_is_missed_at_its_start(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.kill()
        assert isinstance(match.thread, Thread)
        match.thread.delete()
        await bot.start()
        await bot.box.until(lambda: boards(room))


async def test_nothing_is_kept_of_a_table_whose_record_is_posted_anew_without_its_picture(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def undrawn(*_: object, **__: object) -> list[object]:
        raise NotYet

    alice, ben, *_ = here.people
    place = await deal(here, 2)
    here.guild.grant(ben.user, Permission.MANAGE_MESSAGES)
    table, live = await here.bot.tables.get(1), here.bot.publisher.live
    await here.rest()
    board = latest(alice, place, BOARD)

    async def turn_page() -> None:
        while table.pages.live.first == 1:
            await fall_back(table)

    with monkeypatch.context() as patch:
        patch.setattr(WorkerClient, "draw", undrawn)
        async with held(here.bot.publisher._records, "_edit", turn_page()):
            ben.delete(board)
        await here.box.until(lambda: table.posts["page", 1].message != board.id)
        assert not table.posts["page", 1].final
    await here.box.until(lambda: table.posts["page", 1].final, timeout=60)
    await here.rest()
    assert len(live._shown[1, "table"]) == 1
