"""Clicks that came too late for a set, and by how many ms."""

from typing import Final

from bot.match.announcements import names
from bot.match.table import Table
from games import Illegal
from games.twin_it.actions import FIRST, parts
from games.twin_it.events import SetWon

WITHIN: Final = 1_000
"""Ms after a set was taken in which a click on one of its faces counts as a near miss."""


def missed(table: Table, user: int, move: str, at: int) -> str:
    """Return a sentence about a move at `at` (ms) that came too late for a set, and add it to the live table's remarks;
    "" if it missed none. Of several clicks of a player on one set, the first counts."""
    seat, found = table.seat(user), _taken(table, move)
    if found is None:
        return ""
    n, event = found
    if table.state.game_state.side(seat) == event.side or not 0 <= at - event.at <= WITHIN:
        return ""
    line = f"{names(table.state)[seat]} was {at - event.at} ms late."
    return table.remarks.setdefault((n, seat), line)


def _taken(table: Table, move: str) -> tuple[int, SetWon] | None:
    """Return the set that took the face which a move is about, and the number of its log entry."""
    try:
        action = table.state.game.parse(move)
    except Illegal:
        return None
    if action < FIRST:
        return None
    for item in reversed(table.story.live.items):
        if isinstance(item.event, SetWon) and parts(action)[0] in item.event.gone:
            return item.n, item.event
    return None
