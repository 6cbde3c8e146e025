"""The table of a season as a message: a page for one person, or the final table for everybody."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.match.names import distinct_names, safe
from bot.match.refusal import Refusal
from bot.messages.answers import Interaction
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Item, Panel, button, row, select, text
from bot.messages.router import DEAD_BUTTON
from bot.standings.season import BEST, MOST, PATIENCE, present, tabulate
from bot.store import Season, SeasonRow, Store
from cogs.standings.page import MINE, PAGE, Line, Page, page_in, shown_page, table, turns
from games.phrases import counted, listed, ordinal

HEADS: Final = ("Points", "Wins", "Matches")
END: Final = "end"
"""Stands for MINE in the custom id of the button on a final table, by which the posted message is found again."""
NOBODY: Final = "No rated match of this season has been finished."
RULE: Final = (
    f"-# Each rated match gives {MOST} points times the share of the other sides that came after yours, a tie as half "
    f"a side. Your best {BEST} matches count. A match belongs to the season in which it started."
)


@dataclass(frozen=True, slots=True)
class Viewer:
    """The person who sees a table."""

    user: int
    name: str
    """Their name, safe to print."""
    pictures: bool


async def rows_of(store: Store, season: Season) -> Sequence[SeasonRow]:
    """Return the table of a season: the final one, or the present one of a season that is not closed."""
    if season.closed is not None:
        return await store.final_table(season.id)
    return tabulate(await store.season_results(season.id))


def season_id(season: Season, page: int | str) -> CustomId:
    """Return the custom id of a button that leads to a page of a season's table."""
    return CustomId("season", 0, f"{season.id}:{page}")


async def clicked(store: Store, guild: int | None, rest: str) -> tuple[Season, Page]:
    """Return the season and the page of a custom id that `season_id` wrote.

    Raises Refusal for any other text, and for a season of another server."""
    wanted, _, written = rest.partition(":")
    season = next((each for each in await store.seasons(guild or 0) if str(each.id) == wanted), None)
    if season is None:
        raise Refusal(DEAD_BUTTON)
    return season, page_in(MINE if written == END else written)


async def named(store: Store, guild: int, name: str) -> Season:
    """Return a season by the name that somebody typed. Raises Refusal if there is none."""
    wanted = safe(name).casefold()
    for season in await store.seasons(guild):
        if season.name.casefold() == wanted:
            return season
    raise Refusal("There is no season of that name here. Pick one from the list.")


async def current(store: Store, guild: int, now: int) -> Season:
    """Return the season that is meant by "this season". Raises Refusal when all are closed."""
    seasons = await store.seasons(guild)
    season = present(seasons, now)
    if season is None:
        past = " `season:` opens the past ones." if seasons else ""
        raise Refusal(
            f"No season is running here. A manager of the server can start one by `/settings season start`.{past}"
        )
    return season


async def suggested(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Return suggestions for an option that names a season, the latest first."""
    bot: Palmhouse = interaction.client
    seasons = await bot.store.seasons(interaction.guild_id or 0)
    names = [season.name for season in seasons if typed.strip().casefold() in season.name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in names[:25]]


def season_page(
    season: Season, rows: Sequence[SeasonRow], viewer: Viewer, page: int | None, now: int
) -> Panel:
    """Build a page (see `shown_page`)."""
    last = max(0, len(rows) - 1) // PAGE
    own = next((place for place, each in enumerate(rows) if each.user == viewer.user), None)
    page = shown_page([each.user for each in rows], viewer.user, page)
    title = f"### Season {season.name}" + f" · page {page + 1} of {last + 1}" * (last > 0)
    if not rows:
        return Panel(text(f"{title}\n{_state(season, now)}"), text(RULE if now < season.starts else NOBODY))
    return Panel(
        text(f"{title}\n{_state(season, now)}"),
        *_people(season, rows, page, viewer.user, pictures=viewer.pictures),
        text(_note(rows, own, viewer)),
        text(RULE),
        *_matches(season, rows, page),
        row(*turns(partial(season_id, season), page, last)),
    )


def final_post(season: Season, rows: Sequence[SeasonRow]) -> Panel:
    """Build the message with the first page of a final table, for everybody."""
    title = f"### Season {season.name} is over\n{_span(season)}"
    if not rows:
        return Panel(text(f"{title}\n{NOBODY}"), row(button("Open the table", season_id(season, END))))
    return Panel(
        text(f"{title}\n{_winners(rows)}"),
        *_people(season, rows, 0, 0, pictures=True),
        text(RULE),
        *_matches(season, rows, 0),
        row(button("My place", season_id(season, END))),
    )


def dates(season: Season) -> str:
    """Return the first and the last day of a season, in UTC: "1 Nov to 30 Nov 2026"."""
    first, last = (datetime.fromtimestamp(at / 1000, UTC) for at in (season.starts, season.ends - 1))
    begun = f"{first.day} {first:%b}" + f" {first.year}" * (first.year != last.year)
    return f"{begun} to {last.day} {last:%b} {last.year}"


def _span(season: Season) -> str:
    return f"<t:{season.starts // 1000}:d> to <t:{season.ends // 1000}:d>"


def _state(season: Season, now: int) -> str:
    ends, span = season.ends // 1000, _span(season)
    if season.closed is not None:
        return f"{span} · final table"
    if now < season.starts:
        return f"{span} · begins <t:{season.starts // 1000}:R>"
    if now < season.ends:
        return f"{span} · ends <t:{ends}:R>"
    latest = (season.ends + PATIENCE) // 1000
    return f"{span} · over; the table is final once the last match of the season ends, at the latest <t:{latest}:R>"


def _winners(rows: Sequence[SeasonRow]) -> str:
    first = [each for each in rows if each.place == 1]
    names = listed(f"**{safe(each.name)}**" for each in first[:PAGE])
    others = f" and {len(first) - PAGE} more" * (len(first) > PAGE)
    win = "win" if len(first) > 1 else "wins"
    return f"🏆 {names}{others} {win} with {counted(first[0].points, 'point')}."


def _note(rows: Sequence[SeasonRow], own: int | None, viewer: Viewer) -> str:
    if own is None:
        return f"{viewer.name} has no rated match in this season."
    row = rows[own]
    standing = f"{viewer.name} is {ordinal(row.place)} of {len(rows)} with {counted(row.points, 'point')}"
    matches = min(row.matches, BEST)
    return f"{standing} from {counted(matches, 'match')}."


def _matches(season: Season, rows: Sequence[SeasonRow], page: int) -> list[Item]:
    """Return a menu that opens the matches of each person on the page; empty when all of them were erased."""
    people = rows[page * PAGE : (page + 1) * PAGE]
    names = distinct_names(safe(each.name) for each in people)
    options = [
        discord.SelectOption(label=f"{each.place}. {name}", value=str(each.user))
        for each, name in zip(people, names, strict=True)
        if each.user > 0  # less than 0: was erased
    ]
    return [row(select("Matches of …", CustomId("season-matches", 0, str(season.id)), options))] * bool(
        options
    )


def cells(row: SeasonRow) -> tuple[str, str, str]:
    """Return the numbers after a name."""
    return str(row.points), str(row.wins), str(row.matches)


def _people(season: Season, rows: Sequence[SeasonRow], page: int, user: int, *, pictures: bool) -> list[Item]:
    lines = [
        Line(each.place, each.user, each.name, cells(each)) for each in rows[page * PAGE : (page + 1) * PAGE]
    ]
    counts = Counter(each.name for each in rows)
    return table(lines, counts, user, f"{season.name} · {dates(season)}", HEADS, pictures=pictures)
