"""Threads of matches that are over are archived once they are quiet."""

from pathlib import Path

import pytest

from bot.match.times import Times
from sandbox import Thread
from tests.e2e.card_room import CardRoom, connected_bot, without_a_bot
from tests.e2e.players import latest
from tests.e2e.test_rematch import finished_match, follow_up_of

QUIET = Times().archive / 1000
"""Seconds without a message after which a thread is archived."""


async def look(here: CardRoom, seconds: float) -> Thread:
    """Let time pass, and let the bot look for quiet threads. Return the first thread."""
    await here.later(seconds)
    await here.bot.publisher.archiver.archive()
    return here.room.threads[0]


async def test_a_thread_is_archived_a_quarter_of_an_hour_after_the_last_message(here: CardRoom) -> None:
    alice, ben, *_ = here.people
    await finished_match(here, 2)
    thread = await look(here, QUIET - 300)
    await ben.say(thread, "Well played")
    assert not (await look(here, 360)).archived
    edits = [each.path for each in here.box.requests if each.method == "PATCH" and "/messages/" in each.path]
    assert (await look(here, QUIET - 300)).archived
    answer = await alice.click(latest(alice, thread, "Rematch"), "Rematch")
    assert "plays again" in (await follow_up_of(here, answer)).text
    await here.rest()
    late = [each.path for each in here.box.requests if each.method == "PATCH" and "/messages/" in each.path]
    assert late == edits, "nothing in an archived thread is edited"


async def test_a_thread_that_cannot_be_archived_stays_and_is_not_tried_again(
    here: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    await finished_match(here, 2)
    thread = here.room.threads[0]
    here.box.fail("PATCH", f"^/channels/{thread.id}$", 403)
    for _ in range(2):
        assert not (await look(here, QUIET + 1)).archived
    assert not [each for each in caplog.records if each.levelname in ("WARNING", "ERROR")]


async def test_a_thread_is_archived_also_after_a_restart(file: Path) -> None:
    async with without_a_bot() as (box, room, *people):
        async with connected_bot(box, file) as bot:
            await finished_match(CardRoom(box, bot, room.guild, room, people), 2)
        (thread,) = room.threads
        assert not thread.archived
        box.clock.advance(QUIET + 1)
        async with connected_bot(box, file):
            await box.until(lambda: thread.archived)
