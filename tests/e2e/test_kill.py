"""What a kill leaves on a screen, in a card and in a form still works. That nothing is lost, and everything is posted
once, in order, is what simulated card rooms prove, in `tests/rooms`."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.messages.live_messages import ON_SCREEN
from sandbox import Message
from sandbox.faults import Fault
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.players import bid, chat, hand_of, latest, modal_of, open_table, shown

OPTIONS: dict[str, Any] = {"mode": "normal", "rounds": 1}
HOUR = 3_600
MESSAGES = r"^/channels/\d+/messages$"


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[FollowedMatch]:
    """A match of Twin Palms with three people whose table is not open yet."""
    async with bot_and_channel(tmp_path) as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo")]
        yield FollowedMatch(bot, room, people, **OPTIONS)


async def test_a_table_whose_card_was_posted_just_before_a_kill_can_be_started(here: FollowedMatch) -> None:
    alice, ben, _ = here.people
    await alice.slash(here.room, "twin-palms start", **OPTIONS)
    await here.bot.kill()
    here.bot.write("UPDATE matches SET card = NULL")  # the bot was killed before it recorded the card
    here.bot.forget_nonces()
    await here.bot.start()
    await here.box.until(lambda: here.bot.read("SELECT 1 FROM matches WHERE card > 0"))
    assert sum("join:1" in each.custom_ids for each in here.room.messages()) == 1
    await ben.click(here.card, "Join")
    assert "2. Ben" in here.card.text
    await alice.click(here.card, "Start")
    await here.box.until(lambda: here.card.thread and here.messages())


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "posted"])
async def test_a_rematch_that_a_kill_interrupts_is_a_lobby_with_one_card(
    here: FollowedMatch, stored: bool
) -> None:
    await here.deal()
    await here.finish()
    alice, ben, _ = here.people
    board = latest(ben, here.thread, "Rematch")
    condition = here.bot.entry_stored() if stored else here.bot.request_made("POST", MESSAGES)
    await here.bot.kill_during(lambda: ben.click(board, "Rematch"), condition)
    await here.bot.start()

    def cards() -> list[Message]:
        return [each for each in here.room.messages() if "start:2" in each.custom_ids]

    await here.box.until(lambda: cards() and here.bot.read("SELECT 1 FROM matches WHERE id = 2 AND card > 0"))
    (card,) = cards()
    assert (
        f"You sit at the rematch: [table 2](https://discord.com/channels/{here.room.guild.id}/"
        in (await alice.click(board, "Rematch")).text
    )
    await here.box.until(lambda: "2. Alice" in card.text)
    await ben.click(card, "Start")
    await here.box.until(lambda: card.thread)


async def test_a_card_that_arrives_after_its_lobby_was_closed_and_just_before_a_kill_is_no_lobby_then(
    here: FollowedMatch,
) -> None:
    await here.deal()
    await here.finish()
    ben = here.people[1]
    board = latest(ben, here.thread, "Rematch")

    def cards() -> list[Message]:
        return [each for each in here.room.messages() if "rules:2" in each.custom_ids]

    async def ask_and_leave() -> None:
        here.box.fail("POST", f"^/channels/{here.room.id}/messages$", None, delay=3)  # as a rate limit does
        asking = asyncio.create_task(ben.click(board, "Rematch"))
        await here.box.until(lambda: here.bot.read("SELECT 1 FROM matches WHERE id = 2"))
        await ben.slash(here.room, "table leave")
        await asking

    await here.bot.kill_during(ask_and_leave, lambda: bool(cards()))
    assert here.bot.read("SELECT phase FROM matches WHERE id = 2") == [("closed",)]
    await here.bot.start()
    await here.box.until(lambda: "never began" in cards()[0].text)
    assert "join:2" not in cards()[0].custom_ids


@pytest.mark.parametrize("stored", [True, False], ids=["stored", "posted"])
async def test_of_a_card_that_was_posted_again_just_before_a_kill_only_the_new_one_has_buttons(
    here: FollowedMatch, stored: bool
) -> None:
    alice, ben, _ = here.people
    first = shown(await alice.slash(here.room, "twin-palms start", **OPTIONS))
    await here.box.until(lambda: here.bot.read("SELECT 1 FROM matches WHERE card > 0"))
    await chat(ben, here.room, ON_SCREEN)

    def cards() -> list[Message]:
        return [each for each in here.room.messages() if "join:1" in each.custom_ids]

    def is_interrupted() -> bool:
        return len(cards()) == 2 and (
            not stored or here.bot.read("SELECT card FROM matches") != [(first.id,)]
        )

    here.box.fail("PATCH", f"/messages/{first.id}$", None, delay=1)  # else it may be edited before the kill
    await here.bot.kill_during(lambda: alice.slash(here.room, "table show"), is_interrupted)
    here.bot.forget_nonces()
    await here.bot.start()
    await here.box.until(lambda: len(cards()) == 1)
    (card,) = cards()
    assert card is not first
    await ben.click(card, "Join")
    assert "2. Ben" in card.text


@pytest.mark.parametrize(
    ("closed", "again"),
    [(False, False), (True, False), (True, True)],
    ids=["open", "closed", "closed and killed again"],
)
async def test_a_card_that_reaches_discord_only_after_a_kill_and_a_look_back_stands_once(
    here: FollowedMatch, closed: bool, again: bool
) -> None:
    alice, ben, _ = here.people
    await alice.slash(here.room, "twin-palms start", **OPTIONS)
    await here.box.until(lambda: here.bot.read("SELECT 1 FROM matches WHERE card > 0"))
    await chat(ben, here.room, ON_SCREEN)
    here.box.faults.add(
        slow := Fault("POST", f"^/channels/{here.room.id}/messages$", None, delay=20, arrives=True)
    )
    await here.bot.kill_during(lambda: alice.slash(here.room, "table show"), lambda: not slow.times)
    await here.bot.start()
    if closed:
        await alice.slash(here.room, "table leave")
    if again:
        await asyncio.sleep(5)  # until all is shown
        await here.bot.kill()
        await here.bot.start()
    await asyncio.sleep(120)
    with_buttons = [each for each in here.room.messages() if "join:1" in each.custom_ids]
    assert with_buttons == ([] if closed else here.room.messages()[-1:])


async def test_an_edit_that_reaches_discord_only_after_a_kill_and_a_newer_one_does_not_stay(
    here: FollowedMatch,
) -> None:
    await here.deal()
    alice, ben, _ = here.people
    await here.box.until(here.bot.all_posted)
    path = f"/messages/{here.board.id}$"
    here.box.faults.add(slow := Fault("PATCH", path, None, delay=20, arrives=True))
    await here.bot.kill_during(
        lambda: alice.slash(here.thread, "move", action="bid 1"), lambda: not slow.times
    )
    await here.bot.start()
    await bid(here.thread, ben)
    await asyncio.sleep(10)  # until all is shown
    newest = here.board.text
    await asyncio.sleep(70)
    assert here.board.text == newest


async def test_hours_forgotten_while_a_table_is_edited_are_shown_after_a_kill(here: FollowedMatch) -> None:
    alice, ben, cleo = here.people
    await open_table(here.room, "twin-palms start", *here.people, pace="correspondence", **OPTIONS)
    await alice.click(here.card, "Start")
    panel = shown(await ben.slash(here.room, "hours", zone="UTC", **{"from": 6, "until": 18}))
    await asyncio.sleep(60)  # so that no call is on its way
    faults, path = here.box.faults, rf"^/channels/{here.thread.id}/messages/"
    faults.add(drawn := Fault("PATCH", path, None, delay=3))
    await bid(here.thread, cleo)
    await here.box.until(lambda: not drawn.times)
    faults.add(told := Fault("PATCH", path, None, delay=30))
    await ben.click(panel, "Forget all")
    await here.box.until(lambda: not told.times)
    await here.bot.kill()
    await here.bot.start()
    await asyncio.sleep(120)
    assert "Ben answers usually" not in here.board.text


@pytest.mark.parametrize("waited", [0, 17 * HOUR], ids=["asked", "reminded"])
async def test_the_end_of_a_slow_move_is_told_anew_after_a_kill_and_hours_but_not_after_seconds(
    here: FollowedMatch, waited: int
) -> None:
    await open_table(here.room, "twin-palms start", *here.people, pace="correspondence", **OPTIONS)
    await here.people[0].click(here.card, "Start")
    await asyncio.sleep(60)
    await bid(here.thread, *here.people)
    here.box.clock.advance(waited)
    await asyncio.sleep(60)
    (call,) = [each for each in here.thread.messages() if "time ends" in each.text]
    assert ("⏰" in call.text) == (waited > HOUR)

    async def told_after(seconds: int) -> int:
        await here.bot.kill()
        here.box.clock.advance(seconds)
        before = len(here.box.requests)
        await here.bot.start()
        await asyncio.sleep(60)
        edits = [each for each in here.box.requests[before:] if each.path.endswith(f"/messages/{call.id}")]
        assert bool(edits) == (seconds > 60)
        return int(call.text.split("<t:")[1].split(":")[0])

    end = await told_after(5)
    assert 7 * HOUR <= await told_after(7 * HOUR) - end <= 7 * HOUR + 30


async def test_a_call_at_a_slow_table_that_was_posted_just_before_a_kill_calls_once_though_its_time_ends_later(
    here: FollowedMatch,
) -> None:
    await open_table(here.room, "twin-palms start", *here.people, pace="correspondence", **OPTIONS)
    await here.people[0].click(here.card, "Start")
    await asyncio.sleep(60)
    posted = here.bot.request_made("POST", f"^/channels/{here.thread.id}/messages$")
    await here.bot.kill_during(lambda: bid(here.thread, *here.people), posted)
    here.bot.forget_nonces()
    here.box.clock.advance(HOUR)
    await here.bot.start()
    await asyncio.sleep(60)
    calls = [each for each in here.thread.log.values() if "time ends" in each.text]
    (call,) = (each for each in calls if not each.deleted)
    assert sum(bool(each.pings) for each in calls) == 1
    assert int(call.text.split("<t:")[1].split(":")[0]) > here.box.clock.now() + 23 * HOUR


@pytest.mark.parametrize("sign", ["⏰", "⏳"], ids=["reminder", "time is up"])
async def test_what_was_posted_about_a_late_move_just_before_a_kill_calls_once_though_the_time_ends_later(
    here: FollowedMatch, sign: str
) -> None:
    await here.deal()
    late = Fault("POST", f"^/channels/{here.thread.id}/messages$", None, 9, after=True, delay=1.0)
    here.box.faults.add(late)

    def calls() -> list[Message]:
        return [each for each in here.thread.log.values() if sign in each.text]

    await here.box.until(calls, timeout=300)
    await here.bot.kill()
    here.box.faults.clear()
    here.bot.forget_nonces()
    here.box.clock.advance(HOUR)
    await here.bot.start()
    await asyncio.sleep(5)
    assert [bool(each.pings) for each in calls()] == [True]


async def test_the_second_look_after_a_start_leaves_requests_for_what_people_do(here: FollowedMatch) -> None:
    for number in range(30):
        host = here.box.person(f"Host {number}", here.room.guild)
        await host.slash(here.room, "twin-palms start", **OPTIONS)
    await here.box.until(lambda: here.bot.read("SELECT count(*) FROM matches WHERE card > 0") == [(30,)])
    await here.bot.kill()
    await here.bot.start()
    await asyncio.sleep(30)
    before = len(here.box.requests)
    await asyncio.sleep(60)
    times = [each.time for each in here.box.requests[before:]]
    assert len(times) >= 30
    assert all(later - earlier > 1 for earlier, later in zip(times, times[25:], strict=False))


async def test_forms_opened_before_a_kill_work_after_it(here: FollowedMatch) -> None:
    await here.deal()
    alice, ben, _ = here.people
    hand = await hand_of(ben, here.thread)
    await ben.click(hand, "3")
    modal = modal_of(await alice.click(await hand_of(alice, here.thread), "Type a move"))
    await here.bot.kill()
    # Discord keeps a form open that was not answered.
    assert (await alice.submit(modal, {"Your move": "bid 2"})).failed
    await here.bot.start()
    assert "✅ Bid 2" in (await alice.submit(modal, {"Your move": "bid 2"})).text
    assert "✅ Bid 3" in shown(await ben.click(hand, "Bid 3")).text
    here.read_log()
    assert here.moves == [("move", 0, "bid 2"), ("move", 1, "bid 3")]


async def test_a_kill_while_a_daily_begins_leaves_one_attempt(here: FollowedMatch) -> None:
    alice, bot = here.people[0], here.bot
    card = shown(await alice.slash(here.room, "daily"))
    await bot.kill_during(lambda: alice.click(card, "Play"), bot.entry_stored())
    await bot.start()
    card = shown(await alice.slash(here.room, "daily"))
    deal = shown(await alice.click(card, "Go on"))
    # One in some hundred of these deals is over before anybody can do anything.
    assert any(each.startswith(("form:", "daily:0:share:")) for each in deal.custom_ids)
    assert len(bot.read("SELECT * FROM daily_attempts")) == len(bot.read("SELECT * FROM matches")) == 1
