"""Pages of a history: eight matches each, the latest first."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import discord

from bot.dates import day
from bot.match.names import LONGEST, distinct_names, safe
from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Item, Panel, button, row, select, text
from bot.messages.router import DEAD_BUTTON
from bot.standings import profile
from bot.standings.ratings import label, rating_of, shown
from bot.store import Played, Result, Selection, Store
from cogs.common.matches import title
from cogs.profile.selections import coded, pools
from games import GAMES
from games.letters import ROBOT
from games.phrases import counted, gained, ordinal, scored, short, with_place

PAGE: Final = 8
"""Number of matches on a page: with eight people each, they fit into a message."""
FACTS: Final = 2
"""Largest number of facts about one match."""
RECORD: Final = "★"
Records: TypeAlias = Mapping[tuple[str, str], int]
"""Best values of a person by game and key of the fact."""
FEW: Final = 4
"""Largest number of people in one match whose names are not cut."""
CUT: Final = 12
"""Length of a name that is cut."""
DESCRIPTION: Final = 100
"""Largest number of characters in the description of an option, set by Discord."""


async def history_page(store: Store, selection: Selection, page: int) -> Panel:
    """Return a page of a history, counted from 0; the last one for a higher number.

    Raises Refusal for the matches of a season that this server does not have."""
    season = await _season_name(store, selection)
    total, matches = await store.history(selection, PAGE, min(page, 10**6) * PAGE)
    last = max(0, -(-total // PAGE) - 1)
    if page > last:
        page, (total, matches) = last, await store.history(selection, PAGE, last * PAGE)
    records = await _records(store, selection, matches)
    name = name_in(matches, selection.user)
    head = f"### {' · '.join(filter(None, [name, scored(total, 'match')]))}"
    about = f"-# {described(selection, other_name(matches, selection), season)}"
    lines = [line(played, selection.user, records) for played in matches]
    legend = [f"-# {RECORD} personal record"] if any(RECORD in each for each in lines) else []
    body = [head, about, *(lines or ["There is no such match."]), *legend]
    return Panel(text("\n".join(body)), *_replays(matches), *_buttons(selection, page, last))


async def _season_name(store: Store, selection: Selection) -> str:
    """Return the name of the season in which the matches are selected; "" when it is not one season's."""
    if selection.season is None:
        return ""
    for season in await store.seasons(selection.guild or 0):
        if season.id == selection.season:
            return season.name
    raise Refusal(DEAD_BUTTON)


async def _records(store: Store, selection: Selection, matches: Sequence[Played]) -> Records:
    """Return the person's records in the games of these matches. A value that several matches share is no record."""
    found = {}
    for game in {played.game for played in matches} & GAMES.keys():
        kinds, everything = GAMES[game].facts.KINDS, Selection(selection.user, selection.guild, game)
        for values in await store.fact_values(everything):
            value = profile.record(kinds.get(values.key), values)
            if value:
                number, _ = await store.history(replace(everything, fact=values.key, value=value), 0)
                found[game, values.key] = value if number == 1 else 0
    return found


def line(played: Played, user: int, records: Records) -> str:
    """Return one match: when and what, a link, the people by placing, and what was special for this person."""
    special = " · ".join([*rating_change(played), *facts(played, user, records)])
    where = f" · [see the table]({link(played)})" if played.place else ""
    lines = [f"<t:{played.ended // 1000}:d> **{title(played.game)}**{where}", people(played.results, user)]
    return "\n".join([*lines, *[f"-# {special}"] * bool(special)])


def people(results: Sequence[Result], user: int) -> str:
    """Return the people of a match by placing, this person in bold, and the number of computers. Whoever left their
    seat to a computer has its sign instead of a place."""
    length = CUT if len(results) > FEW else LONGEST
    names = distinct_names(short(safe(result.name), length) for result in results)
    nobody_won = all(
        result.placing == result.players for result in results[:2]
    )  # lost together, or to computers
    listed = []
    for result, name in zip(results, names, strict=True):
        mark = "**" * (result.user == user)
        substituted = not result.finished and result.seat < result.players
        who = f"{ROBOT} for {name}" if substituted else with_place(0 if nobody_won else result.placing, name)
        listed.append(f"{mark}{who}{mark}")
    # Whoever left a seat that counts for somebody else has a number after those of the seats.
    computers = results[0].players - sum(result.seat < result.players for result in results)
    return ", ".join([*listed, *[f"with {counted(computers, 'computer')}"] * (computers > 0)])


