"""Near misses: by how many milliseconds a click came too late for a set."""

from typing import Final

from bot.match.announcements import names
from bot.match.table import Table
from games import Illegal
from games.twin_it.actions import FIRST, parts
from games.twin_it.events import SetWon

WITHIN: Final = 1_000
"""Milliseconds after a set was won in which a click on one of its faces counts as a near miss."""


def note_near_miss(table: Table, user: int, move: str, at: int) -> str:
    """Return a sentence about a near miss and add it to the notes on the set at the live table; "" for any other click.

    `move` is the text of the refused move, `at` its time in ms. Only a player's first click on a set
    counts: for later ones the same sentence is returned.
    """
    seat, found = table.seat(user), _set_with(table, move)
    if found is None:
        return ""
    n, event = found
    if table.state.game_state.side(seat) == event.side or not 0 <= at - event.at <= WITHIN:
        return ""
    line = f"{names(table.state)[seat]} was {at - event.at} ms late."
    return table.board_notes.setdefault((n, seat), line)


def _set_with(table: Table, move: str) -> tuple[int, SetWon] | None:
    """Return the won set that had the face of a move, with the number of its log entry; None if there is none."""
    try:
        action = table.state.game.parse(move)
    except Illegal:
        return None
    if action < FIRST:
        return None
    for item in reversed(table.pages.live.items):
        if isinstance(item.event, SetWon) and parts(action)[0] in item.event.gone:
            return item.n, item.event
    return None
