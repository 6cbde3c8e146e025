"""The results of a finished match, computed from its whole log."""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.match.entries import Move
from bot.match.state import Logged, Player, TableState
from bot.program import PROGRAM
from bot.standings.milestones import earn, progress_of, titles
from bot.standings.ratings import (
    START_MU,
    START_SIGMA,
    Change,
    RatedMatch,
    RatedSeat,
    Rating,
    new_label,
    rate,
    rating_of,
    reason,
)
from bot.store import AloneResult, Earn, Finished, Match, ProgressRow, Rate, RatingRow, RatingStep, Result
from games import AnyGame, Event, Outcome
from games.sides import side_placings

log = logging.getLogger(__name__)


def finished(match: Match, game: AnyGame, entries: Iterable[Logged]) -> Finished:
    """Return what follows from the end of a match, from its whole log. A match of one person counts for nobody else."""
    state = TableState.of(match, game)
    events: list[Event] = []
    moves = _Moves()
    for logged in entries:
        moves.count(state, logged)
        events += [event for event in state.apply(logged) if event.to is None]
    outcome = state.outcome()
    people = [seat for seat, player in enumerate(state.players) if player.user]
    if len(people) < 2:
        seat = people[0]
        return Finished((), alone=AloneResult(outcome.placings[seat], outcome.scores[seat], state.at))
    results = [
        Result(
            match=match.id,
            seat=seat,
            guild=match.guild,
            game=match.game,
            user=state.players[seat].user,
            name=state.players[seat].name,
            placing=outcome.placings[seat],
            score=outcome.scores[seat],
            players=len(state.players),
            ended=state.at,
            facts=_facts(game, events, seat),
            finished=int(_has_finished(state, moves, seat)),
        )
        for seat in people
    ]
    rated = _rated(state, outcome, moves)
    return Finished(results) if rated is None else counted(results, rated)


def counted(results: Sequence[Result], rated: RatedMatch) -> Finished:
    """Return what follows from the end of a rated match."""
    return Finished(results, rated.pool, rated.to_json(), rating(results, rated), earning(results, rated))


def _facts(game: AnyGame, events: Sequence[Event], seat: int) -> str:
    """Return the game's facts as JSON; none when they cannot be computed, as the last move must not fail for that."""
    try:
        return json.dumps(game.facts(events, seat), separators=(",", ":"))
    except Exception:
        log.exception("no facts of %s were stored; mend them, then run `%s recount`", game.title, PROGRAM)
        return "{}"


def _has_finished(state: TableState, moves: "_Moves", seat: int) -> bool:
    """Return whether a person finished the match. A person who came back did, however long they were away."""
    if seat in state.gone:
        return False
    return seat not in state.away or not moves.is_replaced(seat, state.players[seat])


class _Moves:
    """Numbers of moves by seat, for the players who have the seats at the end."""

    def __init__(self) -> None:
        self._own = Counter[int]()
        self._caretaker = Counter[int]()
        self._players: dict[int, Player] = {}

    def count(self, state: TableState, logged: Logged) -> None:
        """Count an entry if it is a move. `state` is the table before it."""
        if not isinstance(logged.entry, Move):
            return
        seat = logged.entry.seat
        if self._players.get(seat) != state.players[seat]:  # somebody has taken the seat
            self._players[seat] = state.players[seat]
            self._own[seat] = self._caretaker[seat] = 0
        by_player = logged.entry.user == state.players[seat].user
        (self._own if by_player else self._caretaker)[seat] += 1

    def is_replaced(self, seat: int, player: Player) -> bool:
        """Return whether a caretaker made more than half of the player's moves."""
        return self._players.get(seat) == player and self._caretaker[seat] > self._own[seat]


def _rated(state: TableState, outcome: Outcome, moves: _Moves) -> RatedMatch | None:
    """Return the input of the rating; None for a match that is not rated: practice, one side only, an unrated mode, or
    fewer than two people who made half of their moves themselves."""
    pool = state.game.pool(state.options)
    sides = state.game.sides(state.options, len(state.players))
    replaced = [moves.is_replaced(seat, player) for seat, player in enumerate(state.players)]
    playing = [seat for seat, player in enumerate(state.players) if player.user and not replaced[seat]]
    if pool is None or state.practice or len({*sides}) < 2 or len(playing) < 2:
        return None
    seats = zip(sides, outcome.placings, state.players, replaced, strict=True)
    return RatedMatch(
        pool,
        tuple(
            RatedSeat(side, placing, player.strength, bool(player.user and was_replaced))
            for side, placing, player, was_replaced in seats
        ),
    )


def rating(results: Sequence[Result], rated: RatedMatch) -> Rate:
    """Return the function that computes the ratings of the people in `results` after their match."""
    people = {result.seat: result for result in results}

    def new_rows(before: Mapping[int, RatingRow]) -> list[RatingRow]:
        # `before` may hold many more people: a recount passes everybody in the pool.
        rows = [before.get(people[seat].user) if seat in people else None for seat in range(len(rated.seats))]
        known = [rating_of(row) if row else None for row in rows]
        at = results[0].ended
        try:
            changes = rate(rated, known, at)
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
            for seat, change in enumerate(changes)
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
        seat: [*titles(progress_of(progress.get(player.user)), match)] for seat, player in enumerate(players)
    }
    return {seat: earned for seat, earned in found.items() if earned}


@dataclass(frozen=True, slots=True)
class RatingNote:
    """The words on one person's rating after a match."""

    seat: int
    label: str
    """The new rating and its change: "1540 +12"."""
    line: str
    """The reason of the change: "Alice +12: expected place 2.4 of 4, came 1st"."""


def rating_notes(match: Match, steps: Iterable[RatingStep], names: Sequence[str]) -> list[RatingNote]:
    """Return a note on the rating of each person after a match, the best placed first; none if it is not rated."""
    if match.rated is None:
        return []
    seats = RatedMatch.from_json(match.rated).seats
    sides = [seat.side for seat in seats]
    number = len({*sides})
    # Matches of older versions have the placings of players.
    placings = side_placings([seat.placing for seat in seats], sides)
    notes = []
    for step in steps:
        seat, after = seats[step.after.seat], rating_of(step.after)
        new = Rating(START_MU, START_SIGMA, 0, step.after.at)
        before = rating_of(step.before) if step.before else new
        change = Change(before, after, step.after.expected)
        team = number < len(seats)
        why = reason(change, placings[step.after.seat], number, team=team, replaced=seat.replaced)
        notes.append(RatingNote(step.after.seat, new_label(change), f"{names[step.after.seat]} {why}"))
    return sorted(notes, key=lambda note: seats[note.seat].placing)
