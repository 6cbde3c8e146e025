"""A token that is revoked while the bot plays: the process says so and ends, and the match waits for the next start."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bench.process import ROOT
from sandbox import Sandbox
from tests.e2e.players import open_table

pytestmark = pytest.mark.real


@asynccontextmanager
async def running_bot(box: Sandbox, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run `python -m bot` on the sandbox, with its database in `folder`, and wait until it is connected; end it at
    the end of the block."""
    environment = os.environ | {"DATABASE_PATH": str(folder / "palmhouse.sqlite3"), "LOG_LEVEL": "ERROR"}
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "--sandbox", box.url),
        cwd=ROOT,
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        await box.ready(30)
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
        await bot.communicate()


async def test_a_token_revoked_during_a_match_ends_the_process_with_an_explanation(tmp_path: Path) -> None:
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, alice, ben = guild.channel("card-room"), box.person("Alice", guild), box.person("Ben", guild)
        async with running_bot(box, tmp_path) as bot:
            card = await open_table(room, "twin-palms start", alice, ben)
            await alice.click(card, "Start")
            token = box.token
            box.token = "another"
            await box.gateway.drop()
            async with asyncio.timeout(20):
                _, said = await bot.communicate()
        assert bot.returncode == 1
        (sentence,) = said.decode().splitlines()
        assert sentence.startswith("Palmhouse stops; every match goes on at the next start. ")
        assert "DISCORD_TOKEN" in sentence
        assert "Copy the present one" in sentence
        box.token = token
        async with running_bot(box, tmp_path):
            assert "✅" in (await alice.slash(room, "move", action="bid 1")).text
            await box.until(lambda: card.thread and ben.pings and ben.pings[0].channel is card.thread)
