"""The text of a profile, its charts, and the menu that opens the matches behind each number."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.match.names import safe
from bot.messages.custom_ids import CustomId
from bot.messages.panel import Item, Panel, row, select, shown, text
from bot.pictures.drawing import picture_of
from bot.pictures.scene import RatingChart
from bot.standings import profile, ratings
from bot.standings.milestones import progress_of, titles
from bot.standings.ratings import PROVISIONAL_MATCHES, PROVISIONAL_SIGMA, Rating
from bot.store import Beaten, FactValues, Placed, Selection, Store
from cogs.common.matches import title
from cogs.profile.selections import coded, pools
from games import GAMES
from games.phrases import ordinal, scored

POINTS: Final = 200
"""Largest number of points of a chart."""
FAVOURITES: Final = 3
"""Number of favourite games."""
OPTIONS: Final = 25
"""Largest number of options in a menu, set by Discord."""
LABEL: Final = 100
"""Largest number of characters in the label of an option, set by Discord."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Matches of the person and the caller: how often each was placed before the other one."""

    caller: int
    matches: int
    ahead: int
    """Matches in which the person was placed before the caller."""
    behind: int


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that a profile says about one person, in one game or in all."""

    name: str
    selection: Selection
    """All matches that the profile is about."""
    placings: Sequence[Placed]
    ratings: Mapping[str, Rating]
    """The present ratings by pool."""
    courses: Mapping[str, Sequence[tuple[int, float]]]
    """Time and mu after each rated match, by pool; empty without a game."""
    facts: Mapping[str, FactValues]
    """By key; empty without a game."""
    best: Beaten | None
    milestones: Sequence[str]
    """Titles; empty with a game."""
    meeting: Meeting | None


async def profile_of(store: Store, selection: Selection, name: str, caller: int) -> Profile | None:
    """Read what a profile of a person of that name says to `caller`; None when the selection has no match."""
    placings = await store.placings(selection)
    if not placings:
        return None
    user, game = selection.user, GAMES.get(selection.game or "")
    shown_pools = game.pools if game else pools()
    rows = {pool: (await store.ratings(pool, [selection.user])).get(selection.user) for pool in shown_pools}
    rated = {pool: ratings.rating_of(row) for pool, row in rows.items() if row}
    return Profile(
        name,
        selection,
        placings,
        rated,
        {pool: await store.rating_course(selection.user, pool) for pool in rated} if game else {},
        {values.key: values for values in await store.fact_values(selection)} if game else {},
        await store.best_win(selection, PROVISIONAL_MATCHES, PROVISIONAL_SIGMA),
        [] if game else [*titles(progress_of((await store.progress([user])).get(user)))],
        await _meeting(store, selection, caller) if caller != selection.user else None,
    )


async def _meeting(store: Store, selection: Selection, caller: int) -> Meeting:
    together = replace(selection, other=caller)
    matches, ahead, behind = [
        (await store.history(each, 0))[0]
        for each in (together, replace(together, ahead=1), replace(together, ahead=-1))
    ]
    return Meeting(caller, matches, ahead, behind)


def profile_panel(person: Profile, now: int) -> Panel:
    """Return the message. `now` is the time in ms."""
    game = GAMES.get(person.selection.game or "")
    heading = f"### {person.name}{f' · {game.title}' if game else ''}"
    lines = [heading, *_rating_lines(person, now), *_match_lines(person), *_win_lines(person)]
    below = [*(_fact_lines(person) if game else ()), *_meeting_lines(person)]
    charts = [*_charts(person, now)] if game else []
    if not charts:
        return Panel(text("\n".join([*lines, *below])), _menu(person))
    return Panel(text("\n".join(lines)), *charts, *[text("\n".join(below))] * bool(below), _menu(person))


def comparison(both: Sequence[Profile], now: int) -> Panel:
    """Return the message that compares a person with the caller, who is the second."""
    lines, notes = [f"### {' and '.join(person.name for person in both)}"], dict[str, None]()
    for person in both:
        rating, *uncertain = _rating_lines(person, now)
        lines += [f"**{person.name}**", rating]
        notes |= dict.fromkeys(uncertain)
    return Panel(text("\n".join([*lines, *notes, *_meeting_lines(both[0])])))


def _rating_lines(person: Profile, now: int) -> Iterator[str]:
    titles = pools()
    if not person.ratings:
        yield "Not rated yet: no rated match among people."
        return
    order = sorted(person.ratings, key=lambda pool: -person.ratings[pool].matches)
    labels = {pool: ratings.label(person.ratings[pool], now) for pool in order}
    yield "**Rating** " + " · ".join(f"{titles[pool]} {labels[pool]}" for pool in order)
    if any("?" in each for each in labels.values()):
        yield f"-# ? still uncertain: {PROVISIONAL_MATCHES} rated matches settle it, if some are recent"


def _match_lines(person: Profile) -> Iterator[str]:
    placed = Counter(each.placing for each in person.placings)
    wins = f"{placed[1]} won" if placed[1] else "none won"
    yield f"**{scored(len(person.placings), 'match').capitalize()}**, {wins}"
    if person.selection.game is not None:
        yield "**Placings** " + " · ".join(f"{ordinal(place)} {placed[place]}" for place in sorted(placed))
    else:
        favourites = _by_game(person).most_common(FAVOURITES)
        yield "**Favourite games** " + " · ".join(f"{title(game)} {number}" for game, number in favourites)


def _win_lines(person: Profile) -> Iterator[str]:
    present, longest = profile.streaks(person.placings)
    yield f"**Wins in a row** now {present.wins} · longest {longest.wins}"
    if person.best is not None:
        result, rating = person.best.result, person.best.rating
        points = ratings.shown(ratings.rating_of(rating))
        day = f"<t:{result.ended // 1000}:d>"
        yield f"**Best win** over {safe(result.name)} ({points}), {title(result.game)}, {day}"
    if person.milestones:
        yield f"**Milestones** {' · '.join(person.milestones)}"


def _fact_lines(person: Profile) -> Iterator[str]:
    kinds = GAMES[person.selection.game or ""].facts.KINDS
    for key in kinds:
        if line := profile.fact_line(key, kinds, person.facts):
            yield f"- {line}"


def _meeting_lines(person: Profile) -> Iterator[str]:
    meeting = person.meeting
    if meeting is None:
        return
    if not meeting.matches:
        yield "**With you** no match yet"
        return
    level = meeting.matches - meeting.ahead - meeting.behind
    yield (
        f"**With you** {scored(meeting.matches, 'match')}: {person.name} placed higher in "
        f"{meeting.ahead}, you in {meeting.behind}{f', level {level}' if level else ''}"
    )


def _charts(person: Profile, now: int) -> Iterator[Item]:
    """Yield a chart for each pool of the game with two rated matches or more."""
    for pool, course in person.courses.items():
        if len(course) < 2:
            continue
        rating = person.ratings[pool]
        values = [ratings.shown(replace(rating, mu=mu)) for _, mu in course]
        chart = RatingChart(
            f"{person.name} · {pools()[pool]}",
            tuple((course[place][0], values[place]) for place in profile.thinned(values, POINTS)),
            len(course),
            ratings.label(rating, now),
            profile.trend(values),
        )
        yield shown(picture_of(chart))


def _menu(person: Profile) -> Item:
    """Return the menu: the value of an option is the selection of the matches that a number counts."""
    options = {coded(selection): label for label, selection in _countable(person)}
    return row(
        select(
            "See the matches behind a number",
            CustomId("matches", 0, str(person.selection.user)),
            [
                discord.SelectOption(label=label[:LABEL], value=value)
                for value, label in [*options.items()][:OPTIONS]
            ],
        )
    )


def _countable(person: Profile) -> Iterator[tuple[str, Selection]]:
    """Yield each number of the profile in words, with the selection of the matches that it counts."""
    everything, placed = person.selection, Counter(each.placing for each in person.placings)
    yield f"All matches: {len(person.placings)}", everything
    if person.meeting and person.meeting.matches:
        yield from _countable_meeting(person.meeting, everything)
    for place in sorted(placed):
        yield f"{ordinal(place)} place: {placed[place]}", replace(everything, placing=place)
    yield from _countable_wins(person)
    for pool in person.ratings:
        yield f"Rated in {pools()[pool]}", replace(everything, pool=pool)
    if everything.game is None:
        for game, number in _by_game(person).most_common(FAVOURITES):
            if game in GAMES:
                yield f"{title(game)}: {number}", replace(everything, game=game)
    else:
        yield from _countable_facts(person)


def _countable_meeting(meeting: Meeting, everything: Selection) -> Iterator[tuple[str, Selection]]:
    together = replace(everything, other=meeting.caller)
    yield f"With you: {meeting.matches}", together
    yield f"With you, you placed higher: {meeting.behind}", replace(together, ahead=-1)
    yield f"With you, you placed lower: {meeting.ahead}", replace(together, ahead=1)


def _countable_wins(person: Profile) -> Iterator[tuple[str, Selection]]:
    present, longest = profile.streaks(person.placings)
    for name, streak in (("Present", present), ("Longest", longest)):
        if streak.wins:
            yield (
                f"{name} wins in a row: {streak.wins}",
                replace(person.selection, placing=1, since=streak.since, until=streak.until),
            )
    if person.best is not None:
        at = person.best.result.ended
        yield "Best win", replace(person.selection, placing=1, since=at, until=at)


def _countable_facts(person: Profile) -> Iterator[tuple[str, Selection]]:
    kinds = GAMES[person.selection.game or ""].facts.KINDS
    for key, kind in kinds.items():
        if line := profile.fact_line(key, kinds, person.facts):
            values = person.facts[key]
            if kind.combine != "sum":
                yield line, replace(person.selection, fact=key, value=profile.combined(kind, values))
            elif values.matches:  # one match can have several of them
                yield f"{line}, in {scored(values.matches, 'match')}", replace(person.selection, fact=key)


def _by_game(person: Profile) -> Counter[str]:
    return Counter(each.game for each in person.placings)
