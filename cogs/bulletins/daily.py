"""The bulletin of a day: its deal, and who did best at yesterday's."""

from typing import Final

import discord

from bot.client import Palmhouse
from bot.match.names import distinct_names, safe
from bot.messages.custom_ids import CustomId
from bot.messages.panel import SUCCESS, Item, Panel, box, button, row, text
from bot.standings import daily
from cogs.common.daily_result import daily_id, heading
from games.phrases import counted

BEST: Final = 5
"""Number of people of yesterday who are named."""


def day_id(day: int) -> CustomId:
    """Return the custom id of the button that the bulletin of a day has, and no other message."""
    return daily_id("card", day)


async def daily_post(
    bot: Palmhouse, server: discord.Guild, _channel: discord.abc.GuildChannel, day: int
) -> Panel:
    """Build the bulletin of a day."""
    terms = daily.terms_of(day)
    about = (
        f"{terms.game.blurb}.\n-# The same cards for everybody, alone against {counted(terms.seats - 1, 'computer')}, "
        f"about {counted(terms.minutes, 'minute')}"
    )
    best = await _best(bot, server.id, day - 1)
    table = [button("Yesterday's table", daily_id("table", day - 1))] * bool(best)
    return Panel(
        box(
            text(f"## {heading(day)}\n{about}"),
            *best,
            row(button("Play", day_id(day), style=SUCCESS), *table),
        )
    )


async def _best(bot: Palmhouse, guild: int, day: int) -> list[Item]:
    """Return who did best at the deal of a day here; nothing if nobody has finished it. Placings and scores would tell
    about the deal, which some may still finish."""
    here = [
        each for each in await bot.store.attempts(day) if each.guild == guild and each.placing is not None
    ]
    if not here:
        return []
    ranking = daily.ranking(here)
    who = distinct_names(safe(attempt.name) for _, attempt in ranking)
    lines = [f"{place}. {name}" for (place, _), name in zip(ranking, who, strict=True)]
    more = [f"-# and {len(lines) - BEST} more"] * (len(lines) > BEST)
    return [text("\n".join([f"**Yesterday · {heading(day)}**", *lines[:BEST], *more]))]
