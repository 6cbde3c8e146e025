"""Play at tables that were loaded from a file, with a clock that the caller moves."""

from collections.abc import Callable
from random import Random

from bot.match.deadlines import DUE
from bot.match.table import Table
from games import Illegal
from games.strategies import choose
from games.types import SEATS, Action, Seat

MENU = 25
"""Greatest number of legal actions from which one is drawn at random."""
PAUSE = 700
"""Ms between two actions."""
MOST = 3_000
"""Number of actions after which a match counts as endless."""


class Clock:
    """Discord's time in ms. It moves only when told to."""

    def __init__(self, time: int) -> None:
        self.time = time

    def __call__(self) -> int:
        return self.time


async def play(
    table: Table, clock: Clock, *, stop: Callable[[Table], bool] = lambda _: False, draw: bool = True
) -> int:
    """Play until the match ends or `stop` says so, and return the number of steps.

    Actions follow from the position alone: drawn at random, or the fallback where `draw` is false.
    """
    steps = 0
    while table.is_open and not stop(table):
        steps += 1
        assert steps < MOST, f"table {table.id} has no end"
        clock.time = max(clock.time, table.state.at) + PAUSE
        await step(table, clock, draw=draw)
    return steps


async def step(table: Table, clock: Clock, *, draw: bool = True) -> None:
    """Handle a deadline that has passed, or make one move. In a race people act only if `draw` is true."""
    state = table.state
    rng, due = Random(state.n), state.due()
    able = [seat for seat in SEATS[: len(state.players)] if state.legal(seat)] if draw else []
    seats = [*state.awaited()][:1] or able
    if due is not None and (due <= clock.time or not seats):
        clock.time = max(clock.time, due)
        await table.apply_deadline(DUE)
        return
    seat = rng.choice(seats)
    try:
        await act(table, seat, some_action(table, seat, rng, draw=draw), clock.time)
    except Illegal:
        assert state.game.real_time, "only a race knows moves that come too late"


async def act(table: Table, seat: Seat, action: Action, at: int) -> None:
    """Do an action in a seat: as its player, or as the computer that plays there."""
    state = table.state
    user, text = state.players[seat].user, state.game.text(action)
    if user and seat not in state.gone:
        await table.play(user, [text], at)
    else:
        await table.answer(seat, state.prompts[seat], text)


def some_action(table: Table, seat: Seat, rng: Random, *, draw: bool = True) -> Action:
    """Return a legal action: a sensible one in real time, else one drawn at random or the fallback."""
    state = table.state
    legal = state.legal(seat)
    if state.game.real_time:
        return choose(state.game, state.game.view(state.game_state, seat), "steady", state.n)
    if not draw or (len(legal) > MENU and rng.randrange(2)):
        return state.game.fallback(state.game_state, seat)
    return rng.choice(legal)