def rating_change(played: Played) -> list[str]:
    """Return the rating before and after the match; nothing when it is not rated."""
    if played.after is None:
        return []
    pool, after = pools().get(played.after.pool, ""), rating_of(played.after)
    of_pool = f" ({pool})" if pool not in ("", title(played.game)) else ""
    if played.before is None:
        return [f"first rating {shown(after)}, still uncertain{of_pool}"]
    points = shown(after) - shown(rating_of(played.before))
    change = gained(points) if points else "±0"
    return [f"rating {change} to {label(after, after.at)}{of_pool}"]


def facts(played: Played, user: int, records: Records) -> list[str]:
    """Return the personal records that the match holds, then other bests of it, at most FACTS in all."""
    game = GAMES.get(played.game)
    own = next((result for result in played.results if result.user == user), None)
    if game is None or own is None:
        return []
    found = json.loads(own.facts)
    best, others = [], []
    for key, kind in game.facts.KINDS.items():
        if key not in found or not kind.shown or kind.combine == "sum":
            continue
        said = profile.fact_of_match(kind, found[key])
        if found[key] and found[key] == records.get((played.game, key)):
            best.append(f"{RECORD} {said}")
        elif found[key]:
            others.append(said)
    return [*best, *others][:FACTS]


def described(selection: Selection, other: str, season: str) -> str:
    """Return what is selected in words: "Palace · 1st place · with Ben".

    `other` is the other person's name, `season` the name of the season."""
    game = GAMES.get(selection.game or "")
    fact = game.facts.KINDS.get(selection.fact or "") if game else None
    ahead = {1: f"placed before {other}", 0: f"placed equally with {other}", -1: f"placed behind {other}"}
    parts = [game.title if game else "All games"]
    if selection.placing is not None:
        parts.append(f"{ordinal(selection.placing)} place")
    if selection.other is not None:
        parts.append(f"with {other}" if selection.ahead is None else ahead.get(selection.ahead, ""))
    if selection.pool is not None:
        parts.append(f"rated: {pools()[selection.pool]}")
    if season:
        parts.append(f"rated matches of season {season}")
    if selection.since is not None and selection.until is not None:
        parts.append(f"<t:{selection.since // 1000}:d> to <t:{selection.until // 1000}:d>")
    if fact is not None:
        value = selection.value
        parts.append(fact.title if value is None else profile.fact_of_match(fact, value))
    return " · ".join(parts)


def name_in(matches: Iterable[Played], user: int) -> str:
    """Return the name that a person had in the first of the matches that has them; "" when none has."""
    return next((safe(r.name) for played in matches for r in played.results if r.user == user), "")


def other_name(matches: Iterable[Played], selection: Selection) -> str:
    """Return the name of the other person of a selection."""
    return name_in(matches, selection.other or 0) or "the other person"


def link(played: Played) -> str:
    """Return the address of the place where a match was played."""
    return f"https://discord.com/channels/{played.guild or '@me'}/{played.place}"


def _replays(matches: Sequence[Played]) -> list[Item]:
    """Return the menu that opens the replay of a match."""
    options = [
        discord.SelectOption(
            label=f"{title(played.game)} · {day(played.ended)} · match {played.match}",
            value=str(played.match),
            description=", ".join(safe(result.name) for result in played.results)[:DESCRIPTION],
        )
        for played in matches
    ]
    return [row(select("Watch a match again", CustomId("replay-match", 0), options))] if options else []


def _buttons(selection: Selection, page: int, last: int) -> list[Item]:
    if last == 0:
        return []

    def turn(way: str, to: int) -> Item:
        custom_id = CustomId("history", 0, f"{selection.user}:{to}:{coded(selection)}")
        return button(way, custom_id, disabled=not 0 <= to <= last)

    return [
        text(f"-# Page {page + 1} of {last + 1}"),
        row(turn("Previous", page - 1), turn("Next", page + 1)),
    ]
