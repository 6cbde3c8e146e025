"""The results of a finished match, computed from its whole log."""

import json
import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.match.attendance import Attendance, Part
from bot.match.names import own_name, seat_names
from bot.match.state import Logged, Player, TableState
from bot.program import PROGRAM
from bot.standings.milestones import earn, progress_of, titles
from bot.standings.ratings import (
    PILE,
    START_MU,
    START_SIGMA,
    Change,
    RatedMatch,
    RatedSeat,
    Rating,
    as_rated,
    new_label,
    rate,
    rating_of,
    reason,
    sides_of,
)
from bot.store import (
    FORMER,
    AloneResult,
    Earn,
    Finished,
    Match,
    ProgressRow,
    Rate,
    RatingRow,
    RatingStep,
    Result,
)
from games import AnyGame, Event, Outcome
from games.types import Seat, with_seats

log = logging.getLogger(__name__)

REPLACED: Final = "a computer made most of the moves"
"""Reason for which a person who has not left is rated as last."""
AWAY: Final = "they were away when the match ended"
"""The same in a match that the other one of two has won by staying longer."""


def finished(match: Match, game: AnyGame, entries: Iterable[Logged]) -> Finished:
    """Return what follows from the end of a match, from its whole log. A match of one person counts for nobody else."""
    state, attendance, events = _replayed(match, game, entries)
    outcome = state.outcome()
    scores = outcome.scores or (0,) * len(state.players)
    people = attendance.people(state)
    seats = {part.seat for part in people.values()}
    if len(seats) == 1:
        (seat,) = seats
        return Finished((), alone=AloneResult(outcome.placings[seat], scores[seat], state.at))
    last = {number for number, part in people.items() if _is_last(state, attendance, part)}
    rated = _rated(state, outcome, people, last)
    placings = [person.placing for person in rated.people]
    counts = state.pool is not None and any(
        attendance.has_played(part) for number, part in people.items() if number not in last
    )
    results = [
        Result(
            match=match.id,
            seat=number,
            guild=match.guild,
            game=match.game,
            user=part.player.user,
            name=part.player.name,
            placing=(placings[number] if counts or number not in last else 0) or len(state.players),
            score=scores[part.seat],
            players=len(state.players),
            ended=state.at,
            facts="{}" if number in last or state.winner else _facts(game, events, part.seat),
            finished=int(not _has_left(state, part) and not (part.seat in state.away and number in last)),
        )
        for number, part in people.items()
    ]
    return counted(results, rated) if counts else Finished(results)


class Compared(NamedTuple):
    """A match of a game night that has ended, as it is compared with others."""

    rated: RatedMatch | None
    """None without a result."""
    users: Mapping[int, int]
    """By person: their number in the result (see `Result.seat`)."""
    scores: Sequence[int]
    """By seat; empty when there are none to compare."""
    left: Collection[int]
    """The people who have left."""
    away: Collection[int]
    """The people who were away at the end."""


def compared(match: Match, game: AnyGame, entries: Iterable[Logged]) -> Compared:
    """Return what a match of a game night has given, from its whole log. One person alone with computers counts."""
    state, attendance, _ = _replayed(match, game, entries)
    left, away = [*state.left], [state.players[seat].user for seat in state.away]
    if state.phase != "over":
        return Compared(None, {}, (), left, away)
    outcome, people = state.outcome(), attendance.people(state)
    last = {number for number, part in people.items() if _is_last(state, attendance, part)}
    users = {part.player.user: number for number, part in people.items()}
    return Compared(_rated(state, outcome, people, last), users, outcome.scores, left, away)


def outlasting(match: Match, game: AnyGame, entries: Iterable[Logged], since: int) -> int:
    """Return who has won if the match closes now, 0 for nobody (see `Attendance.winner`)."""
    state, attendance, _ = _replayed(match, game, entries)
    return attendance.winner(state, since)


def counts_for(match: Match, game: AnyGame, entries: Iterable[Logged], user: int) -> bool:
    """Return whether the result counts for a person who leaves now: not if they took a seat and hardly played it."""
    return _replayed(match, game, entries)[1].counts_for(user)


def played(match: Match, game: AnyGame, entries: Iterable[Logged]) -> tuple[list[Event], set[Seat]]:
    """Return the public events of a match, and the seats that were left to computers (see `Attendance`)."""
    state, attendance, events = _replayed(match, game, entries)
    return events, attendance.left_to_computers(state)


def _replayed(
    match: Match, game: AnyGame, entries: Iterable[Logged]
) -> tuple[TableState, Attendance, list[Event]]:
    """Return the table after these entries, who took part, and the public events."""
    state, attendance = TableState.of(match, game), Attendance()
    events: list[Event] = []
    for logged in entries:
        events += [event for event in state.apply(logged) if event.to is None]
        attendance.follow(state, logged.entry)
    return state, attendance, events


def counted(results: Sequence[Result], rated: RatedMatch) -> Finished:
    """Return what follows from the end of a rated match."""
    since = results[0].ended - PILE
    return Finished(
        results, rated.pool, rated.to_json(), rating(results, rated), earning(results, rated), since=since
    )


