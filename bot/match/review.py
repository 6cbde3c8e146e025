"""A look back at a match that was played to its end: who won, and the decisions that may have made it so."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.match.announcements import names
from bot.match.entries import Move
from bot.match.log import read
from bot.match.state import TableState
from bot.store import LogRow, Match
from games import AnyGame, Event, Options, Outcome
from games.types import Action, Seat


@dataclass(frozen=True, slots=True)
class Decision:
    """A move of a person who could have moved otherwise."""

    n: int
    """Number of decisions before. That of its entry would tell how many untold ones were."""
    seat: Seat
    name: str
    state: Any
    """State of the game before it."""
    legal: Sequence[Action]
    action: Action
    round: int
    """Number of rounds that had ended before."""
    since: int
    """Number of public events before."""


@dataclass(slots=True)
class Review:
    """A match and how it went."""

    game: AnyGame
    options: Options
    outcome: Outcome
    """With the places of sides."""
    names: tuple[str, ...]
    events: list[Event]
    """All public ones."""
    decisions: list[Decision] = field(default_factory=list)
    """Those of people, in order."""

    @property
    def winners(self) -> set[Seat]:
        return {Seat(seat) for seat, placing in enumerate(self.outcome.placings) if placing == 1}

    def deciding(self) -> list[Decision]:
        """Return the winners' decisions of the round in which they took the lead for good, the latest first; all of
        theirs in a game without rounds."""
        own = [each for each in self.decisions if each.seat in self.winners]
        decided = self.lead_taken(self.game.record.scores_by_round(self.events, self.options))
        return ([each for each in own if each.round == decided] or own)[::-1]

    def lead_taken(self, scores: Sequence[Sequence[int]]) -> int:
        """Return the number, from 0, of the round since which the winners were ahead. `scores`: those after each."""
        return max((number for number, row in enumerate(scores[:-1], 1) if not self._leads(row)), default=0)

    def _leads(self, scores: Sequence[int]) -> bool:
        """Return whether the winners, and nobody else, have the best of these scores."""
        own = {scores[seat] for seat in self.winners}
        others = {score for seat, score in enumerate(scores) if seat not in self.winners}
        final = self.outcome.scores
        low = min(final[seat] for seat in self.winners) < max(final)
        return not others or (max(own) < min(others) if low else min(own) > max(others))

    def course(self, decision: Decision) -> list[Event]:
        """Return the public events from a decision until the same player's next one, or the end of the round."""
        later = [each.since for each in self.decisions if each.seat == decision.seat and each.n > decision.n]
        found = self.events[decision.since : min(later, default=len(self.events))]
        end = next((at for at, each in enumerate(found, 1) if self.game.record.closes(each)), len(found))
        return found[:end]


def review(match: Match, game: AnyGame, log: Sequence[LogRow]) -> Review | None:
    """Return a look back at a match; None for one that was not played to its end."""
    state, events, decisions = TableState.of(match, game), list[Event](), list[Decision]()
    rounds = 0
    for row in log:
        logged = read(row)
        if isinstance(logged.entry, Move) and logged.entry.user is not None:
            decisions += _decision(state, len(decisions), logged.entry, rounds, len(events))
        told = [event for event in state.apply(logged) if event.to is None]
        events += told
        rounds += sum(map(game.record.closes, told))
    if state.phase != "over" or state.winner:
        return None
    return Review(game, state.options, state.outcome(), tuple(names(state)), events, decisions)


def _decision(state: TableState, n: int, move: Move, rounds: int, since: int) -> list[Decision]:
    """Return the decision of a move; nothing when no other move was possible, or when a choice was only changed."""
    legal = state.legal(move.seat)
    if len(legal) < 2 or move.seat not in state.awaited():
        return []
    before, action = state.game_state.copy(), state.game.parse(move.text)
    name = names(state)[move.seat]
    return [Decision(n, Seat(move.seat), name, before, tuple(legal), action, rounds, since)]
