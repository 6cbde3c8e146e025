"""A match that began in a file is played on in PostgreSQL, on the same messages."""

from pathlib import Path

import pytest

from bot.hosting.moving import move_to
from games import AnyGame
from tests.e2e.card_room import NAMES, CardRoom, connected_bot, new_sandbox
from tests.e2e.match import Match
from tests.e2e.players import shown, text_and_alt


@pytest.mark.real
async def test_a_match_goes_on_after_the_move(game: AnyGame, database_url: str, tmp_path: Path) -> None:
    file, cogs = tmp_path / "palmhouse.sqlite3", ("tests.toy.cog",)
    async with new_sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, people = guild.channel("card-room"), [box.person(name, guild) for name in NAMES]
        async with connected_bot(box, file, seed=lambda: "e2e", extra_cogs=cogs) as bot:
            match = Match(CardRoom(box, bot, guild, room, people), game)
            await match.deal()
            await match.check_that_play_continues()
        await move_to(file, database_url)
        async with connected_bot(box, database_url, extra_cogs=cogs) as bot:
            match.here.bot = bot
            await match.check_that_play_continues()
            await match.finish()
            board = text_and_alt(shown(await match.people[0].slash(room, "leaderboard")))
            assert all(person.name in board for person in match.people)
    assert box.complaints == []
