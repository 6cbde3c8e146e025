"""The hours of people at a table: their deadlines, when they are called, and what others read."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.match.call import Call, bits, call, may_be_called, whereabouts
from bot.match.seats import come_back, decline, offer
from bot.match.table import Table
from bot.match.times import OLD_TIMES, Pace
from bot.match.votes import propose, vote
from bot.match.waking import DAY, HOUR, LONGEST_AWAY
from bot.messages.calls import new_post
from bot.store import Hours, InDoubt, StoreFailed
from games.types import with_seats
from tests.bot.store.stores import rows
from tests.bot.tables import ALICE, BEN, CLEO, Room, move, overdue, pass_deadline
from tests.held import fail, failing, held, losing_answers
from tests.seats import FIRST, SECOND

EVENINGS = Hours("UTC", 18, 23)
NOTHING = Call(())
MEANWHILE = 0.1
"""Seconds in which hours are set as far as they can be while something else is under way."""


def ms(*when: int) -> int:
    return int(datetime(2026, 6, *when, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type, misc]


async def begun(
    room: Room, hours: dict[int, Hours], *others: int, at: int, pace: Pace = "correspondence", **options: Any
) -> Table:
    """Begin a match at a time with people who have these hours."""
    room.time = at
    for user, each in hours.items():
        await room.set_hours(user, each)
    table = await room.open(*(others or (BEN,)), pace=pace, **options)
    await table.start(ALICE, room.time)
    return table


def wanted(room: Room, table: Table, before: Call = NOTHING) -> Call:
    """Return the call as it is posted now, after another one."""
    now = call(table.state, table.clock.times, table.hours, table.deadlines)
    return now.at(room.time, before.number, before.asleep)


def called(room: Room, table: Table, before: Call = NOTHING) -> Sequence[int]:
    """Return who is mentioned by a call that is posted now, after another one."""
    return wanted(room, table, before).calls


def noted(table: Table, posted: Call) -> Call:
    """Return a call that was posted, with those as sleepers whom its row notes to be called later."""
    row = new_post(table, posted)
    return replace(posted, asleep={user: 0 for user, bit in bits(table.state).items() if bit & row.asleep})


def text(room: Room, table: Table) -> str:
    return wanted(room, table).text


async def test_time_passes_only_while_somebody_is_awake(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))
    assert table.deadlines[1] == ms(1, 18) + 5 * HOUR * 2 // 3
    room.time = ms(1, 18)
    assert text(room, table).endswith(f" · time ends <t:{ms(2, 3) // 1000}:R>"), "Alice's, which ends first"
    assert await pass_deadline(room, table, FIRST) == "remind"
    assert await pass_deadline(room, table, SECOND) == "remind"
    assert table.deadlines[1] == ms(2, 18), "its last third ends with the evening, when Ben sleeps"


async def test_a_relaxed_table_waits_for_the_evening_and_a_live_one_does_not(room: Room) -> None:
    relaxed = await begun(room, {BEN: EVENINGS}, at=ms(1, 3), pace="relaxed")
    assert relaxed.deadlines[1] == ms(1, 18) + HOUR * 2 // 3
    live = await begun(room, {BEN: EVENINGS}, at=ms(1, 3), pace="live")
    assert live.deadlines[1] == ms(1, 3) + 600
    assert called(room, live) == [ALICE, BEN]


async def test_nobody_is_called_in_their_night_and_each_once_after_it(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, CLEO, BEN, at=ms(1, 3))
    first = wanted(room, table)
    assert first.calls == [ALICE, CLEO]
    assert first.wakes == ms(1, 18)
    room.time = ms(1, 18)
    later = wanted(room, table, first)
    assert later.calls == [BEN]
    room.time = ms(2, 18)
    assert called(room, table, later) == []


async def test_a_call_that_goes_out_late_waits_for_who_sleeps_by_then(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS, CLEO: Hours("UTC", 8, 14)}, CLEO, BEN, at=ms(1, 22))
    assert called(room, table) == [ALICE, BEN]
    room.time = ms(2, 9)
    late = wanted(room, table)
    assert late.calls == [ALICE, CLEO]
    assert late.wakes == ms(2, 18)
    room.time = ms(2, 18)
    again = wanted(room, table, late)
    assert again.calls == [BEN]
    room.time = ms(3, 9)
    assert called(room, table, again) == []


async def test_who_slept_when_a_call_went_out_late_is_called_though_others_were_asked_since(
    room: Room,
) -> None:
    table = await begun(room, {BEN: EVENINGS}, CLEO, BEN, at=ms(1, 22))
    room.time = ms(2, 3)
    late = wanted(room, table)
    assert await pass_deadline(room, table, FIRST) == "remind"
    newer = wanted(room, table, late)
    assert newer.calls == [ALICE, CLEO]
    room.time = ms(2, 18)
    assert called(room, table, newer) == [BEN]


async def test_a_sleeper_is_called_for_their_turn_though_others_were_asked_since(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, CLEO, BEN, at=ms(1, 3))
    for user in (ALICE, CLEO):
        await move(table, user)
    room.time = ms(1, 12)
    assert called(room, table) == []
    assert text(room, table) == ""
    room.time = ms(1, 20)
    assert called(room, table) == [BEN]


async def test_nobody_is_called_who_is_about_to_sleep(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 23) - 5_000)
    assert called(room, table) == [ALICE]
    before, room.time = wanted(room, table), ms(2, 18)
    assert called(room, table, before) == [BEN]
    early = await begun(room, {BEN: EVENINGS}, at=ms(3, 18) - 5_000)
    assert called(room, early) == [ALICE]
    assert wanted(room, early).wakes == ms(3, 18)


async def test_the_time_that_a_call_says_is_that_of_the_deadline(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))
    await move(table, ALICE)
    room.time = ms(1, 18)
    # An evening after its begin, so with the next one.
    assert text(room, table).endswith(f" · time ends <t:{ms(2, 18) // 1000}:R>")


async def test_others_read_when_somebody_answers(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS, CLEO: Hours("UTC", away_until=ms(9))}, CLEO, BEN, at=ms(1, 3))
    assert whereabouts(table.state, table.hours) == [
        f"-# 🌙 P{CLEO} is away until <t:{ms(9) // 1000}:f>.",
        f"-# 🌙 P{BEN} answers usually between <t:{ms(1, 18) // 1000}:t> and <t:{ms(1, 23) // 1000}:t>.",
    ]


async def test_whoever_goes_away_stops_their_time_and_has_it_back_on_their_return(room: Room) -> None:
    table = await begun(room, {}, at=ms(1))
    room.time = ms(1, 12)
    await room.set_hours(BEN, Hours("UTC", away_until=ms(8)))
    assert table.deadlines[1] == ms(8) + 4 * HOUR, "four of the 16 hours before the reminder were left"
    assert table.deadlines[0] == ms(1, 16)
    assert await room.store.deadlines(table.id) == table.deadlines
    assert (await room.reload(table)).hours == table.hours
    table = await room.tables.get(table.id)
    room.time = ms(1, 13)
    await room.set_hours(BEN, Hours("UTC"))
    assert table.deadlines[1] == ms(1, 17)


async def test_a_table_does_not_wait_for_ever_for_who_stays_away(room: Room) -> None:
    table = await begun(room, {}, BEN, CLEO, at=ms(1))
    await move(table, ALICE)
    for when in ((1, 6), (12,), (22,)):
        room.time = ms(*when)
        await room.set_hours(BEN, Hours("UTC", away_until=room.time + LONGEST_AWAY))
    assert table.deadlines[1] == ms(1) + LONGEST_AWAY + 10 * HOUR, "ten hours before the reminder were left"
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    assert room.time == ms(1) + LONGEST_AWAY + 18 * HOUR


async def test_a_table_does_not_wait_for_ever_for_who_moves_their_night(room: Room) -> None:
    table = await begun(room, {}, at=ms(1))
    while room.time < ms(1) + 40 * DAY:
        hour = datetime.fromtimestamp(room.time / 1000, UTC).hour
        await room.set_hours(BEN, Hours("UTC", (hour + 3) % 24, (hour + 7) % 24))
        room.time += 2 * HOUR
    assert table.deadlines[1] < ms(1) + LONGEST_AWAY + DAY


async def test_the_vote_on_an_overdue_person_lasts_while_they_could_still_move(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, BEN, CLEO, at=ms(1, 18))
    for user in (ALICE, CLEO):
        await move(table, user)
    assert await pass_deadline(room, table, SECOND) == "remind"
    assert called(room, table) == [BEN]
    assert await pass_deadline(room, table, SECOND) == "overdue"
    assert room.time == ms(2, 18)
    assert f"a computer takes over <t:{table.deadlines[1] // 1000}:R>" in text(room, table)
    assert table.deadlines[1] == ms(2, 18) + 5 * HOUR // 3


async def test_who_sleeps_is_asked_for_a_vote_in_the_morning(room: Room) -> None:
    table = await begun(room, {CLEO: Hours("UTC", 6, 12)}, BEN, CLEO, at=ms(1, 16))
    for user in (ALICE, CLEO):
        await move(table, user)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    assert room.time == ms(2, 16)
    assert called(room, table) == [BEN, ALICE]
    assert f"<@{CLEO}>" in text(room, table)
    before, room.time = wanted(room, table), ms(3, 6)
    assert called(room, table, before) == [CLEO]


async def test_who_gets_one_message_a_day_is_called_only_before_their_time_ends(room: Room) -> None:
    table = await begun(room, {BEN: Hours("UTC", 8, 22, digest=18)}, at=ms(1, 9))
    assert called(room, table) == [ALICE]
    assert may_be_called(table.state, [ALICE, BEN], room.time, table.hours) == [ALICE]
    await move(table, ALICE)
    assert await pass_deadline(room, table, SECOND) == "remind"
    assert called(room, table) == [BEN]


async def test_who_gets_no_message_a_day_any_more_is_called_for_the_turn_that_waits(room: Room) -> None:
    hours = Hours("UTC", 8, 22, digest=18)
    table = await begun(room, {BEN: hours}, at=ms(1, 9))
    before = noted(table, wanted(room, table))
    assert before.calls == [ALICE]
    await move(table, ALICE)
    assert called(room, table, before) == []
    room.time = ms(1, 18)
    # As `Digests` does when Discord refuses the message.
    await room.set_hours(BEN, replace(hours, digest=None, undelivered=room.time))
    after = noted(table, wanted(room, table, before))
    assert after.calls == [BEN], "else nobody tells him before the reminder"
    assert called(room, table, after) == []


async def test_who_gets_one_message_a_day_is_called_when_a_vote_leaves_an_hour_for_the_turn(
    room: Room,
) -> None:
    table = await begun(room, {BEN: Hours("UTC", 8, 22, digest=18)}, CLEO, BEN, at=ms(1, 9))
    before = noted(table, wanted(room, table))
    for user in (ALICE, CLEO):
        await move(table, user)
    await propose(table, ALICE, "relaxed", room.time)
    await vote(table, CLEO, table.state.polled, "yes", room.time)
    assert table.state.pace == "relaxed"
    assert called(room, table, before) == [BEN]


async def test_a_digest_is_for_correspondence_alone(room: Room) -> None:
    table = await begun(room, {BEN: Hours("UTC", 8, 22, digest=18)}, at=ms(1, 9), pace="relaxed")
    assert called(room, table) == [ALICE, BEN]


@pytest.mark.parametrize("after", [None, Hours("UTC", 18, 23), Hours("Asia/Tokyo", 8, 12)])
async def test_a_deadline_that_has_passed_stays(room: Room, after: Hours | None) -> None:
    table = await begun(room, {BEN: Hours("UTC", 8, 22)}, at=ms(1, 9))
    room.time = due = table.deadlines[1]
    await room.set_hours(BEN, after)
    assert table.deadlines[1] == due


async def test_who_leaves_and_changes_their_hours_comes_back_with_the_new_ones(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, BEN, CLEO, at=ms(1, 3))
    await table.leave(BEN, room.time)
    await room.set_hours(BEN, Hours("UTC", 6, 12))
    await come_back(table, BEN, room.time)
    assert table.deadlines[1] == ms(1, 6) + 4 * HOUR
    assert table.hours[BEN] == Hours("UTC", 6, 12)


async def test_nobody_is_offered_a_seat_in_their_night(room: Room) -> None:
    await room.set_hours(CLEO, EVENINGS)
    table = await begun(room, {}, at=ms(1, 3))
    before = wanted(room, table)
    await offer(table, BEN, CLEO, "Cleo", room.time)
    offered = wanted(room, table, before)
    assert offered.calls == []
    assert "offers you their seat" in offered.text, "whoever is awake all the same may accept it"
    room.time = ms(1, 18)
    assert called(room, table, offered) == [CLEO]


async def test_nobody_is_called_in_their_night_while_it_is_written_that_they_decline(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.set_hours(CLEO, EVENINGS)
    table = await begun(room, {}, at=ms(1, 3))
    await offer(table, BEN, CLEO, "Cleo", room.time)
    append, calls = room.store.append, [0]

    async def look_first(*args: Any, **columns: Any) -> None:
        calls[:] = wanted(room, table).calls
        await append(*args, **columns)

    monkeypatch.setattr(room.store, "append", look_first)
    await decline(table, SECOND, CLEO, room.time)
    assert calls == [ALICE, BEN]
    assert CLEO not in table.hours


async def test_an_offer_that_is_declined_while_its_call_is_posted_calls_nobody_later(room: Room) -> None:
    await room.set_hours(CLEO, EVENINGS)
    await room.set_hours(BEN, EVENINGS)
    table = await begun(room, {}, at=ms(1, 3))
    await offer(table, ALICE, CLEO, "Cleo", room.time)
    posted = wanted(room, table)
    assert posted.asleep.keys() == {BEN, CLEO}
    await decline(table, FIRST, CLEO, room.time)
    assert new_post(table, posted).asleep == bits(table.state)[BEN]


# Outages


async def away(room: Room, since: int, until: int) -> None:
    """Let nobody be able to act between two times."""
    room.time = until
    await room.tables.postpone(until - since, lambda _: True, until)


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_an_outage_takes_and_gives_waking_time_alone(room: Room, is_loaded: bool) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))
    assert table.deadlines == {0: ms(1, 19), 1: ms(1, 18) + 5 * HOUR * 2 // 3}
    if not is_loaded:
        room.tables.forget(table)
    await away(room, ms(1, 4), ms(1, 9))
    table = await room.tables.get(table.id)
    assert table.deadlines == {0: ms(2), 1: ms(1, 18) + 5 * HOUR * 2 // 3}, "Ben has slept all the time"
    await away(room, ms(1, 19), ms(1, 22))
    assert table.deadlines == {0: ms(2, 3), 1: ms(2, 18) + HOUR * 4 // 3}, "not in his night"
    await away(room, ms(2, 4), ms(2, 3))
    assert table.deadlines[1] == ms(2, 18) + HOUR * 4 // 3, "the clock was wrong in his night"
    assert await room.store.deadlines(table.id) == table.deadlines


async def test_only_a_table_that_shows_when_somebodys_time_ends_is_shown_again(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))
    shown = list[Table]()
    room.tables.on_change.append(shown.append)
    await away(room, ms(1, 4), ms(1, 5))
    assert shown == [table]
    await move(table, BEN)
    shown.clear()
    await away(room, ms(1, 6), ms(1, 6) + OLD_TIMES - 1)
    assert shown == [], "nobody waits for Ben, and what Alice reads is as good as right"
    await away(room, ms(1, 7), ms(1, 8))
    assert shown == [table]


async def test_a_reminder_says_when_the_time_ends_also_after_an_outage(room: Room) -> None:
    table = await begun(room, {}, at=ms(1, 3), pace="relaxed")
    assert await pass_deadline(room, table, FIRST) == "remind"
    before = table.deadlines[0]
    await away(room, room.time, room.time + HOUR)
    assert table.deadlines[0] == before + HOUR
    assert text(room, table).endswith(f" · time ends <t:{table.deadlines[0] // 1000}:R>")


async def test_a_table_that_cannot_be_read_takes_no_time_from_the_others(
    room: Room, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))
    other = await begun(room, {}, CLEO, at=ms(1, 3))
    due = await room.store.deadlines(other.id)
    rows(tmp_path / "palmhouse.sqlite3", f"UPDATE log SET kind = 'nonsense' WHERE match = {broken.id}")
    room.tables.forget(broken)
    await away(room, ms(1, 4), ms(1, 5))
    assert await room.store.deadlines(other.id) == {seat: at + HOUR for seat, at in due.items()}
    assert f"table {broken.id} cannot be loaded" in caplog.text


async def test_a_computer_does_not_wait_for_the_morning_after_an_outage(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3), computers=1)
    robot = next(seat for seat, player in with_seats(table.state.players) if not player.user)
    due = table.deadlines[robot]
    await away(room, ms(1, 3), ms(1, 4))
    assert table.deadlines[robot] == due + HOUR


# Faults


async def test_hours_that_may_have_been_kept_are_read_anew_with_their_deadlines(room: Room) -> None:
    table = await begun(room, {}, at=ms(1, 3))
    with losing_answers(room.store, "set_hours"), pytest.raises(InDoubt):
        await room.set_hours(BEN, EVENINGS)
    table = await room.tables.get(table.id)
    assert table.hours[BEN] == EVENINGS
    assert table.deadlines[1] == (await room.store.deadlines(table.id))[1] > ms(1, 18)


async def test_times_that_have_moved_on_messages_are_shown_after_a_kill(room: Room) -> None:
    table = await begun(room, {BEN: EVENINGS}, at=ms(1, 3))

    async def is_shown_after(change: Awaitable[None]) -> bool:
        await room.tables.update_match(table, published=table.state.n)
        await change
        kept = await room.store.match(table.id)
        assert kept is not None
        assert kept.published == table.match.published
        return kept.published == table.state.n

    assert await is_shown_after(room.set_hours(CLEO, EVENINGS))  # who does not sit there
    assert not await is_shown_after(away(room, ms(1, 4), ms(1, 9)))
    assert not await is_shown_after(room.set_hours(BEN, None))
    assert await is_shown_after(away(room, ms(1, 9), ms(1, 9) + OLD_TIMES - 1))
    assert not await is_shown_after(away(room, ms(1, 9), ms(1, 10)))
    await move(table, ALICE)
    assert [await pass_deadline(room, table, SECOND) for _ in range(2)] == ["remind", "overdue"]
    assert not await is_shown_after(away(room, room.time, room.time + HOUR)), "they say when the vote ends"


async def test_the_end_of_a_vote_is_told_anew_after_an_outage_also_by_a_bot_that_has_just_started(
    room: Room,
) -> None:
    table = await overdue(room)
    end = table.deadlines[1]
    await room.tables.update_match(table, published=table.state.n)
    room.tables.forget(table)
    await away(room, room.time, room.time + HOUR)
    assert await room.tables.unpublished() == [table.id]
    assert (await room.tables.get(table.id)).deadlines[1] == end + HOUR
    assert (await room.store.deadlines(table.id))[1] == end + HOUR


async def test_of_two_changes_of_hours_at_once_neither_is_lost(room: Room) -> None:
    await room.set_hours(BEN, Hours("UTC", 8, 22))
    await asyncio.gather(
        room.tables.set_hours(BEN, lambda hours: hours and replace(hours, digest=9)),
        room.tables.set_hours(BEN, lambda hours: hours and replace(hours, zone="Asia/Tokyo")),
    )
    assert await room.store.hours([BEN]) == {BEN: Hours("Asia/Tokyo", 8, 22, digest=9)}


async def test_hours_count_at_a_table_where_somebody_sits_down_as_they_are_set(room: Room) -> None:
    room.time = ms(1, 3)
    table = await room.open(BEN, pace="correspondence")
    async with room.tables._loading:  # as long as a slow disk reads other tables
        setting = asyncio.create_task(room.set_hours(CLEO, EVENINGS))
        await asyncio.sleep(0)
        await table.join(CLEO, "Cleo", room.time)
    await setting
    await table.start(ALICE, room.time)
    assert table.hours[CLEO] == EVENINGS
    assert table.deadlines[2] > ms(1, 18)


async def test_hours_count_at_a_table_where_somebody_sits_down_who_were_read_before(room: Room) -> None:
    room.time = ms(1, 3)
    table = await room.open(BEN, pace="correspondence")
    async with held(room.store, "hours", table.join(CLEO, "Cleo", room.time), after=True):
        setting = asyncio.create_task(room.set_hours(CLEO, EVENINGS))
        await asyncio.wait([setting], timeout=MEANWHILE)
    await setting
    await table.start(ALICE, room.time)
    assert table.hours[CLEO] == EVENINGS
    assert table.deadlines[2] > ms(1, 18)


async def test_hours_are_kept_though_a_table_where_somebody_sits_down_meanwhile_is_not(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    room.time = ms(1, 3)
    table = await room.open(BEN, pace="correspondence")
    async with held(room.store, "set_hours", room.tables.set_hours(CLEO, lambda _: EVENINGS)) as setting:
        await table.join(CLEO, "Cleo", room.time)
        fail(monkeypatch, room.store, "set_hours")
    assert await setting == EVENINGS
    assert "The disk is full" in caplog.text
    table = await room.tables.get(table.id)
    await table.start(ALICE, room.time)
    assert table.hours[CLEO] == EVENINGS


async def test_hours_that_are_set_while_somebody_else_is_erased_move_the_deadline(room: Room) -> None:
    table = await begun(room, {}, BEN, CLEO, at=ms(1, 3))
    await table.leave(CLEO, room.time)
    async with held(room.store, "erase_person", room.tables.erase(CLEO)):
        setting = asyncio.create_task(room.set_hours(BEN, EVENINGS))
        await asyncio.wait([setting], timeout=MEANWHILE)
    await setting
    table = await room.tables.get(table.id)
    assert table.hours[BEN] == EVENINGS
    assert (await room.store.deadlines(table.id))[1] == table.deadlines[1] == ms(1, 18) + 5 * HOUR * 2 // 3


async def test_hours_that_are_set_while_a_move_fails_move_the_deadline(room: Room) -> None:
    table = await begun(room, {}, BEN, CLEO, at=ms(1, 3))
    with failing(room.store, "append"):
        moving = asyncio.create_task(move(table, ALICE))
        async with held(room.store, "append"):
            setting = asyncio.create_task(room.set_hours(BEN, EVENINGS))
            await asyncio.wait([setting], timeout=MEANWHILE)
        with pytest.raises(StoreFailed):
            await moving
    await setting
    table = await room.tables.get(table.id)
    assert table.hours[BEN] == EVENINGS
    assert (await room.store.deadlines(table.id))[1] == table.deadlines[1] == ms(1, 18) + 5 * HOUR * 2 // 3
