"""Matches that are stored as if they had been played, for tests of what is counted."""

import json
from collections.abc import Mapping, Sequence

from bot.match.results import counted
from bot.standings.ratings import RatedMatch, RatedSeat
from bot.store import Finished, LogRow, NewMatch, Result, Store
from sandbox import Person

PALACE = "palace"


async def begin_match(
    store: Store, guild: int, people: Sequence[Person], at: int, *, game: str = PALACE, channel: int = 1
) -> int:
    """Store a match of these people that is in play since that time."""
    host = people[0].id
    new = NewMatch(game, 1, "{}", "seed", guild, channel, host, at)
    match = (await store.create(new, [LogRow(1, "join", None, host, "x", at)], {})).id
    await store.append(match, [], phase="play", started=at)
    return match


async def end_match(
    store: Store,
    match: int,
    guild: int,
    people: Sequence[Person],
    at: int,
    *,
    game: str = PALACE,
    placings: Sequence[int] = (),
    names: Sequence[str] = (),
    facts: Mapping[str, int] | None = None,
    computers: int = 0,
    rated: bool = True,
    left: Sequence[int] = (),
) -> None:
    """Store the end of a match: by default these people came first, second and so on. `facts` are those of the first
    person. `left`: seats that have not finished it."""
    placings = placings or range(1, len(people) + 1)
    names = names or [person.name for person in people]
    results = [
        Result(
            match=match,
            seat=seat,
            guild=guild,
            game=game,
            user=person.id,
            name=names[seat],
            placing=placings[seat],
            score=0,
            players=len(people) + computers,
            ended=at,
            facts=json.dumps(facts or {}) if seat == 0 else "{}",
            finished=int(seat not in left),
        )
        for seat, person in enumerate(people)
    ]
    seats = tuple(RatedSeat(seat, placings[seat], None, False) for seat in range(len(people)))
    finished = counted(results, RatedMatch(game, seats)) if rated else Finished(results)
    await store.append(match, [], phase="over", ended=at, finished=finished)
    await store.update_match(match, published=1)