def _facts(game: AnyGame, events: Sequence[Event], seat: Seat) -> str:
    """Return the game's facts as JSON; none when they cannot be computed."""
    try:
        return json.dumps(game.facts.count(events, seat), separators=(",", ":"))
    except Exception:  # the last move must not fail for that
        log.exception("no facts of %s were stored; mend them, then run `%s recount`", game.title, PROGRAM)
        return "{}"


def _has_left(state: TableState, part: Part) -> bool:
    """Return whether a person has left, or has lost because the other of two stayed longer."""
    return part.player.user != state.winner if state.winner else part.player.user in state.left


def _is_last(state: TableState, attendance: Attendance, part: Part) -> bool:
    """Return whether a person is rated as last: they left, or let a computer play most of the match, even if they came
    back."""
    return _has_left(state, part) or attendance.is_replaced(part)


def _rated(
    state: TableState, outcome: Outcome, people: Mapping[int, Part], last: Collection[int]
) -> RatedMatch:
    """Return the match as it would be rated."""
    seats = len(state.players)
    placed = zip(state.sides, outcome.placings, state.players, strict=True)
    return RatedMatch(
        state.pool or "",
        as_rated(
            [
                RatedSeat(side, placing, player.strength, replaced=seat in last)
                for seat, (side, placing, player) in with_seats(placed)
            ]
        ),
        tuple(part.seat for number, part in people.items() if number >= seats),
    )


def rating(results: Sequence[Result], rated: RatedMatch) -> Rate:
    """Return the function that computes the ratings of the people in `results` after their match."""
    people = {result.seat: result for result in results}

    def new_rows(before: Mapping[int, RatingRow], nth: int) -> list[RatingRow]:
        # `before` may hold many more people: a recount passes everybody in the pool.
        number = len(rated.seats) + len(rated.left)
        rows = [before.get(people[seat].user) if seat in people else None for seat in range(number)]
        known = [rating_of(row) if row else None for row in rows]
        at = results[0].ended
        try:
            changes = rate(rated, known, at, nth=nth)
        except Exception:  # as in `_facts`
            log.exception(
                "match %s was not rated; mend that, then run `%s recount`", results[0].match, PROGRAM
            )
            return []
        return [
            RatingRow(
                user=people[seat].user,
                pool=rated.pool,
                n=change.after.matches,
                match=people[seat].match,
                seat=seat,
                mu=change.after.mu,
                sigma=change.after.sigma,
                expected=change.expected,
                at=at,
            )
            for seat, change in with_seats(changes)
            if change is not None
        ]

    return new_rows


def earning(results: Sequence[Result], rated: RatedMatch) -> Earn:
    """Return the function that computes the milestones of the people in `results` after their match."""

    def new_rows(before: Mapping[int, ProgressRow]) -> list[ProgressRow]:
        try:
            return earn(before, results, rated)
        except Exception:  # as in `_facts`
            log.exception(
                "match %s earned no milestones; mend that, then run `%s recount`", results[0].match, PROGRAM
            )
            return []

    return new_rows


def milestones(
    match: int, progress: Mapping[int, ProgressRow], players: Sequence[Player]
) -> dict[int, list[str]]:
    """Return the milestones that were earned in a match, by seat; people without any are left out."""
    found = {
        seat: [*titles(progress_of(progress.get(player.user)), match)] for seat, player in with_seats(players)
    }
    return {seat: earned for seat, earned in found.items() if earned}


@dataclass(frozen=True, slots=True)
class RatingNote:
    """The words on one person's rating after a match."""

    seat: int
    """Number of the person, as in `Result.seat`."""
    label: str
    """The new rating and its change: "1540 +12"; "" when somebody else has the seat."""
    line: str
    """The reason of the change: "Alice +12: expected place 2.4 of 4, came 1st"."""


def rating_notes(
    match: Match,
    steps: Iterable[RatingStep],
    players: Sequence[Player],
    left: Mapping[int, Player] = MappingProxyType({}),
    nth: int = 1,
    winner: int = 0,
) -> list[RatingNote]:
    """Return a note on the rating of each person after a match, the best placed first; none if it is not rated.

    `left` and `winner` are as in TableState, `nth` as in `weight`."""
    if match.rated is None:
        return []
    rated = RatedMatch.from_json(match.rated)
    people = rated.people
    sides, who = len(sides_of(rated.seats)), seat_names(players)
    notes = []
    verb = "counts as" if any(person.replaced for person in people) else "came"
    for step in steps:
        user, number = step.after.user, step.after.seat
        person, after = people[number], rating_of(step.after)
        before = rating_of(step.before) if step.before else Rating(START_MU, START_SIGMA, 0, step.after.at)
        change = Change(before, after, step.after.expected)
        gone = left.get(user)
        sits = number < len(players) and (gone is None or players[number].user == user)
        last = ("they left" if gone else AWAY if winner else REPLACED) * person.replaced
        team = sides < len(rated.seats)
        why = reason(change, person.placing, sides, team=team, verb=verb, last=last, nth=nth)
        # The state can be older than the erasing of a person who has left.
        name = who[number] if sits else own_name(gone.name) if gone else FORMER
        notes.append(RatingNote(number, new_label(change) * sits, f"{name} {why}"))
    return sorted(notes, key=lambda note: people[note.seat].placing)
