"""Refusals of the games, as people read them: they name players, never seats."""

import asyncio
import re
from random import Random

import pytest

from bot.match.refusal import AgainstTheRules, Refusal, naming
from games import GAMES, Illegal
from games.types import SEATS, with_seats
from tests.bot.tables import ALICE, BEN, CLEO, DANA, Room

PEOPLE = (ALICE, BEN, CLEO, DANA)
SEAT = re.compile(r"\bseat \d", re.IGNORECASE)


@pytest.mark.parametrize("slug", GAMES)
async def test_no_refusal_at_a_table_names_a_seat(room: Room, slug: str) -> None:
    """In each position everybody tries to do what anybody has been able to do before."""
    game, rng = GAMES[slug], Random(slug)
    table = await room.open(*PEOPLE[1:], game=game)
    await table.start(ALICE, room.time)
    known: list[str] = []
    for _ in range(12):
        state = table.state
        legal = {seat: [game.text(action) for action in state.legal(seat)] for seat in SEATS[: len(PEOPLE)]}
        known += {text for texts in legal.values() for text in rng.sample(texts, min(3, len(texts)))}
        tries = [
            table.play(player.user, [text], room.time)
            for seat, player in with_seats(state.players)
            for text in {*known} - {*legal[seat]}
        ]
        refusals = await asyncio.gather(*tries, return_exceptions=True)  # some wait for earlier clicks
        assert all(isinstance(refusal, Refusal) for refusal in refusals)
        assert [str(refusal) for refusal in refusals if SEAT.search(str(refusal))] == []
        awaited = state.awaited()
        if not awaited:
            break
        await table.play(state.players[awaited[0]].user, [rng.choice(legal[awaited[0]])], room.time)
    assert known


def test_a_name_that_reads_like_a_seat_is_not_replaced_again() -> None:
    with pytest.raises(AgainstTheRules, match="It is the turn of Seat 1"), naming(["Alice", "Ben"]):  # noqa: SIM117
        with naming(["Alice", "Seat 1"]):
            raise Illegal("It is the turn of seat 2.")
