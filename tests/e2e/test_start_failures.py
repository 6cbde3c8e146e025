"""A start while requests fail: the bot starts and makes up for the rest later."""

from pathlib import Path

import pytest

from sandbox import Sandbox
from tests.e2e.card_room import connected_bot


@pytest.mark.parametrize("after", [False, True], ids=["not taken", "receipt lost"])
@pytest.mark.parametrize("status", [503, 0], ids=["refused", "cut"])
async def test_commands_that_could_not_be_registered_are_registered_later_while_the_bot_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, after: bool
) -> None:
    monkeypatch.setattr("bot.client.SYNC_PAUSES", (0.05,))
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room, alice = guild.channel("card-room"), box.person("Alice", guild)
        box.fail("PUT", "/commands$", status, times=3, after=after)
        async with connected_bot(box, tmp_path / "palmhouse.sqlite3") as bot:
            syncing = bot._syncing
            assert syncing is not None
            await box.until(syncing.done)
            assert (await alice.slash(room, "help")).text
            assert await bot.store.fact("commands")
