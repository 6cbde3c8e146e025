"""Discord fails, limits requests, is slow or disconnects: a stored move counts, and its announcement is posted once."""

import asyncio
from typing import Any

import pytest

from bot.match.announcements import turn
from bot.match.entries import CloseReason
from bot.messages.live_message import TRIES
from bot.messages.live_messages import FAR_BELOW, HIDDEN_BELOW, REFUSED
from bot.messages.publisher import HOPE
from bot.store import StoreFailed
from sandbox import Message, Permission
from sandbox.faults import Fault
from sandbox.interactions import DEFER_UPDATE
from tests.e2e.card_room import PATIENCE, CardRoom
from tests.e2e.match import Match, check_answer
from tests.e2e.players import (
    Turns,
    bid,
    chat,
    deal,
    labels,
    latest,
    open_table,
    press_more,
    set_preferences,
    start_match,
)
from tests.e2e.test_table_life import edits
from tests.held import fail

# Failing requests


@pytest.mark.parametrize(
    ("status", "after"), [(404, False), (429, False), (0, False), (0, True), (500, True)]
)
async def test_a_move_whose_response_is_lost_counts_and_the_next_answer_agrees(
    match: Match, status: int, after: bool
) -> None:
    await match.deal()
    n = await match.entries()
    match.box.fail("POST", "^/interactions/.*/callback$", status, after=after)
    answer = await match.step()
    assert await match.entries() == n + 1
    assert "✅" in answer.told or "may have counted" in answer.text
    await match.check_that_play_continues()


# Late answers


async def test_clicks_delivered_twice_count_once(match: Match) -> None:
    await match.gather()
    host, *others = match.people
    for person in others:
        check_answer(await press_more(person, match.card, "Leave", times=2))
        check_answer(await person.click(match.card, "Join", times=2))
    check_answer(await host.click(match.card, "Start", times=2))
    await match.rest()
    kinds = [entry.kind for entry in await match.here.bot.store.log(1)]
    assert [kinds.count(kind) for kind in ("leave", "start")] == [len(others), 1]
    await match.check_that_play_continues()


async def test_a_card_shows_a_player_who_joined_even_if_the_answer_was_lost(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    here.box.fail("POST", "^/interactions/.*/callback$", 403, times=2)
    click = asyncio.create_task(ben.click(card, "Join"))
    await here.box.until(lambda: "2. Ben" in card.text)
    here.box.clock.advance(PATIENCE)
    assert (await click).failed


async def test_who_joins_while_the_card_is_edited_reads_of_no_loss_when_the_connection_breaks(
    here: CardRoom,
) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "palace start", alice, cleo)
    await here.rest()
    here.box.faults.add(slow := Fault("PATCH", f"/messages/{card.id}$", None, delay=1))
    await cleo.slash(here.room, "table leave")
    await here.box.until(lambda: not slow.times)
    here.box.fail("POST", "^/interactions/.*/callback$", 0)
    answer = await ben.click(card, "Join")
    await here.rest()
    assert answer.interaction.answer == DEFER_UPDATE
    assert "2. Ben" in card.text


async def test_a_card_is_right_though_a_receipt_is_lost_and_the_change_taken_back(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "palace start", alice, cleo)
    await cleo.slash(here.room, "table leave")
    await here.rest()  # the next edit waits for a second, in which Ben leaves again
    here.box.fail("POST", "^/interactions/.*/callback$", 0, after=True)
    await ben.click(card, "Join")
    assert "Ben" in card.text
    await ben.slash(here.room, "table leave")
    await here.rest()
    assert "Ben" not in card.text


