"""Faults of the bot that simulated card rooms and reviews have found, each by the rule that was broken."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.match.entries import CloseReason
from bot.match.pages import Page
from bot.match.table import Table
from bot.messages.live_messages import ON_SCREEN
from bot.messages.panel import Panel, text
from bot.messages.publisher import RETRIES
from bot.messages.venue import place_of
from bot.store import Post, StoreFailed
from sandbox import Channel, Message, Permission, Person, Thread
from sandbox.faults import Fault
from tests.e2e.card_room import CardRoom, forget_nonces
from tests.e2e.followed_match import bot_and_channel
from tests.e2e.match import Match
from tests.e2e.players import bid, chat, deal, labels, latest, new_thread, open_table, shown
from tests.e2e.processes import BotProcess
from tests.e2e.test_live_table import BOARD, boards, dealt, fall_back
from tests.held import failing, held


async def test_a_message_that_is_to_be_deleted_is_not_taken_for_another_page(match: Match) -> None:
    await match.deal()
    table, outbox = await match.table(), match.here.bot.publisher.live._outbox
    post = next(each for each in table.posts.values() if each.kind == "page")
    table.posts[post.key] = replace(post, message=1)
    await outbox.look_back(table)
    assert post.message in [each.id for each in outbox._found[table.id]]
    table.posts[post.key] = replace(post, message=1, old=post.message)
    await outbox.look_back(table)
    assert post.message not in [each.id for each in outbox._found[table.id]]


async def test_messages_that_were_found_are_forgotten_with_the_doubt_about_their_table(match: Match) -> None:
    await match.deal()
    table, publisher = await match.table(), match.here.bot.publisher
    await publisher.live._outbox.look_back(table)
    publisher._recovery.trust(table.id)
    assert table.id not in publisher.live._outbox._found


async def test_nobody_is_called_by_what_a_table_was_before_it_is_read_anew(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match.deal()
    table, publisher = await match.table(), match.here.bot.publisher
    show_page, show, behind = publisher._show_page, publisher.live.calls.show, list[bool]()

    async def outdate_meanwhile(table: Table, page: Page) -> None:
        monkeypatch.setattr(publisher, "_show_page", show_page)
        await show_page(table, page)
        table.outdate()

    async def note(table: Table, pause: int) -> int:
        behind.append(table.is_behind)
        return await show(table, pause)

    monkeypatch.setattr(publisher, "_show_page", outdate_meanwhile)
    monkeypatch.setattr(publisher.live.calls, "show", note)
    publisher.wake(table)
    await match.here.box.until(lambda: bool(behind))
    assert not any(behind)
    assert await match.table() is not table


@pytest.mark.parametrize("step", ["look_back", "tidy"])
async def test_a_doubt_that_comes_up_while_an_earlier_one_is_settled_stays(match: Match, step: str) -> None:
    await match.deal()
    publisher = match.here.bot.publisher
    publisher.look_again(await match.table())
    async with held(publisher._recovery._outbox, step, after=True):
        publisher._recovery.doubt([1])
    await publisher.wait()
    assert publisher._recovery.doubted() == [1]


async def test_a_table_that_ends_as_its_shard_is_left_and_taken_again_is_looked_at_once_more(
    match: Match,
) -> None:
    await match.deal()
    table, publisher = await match.table(), match.here.bot.publisher
    await table.close(CloseReason.BOT_REMOVED)
    publisher.look_again(table)
    async with held(publisher._recovery._outbox, "look_back", after=True):
        await publisher.load()
    seen = len(match.box.requests)
    await publisher.wait()
    paths = [(each.method, each.path) for each in match.box.requests[seen:]]
    assert ("GET", f"/channels/{place_of(table)}/messages") in paths


async def test_a_doubt_about_a_table_stays_until_the_bot_has_read_what_stands_there(match: Match) -> None:
    await match.deal()
    table, recovery = await match.table(), match.here.bot.publisher._recovery
    bot, room = match.here.box.world.bot, match.here.room
    recovery.doubt([table.id])
    room.deny(bot, Permission.READ_MESSAGE_HISTORY)
    await match.box.until(lambda: not recovery._venue.may_read(table))
    await recovery.find_pages(table)
    room.allow(bot, Permission.READ_MESSAGE_HISTORY)
    await match.box.until(lambda: recovery._venue.may_read(table))
    await recovery.tidy(table)
    assert recovery.doubted() == [table.id]
    await recovery.find_pages(table)
    await recovery.tidy(table)
    assert recovery.doubted() == []


@pytest.mark.parametrize("knows", [True, False])
async def test_the_bot_looks_at_a_table_in_doubt_when_it_may_read_there_again_and_nobody_acts(
    match: Match, monkeypatch: pytest.MonkeyPatch, knows: bool
) -> None:
    await match.gather()
    publisher, bot, room = match.here.bot.publisher, match.here.box.world.bot, match.here.room
    if not knows:  # Discord tells it later
        monkeypatch.setattr(publisher.venue, "may_read", lambda _: True)
    room.deny(bot, Permission.READ_MESSAGE_HISTORY)
    publisher.look_again(await match.table())
    await match.rest()
    assert publisher._recovery.doubted() == [1]
    room.allow(bot, Permission.READ_MESSAGE_HISTORY)
    await match.box.until(lambda: not publisher._recovery.doubted(), 2 * RETRIES[-1])


@pytest.mark.parametrize("threads", [True, False])
async def test_a_table_that_was_posted_twice_while_the_bot_could_not_read_stands_once_in_the_end(
    match: Match, threads: bool
) -> None:
    bot, room = match.here.box.world.bot, match.here.room
    room.deny(bot, Permission.READ_MESSAGE_HISTORY)
    await match.gather()
    if not threads:
        room.deny(bot, Permission.CREATE_PUBLIC_THREADS)
    where = rf"(?!{room.id})\d+" if threads else str(room.id)
    match.box.fail("POST", f"^/channels/{where}/messages$", 0, after=True, delay=3)
    await match.people[0].click(match.card, "Start")
    await match.box.until(lambda: any("1-page-" in str(each.nonces) for each in [room, *room.threads]))
    place = await match.place()
    place.nonces.clear()  # as Discord does after some minutes
    await match.rest()
    assert len([each for each in place.messages() if "hand:1:p" in str(each.custom_ids)]) == 2
    room.allow(bot, Permission.READ_MESSAGE_HISTORY)
    await match.check_that_play_continues()
    assert len([each for each in place.messages() if "hand:1:p" in str(each.custom_ids)]) == 1


@pytest.mark.parametrize("noted", [False, True])
async def test_a_call_does_not_stay_above_a_page_that_was_posted_before_a_kill(
    match: Match, noted: bool
) -> None:
    await match.deal()
    await match.rest()
    table, publisher, place = await match.table(), match.here.bot.publisher, await match.place()
    outbox, page = publisher.live._outbox, table.posts["page", 1]
    call = await outbox.send(table, place.id, Panel(text("Ben, Alice offers you their seat.")), "call")
    await match.here.bot.tables.save_post(table, Post(table.id, "call", 99, place.id, call))
    again = await outbox.send(table, place.id, await publisher.live._draw(table.id, 1), "again")
    await outbox.delete(table, place.id, page.message)
    if noted:
        await match.here.bot.tables.save_post(table, replace(page, message=again))
    else:
        await match.here.bot.tables.delete_post(table, page)
    publisher._recovery.doubt([table.id])
    await publisher._recovery.find_pages(table)
    assert table.posts["page", 1].message == again
    assert place.log[call].deleted


async def test_a_call_above_the_table_is_not_taken_for_a_later_one_in_the_same_words(match: Match) -> None:
    await match.deal()
    table, outbox = await match.table(), match.here.bot.publisher.live._outbox
    place, call = place_of(table), Panel(text("**Alice's turn** · play a card"))
    first = await outbox.send(table, place, call, "first")
    await outbox.look_back(table)
    assert await outbox.send(table, place, call, "second", after=first) > first
    assert await outbox.send(table, place, call, "third", after=first - 1) == first


@pytest.mark.parametrize("words", ["Something else", "**Alice's turn** · play a card"], ids=["other", "same"])
async def test_a_message_is_posted_though_discord_knows_a_deleted_one_by_its_nonce(
    match: Match, words: str
) -> None:
    await match.deal()
    table, outbox = await match.table(), match.here.bot.publisher.live._outbox
    place, call = place_of(table), Panel(text("**Alice's turn** · play a card"))
    posted = await outbox.send(table, place, Panel(text(words)), "once")
    await outbox.delete(table, place, posted)
    await asyncio.sleep(1)
    last = await outbox.send(table, place, call, "once")
    assert await outbox.send(table, place, call, "once") == last
    assert last in {each.id for each in (await match.place()).messages()}


async def test_nothing_is_tried_again_for_a_table_that_another_process_runs(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_table(here.room, "palace start", here.people[0])
    publisher = here.bot.publisher
    await publisher.wait()
    with monkeypatch.context() as left:
        left.setattr(here.bot.tables, "owns", lambda _: False)
        publisher._picture_retries.next(1)
        publisher._start_worker_later(1, 0.1)
        await asyncio.sleep(1)
    assert publisher._picture_retries.matches() == []
    assert publisher._timers == {}


async def test_a_card_that_could_not_be_noted_is_found_and_says_that_its_lobby_is_closed(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, store = here.people[0], here.bot.store
    update = store.update_match

    async def fail_once(match: int, **columns: int) -> None:
        if "card" in columns:
            monkeypatch.setattr(store, "update_match", update)
            raise StoreFailed("The disk is full.")
        await update(match, **columns)

    monkeypatch.setattr(store, "update_match", fail_once)
    card = shown(await alice.slash(here.room, "palace start"))
    await alice.slash(here.room, "table leave")
    await here.box.until(lambda: "never began" in card.text)
    assert (await here.bot.tables.get(1)).match.card == card.id


async def test_a_call_that_cannot_be_stored_is_posted_once_though_the_bot_may_not_read(
    here: CardRoom,
) -> None:
    place = await deal(here, 2)
    await bid(place, *here.people[:2])
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    await here.rest()
    before = {*place.log}
    with failing(here.bot.store, "save_post"):
        await fall_back(await here.bot.tables.get(1))
        await forget_nonces(place)
    await asyncio.sleep(200)
    calls = [each.text for each in place.messages() if each.pings and each.id not in before]
    assert len(calls) == len({*calls}) > 0
    assert not here.bot.publisher._outbox._unstored


@pytest.mark.parametrize("forgotten", [False, True], ids=["at once", "nonces forgotten"])
async def test_a_card_that_cannot_be_stored_is_posted_once_though_the_bot_may_not_read(
    here: CardRoom, forgotten: bool
) -> None:
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    with failing(here.bot.store, "update_match"):
        await here.people[0].slash(here.room, "twin-palms start")
        await (forget_nonces(here.room) if forgotten else asyncio.sleep(1))
    await asyncio.sleep(200)
    (card,) = [each.id for each in here.room.messages() if "join:1" in each.custom_ids]
    assert (await here.bot.tables.get(1)).match.card == card


async def lobby_without_a_noted_card(here: CardRoom, host: Person) -> tuple[Message, Table]:
    """Open a lobby of which the bot does not know the card, as after a power cut. Return both."""
    card = await open_table(here.room, "palace start", host)
    table = await here.bot.tables.get(1)
    await here.box.until(lambda: table.match.card)
    await here.bot.publisher.wait()
    table.match = replace(table.match, card=None)
    here.bot.publisher.live._shown.clear()
    return card, table


async def test_a_card_that_is_noted_with_a_click_says_that_its_lobby_was_closed_meanwhile(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, ben, *_ = here.people
    card, _ = await lobby_without_a_noted_card(here, alice)  # the receipt of the answer is under way
    publisher, store, closed = here.bot.publisher, here.bot.store, asyncio.Event()
    update = store.update_match
    here.box.fail("GET", "/messages$", 403, times=9)  # and it cannot be found

    async def note_late(match: int, **columns: int) -> None:
        if "card" in columns:
            await closed.wait()
        await update(match, **columns)

    monkeypatch.setattr(store, "update_match", note_late)
    joining = asyncio.create_task(ben.click(card, "Join"))
    await alice.slash(here.room, "table leave")
    await publisher.wait()
    here.box.fail("PATCH", f"/messages/{card.id}$", 500, times=9)
    closed.set()
    await joining
    assert [each.id for each in await store.unpublished()] == [1]  # another process would show it
    here.box.faults.clear()
    await here.box.until(lambda: "never began" in card.text, timeout=60)


async def test_a_card_that_a_click_notes_while_it_is_looked_for_stays_the_card(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card, table = await lobby_without_a_noted_card(here, alice)
    publisher = here.bot.publisher
    publisher.look_again(table)
    async with held(publisher._recovery._outbox, "look_back", after=True):
        await ben.click(card, "Join")
    await publisher.wait()
    assert "2 of 8 seats" in card.text


@pytest.mark.parametrize("after", [True, False], ids=["stored", "not stored"])
async def test_a_click_on_an_older_card_while_another_one_is_noted_leaves_one_card(
    here: CardRoom, after: bool
) -> None:
    alice, ben, *_ = here.people
    old, table = await lobby_without_a_noted_card(here, alice)
    async with held(here.bot.store, "update_match", here.bot.publisher.live.post_card(table), after=after):
        *_, new = here.room.messages()
        joining = asyncio.create_task(ben.click(old, "Join"))
        await asyncio.sleep(1)
    await joining
    await here.rest()
    await here.box.until(
        lambda: [each for each in here.room.messages() if "join:1" in each.custom_ids] == [new]
    )
    assert "2 of 8 seats" in new.text


async def test_a_card_that_a_click_notes_while_it_is_posted_stays_the_card(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    _, table = await lobby_without_a_noted_card(here, alice)
    publisher = here.bot.publisher
    async with held(publisher.live._outbox, "send", publisher.live.post_card(table), after=True):
        *_, card = here.room.messages()
        await ben.click(card, "Join")
    await publisher.wait()
    assert "2 of 8 seats" in card.text


async def test_a_card_that_is_not_noted_yet_is_found_when_its_lobby_is_closed(here: CardRoom) -> None:
    alice = here.people[0]
    # The receipt of the answer is held back; the bot may be killed before it.
    async with held(here.bot.store, "update_match", alice.slash(here.room, "palace start")) as asked:
        card = shown(await asked)
        await alice.slash(here.room, "table leave")
        await here.box.until(lambda: "never began" in card.text)


async def test_a_card_that_arrives_while_its_closed_lobby_is_shown_says_that_it_was_closed(
    here: CardRoom,
) -> None:
    card, table = await lobby_without_a_noted_card(here, here.people[0])
    publisher, card.deleted = here.bot.publisher, True
    async with held(publisher._recovery._outbox, "look_back", table.close(CloseReason.NOT_SHOWN), after=True):
        card.deleted = False
        publisher.look_again(table)
    await publisher.wait()
    assert "never began" in card.text


async def test_a_card_that_is_noted_late_and_cannot_be_found_says_that_its_lobby_was_closed(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, store = here.people[0], here.bot.store
    here.room.deny(here.box.world.bot, Permission.READ_MESSAGE_HISTORY)
    noted, update = asyncio.Event(), store.update_match

    async def in_order(match: int, **columns: int) -> None:
        if "card" in columns:
            await asyncio.sleep(2)  # until the lobby is closed and everything else is shown
            await update(match, **columns)
            noted.set()
        else:
            await noted.wait()
            await update(match, **columns)

    monkeypatch.setattr(store, "update_match", in_order)
    card = shown(await alice.slash(here.room, "palace start"))
    await alice.slash(here.room, "table leave")
    await here.box.until(lambda: "never began" in card.text)


async def test_a_click_is_answered_though_an_edit_replaced_the_picture_that_it_keeps(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    card = await open_table(here.room, "palace start", alice)
    table = await here.bot.tables.get(1)
    await here.box.until(lambda: table.match.card)
    await here.bot.publisher.wait()
    live = here.bot.publisher.live.get(table, "card")
    assert live is not None
    live._present, live._newest = {each["filename"]: 1 for each in card.files}, 1
    answer = await ben.click(card, "Join")
    assert answer.failed is None
    assert ben.name in card.text
    assert here.box.complaints.pop(), "Discord refused the first one"


async def test_an_answer_that_is_refused_too_often_is_no_error_of_the_bot(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    here.box.fail("POST", "/callback", 429, times=20, retry_after=0.01)
    await here.people[0].slash(here.room, "help")
    assert "an answer was lost" in caplog.text
    assert "ERROR" not in caplog.text


async def test_a_lost_card_that_discord_refuses_to_take_is_not_sent_for_ever(here: CardRoom) -> None:
    card = await open_table(here.room, "palace start", here.people[0])
    await here.rest()
    here.guild.grant(here.people[1].user, Permission.MANAGE_MESSAGES)
    here.people[1].delete(card)
    here.box.faults.add(refused := Fault("POST", f"^/channels/{here.room.id}/messages$", 400, times=9))
    here.bot.publisher.wake(await here.bot.tables.get(1))
    await asyncio.sleep(10)
    assert refused.times == 7  # with its picture, and without


@pytest.mark.parametrize("locked", [False, True], ids=["hidden", "thread locked"])
async def test_a_match_that_closes_while_the_bot_is_shut_out_for_seconds_is_shown_as_closed_then(
    here: CardRoom, locked: bool
) -> None:
    alice, ben, *_ = here.people
    place, bot, elsewhere = await deal(here, 2), here.box.world.bot, here.guild.channel("elsewhere")
    assert isinstance(place, Thread)
    (card,) = [each for each in here.room.messages() if "rules:1" in each.custom_ids]
    board = latest(alice, place, BOARD)
    if locked:
        place.archive(locked=True)
    else:
        here.room.deny(bot, Permission.VIEW_CHANNEL)
    for person in (alice, ben):
        asked = shown(await person.slash(elsewhere, "table leave", table="1"))
        await person.click(asked, labels(asked)[0])
    assert here.bot.tables.seated(ben.id) == []
    await asyncio.sleep(5)
    if locked:
        place.archive(False, locked=False)
    else:
        here.room.allow(bot, Permission.VIEW_CHANNEL)
    await asyncio.sleep(1800)
    assert "The match is on" not in card.text
    assert "My hand" not in labels(board)


def calls(place: Channel) -> list[Message]:
    return [each for each in place.messages() if each.text.startswith("**<@")]


@pytest.mark.parametrize("in_thread", [False, True], ids=["channel without threads", "opened in a thread"])
async def test_a_call_in_a_shared_channel_that_could_not_be_noted_goes_when_its_turn_is_over(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, in_thread: bool
) -> None:
    alice, ben, *_ = here.people
    place: Channel = here.room
    if in_thread:
        place = new_thread(here.room, alice)
    else:
        here.room.deny(here.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
    card = await open_table(place, "twin-palms start", alice, ben)
    await alice.click(card, "Start")
    await here.rest()
    await bid(place, alice, ben)
    await here.rest()
    table, store = await here.bot.tables.get(1), here.bot.tables.store
    keep, failed = store.save_post, list[Post]()

    async def fail_once(post: Post) -> None:
        if post.kind == "call" and post.message and not failed:
            failed.append(post)
            raise StoreFailed("The disk is full.")
        await keep(post)

    monkeypatch.setattr(store, "save_post", fail_once)
    await fall_back(table)
    await here.box.until(lambda: failed)
    await fall_back(table)  # before the next try, a second later
    await asyncio.sleep(30)
    assert table.state.players[table.state.awaited()[0]].user not in place.log[failed[0].message].pings
    assert failed[0].message not in {each.id for each in place.messages()}


async def test_a_call_in_a_shared_channel_that_comes_after_a_kill_and_its_turn_goes(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        room.deny(bot.box.world.bot, Permission.CREATE_PUBLIC_THREADS)
        alice, ben = (bot.box.person(name, room.guild) for name in ("Alice", "Ben"))
        card = await open_table(room, "twin-palms start", alice, ben, mode="normal", rounds=1)
        await alice.click(card, "Start")
        await bot.box.until(bot.all_posted)
        await bid(room, alice, ben)
        await asyncio.sleep(5)
        path = f"^/channels/{room.id}/messages$"
        bot.box.faults.add(slow := Fault("POST", path, None, delay=3, arrives=True))
        table = await bot.client.tables.get(1)
        await fall_back(table)
        await bot.box.until(lambda: not slow.times)
        await bot.kill()
        await bot.start()
        table = await bot.client.tables.get(1)
        await fall_back(table)
        await asyncio.sleep(150)
        awaited = table.state.players[table.state.awaited()[0]].user
        assert [f"<@{awaited}>" in each.text for each in calls(room)] == [True]


async def card_posted_before_a_kill(bot: BotProcess, room: Channel) -> Message:
    """Return a lobby's second card, which the bot does not know as it was killed then."""
    alice, ben = (bot.box.person(name, room.guild) for name in ("Alice", "Ben"))  # type: ignore[attr-defined]
    await alice.slash(room, "twin-palms start")
    await bot.box.until(lambda: bot.read("SELECT 1 FROM matches WHERE card > 0"))
    await chat(ben, room, ON_SCREEN)
    path = f"^/channels/{room.id}/messages$"
    bot.box.faults.add(slow := Fault("POST", path, None, after=True, delay=20))
    await bot.kill_during(lambda: alice.slash(room, "table show"), lambda: not slow.times)
    await bot.start()
    await alice.slash(room, "table leave")
    return room.messages()[-1]


