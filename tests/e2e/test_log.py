"""The log of a bot as hosts run it: at every level it contains nothing that players must not know, no token, and no
false alarm."""

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from games import GAMES
from sandbox import TOKEN, Message, Person, Sandbox
from sandbox.faults import Fault
from tests.e2e.card_room import PATIENCE
from tests.e2e.hosted import hosted_bot
from tests.e2e.players import by_typing, open_table, shown

pytestmark = pytest.mark.real

MOVES = 10
REAL = "a-real-token.of-a.host"
"""A token in Discord's form: three parts joined by dots."""
GREEN = 3
"""Style of the button that makes a move."""


@pytest.mark.parametrize(("slug", "form"), [("twin-palms", "text"), ("palmer", "json")])
async def test_no_seed_move_card_or_token_is_logged_and_no_token_is_sent_or_stored(
    slug: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOG_FORMAT", form)
    monkeypatch.setenv("DISCORD_TOKEN", REAL)
    async with Sandbox(rate_limits=False) as box, hosted_bot(box.url, tmp_path) as bot:
        await box.ready(30)
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        people = [box.person(name, guild) for name in ("Alice", "Ben", "Cleo")]
        card = await open_table(room, f"{slug} start", *people)
        await people[0].click(card, "Start")
        await box.until(lambda: card.thread and card.thread.messages())
        assert card.thread is not None
        for n in range(MOVES):
            for person in people:
                await tap_without_a_move(person, shown(await person.slash(card.thread, "hand")))
                if await person.autocomplete(card.thread, "move", "action", ""):
                    await by_typing(person, card.thread, Random(n))
        logged = bot.logged
        assert box.token == TOKEN != REAL, "the sandbox lets in its own token alone"
        assert all(REAL not in str(request) for request in box.requests)
        stored = {file.name: file.read_bytes() for file in tmp_path.glob("palmhouse*")}
    assert "palmhouse.sqlite3" in stored
    if form == "json":
        logged = "\n".join(" ".join(json.loads(line).values()) for line in logged.splitlines())
    with closing(sqlite3.connect(tmp_path / "palmhouse.sqlite3")) as db:
        seeds = [seed for (seed,) in db.execute("SELECT seed FROM matches")]
        moves = [body for (body,) in db.execute("SELECT body FROM log WHERE kind = 'move'")]
    labels = [GAMES[slug].words.label(GAMES[slug].parse(text)) for text in moves]
    tokens = [TOKEN, REAL, *(each.interaction.token for person in people for each in person.answers)]
    assert not [token for token in tokens for content in stored.values() if token.encode() in content]
    assert len(moves) >= MOVES
    assert "ready as" in logged
    secret = re.compile(
        "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in (*seeds, *moves, *labels, *tokens))
    )
    assert [line for line in logged.splitlines() if secret.search(line)] == []
    assert "form:" not in logged, "the picks stand in custom ids"


async def tap_without_a_move(person: Person, hand: Message) -> None:
    """Pick something in the form below a hand, if there is one, without making a move."""
    for button in [each for each in hand.buttons if each["custom_id"].startswith("form:")][:1]:
        if button["style"] != GREEN and not button.get("disabled"):
            await person.click(hand, button["custom_id"])


async def test_suggestions_that_nobody_waits_for_are_not_logged_as_errors(tmp_path: Path) -> None:
    faults = {
        "late": (Fault("POST", "/callback$", None, delay=PATIENCE + 1), []),
        "lost": (Fault("POST", "/callback$", 0), []),
        "receipt lost": (Fault("POST", "/callback$", 500, after=True), ["1"]),
    }
    async with Sandbox(rate_limits=False) as box, hosted_bot(box.url, tmp_path) as bot:
        await box.ready(30)
        guild = box.guild("Palm Beach")
        room, alice = guild.channel("card-room"), box.person("Alice", guild)
        for name, (fault, suggested) in faults.items():
            box.faults.add(fault)
            typing = asyncio.create_task(alice.autocomplete(room, "table show", "table", "1"))
            await box.until(lambda fault=fault: fault.times == 0)  # type: ignore[misc]
            box.clock.advance(PATIENCE + 1)
            assert [each["value"] for each in await typing] in (suggested, []), name
            await alice.slash(room, "tables")
        await asyncio.sleep(0.1)
        assert [line for line in bot.logged.splitlines() if re.search("WARNING|ERROR|CRITICAL", line)] == []
