"""Whole matches, by people who tap on what they see."""

from pathlib import Path
from random import Random

import pytest

from games import GAMES
from tests.e2e.house import house
from tests.e2e.players import open_table, take_turn

MATCHES = [("easy", 2), ("normal", 3), ("advanced", 4), ("extreme", 5), ("normal", 2)]


@pytest.mark.parametrize(("mode", "seats"), MATCHES)
async def test_a_match_is_played_to_its_end_and_stands_in_the_leaderboard(
    mode: str, seats: int, tmp_path: Path
) -> None:
    async with house(tmp_path / "house.sqlite3", seed=lambda: "e2e") as here:
        card = await open_table(here.room, "twin-palms start", *here.people[:seats], mode=mode)
        host = here.people[0]
        await host.click(card, "Start")
        await here.bot.publisher.rest()
        thread, rng = here.thread(card), Random(seats)
        table = await here.bot.tables.get(1)
        while table.sitting.phase == "play":
            seat = table.sitting.awaited()[0]
            told = await take_turn(here.people[seat], thread, rng)
            assert "✅" in told
        await here.bot.publisher.rest()
        outcome = GAMES["twin-palms"].outcome(table.sitting.state)
        assert outcome is not None
        winner = here.people[outcome.placings.index(1)]
        assert f"**1.** {winner.name}: {max(outcome.scores)}" in card.text
        board = await host.slash(here.room, "leaderboard")
        assert winner.name in board.text
        assert not board.ephemeral
