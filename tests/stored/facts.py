"""Plain facts about stored tables.

Facts are lines of text that say nothing about wording: names of kinds and events, numbers, and the texts of actions.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import astuple, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from bot.match.announcements import announce
from bot.match.call import call
from bot.match.log import read
from bot.match.pages import PublicItem, lines
from bot.match.state import TableState
from bot.match.table import Table
from bot.match.tables import Tables
from bot.match.times import Times
from bot.store import Match, open_store
from games.contract import Outcome
from games.types import SEATS, Seat

MOST_LISTED = 40
"""Most legal actions of a seat that are listed. If there are more, only their number and a digest are."""


@asynccontextmanager
async def tables_of(file: Path, now: Callable[[], int], **chance: Any) -> AsyncIterator[Tables]:
    """Open the file with the real store until the end of the block. No click waits for earlier ones."""
    store = await open_store(file)
    try:
        yield Tables(store, now, times=Times(hold=0), **chance)
    finally:
        await store.close()


FIRST = 8
"""Number of preferences in the first release. In its database those that came later have their usual values."""


async def general_facts(tables: Tables, users: Iterable[int], guild: int) -> list[str]:
    """Return the facts that belong to no single match: the seats of people, standings, preferences."""
    store = tables.store
    await tables.load()
    wishes = [(user, astuple(await store.preferences(user))) for user in sorted(users)]
    return [
        *(
            _line("open", match.id, tables.here(match.place or match.channel))
            for match in await store.open_matches()
        ),
        *(_line("member", match, user, tables.seated(user)) for match, user in await store.members()),
        _line("untold", [match.id for match in await store.unpublished()]),
        _line("timed", await store.with_game_deadlines()),
        *(_line("due", *due) for due in await store.due_deadlines(2**62)),
        *(
            _line("standing", each.user, each.name, each.matches, each.wins, each.mean_placing)
            for each in (await store.leaderboard(guild))[:20]
        ),
        *(_line("preferences", user, *each[:FIRST]) for user, each in wishes),
        _line("last beat", await store.last_heartbeat()),
    ]


async def match_facts(tables: Tables, match: Match) -> list[str]:
    """Return the facts about one match: its row, its table as loaded, and what each entry of its log did."""
    table = await tables.get(match.id)
    return [
        # 0.1.0 did not keep the options that were played.
        _line("row:", *astuple(match)[:-1], *[match.played_options] * (match.played_options is not None)),
        *(f"{name}: {_text(value)}" for name, value in _standing(table.state, MOST_LISTED).items() if value),
        _line("deadlines:", table.deadlines),
        _line("open:", table.is_open),
        _line("public items:", table.pages.public_number),
        # Of calls in 0.1.0 it was not known who slept.
        *(
            _line("post:", *astuple(post)[1:-1], *[post.asleep] * (post.asleep > 0))
            for post in table.posts.values()
        ),
        *(_line("called:", *part) for part in _called(table.state, tables)),
        *await _log_facts(tables, table),
    ]


async def story_lines(tables: Tables, match: int) -> list[str]:
    """Return the public record of a match as people read it."""
    table = await tables.get(match)
    public: list[PublicItem] = []
    state = _empty(table)
    for row in await tables.store.log(match):
        logged = read(row)
        public += announce(state, logged, state.apply(logged), tables.clock.times)
    return "\n".join(lines(public, state.game)).split("\n")


def _empty(table: Table) -> TableState:
    return TableState.of(table.match, table.state.game)


async def _log_facts(tables: Tables, table: Table) -> list[str]:
    """Return a line for each entry, with a digest of the entry, its events and the state after it."""
    state, found = _empty(table), []
    for row in await tables.store.log(table.id):
        logged = read(row)
        events = state.apply(logged)
        named = [(type(each).__name__, _plain(each)) for each in (logged.entry, *events)]
        if row.kind == "start" and row.seat is None:
            del named[0][1]["winner"]  # 0.1.0 did not keep the winner of the match before
        found.append(f"{row.n} {row.kind} {_digest([named, _standing(state, 10**6)])}")
    return found


def _standing(state: TableState, most: int) -> dict[str, Any]:
    """Return the state after a log, under names that belong to this module."""
    seats = SEATS[: len(state.players)]
    polls = {
        number: [each.seats, each.pace, each.votes, each.n, each.left] for number, each in state.polls.items()
    }
    dealt = state.game_state is not None
    return {
        "phase": state.phase,
        "players": [[player.user, player.name, player.strength] for player in state.players],
        "people": state.people(),
        "present": state.present(),
        "pace": state.pace,
        "practice": state.practice,
        "polls": polls,
        "number of polls": state.polled,
        "polls settled by the last entry": sorted(state.ended_polls),
        "offers": {seat: [user, state.offered[seat]] for seat, user in state.offers.items()},
        "offer ended by the last entry": state.offer_ended,
        "away": sorted(state.away),
        "gone": sorted(state.gone),
        "overdue": sorted(state.overdue),
        "reminded": sorted(state.reminded),
        "last reminder": state.reminder and [state.reminder.n, state.reminder.left, state.reminder.seats],
        "seat whose hand a user has seen": state.held,
        "entry and time that asked a seat": state.called,
        "last move of a user": state.moved,
        "prompts": state.prompts,
        "asked by the last entry": sorted(state.changed),
        "awaited": state.awaited(),
        "stages": {seat: state.stage(seat) for seat in state.awaited()},
        "strengths": [state.strength_at(seat) for seat in seats],
        "due": state.due(),
        "legal": {seat: _legal(state, seat, most) for seat in seats},
        "outcome": _plain(state.game.outcome(state.game_state)) if dealt else None,
        "winner": state.winner,
        "entries": [state.n, state.at],
    }


def _legal(state: TableState, seat: Seat, most: int) -> object:
    texts = [state.game.text(action) for action in state.legal(seat)]
    return texts if len(texts) <= most else f"{len(texts)} actions, {_digest(texts)}"


def _called(state: TableState, tables: Tables) -> list[list[object]]:
    """Return the parts of the call below the table without their text."""
    parts = call(state, tables.clock.times).parts
    return [[part.n, part.users, part.urgent, part.due, [link[1:] for link in part.links]] for part in parts]


# Text


def _plain(thing: Any) -> Any:
    """Return the same as lists, dicts, numbers and strings. Sentences of an outcome are left out."""
    if isinstance(thing, Outcome):
        return {"placings": thing.placings, "scores": thing.scores}
    if isinstance(thing, Enum):
        return thing.name
    if is_dataclass(thing) and not isinstance(thing, type):
        return {field.name: _plain(getattr(thing, field.name)) for field in fields(thing) if field.compare}
    if isinstance(thing, dict):
        return {str(key): _plain(thing[key]) for key in sorted(thing)}
    if isinstance(thing, (set, frozenset)):
        return sorted(thing)
    return [_plain(each) for each in thing] if isinstance(thing, (list, tuple)) else thing


def _text(thing: Any) -> str:
    return json.dumps(_plain(thing), ensure_ascii=True)


def _digest(thing: Any) -> str:
    return hashlib.sha256(_text(thing).encode()).hexdigest()[:8]


def _line(name: str, *values: Any) -> str:
    return " ".join([name, *map(_text, values)])


async def all_matches(tables: Tables) -> list[Match]:
    """Return the rows of all matches, oldest first."""
    found: list[Match] = []
    while match := await tables.store.match(len(found) + 1):
        found.append(match)
    return found
