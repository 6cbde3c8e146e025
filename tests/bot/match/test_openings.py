"""A person who opens many tables one after the other must wait."""

from collections.abc import Callable, Coroutine

import pytest

from bot.match.alone import against, open_practice
from bot.match.openings import Openings
from bot.match.refusal import Refusal
from bot.match.state import Player
from bot.match.table import Table
from tests.bot.tables import ALICE, BEN, Room
from tests.held import held
from tests.toy import GAME as TOY

MINUTE = 60_000


def test_somebody_who_opens_too_many_tables_is_told_when_the_next_one_can_be_opened() -> None:
    openings = Openings(most=2, within=5 * MINUTE)
    openings.count(ALICE, 0)
    openings.count(ALICE, MINUTE)
    openings.count(BEN, MINUTE)
    with pytest.raises(Refusal, match=r"opened 2 tables within 5 minutes.*next one <t:301:R>"):
        openings.check(ALICE, 2 * MINUTE)
    with pytest.raises(Refusal):
        openings.check(ALICE, 5 * MINUTE - 1)
    openings.check(ALICE, 301_000)
    openings.count(ALICE, 301_000)
    with pytest.raises(Refusal, match="<t:361:R>"):
        openings.check(ALICE, 301_000)


def test_only_people_who_have_opened_a_table_lately_are_remembered() -> None:
    openings = Openings(within=MINUTE)
    for user in range(100):
        openings.count(user, user * 1_000)
    assert len(openings.times) == 60


async def practise(room: Room) -> Table:
    players = against(Player(ALICE, "Alice"), 1, "steady")
    return await open_practice(room.tables, TOY, TOY.Options(), players, at=room.time, interaction=0)


async def test_practice_in_ephemeral_messages_counts_too(room: Room) -> None:
    room = Room(room.store, openings=Openings(most=1))
    await practise(room)
    with pytest.raises(Refusal):
        await practise(room)


@pytest.mark.parametrize("opens", [Room.open, practise])
async def test_nobody_is_refused_a_table_that_is_stored(
    room: Room, opens: Callable[[Room], Coroutine[None, None, Table]]
) -> None:
    room = Room(room.store, openings=Openings(most=1))
    async with held(room.store, "create", opens(room), after=True) as opening:
        room.tables.openings.count(ALICE, room.time)  # another one
    assert (await opening).is_open
    assert len(room.tables.openings.times[ALICE]) == 2
    with pytest.raises(Refusal, match="opened 1 tables"):
        await opens(room)
