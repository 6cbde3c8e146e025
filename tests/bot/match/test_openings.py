"""A person who opens many tables one after the other must wait."""

import pytest

from bot.match.alone import open_practice
from bot.match.openings import Openings
from bot.match.refusal import Refusal
from bot.match.state import Player
from games import GAMES
from tests.bot.tables import ALICE, BEN, Room

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


async def test_practice_in_ephemeral_messages_counts_too(room: Room) -> None:
    room = Room(room.store, openings=Openings(most=1))
    game = GAMES["palace"]
    players = [Player(ALICE, "Alice"), Player(0, "Robo", "steady")]

    async def practise() -> None:
        await open_practice(room.tables, game, game.Options(), players, at=room.time, interaction=0)

    await practise()
    with pytest.raises(Refusal):
        await practise()
