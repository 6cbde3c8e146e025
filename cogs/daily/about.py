"""Two pages: on how daily deals are played, and on fairness, with the list to which the bot has committed for the year
and the last revealed seed."""

import io

import discord
from discord import ui

from bot.client import Palmhouse
from bot.messages.answers import Interaction, defer
from bot.messages.panel import Panel, button, row, text
from bot.standings import daily
from bot.store import LATEST_DAYS
from cogs.common.daily_result import daily_id, order

ABOUT = (
    "### Daily deals\n"
    "Each day at 0:00 UTC there is a new deal of another game: the same cards for everybody, against the same "
    "computers. Today it is {title}.\n"
    "You have one attempt. Leave it when you like: until the end of the next day `/daily` goes on with it.\n"
    "Results are compared {order}. `Share` shows a channel how you did, without a word on the cards.\n"
    "Days in a row are your streak; one missed day a month is forgiven."
)
EXPLANATION = (
    "### Daily deals · how they are kept fair\n"
    "The cards of all days of a year are fixed: its file lists the SHA-256 of each day's seed, and it never changes. A "
    "day begins and ends at 0:00 UTC. Once nobody can play it any more, the bot shows its seed here. This does not "
    "prove that nobody looked: whoever runs the bot can know the cards beforehand."
)
HASH = "\nSHA-256 of the file of {year}, the same for everybody: `{hash}`"
REVEALED = (
    "\nThe last closed day is {date} (UTC), {title}. Its seed is a text of 64 letters and digits. This command hashes "
    "it, and the result is in line {date} of the file:\n```\nprintf %s {seed} | sha256sum\n```"
)


def about(today: int) -> Panel:
    """Build the page on how daily deals are played."""
    said = ABOUT.format(title=daily.terms_of(today).game.title, order=order(today))
    return Panel(text(said), row(button("How it is kept fair", daily_id("fair"))))


async def show_fairness(interaction: Interaction) -> None:
    """Answer with the explanation and the list of the year as a file, for the caller alone."""
    bot: Palmhouse = interaction.client
    today, closed = bot.dailies.today(), await _last_closed(bot)
    # In the first two days of a year the last closed day is in the list of the year before.
    years = sorted({daily.year_of(day) for day in (today, closed) if day is not None})
    lists = {year: daily.yearly_list(await bot.dailies.secret(year), year) for year in years}
    hashes = [HASH.format(year=year, hash=daily.sha256(listed)) for year, listed in lists.items()]
    said = "".join([EXPLANATION, *hashes, "" if closed is None else await _revealed(bot, closed)])
    files = [
        discord.File(io.BytesIO(listed.encode()), f"palmhouse-daily-{year}.txt")
        for year, listed in lists.items()
    ]
    panel = Panel(text(said), *(ui.File(f"attachment://{file.filename}") for file in files))
    await defer(interaction, thinking=True)
    await interaction.followup.send(view=panel, files=files, ephemeral=True)


async def _last_closed(bot: Palmhouse) -> int | None:
    """Return the last day that nobody can play any more; None during a very long outage."""
    today = bot.dailies.today()
    for day in range(today - 1, today - LATEST_DAYS - 3, -1):
        if await bot.dailies.is_closed(day):
            return day
    return None


async def _revealed(bot: Palmhouse, day: int) -> str:
    """Return the seed of a closed day and how to check it."""
    seed = daily.seed(await bot.dailies.secret(daily.year_of(day)), day)
    return REVEALED.format(
        date=daily.date_of(day).isoformat(), title=daily.terms_of(day).game.title, seed=seed
    )