async def test_a_card_from_before_a_kill_goes_once_the_bot_may_read_though_its_lobby_has_closed(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        room.deny(bot.box.world.bot, Permission.READ_MESSAGE_HISTORY)
        await card_posted_before_a_kill(bot, room)
        await asyncio.sleep(90)
        room.allow(bot.box.world.bot, Permission.READ_MESSAGE_HISTORY)
        await asyncio.sleep(300)
        assert [each.text for each in room.messages() if "join:1" in each.custom_ids] == []


async def test_a_table_that_stands_twice_after_a_kill_stands_once_when_the_bot_may_read_after_a_restart(
    tmp_path: Path,
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        await bot.box.until(bot.all_posted)
        room.deny(bot.box.world.bot, Permission.READ_MESSAGE_HISTORY)
        path = rf"^/channels/{match.thread.id}/messages$"
        bot.box.faults.add(slow := Fault("POST", path, None, after=True, delay=20))
        await chat(match.people[0], match.thread, 3)
        await bot.box.until(lambda: not slow.times, timeout=60)
        await bot.kill()
        bot.forget_nonces()  # it was down for some minutes
        await bot.start()
        await asyncio.sleep(150)
        assert len(boards(match.thread)) == 2  # nothing else is possible yet
        await bot.stop()
        await bot.start()
        room.allow(bot.box.world.bot, Permission.READ_MESSAGE_HISTORY)
        await asyncio.sleep(300)
        assert len(boards(match.thread)) == 1


@pytest.mark.parametrize("ends", ["closed", "over"])
async def test_a_record_stays_one_though_an_edit_from_before_a_kill_comes_after_it(
    tmp_path: Path, ends: str
) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        match = await dealt(bot, room)
        alice, board = match.people[0], match.board
        await bot.box.until(bot.all_posted)
        slow = Fault(
            "PATCH", f"/messages/{board.id}$", None, delay=3 if ends == "closed" else 20, arrives=True
        )
        bot.box.faults.add(slow)
        await bot.kill_during(
            lambda: alice.slash(match.thread, "move", action="bid 1"), lambda: not slow.times
        )
        await bot.start()
        if ends == "closed":
            await (await bot.client.tables.get(1)).close(CloseReason.VOTED)
        else:
            match.read_log()
            while not match.over:
                await match.play()
        await asyncio.sleep(150)
        assert "My hand" not in labels(board)
