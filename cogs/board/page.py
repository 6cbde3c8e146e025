"""The content of a board: tables that can be joined or watched, the deal of the day, the season, and who looks for a
game."""

from collections.abc import Iterator, Sequence
from typing import Final

import discord

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.deadlines import TABLE
from bot.match.names import distinct_names, safe
from bot.match.table import Table
from bot.messages.custom_ids import CustomId
from bot.messages.lobby_card import short_settings
from bot.messages.panel import PRIMARY, SUCCESS, Item, Panel, beside, box, button, row, text
from bot.messages.venue import find_channel
from bot.standings import daily
from bot.standings.season import running
from cogs.common.audience import is_for_all
from cogs.common.daily_result import daily_id, heading
from cogs.common.door import BOARD
from cogs.night.page import invitation
from cogs.seeking.form import lines, seek_button
from cogs.standings.season import END, rows_of, season_id
from games.phrases import counted, listed

MOST_LOBBIES: Final = 4
MOST_MATCHES: Final = 3
"""Maximum number of lobbies on a board, and of matches that are being played: a message has room for 40 components."""
MOST_SEEKS: Final = 4
"""Maximum number of people who look for a game on a board."""
BEST: Final = 5
"""Number of people of a season who are named."""
NOTHING_ON: Final = "-# No table is open now."


async def board(bot: Palmhouse, server: discord.Guild, channel: int) -> Panel:
    """Build the board of a server that stands in a channel."""
    tables = await bot.tables.loadable(bot.tables.of_guild(server.id))
    seen = [
        each
        for each in tables
        if not each.state.practice and is_for_all(find_channel(bot, server.id, each.match.channel), channel)
    ]
    lobbies = [*_lobbies([table for table in seen if table.state.phase == "lobby"])]
    matches = [*_matches([table for table in seen if table.state.phase == "play"])]
    return Panel(
        box(
            text("\n".join(["## Card tables", *await _seeks(bot, server.id)])),
            *(lobbies + matches or [text(NOTHING_ON)]),
            await _deal_of_the_day(bot, server.id),
            *await _night(bot, server.id, channel),
            *await _season(bot, server.id),
            row(
                button("Open a table", BOARD, style=PRIMARY),
                seek_button(),
                button("Learn", CustomId("learn", 0)),
            ),
        )
    ).with_mentions(bot.command_ids)


def _lobbies(tables: Sequence[Table]) -> Iterator[Item]:
    """Yield the tables that have not begun, the newest first. A full one has no button."""
    for table in tables[:MOST_LOBBIES]:
        taken, most = len(table.state.players), table.seats().stop - 1
        kept = f" · kept for {table.kept_for}" if table.state.reserved else ""
        closes = f"closes <t:{table.deadlines.get(TABLE, 0) // 1000}:R>"
        said = (
            f"**{table.state.game.title}** · {taken} of {most} seats{kept}{short_settings(table)}\n"
            f"-# {listed(names(table.state))} · table {table.id} · {closes}"
        )
        join = button("Join", CustomId("sit", table.id), style=SUCCESS)
        yield text(said) if taken == most else beside(said, join)
    yield from _more(len(tables) - MOST_LOBBIES, "open table")


def _matches(tables: Sequence[Table]) -> Iterator[Item]:
    """Yield the matches that are being played, the newest first."""
    for table in tables[:MOST_MATCHES]:
        yield beside(
            f"**{table.state.game.title}**{short_settings(table)}\n-# {listed(names(table.state))} · table {table.id}",
            button("Watch", CustomId("watch", table.id)),
        )
    yield from _more(len(tables) - MOST_MATCHES, "match")


def _more(number: int, thing: str) -> Iterator[Item]:
    if number > 0:
        yield text(f"-# and {counted(number, f'more {thing}')}")


async def _seeks(bot: Palmhouse, guild: int) -> list[str]:
    """Return lines about who looks for a game, and is not away."""
    now = bot.time.now()
    away = [user for user, each in (await bot.store.hours_of_lookers(guild)).items() if each.away_until > now]
    number, seeks = await bot.store.seeks(guild, now, MOST_SEEKS, without=away)
    return [*lines(seeks), *[f"-# and {number - len(seeks)} more"] * (number > len(seeks))]


async def _deal_of_the_day(bot: Palmhouse, guild: int) -> Item:
    today = bot.dailies.today()
    here = [each for each in await bot.store.attempts(today) if each.guild == guild]
    finished = sum(each.placing is not None for each in here)
    facts = [
        f"about {counted(daily.terms_of(today).minutes, 'minute')}",
        *[f"{finished} here finished it"] * (finished > 0),
        f"until <t:{await bot.dailies.end(today) // 1000}:t>",
    ]
    return beside(f"**{heading(today)}**\n-# {' · '.join(facts)}", button("Play", daily_id("card")))


async def _night(bot: Palmhouse, guild: int, board: int) -> list[Item]:
    """Return the game night that is on, or the next one; nothing without one."""
    night = await bot.store.next_night(guild)
    if night is None or not is_for_all(find_channel(bot, guild, night.channel), board):
        return []
    return [await invitation(bot.store, night)]


async def _season(bot: Palmhouse, guild: int) -> list[Item]:
    """Return the best of the season that runs; nothing without one."""
    season = running(await bot.store.seasons(guild), bot.time.now())
    if season is None:
        return []
    best = (await rows_of(bot.store, season))[:BEST]
    who = distinct_names(safe(each.name) for each in best)
    lines = [
        f"{each.place}. {name} · {counted(each.points, 'point')}"
        for each, name in zip(best, who, strict=True)
    ]
    said = "\n".join([f"**Season {season.name}** · ends <t:{season.ends // 1000}:d>", *lines])
    return [beside(said, button("My place", season_id(season, END)))]
