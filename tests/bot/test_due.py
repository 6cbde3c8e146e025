"""Due ticks come first: whoever acts after the time is up meets the table as it is then, though its bell has not rung
yet."""

from collections.abc import Awaitable, Callable

import pytest

from bot.match import seats as seating
from bot.match import votes as voting
from bot.match.entries import CloseReason
from bot.match.refusal import Refusal
from bot.match.table import Table
from tests.bot.tables import ALICE, BEN, CLEO, GUILD, House, race

Act = Callable[[Table, int], Awaitable[object]]


async def finished(house: House, *gone: int) -> Table:
    """A race whose time is up, which the table has not noticed yet; some have left it before."""
    table = await race(house)
    for user in gone:
        await table.leave(user, house.time)
    due = table.state.due()
    assert due is not None
    house.time = due + 10
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
        lambda table, at: seating.accept(table, 1, CLEO, "Cleo", at),
        lambda table, at: seating.decline(table, 1, CLEO, at),
        lambda table, at: table.move(ALICE, "turn 1", at),
    ],
    ids=["end", "leave", "offer", "come back", "propose", "vote", "accept", "decline", "move"],
)
async def test_a_race_whose_time_is_up_is_over_for_whoever_acts_next(house: House, act: Act) -> None:
    table = await finished(house)
    with pytest.raises(Refusal, match="The match is over"):
        await act(table, house.time)
    assert table.state.phase == "over"
    assert [row.matches for row in await house.store.leaderboard(GUILD)] == [1, 1]


async def test_the_last_person_who_leaves_when_the_time_is_up_voids_nothing(house: House) -> None:
    table = await finished(house, BEN)
    with pytest.raises(Refusal, match="The match is over"):
        await table.leave(ALICE, house.time)
    assert table.state.phase == "over"


async def test_a_seat_taken_when_the_time_is_up_earns_the_newcomer_nothing(house: House) -> None:
    table = await finished(house, BEN)
    with pytest.raises(Refusal, match="The match is over"):
        await seating.take(table, 1, CLEO, "Cleo", house.time)
    assert {row.user for row in await house.store.leaderboard(GUILD)} == {ALICE, BEN}


async def test_a_table_that_the_house_closes_when_the_time_is_up_counts(house: House) -> None:
    table = await finished(house)
    await table.close(CloseReason.CHANNEL_GONE)
    assert table.state.phase == "over"


async def test_who_leaves_just_before_the_time_is_up_and_is_heard_of_after_it_has_left(house: House) -> None:
    table = await finished(house)
    await table.leave(BEN, house.time - 11)
    assert table.state.gone == {1}
