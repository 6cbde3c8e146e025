"""Deciding ahead: a person whose turn it is not chooses what to play when it comes. Nobody else learns of it.

The move is then played by itself, after the pause of a computer (`bot.match.deadlines`), if it is legal; if not, its
person is asked as usual. `TableState` drops it when the round ends or somebody else plays the seat.
"""

from collections.abc import Sequence
from typing import Final

from bot.match.entries import Ahead
from bot.match.refusal import Refusal
from bot.match.state import TableState
from bot.match.table import AWAY, LEFT, Stale, Table
from games import Illegal
from games.types import Action, Seat

MOST: Final = 8
"""Maximum number of times that a person decides ahead for the same decision: each is an entry of the log."""
ENOUGH: Final = (
    f"You have chosen {MOST} times for this turn, so it cannot be changed any more. `Ask me` takes back what stands, "
    "and you choose when your turn comes."
)


def may_decide(state: TableState, seat: Seat) -> Sequence[Action]:
    """Return what the player of a seat may decide ahead; nothing if they need not wait for another person."""
    waits = state.phase == "play" and seat not in state.awaited() and not state.strength_at(seat)
    others = [other for other in state.present() if other != seat]
    return state.game.ahead(state.game_state, seat) if waits and others else ()


def moment(state: TableState, seat: Seat) -> str:
    """Return the number of a seat's decision and of the round, for menus: one of another moment is stale."""
    return f"{state.prompts[seat]}.{state.rounds}"


async def decide(table: Table, user: int, text: str, at: int, asked: str) -> None:
    """Note what a person plays when their turn comes; "" takes it back. `asked` is the `moment` of their menu.

    Raises Refusal, and Stale for an older menu. Then nothing has changed.
    """
    async with table.changing(at):
        table.must_be_dealt()
        seat, state = table.seat(user), table.state
        if seat in state.gone:
            raise Refusal(LEFT)
        if text and seat in state.awaited() and seat in state.ahead:
            await table.commit(
                at, Ahead(seat, user)
            )  # they want another move than the one that would be played
        if text:
            _check(state, seat, text, asked)
        if text != state.ahead.get(seat, ""):
            if text and state.ahead_count.get(seat, 0) >= MOST:
                raise Refusal(ENOUGH)
            await table.commit(at, Ahead(seat, user, text))


def _check(state: TableState, seat: Seat, text: str, asked: str) -> None:
    """Raise Refusal unless a player may decide this ahead."""
    if seat in state.away:
        raise Refusal(AWAY)
    if seat in state.awaited():
        raise Refusal("It is your turn now, so nothing was decided ahead. Choose your move here.")
    if asked != moment(state, seat):
        raise Stale
    try:
        action = state.game.parse(text)
    except Illegal:
        raise Stale from None
    if action not in may_decide(state, seat):
        raise Refusal("That cannot be your next move any more. The menu shows what still can.")
