"""A token that is revoked while the bot plays: the process says so and ends, and the match waits for the next start."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.e2e.card_room import without_a_bot
from tests.e2e.hosted import hosted_bot
from tests.e2e.players import open_table

pytestmark = pytest.mark.real


async def test_a_token_revoked_during_a_match_ends_the_process_with_an_explanation(tmp_path: Path) -> None:
    async with without_a_bot() as (box, room, alice, ben):
        async with hosted_bot(box.url, tmp_path) as bot:
            await box.ready(30)
            card = await open_table(room, "twin-palms start", alice, ben)
            await alice.click(card, "Start")
            token = box.token
            box.token = "another"
            await box.gateway.drop()
            async with asyncio.timeout(20):
                await bot.process.wait()
        assert bot.process.returncode == 1
        *before, sentence = bot.logged.splitlines()
        assert not [line for line in before if re.search("ERROR|CRITICAL|Traceback", line)]
        assert sentence.startswith("Palmhouse stops; every match goes on at the next start. ")
        assert "DISCORD_TOKEN" in sentence
        assert "Copy the present one" in sentence
        box.token = token
        async with hosted_bot(box.url, tmp_path):
            await box.ready(30)
            assert "✅" in (await alice.slash(room, "move", action="bid 1")).text
            await box.until(lambda: card.thread and ben.pings and ben.pings[0].channel is card.thread)
