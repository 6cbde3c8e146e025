"""The bulletin of a week: what was played here, who gained most, the closest match, and one to look at again."""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord.abc import GuildChannel

from bot.client import Palmhouse
from bot.match.names import distinct_names, safe
from bot.match.replay import people_in
from bot.match.review import Review, review
from bot.match.tables import game_of
from bot.messages.custom_ids import CustomId
from bot.messages.ending import Course, MatchResult, podium_of, result_line
from bot.messages.panel import PRIMARY, SUCCESS, Item, Panel, box, button, row, shown, text
from bot.messages.venue import find_channel
from bot.standings import week
from bot.standings.season import SETTLING
from bot.store import Damaged, FinishedMatch, LogRow, Match, SeasonRow, StoreFailed
from cogs.common.audience import is_for_all
from cogs.replay.access import all_open
from games.phrases import counted

log = logging.getLogger(__name__)

MOST_LOOKED_AT: Final = 20
"""Number of matches, the closest first, among which one is looked for that everybody may see."""


def week_id(number: int) -> CustomId:
    """Return the custom id of the button that the bulletin of a week has, and no other message."""
    return CustomId("week", 0, str(number))


def week_due(bot: Palmhouse) -> int:
    """Return the last week that is over, once its last matches are stored."""
    return week.week_of(bot.time.now() - SETTLING) - 1


@dataclass(frozen=True, slots=True)
class Looked:
    """A match at which the bulletin looks back."""

    match: Match
    log: Sequence[LogRow]
    review: Review

    @property
    def result(self) -> MatchResult:
        found = self.review
        return MatchResult(found.game, found.options, found.outcome, found.names)

    @property
    def line(self) -> str:
        """The winner, and the place where it was played."""
        return result_line(self.result, f"<#{self.match.place or self.match.channel}>")


async def week_post(
    bot: Palmhouse, server: discord.Guild, channel: discord.abc.GuildChannel, number: int
) -> Panel | None:
    """Build the bulletin of a week; None when nothing was played of which everybody may know."""
    since, until = week.begin(number), week.begin(number + 1)
    found = await bot.store.finished_matches(server.id, since, until)
    places = {each: await _place(bot, server.id, each) for each in {match.channel for match, _ in found}}
    matches = [each for each in found if is_for_all(places[each.match.channel], channel.id)]
    if not matches:
        return None
    people = {result.user for each in matches for result in each.results}
    facts = [f"<t:{since // 1000}:d> to <t:{until // 1000}:d>", counted(len(matches), "match")]
    head = " · ".join([*facts, counted(len(people), "player")])
    panel = Panel(
        box(
            text(f"## The week here\n-# {head}"),
            *_risen(week.risen(matches)),
            *await _looked_back(bot, week.closest(matches)),
            row(button("Open a table", week_id(number), style=SUCCESS)),
        )
    )
    if not channel.permissions_for(server.me).attach_files:
        panel.put_into_words()
    return panel


async def _place(bot: Palmhouse, guild: int, number: int) -> GuildChannel | discord.Thread | None:
    """Return a channel or thread of a server; None for one that is gone or that the bot does not see."""
    if number:  # imported matches have no channel
        with contextlib.suppress(discord.NotFound, discord.Forbidden):
            # Most threads are archived after a week, and so not cached.
            found = find_channel(bot, guild, number) or await bot.fetch_channel(number)
            return found if isinstance(found, GuildChannel | discord.Thread) else None
    return None


def _risen(rows: Sequence[SeasonRow]) -> list[Item]:
    """Return who has the most points of the week."""
    who = distinct_names([safe(each.name) for each in rows])
    lines = [
        f"{each.place}. {name} · {counted(each.points, 'point')} · {counted(each.matches, 'match')}"
        for each, name in zip(rows, who, strict=True)
    ]
    return [text("\n".join(["**Most points**", *lines]))] if lines else []


async def _looked_back(bot: Palmhouse, closest: Sequence[FinishedMatch]) -> list[Item]:
    """Return the closest match in a line, and the closest one of those that everybody may see again as a picture."""
    first = await _look(bot, closest[0].match) if closest else None
    shown_again = await _open_to_all(bot, closest[:MOST_LOOKED_AT])
    items = [text(f"**Closest match**\n{first.line}")] if first else []
    if shown_again is not None:
        if first is None or shown_again.match.id != first.match.id:
            items.append(text(f"**To see again**\n{shown_again.line}"))
        items += _again(shown_again)
    return items


def _again(looked: Looked) -> list[Item]:
    """Return the end of a match with its best moment as a picture, and buttons that lead into it."""
    found, result = looked.review, looked.result
    highlight = found.game.record.highlight(found.events, found.names)
    scores = found.game.record.scores_by_round(found.events, found.options)
    podium, moment = podium_of(result, Course(highlight, scores))
    quiz = [button("What would you play?", CustomId("quiz", looked.match.id), style=PRIMARY)]
    return [
        shown(podium),
        *[text(f"-# {moment}")] * bool(moment),
        row(button("Replay", CustomId("replay", looked.match.id)), *quiz * has_quiz(found)),
    ]


def has_quiz(found: Review) -> bool:
    """Return whether a match has a decision about which people can be asked. Games of speed leave no time to think."""
    return bool(found.deciding()) and not found.game.real_time


async def _open_to_all(bot: Palmhouse, matches: Sequence[FinishedMatch]) -> Looked | None:
    """Return the first of these matches whose players all let everybody see their hands, and whose deal nobody plays
    any more."""
    for match, results in matches:
        is_open = await all_open(bot, {each.user for each in results})
        if is_open and not await bot.nights.is_still_played(match.id):
            found = await _look(bot, match)
            if found is not None and await all_open(bot, people_in(found.log)):
                return found
    return None


async def _look(bot: Palmhouse, match: Match) -> Looked | None:
    """Return a look back at a match; None when its rules have changed, it was not played to its end, or cannot be
    read."""
    game = game_of(match)
    try:
        rows = await bot.store.log(match.id)
        found = await asyncio.to_thread(review, match, game, rows) if game is not None and rows else None
    except Exception as error:  # the others of the week shall be told of
        if isinstance(error, StoreFailed) and not isinstance(error, Damaged):
            raise  # it may be read later
        log.exception("the bulletin of a week leaves match %d out", match.id)
        return None
    return None if found is None else Looked(match, rows, found)
