"""A match whose log is packed is shown, replayed, verified and played again as before."""

from pathlib import Path

from bot.upkeep.log_packer import SETTLED, LogPacker
from sandbox import Message
from tests.bot.store.stores import rows
from tests.e2e.match import Match, check_answer, three_games_are_enough
from tests.e2e.players import shown
from tests.e2e.test_deals import verify
from tests.e2e.test_replay import content, finished, replay


async def answers(match: Match) -> list[str]:
    """Return what the bot shows of a match that is over."""
    alice = match.people[0]
    step = shown(await replay(alice, match))
    text, page = [await content(match, await alice.click(step, way)) for way in ("As text", "As page")]
    return [step.text, text, page, shown(await verify(alice, match.here)).text]


async def messages(match: Match) -> list[tuple[int, str]]:
    """Return the ids and texts of all messages in the channel and in the place of the match."""
    await match.rest()
    found: list[Message] = [*match.here.room.messages(), *(await match.place()).messages()]
    return [(each.id, each.text) for each in found if not each.ephemeral]


@three_games_are_enough
async def test_a_packed_match_of_any_game_is_as_before(match: Match, file: Path) -> None:
    end = await finished(match)
    before, posted, log = await answers(match), await messages(match), await match.here.bot.store.log(1)
    tomorrow = match.here.bot.time.now() + SETTLED
    await LogPacker(match.here.bot.store, lambda: tomorrow).pack()
    assert rows(file, "SELECT match FROM packed_logs") == [(1,)]
    assert not rows(file, "SELECT 1 FROM log")
    assert await match.here.bot.store.log(1) == log
    assert await answers(match) == before
    match.here.bot.publisher.wake(await match.table())
    assert await messages(match) == posted
    await match.check()
    check_answer(await match.people[0].click(end, "Rematch"))
    assert len(await match.here.bot.store.log(2)) >= 2
