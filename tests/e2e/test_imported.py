"""Matches that were imported: they count everywhere, and no command or click opens a table for them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.hosting.recount import redo
from bot.store import Finished, FinishedMatch, GuildStandings, LogRow, Match, Result
from sandbox import Message
from sandbox.components import BUTTON, STRING_SELECT, TEXT_INPUT
from tests.e2e.card_room import CardRoom
from tests.e2e.match import check_answer, refusal_of
from tests.e2e.players import shown
from tests.e2e.test_forged import forged
from tests.e2e.test_profile import played

pytestmark = pytest.mark.usefixtures("quickly_settled")


async def imported(here: CardRoom) -> list[int]:
    """Import a match of the first three people, and one of another server. Return their numbers."""
    store, (alice, ben, cleo, *_) = here.bot.store, here.people
    await played(here, alice, ben, cleo)
    await here.rest()  # two writes at once would wait for each other
    found: list[FinishedMatch] = []
    await store.export_guild(here.guild.id, lambda standings: found.extend(standings.matches))
    numbers: list[int] = []
    for number, guild in ((1, here.guild.id), (2, 77)):
        origin = f"{'a' * 32}:{number}"
        other = [FinishedMatch(replace(match, origin=origin), results) for match, results in found]
        done = await store.import_guild(GuildStandings(guild, 1, other, []), _kept, lambda *_: None)
        numbers += done.matches
    return numbers


def _kept(match: Match, _: Sequence[LogRow], results: Sequence[Result]) -> Finished:
    """Recount a match from its results, as the log of `played` is no match."""
    return redo(match, [], results)


async def test_imported_matches_count_in_profile_history_and_leaderboard(here: CardRoom) -> None:
    await imported(here)
    alice, ben, *_ = here.people
    history = await alice.slash(here.room, "history")
    assert "2 matches" in history.text
    assert history.text.count("[see the table]") == 1, "an imported match has no place to open"
    assert "**2 matches**, 2 won" in (await alice.slash(here.room, "profile")).text
    for options in ({}, {"game": "Palace"}):
        check_answer(await ben.slash(here.room, "leaderboard", **options))


async def test_nothing_opens_the_table_of_an_imported_match(here: CardRoom) -> None:
    match, elsewhere = await imported(here)
    alice = here.people[0]
    for number in (match, elsewhere):
        for command in ("table show", "table end", "hand"):
            answer = await alice.slash(here.room, command, table=str(number))
            assert "There is no such table" in refusal_of(answer)
    before = await here.bot.store.open_matches()
    message: Message = shown(await alice.slash(here.room, "leaderboard"))
    for verb in here.bot.router.verbs:
        for kind, values in ((BUTTON, []), (STRING_SELECT, ["0"]), (TEXT_INPUT, ["x"])):
            check_answer(await forged(alice, message, f"{verb}:{match}", kind, values))
    assert "no such table" in refusal_of(await alice.press(message, f"rematch:{match}"))
    assert await here.bot.store.open_matches() == before == []


async def test_no_replay_of_an_imported_match_asks_discord_for_its_channel(here: CardRoom) -> None:
    numbers = await imported(here)
    asked = len(here.box.requests)
    for person in here.people:
        for command in ("replay", "verify"):
            for number in numbers:
                answer = await person.slash(here.room, command, match=str(number))
                await here.box.until(lambda answer=answer: "match" in answer.text)  # type: ignore[misc]
    assert [each.path for each in here.box.requests[asked:] if each.path.startswith("/channels/0")] == []