async def test_a_poll_is_right_though_a_receipt_is_lost_and_the_change_taken_back(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    place = await deal(here, 5, mode="extreme")
    await alice.slash(place, "table pace", pace="relaxed")
    await here.rest()
    question = latest(ben, place, "Yes to relaxed")
    await ben.click(question, "Yes to relaxed")
    await here.rest()
    here.box.fail("PATCH", f"/messages/{question.id}$", 0, after=True)
    await ben.click(question, "No to relaxed")
    await here.box.until(lambda: "1 of 5" in question.text)
    await ben.click(question, "Yes to relaxed")
    await here.rest()
    assert "2 of 5" in question.text


async def test_a_card_read_after_a_restart_is_right_though_it_is_clicked_meanwhile(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    await here.rest()
    publisher, table = here.bot.publisher, await here.bot.tables.get(1)
    publisher.live.let_go(1)  # as after a restart
    reading = Fault("GET", f"/messages/{card.id}$", None, after=True, delay=1)
    here.box.faults.add(reading)
    publisher.look_again(table)
    await here.box.until(lambda: not reading.times)
    await ben.click(card, "Join")
    assert "Ben" in card.text
    await here.rest()
    await ben.slash(here.room, "table leave")
    await here.rest()
    assert "Ben" not in card.text


async def test_an_old_card_that_could_not_be_edited_keeps_no_buttons(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    await here.rest()
    await chat(cleo, here.room, FAR_BELOW + 1)
    await here.rest()
    here.box.fail("PATCH", f"/messages/{card.id}$", 0)
    await ben.click(card, "Join")
    await here.rest()
    (new,) = [each for each in here.room.messages() if "join:1" in each.custom_ids]
    assert new is not card
    assert "2. Ben" in new.text


async def test_a_card_that_discord_refuses_to_post_further_down_stays_where_it_is(here: CardRoom) -> None:
    alice, ben, cleo, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    await here.rest()
    await chat(cleo, here.room, FAR_BELOW + 1)
    here.box.fail("POST", f"/channels/{here.room.id}/messages$", 400, times=20)
    await ben.click(card, "Join")
    await here.rest()
    assert "2. Ben" in card.text
    assert "join:1" in card.custom_ids
    answer = await alice.slash(here.room, "table show")
    await here.box.until(lambda: answer.text == REFUSED)
    here.box.faults.clear()
    await alice.slash(here.room, "table show")
    await here.box.until(lambda: "further down" in card.text)


async def test_a_live_table_that_discord_refuses_to_post_again_stays_where_it_is(here: CardRoom) -> None:
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    board = latest(alice, place, "Rules")
    await chat(cleo, place, HIDDEN_BELOW)
    here.box.fail("POST", f"/channels/{place.id}/messages$", 400, times=20)
    answer = await alice.slash(place, "table show")
    await here.box.until(lambda: answer.text == REFUSED)
    await bid(place, alice)
    await here.rest()
    assert not board.deleted
    assert "Ben's turn" in board.text
    here.box.faults.clear()
    await alice.slash(place, "table show")
    await here.box.until(lambda: board.deleted)


@pytest.mark.parametrize("refusals", [0, 2])
async def test_a_record_that_discord_refuses_in_any_form_does_not_stop_what_follows(
    here: CardRoom, refusals: int
) -> None:
    alice, ben, *_ = here.people
    card = await start_match(here, "liars-dice start", alice, ben)
    turns = Turns(here, await here.bot.tables.get(1), place := here.thread(card))
    await here.rest()
    first = latest(alice, place)
    refused = Fault("PATCH", f"/messages/{first.id}$", 400, times=3, delay=1)
    await turns.person(0).slash(place, "move", action="bid 10x6")
    await here.rest()
    here.box.faults.add(refused)
    await turns.person(0).slash(place, "move", action="doubt")
    await here.box.until(lambda: not refused.times)
    here.box.fail("POST", f"/channels/{place.id}/messages$", 400, times=refusals)
    await here.rest()
    assert first.deleted
    records = [each for each in place.messages() if "doubts" in each.text and not each.buttons]
    assert len(records) == (not refusals)
    assert here.bot.publisher.not_shown() == set()


async def test_an_old_card_of_a_match_that_could_not_be_edited_keeps_no_buttons(here: CardRoom) -> None:
    alice, _, cleo, *_ = here.people
    place = await deal(here, 2)
    (card,) = [each for each in here.room.messages() if "watch:1" in each.custom_ids]
    await chat(cleo, here.room, FAR_BELOW + 1)
    here.box.fail("PATCH", f"/messages/{card.id}$", 0)
    await bid(place, alice)
    await here.rest()
    (new,) = [each for each in here.room.messages() if "watch:1" in each.custom_ids]
    assert new is not card


async def test_a_live_table_is_right_after_an_outage_in_which_it_was_given_up(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    for person in (alice, ben):
        await set_preferences(person, here.room, pings="never")  # a call would edit it, too
    place = await deal(here, 2, pace="relaxed")
    await bid(place, alice)
    await here.rest()
    board = latest(alice, place, "Rules")
    here.box.fail("PATCH", f"/messages/{board.id}$", 0, times=TRIES)
    await bid(place, ben)
    await here.rest()
    state = (await here.bot.tables.get(1)).state
    assert turn(state) not in board.text
    await here.box.until(lambda: turn(state) in board.text, timeout=90)


@pytest.mark.parametrize("ends", [True, False], ids=["an outage", "for good"])
async def test_a_card_that_cannot_be_edited_is_tried_for_some_time_after_its_lobby_is_closed(
    here: CardRoom, ends: bool
) -> None:
    alice, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    await here.rest()
    here.box.fail("PATCH", f"/messages/{card.id}$", 0, times=TRIES if ends else 1000)
    await alice.slash(here.room, "table leave")
    await here.rest()
    assert [each.id for each in await here.bot.store.unpublished()] == [1], "a kill does not hide it"
    await asyncio.sleep(90 if ends else HOPE / 1000 + 90)
    assert ("never began" in card.text) == ends
    assert await here.bot.store.unpublished() == []
    assert here.bot.publisher.not_shown() == set()


async def check_a_late_edit(here: CardRoom, message: Message) -> None:
    """Check that an edit of a message reaches Discord after a newer one, and does not stay."""
    await here.rest()
    newest = labels(message)
    await asyncio.sleep(10)
    assert labels(message) != newest, "it has reached Discord"
    await asyncio.sleep(90)
    assert labels(message) == newest
    assert await here.bot.store.unpublished() == []


async def test_an_edit_that_reaches_discord_after_a_newer_one_gives_a_card_no_old_buttons(
    here: CardRoom,
) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "twin-palms start", alice)
    await here.rest()
    # The first edit has its pictures with it, so it is valid at any time.
    here.box.faults.add(Fault("PATCH", f"/messages/{card.id}$", 0, delay=5, arrives=True))
    await (await here.bot.tables.get(1)).join(ben.id, "Ben", here.bot.time.now())
    await asyncio.sleep(3)
    await alice.click(card, "Start")
    await check_a_late_edit(here, card)


async def test_an_edit_that_reaches_discord_after_a_newer_one_makes_no_table_of_a_record(
    here: CardRoom,
) -> None:
    alice, *_ = here.people
    place = await deal(here, 2)
    await asyncio.sleep(30)
    board, table = latest(alice, place, "Rules"), await here.bot.tables.get(1)
    here.box.faults.add(cut := Fault("PATCH", f"/messages/{board.id}$", 0, delay=5, arrives=True))
    await bid(place, alice)
    await here.box.until(lambda: not cut.times)
    await table.close(CloseReason.VOTED)
    await check_a_late_edit(here, board)


@pytest.mark.parametrize(("status", "looks"), [(0, 1), (500, 1), (403, 0)])
async def test_only_an_edit_that_may_still_be_carried_out_is_looked_at_once_more(
    here: CardRoom, status: int, looks: int
) -> None:
    card = await open_table(here.room, "palace start", *here.people[:2])
    await here.rest()
    here.box.fail("PATCH", f"/messages/{card.id}$", status, times=5)
    await here.people[1].slash(here.room, "table leave")
    before = len(here.box.requests)
    await asyncio.sleep(1000)
    made = [each for each in here.box.requests[before:] if each.method == "GET"]
    assert sum(each.path.endswith(f"/messages/{card.id}") for each in made) == looks


async def test_an_edit_that_is_not_allowed_is_tried_once_a_minute(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    await here.rest()
    before, bot = edits(here, card), here.box.world.bot
    here.room.deny(bot, Permission.VIEW_CHANNEL)
    await (await here.bot.tables.get(1)).join(ben.id, "Ben", here.bot.time.now())
    await asyncio.sleep(130)
    assert edits(here, card) - before == 3, "Discord cuts off bots that are refused too often"
    here.room.allow(bot, Permission.VIEW_CHANNEL)
    await here.box.until(lambda: "2. Ben" in card.text, timeout=90)


async def test_an_announcement_that_could_not_be_recorded_is_not_repeated(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = await deal(here, 2)
    update_match, failures = here.bot.store.update_match, iter(range(3))

    async def fail(match: int, **columns: Any) -> None:
        place.nonces.clear()  # as Discord does after some minutes
        if "Bids:" in here.transcript(place)[-1] and next(failures, None) is not None:
            raise StoreFailed("The disk is full.")
        await update_match(match, **columns)

    monkeypatch.setattr(here.bot.store, "update_match", fail)
    await bid(place, *here.people[:2])
    await here.rest()
    assert len([each for each in here.transcript(place) if "Bids:" in each]) == 1


# The gateway


async def test_a_request_that_is_cancelled_while_discord_takes_none_stops_no_other(here: CardRoom) -> None:
    limit = Fault("GET", r"^/guilds/\d+$", 429, 1, retry_after=5.0, everywhere=True)
    here.box.faults.add(limit)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(1):
            await here.bot.fetch_guild(here.guild.id)
    async with asyncio.timeout(10):
        await here.bot.fetch_guild(here.guild.id)


async def test_that_tables_cannot_be_read_after_a_lost_connection_is_logged_once(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail(monkeypatch, here.bot.tables, "open_matches")
    await here.box.gateway.drop(resumable=False)
    await asyncio.sleep(60)
    assert caplog.text.count("the tables of shard 0 cannot be read yet: The disk is full.") == 1


async def test_a_match_gets_its_thread_though_discord_wants_no_more_of_them_for_a_while(
    here: CardRoom,
) -> None:
    here.box.fail("POST", "/threads$", 429, times=5, retry_after=1.0)
    await deal(here, 2)
    (thread,) = here.room.threads
    assert "My hand" in labels(latest(here.people[0], thread))
