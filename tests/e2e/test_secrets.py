"""The token of a host who tries the bot on a sandbox: it stays in the settings."""

from pathlib import Path

import pytest

from sandbox import TOKEN, Sandbox
from tests.e2e.hosted import hosted_bot, until
from tests.e2e.players import open_table, shown

pytestmark = pytest.mark.real

REAL = "a-real-token.of-a.host"
"""A token in Discord's form: three parts joined by dots."""


async def test_on_a_sandbox_the_token_is_neither_sent_nor_logged_nor_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", REAL)
    async with Sandbox(rate_limits=False) as box, hosted_bot(box.url, tmp_path) as bot:
        await box.ready(30)  # the sandbox lets in its own token alone
        guild = box.guild("Palm Beach")
        people = [box.person(name, guild) for name in ("Alice", "Ben")]
        card = await open_table(guild.channel("card-room"), "twin-palms start", *people)
        await people[0].click(card, "Start")
        await box.until(lambda: card.thread and card.thread.messages())
        assert card.thread is not None
        assert "**Your turn** · bid" in shown(await people[0].slash(card.thread, "hand")).text
        assert REAL not in bot.logged
        await until(lambda: "ready as" in bot.logged)
        assert box.token == TOKEN != REAL
        assert all(REAL not in str(request) for request in box.requests)
        kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        tokens = [REAL, *(each.interaction.token for person in people for each in person.answers)]
    assert "palmhouse.sqlite3" in kept
    for token in tokens:
        assert [name for name, content in kept.items() if token.encode() in content] == []
