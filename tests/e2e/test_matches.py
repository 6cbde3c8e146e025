"""Whole matches of every game with every possible number of people; the bot is killed in each of them."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES, AnyGame
from games.phrases import scored
from games.sides import by_side
from sandbox.faults import Fault
from tests.e2e.card_room import new_sandbox
from tests.e2e.followed_match import FollowedMatch
from tests.e2e.match import Match
from tests.e2e.players import by_tapping, by_typing, shown, text_and_alt
from tests.e2e.processes import BotProcess, Condition, bot_process

BEFORE = 9
"""Moves at each table before the first kill. No match ends within the two moves that follow."""
SHORT: dict[str, dict[str, Any]] = {
    "charms": {"hands": 1},
    "hand-and-foot": {"deals": 1},
    "palace": {"allow_equal": True},
    "palmer": {"limit": 20},
    "thirty-one": {"tokens": 2},
    "twin-it": {"sets_to_win": 3},
    "twin-palms": {"rounds": 1},
}
"""Options with which a match of random play ends soon."""
HELD = 20.0
"""Seconds for which the bot's requests are delayed, fewer than any deadline."""
MESSAGES = r"^/channels/\d+/messages"
VERBS = ("POST", "PATCH", "DELETE")
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)


def tables(game: AnyGame) -> dict[int, dict[str, Any]]:
    """Return every possible number of players, each with options: the short ones, or one option more."""
    settings = game.Options.model_json_schema()["properties"].items()
    chosen = [{name: choice} for name, field in settings for choice in field.get("enum", ())]
    found: dict[int, dict[str, Any]] = {}
    for more in ({}, *chosen):
        options = SHORT.get(game.slug, {}) | more
        for seats in game.seats(game.Options.model_validate(options)):
            found.setdefault(seats, options)
    return dict(sorted(found.items()))


@every_game
async def test_matches_of_every_size_can_be_played_to_their_ends_despite_kills(
    game: AnyGame, tmp_path: Path
) -> None:
    async with new_sandbox(rate_limits=False) as box, bot_process(box, tmp_path / "palmhouse.sqlite3") as bot:
        matches: list[FollowedMatch] = []
        for seats, options in tables(game).items():
            guild = box.guild(f"Club of {seats}")
            people = [box.person(f"Player {n}", guild) for n in range(1, seats + 1)]
            matches.append(
                FollowedMatch(bot, guild.channel("card-room"), people, game, len(matches) + 1, **options)
            )
            await matches[-1].deal()
        for _ in range(BEFORE):
            await at_each(matches, FollowedMatch.play)
        await kill_before_the_moves_are_shown(bot, matches)
        await kill_before_the_posts_are_recorded(bot, matches)
        await at_each(matches, finish)
        for match in matches:
            await match.check()
            await check_that_it_ended(match)


async def kill_before_the_moves_are_shown(bot: BotProcess, matches: list[FollowedMatch]) -> None:
    """Make a move at each table; kill the bot after the answers and before anything is shown."""
    async with requests_delayed_until_a_kill(
        bot, *(Fault(verb, MESSAGES, 503, delay=HELD) for verb in VERBS)
    ):
        await at_each(matches, FollowedMatch.play)


async def kill_before_the_posts_are_recorded(bot: BotProcess, matches: list[FollowedMatch]) -> None:
    """Make a move at each table, and kill the bot after a message was posted, edited or deleted for it and before
    the bot knows."""
    async with requests_delayed_until_a_kill(
        bot, *(Fault(verb, MESSAGES, None, delay=HELD, after=True) for verb in VERBS)
    ):
        asked = [request_to(bot, match) for match in matches]
        await at_each(matches, FollowedMatch.play)
        # In a real-time game a move may change nothing that is shown, and a short match may be over.
        await bot.box.until(
            lambda: all(
                come() or match.over or match.game.real_time
                for come, match in zip(asked, matches, strict=True)
            )
        )


def request_to(bot: BotProcess, match: FollowedMatch) -> Condition:
    """Return a condition: one more message was posted, edited or deleted where the match is played."""
    path = rf"^/channels/{match.thread.id}/messages"
    either = [bot.request_made(verb, path) for verb in VERBS]
    return lambda: any(condition() for condition in either)


@asynccontextmanager
async def requests_delayed_until_a_kill(bot: BotProcess, *faults: Fault) -> AsyncIterator[None]:
    """Delay the bot's requests until it is killed at the end of the block; then start it again."""
    await bot.box.until(bot.all_posted)
    for fault in faults:
        fault.times = 1000
        bot.box.faults.add(fault)
    yield
    await bot.kill()
    for fault in faults:
        fault.times = 0
    bot.box.clock.advance(HELD)
    bot.forget_nonces()
    await bot.start()


async def at_each(
    matches: list[FollowedMatch], act: Callable[[FollowedMatch], Coroutine[Any, Any, None]]
) -> None:
    """Do something at each table, at all of them at once; but one after the other where people also move the clock,
    as clicks of others would be late."""
    if matches[0].game.real_time:
        for match in matches:
            await act(match)
    else:
        await asyncio.gather(*map(act, matches))


async def finish(match: FollowedMatch) -> None:
    while not match.over:
        await match.play()


async def check_that_it_ended(match: FollowedMatch) -> None:
    """Check that card and board show the end and that the results count it."""
    await match.box.until(lambda: "🏁" in match.card.text)
    outcome = match.game.outcome(match.state.game_state)
    assert outcome is not None
    assert outcome.reason in match.card.text
    sides = match.game.sides(match.state.options, len(match.people))
    placings = by_side(outcome, sides).placings
    for person, placing, score in zip(match.people, placings, outcome.scores, strict=True):
        total = scored(score, match.game.unit(match.state.options))
        assert re.search(rf"\*\*{placing}\.\*\* .*\b{person.name}\b.*: {total}", match.card.text)
    counted = match.bot.read("SELECT user, placing FROM results WHERE match = ?", match.number)
    placed = {p.id: n for p, n in zip(match.people, placings, strict=True)}
    assert dict(counted) == (placed if len(placed) > 1 else {})  # a single player beats nobody


BY_HAND = 60
"""Entries of a match that are all made by tapping and typing. After them it is one of FEW, and none in real time: a
match can have hundreds."""
FEW = 4


async def test_a_match_can_be_played_to_its_end_by_tapping_and_typing_only_what_is_offered(
    match: Match,
) -> None:
    real_time = match.game.real_time
    await match.deal(full=True)
    rng, table, place = Random(len(match.people)), await match.table(), await match.place()
    first = table.state.n
    while table.is_open:
        long = table.state.n - first > BY_HAND
        if long and real_time:
            await match.finish()
            break
        if not table.state.awaited():
            await match.let_time_pass()
            continue
        if long and rng.randrange(FEW):
            person, text = await match.next()
            await table.play(person.id, [text], table.clock.now())
            continue
        turn = rng.choice((by_tapping, by_typing))
        try:
            await turn(match.people[table.state.awaited()[0]], place, rng)
        except AssertionError:
            if not real_time:  # else a hand has lapsed between the offer and the move
                raise
    await match.check()
    assert "🏁" in match.card.text
    leaders = await match.watcher.slash(match.here.room, "leaderboard")
    assert all(person.name in text_and_alt(shown(leaders)) for person in match.people)
    assert leaders.ephemeral
