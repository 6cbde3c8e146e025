"""Public announcements: events of the game, the lines of the table itself, and whose turn it is.

All of it is computed from the log, so a late post or one after a restart has the same text.
"""

from collections.abc import Collection, Sequence

from bot.match.names import seat_names
from bot.match.pages import PublicItem
from bot.match.state import Logged, TableState
from bot.match.times import Times
from games import Event
from games.letters import ROBOT
from games.phrases import whose_turn
from games.types import Seat, with_seats

Link = tuple[str, str, str]
"""A button below a message: its label, and the verb and the rest of its custom id."""

BACK: Link = ("I'm back", "back", "")


def taking(seat: Seat, name: str) -> Link:
    """Return the button that takes a seat whose player has left."""
    return (f"Take {name}'s seat", "take", str(seat))


def names(state: TableState) -> list[str]:
    """Return the present names at the table by seat, safe to print. In a match, people for whom a computer plays have
    its mark."""
    return seat_names(state.seated if state.phase == "play" else state.players)


def final_names(state: TableState, substituted: Collection[int]) -> list[str]:
    """Return the names by seat for a result: "🤖 for Ben" where a seat was left to computers."""
    return [f"{ROBOT} for {name}" if seat in substituted else name for seat, name in with_seats(names(state))]


def announce(state: TableState, logged: Logged, events: Sequence[Event], times: Times) -> list[PublicItem]:
    """Return what an entry of the log adds to the public record: the game's events, then the table's own line. `state`
    is the table after it, `events` are those of the game."""
    if state.game_state is None:
        return []  # a lobby has no record, only its card
    items = [PublicItem(logged.n, state.seated, event) for event in events if event.to is None]
    line = logged.entry.announcement(state, times)
    return [*items, PublicItem(logged.n, state.seated, line=line)] if line else items


def turn(state: TableState, own: int | None = None) -> str:
    """Return whose turn it is and what to do, as everybody reads it or the player at the seat `own`: "**Alice's turn**
    · play two cards"; "" when nobody is awaited."""
    return whose_turn(state.awaited(), names(state), own, task(state))


def task(state: TableState) -> str:
    """Return what the awaited players are asked; "" when nobody is awaited."""
    if state.phase != "play":
        return ""
    view = state.game.view(state.game_state, None)
    return state.game.words.question(view, names(state)) or state.game.words.task(view)


def poll_result(state: TableState, times: Times) -> str:
    """Return the result of the poll or offer that the last entry ended; "" when it ended none."""
    if state.last is None or not (state.ended_polls or state.offer_ended):
        return ""
    return state.last.ending(state, times)
