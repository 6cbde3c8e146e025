"""Access to replays: who may see which match, and from which points of view.

The people who played see everything. Everybody else sees what was public in places that they can open, and all hands
when everybody who played allows it.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.client import Palmhouse
from bot.match.entries import Practice
from bot.match.refusal import Refusal
from bot.match.replay import PUBLIC, PointOfView, Replay, people_in
from bot.match.tables import game_of
from bot.match.times import Times
from bot.messages.answers import Interaction
from bot.store import LogRow, Match
from cogs.common.audience import may_look
from cogs.common.matches import NO_SUCH_MATCH, title
from games import AnyGame

RUNNING: Final = "Match {} is not over yet. Its replay opens when it ends."
NO_LOG: Final = (
    "The moves of match {} are not stored any more, so there is no replay. The moves of a server are deleted 30 days "
    "after it removed the bot."
)
PRIVATE: Final = (
    "Match {} is private: only the people who played it can replay it. Ask one of them for its page."
)
PLAYERS_ONLY: Final = (
    "The rules of {} have changed since match {}, so only its moves are left. The people who played it can still get "
    "them as text; ask one of them."
)
NEVER_DEALT: Final = "Match {} was closed before it began, so there is nothing to replay."
NOT_THIS_VIEW: Final = (
    "You may only see what was public in match {0}. `/replay match:{0}` opens that. To show all hands, everybody who "
    "played must choose `Replays: open` in `/preferences`."
)


ReplayOf: TypeAlias = Callable[[Match, AnyGame, tuple[LogRow, ...], Times], Replay]
"""`bot.match.replay.replay_of`, which may keep what it has returned."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A match that somebody may see."""

    match: Match
    log: tuple[LogRow, ...]
    replay: Replay | None
    """None when the rules have changed since: only the moves are left."""
    points_of_view: tuple[PointOfView, ...] = (PUBLIC,)
    """The allowed points of view, the usual one first."""


async def opened(interaction: Interaction, number: int, replay_of: ReplayOf) -> Opened:
    """Return a match with what the caller may see of its replay. Raises Refusal."""
    match = await interaction.client.store.match(number)
    if match is None:
        raise Refusal(NO_SUCH_MATCH)
    log = tuple(await interaction.client.store.log(number))
    if not log and (match.guild < 0 or _is_here(interaction, match)):
        raise Refusal(NO_LOG.format(number))
    has_played = interaction.user.id in people_in(log)
    if not has_played:
        await _check_public(interaction, match, log)
    if match.phase not in ("over", "closed"):  # nothing of it may be shown, not even to its players
        raise Refusal(RUNNING.format(number))
    await interaction.client.dailies.check_revealed(number)
    await interaction.client.nights.check_revealed(number)
    game = game_of(match)
    if game is None:
        if not has_played:
            raise Refusal(PLAYERS_ONLY.format(title(match.game), number))
        return Opened(match, log, None)
    times = interaction.client.tables.clock.times
    replay = await asyncio.to_thread(replay_of, match, game, log, times)
    if not replay.everything:
        raise Refusal(NEVER_DEALT.format(number))
    return Opened(match, log, replay, await _points_of_view(interaction, log, replay))


def _is_here(interaction: Interaction, match: Match) -> bool:
    """Return whether the match was played on this server. Direct messages are nobody else's place."""
    return interaction.guild_id is not None and interaction.guild_id == match.guild


async def _check_public(interaction: Interaction, match: Match, log: tuple[LogRow, ...]) -> None:
    """Raise Refusal, which tells nothing else, unless a match that the caller has not played is public here."""
    if not _is_here(interaction, match):
        raise Refusal(NO_SUCH_MATCH)
    if any(row.kind == Practice.kind for row in log) or not await may_look(interaction, match):
        raise Refusal(PRIVATE.format(match.id))


async def _points_of_view(
    interaction: Interaction, log: tuple[LogRow, ...], replay: Replay
) -> tuple[PointOfView, ...]:
    """Return the points of view of the caller, the usual one first."""
    if not await may_see_hands(interaction, people_in(log)):
        return (PUBLIC,)
    if not replay.has_secrets:
        return (replay.all_hands,)
    return (replay.all_hands, PUBLIC, *((seat,) for seat in replay.all_hands))


async def may_see_hands(interaction: Interaction, people: Collection[int]) -> bool:
    """Return whether the caller may see all hands of a match that is over: they are one of `people`, who played it, or
    all of these allow it."""
    return interaction.user.id in people or await all_open(interaction.client, people)


async def all_open(bot: Palmhouse, people: Collection[int]) -> bool:
    """Return whether all these people let everybody see their hands. An erased person does not."""
    preferences = await bot.store.preferences_of(people)
    return all(user > 0 and each.replays == "open" for user, each in preferences.items())
