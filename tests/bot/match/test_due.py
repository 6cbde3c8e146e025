"""Deadlines of the game come first: an action after the time is up finds the match over, even if the clock has not
handled the deadline yet."""

from collections.abc import Awaitable, Callable

import pytest

from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.table import Table
from tests.bot.tables import ALICE, BEN, CLEO, GUILD, Room, race
from tests.seats import SECOND

Act = Callable[[Table, int], Awaitable[object]]


async def finished(room: Room, *gone: int) -> Table:
    """Start a race and let its time be up, with the deadline not handled yet. The users in `gone` have left before."""
    table = await race(room)
    for user in gone:
        await table.leave(user, room.time)
    due = table.state.due()
    assert due is not None
    room.time = due + 10
    return table


@pytest.mark.parametrize(
    "act",
    [
        lambda table, at: table.cancel(ALICE, at, manages=True),
        lambda table, at: table.leave(ALICE, at),
        lambda table, at: seating.offer(table, ALICE, CLEO, "Cleo", at),
        lambda table, at: seating.come_back(table, BEN, at),
        lambda table, at: voting.propose(table, ALICE, "relaxed", at),
        lambda table, at: voting.vote(table, ALICE, 1, "wait", at),
        lambda table, at: seating.accept(table, SECOND, CLEO, "Cleo", at),
        lambda table, at: seating.decline(table, SECOND, CLEO, at),
        lambda table, at: table.play(ALICE, ["turn 1"], at),
    ],
    ids=["end", "leave", "offer", "come back", "propose", "vote", "accept", "decline", "move"],
)
async def test_a_race_whose_time_is_up_is_over_for_the_next_action(room: Room, act: Act) -> None:
    table = await finished(room)
    with pytest.raises(Refusal, match="The match is over"):
        await act(table, room.time)
    assert table.state.phase == "over"
    assert [row.matches for row in await room.store.leaderboard(GUILD)] == [1, 1]


async def test_the_last_person_may_leave_after_the_time_is_up_and_the_match_counts(room: Room) -> None:
    table = await finished(room, BEN)
    with pytest.raises(Refusal, match="The match is over"):
        await table.leave(ALICE, room.time)
    assert table.state.phase == "over"


async def test_a_seat_cannot_be_taken_after_the_time_is_up(room: Room) -> None:
    table = await finished(room, BEN)
    with pytest.raises(Refusal, match="The match is over"):
        await seating.take(table, SECOND, CLEO, "Cleo", room.time)
    assert {row.user for row in await room.store.leaderboard(GUILD)} == {ALICE, BEN}


async def test_a_match_that_the_bot_closes_after_the_time_is_up_counts(room: Room) -> None:
    table = await finished(room)
    await table.close(CloseReason.CHANNEL_GONE)
    assert table.state.phase == "over"


async def test_leaving_just_before_the_time_is_up_counts_though_the_bot_hears_of_it_later(room: Room) -> None:
    table = await finished(room)
    await table.leave(BEN, room.time - 11)
    assert table.state.gone == {1}
