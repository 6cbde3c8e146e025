"""A match that began in a file is played on in PostgreSQL, on the same messages."""

from pathlib import Path

import pytest

from bot.hosting.moving import move_to
from games import AnyGame
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.match import Match
from tests.e2e.players import shown, text_and_alt


@pytest.mark.real
async def test_a_match_goes_on_after_the_move(game: AnyGame, database_url: str, file: Path) -> None:
    cogs = ("tests.toy.cog",)
    async with without_a_bot() as (box, room, *people):
        async with connected_bot(box, file, seed=lambda: "e2e", extra_cogs=cogs) as bot:
            match = Match(CardRoom(box, bot, room.guild, room, people), game)
            await match.deal()
            await match.check_that_play_continues()
        await move_to(file, database_url)
        async with connected_bot(box, database_url, extra_cogs=cogs) as bot:
            match.here.bot = bot
            await match.check_that_play_continues()
            await match.finish()
            board = text_and_alt(shown(await match.people[0].slash(room, "leaderboard")))
            assert all(person.name in board for person in match.people)
