"""The answers of computers at a table without a place: at once, in the transaction of the person's move.

They depend neither on the load nor on the time: equal moves at equal deals get equal answers. Tables with a place have
`bot.computers` instead, with pauses that people can follow.
"""

import hashlib
import logging
from collections.abc import Iterator, Sequence

from bot.match.entries import Move
from bot.match.log import numbered
from bot.match.state import LogEntry, Logged, TableState
from games.strategies import choose
from games.types import Action, Seat

log = logging.getLogger(__name__)


def answer_seed(state: TableState, seat: Seat) -> str:
    """Return the seed of a computer's next decision. It reveals nothing about the match's seed."""
    source = f"{state.seed} answer {seat} {state.prompts[seat]}"
    return hashlib.sha256(source.encode()).hexdigest()


def answered(
    state: TableState, at: int, entries: Sequence[LogEntry], click: int | None = None
) -> Iterator[Logged]:
    """Yield `entries` as `numbered` does, then the moves of computers until a person is awaited or the match is over.
    The caller applies each before it asks for the next."""
    yield from numbered(state, at, entries, click)
    while (seat := next((seat for seat in state.awaited() if state.strength_at(seat)), None)) is not None:
        yield from numbered(state, at, [Move.of(state.game, seat, _choice(state, seat))])


def _choice(state: TableState, seat: Seat) -> Action:
    game, strength = state.game, state.strength_at(seat)
    assert strength is not None
    try:
        return choose(game, game.view(state.game_state, seat), strength, answer_seed(state, seat))
    except Exception:  # the person's move must not fail for that
        log.exception("a computer at %s could not choose a move, so it plays the fallback", game.title)
        return game.fallback(state.game_state, seat)
