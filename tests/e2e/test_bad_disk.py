"""A full disk: an entry that cannot be stored is not acknowledged, and play continues once there is space."""

import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from tests.e2e.card_room import CardRoom
from tests.e2e.match import Match, check_answer, refusal_of
from tests.e2e.players import labels, press_more
from tests.held import failing


@asynccontextmanager
async def full_disk(file: Path) -> AsyncIterator[None]:
    """Forbid files larger than the database's log is now, so that storing an entry fails at the commit."""
    wal = Path(f"{file}-wal")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


async def test_everybody_is_answered_while_another_process_locks_the_file(match: Match, file: Path) -> None:
    await match.deal()
    place, n, (person, text) = await match.place(), await match.entries(), await match.next()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = await person.slash(place, "move", action=text)
        await match.box.until(lambda: not answer.is_loading)
        refusal_of(answer)
        assert (await match.hand(person)).text, "reading goes on"
        assert await person.autocomplete(place, "move", "action", "")
        other.execute("ROLLBACK")
    assert await match.entries() == n
    await match.check_that_play_continues()


async def test_a_move_that_cannot_be_stored_is_not_acknowledged_and_changes_nothing(
    match: Match, file: Path
) -> None:
    await match.deal()
    assert "✅" in (await match.step()).told
    await match.rest()
    n, board = await match.entries(), (await match.board()).text
    async with full_disk(file):
        for _ in range(3):
            answer = refusal_of(await match.step())
            assert "could not be saved, so it does not count" in answer
            assert "try again in a moment" in answer
        hand = await match.hand(match.people[0])
        assert hand.ephemeral
        assert await match.entries() == n
        assert (await match.board()).text == board
    await match.check_that_play_continues()


async def test_a_table_that_cannot_be_stored_is_not_opened_joined_or_started(
    match: Match, file: Path
) -> None:
    await match.gather()
    card, room = match.card.text, match.here.room
    async with full_disk(file):
        for answer in (
            await match.people[0].slash(room, f"{match.game.slug} start"),
            await match.watcher.press(match.card, "join:1"),
            await press_more(match.people[0], match.card, "Leave"),
            await match.people[0].press(match.card, "start:1"),
        ):
            assert "could not be saved" in refusal_of(answer)
    await match.rest()
    assert match.card.text == card
    assert match.here.bot.tables.seated(match.people[0].id) == [1]
    check_answer(await match.people[0].click(match.card, "Start"))
    await match.rest()
    await match.check_that_play_continues()


async def test_a_table_whose_card_discord_refuses_is_shown_when_it_cannot_be_closed(here: CardRoom) -> None:
    here.box.fail("POST", "/callback$", 403)
    with failing(here.bot.store, "append"):
        refused = refusal_of(await here.people[0].slash(here.room, "palmer start"))
        assert refused.startswith("Discord does not let me do that there")
        await here.box.until(lambda: bool(here.room.messages()))
    (card,) = here.room.messages()
    assert "Palmer · table 1" in card.text
    assert "Start" in labels(card)
