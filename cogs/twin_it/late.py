"""By how much a click missed a set: what people at a real table ask each other."""

from typing import Final

from bot.narration import Aside, names
from bot.table import Table
from games.twin_it.actions import FIRST, parts
from games.twin_it.events import SetWon

WITHIN: Final = 1_000
"""Ms after a set was taken in which a click on a face of it was meant for the same."""


def missed(table: Table, user: int, action: int, at: int) -> str:
    """A sentence on a click at `at` (ms) that came too late for a set, kept on the board with the word on that set; ""
    where there is nothing to tell. Of somebody's clicks on one set the first counts."""
    seat, found = table.seat(user), _taken(table, action)
    if found is None:
        return ""
    aside, event = found
    if table.sitting.state.side(seat) == event.side or not 0 <= at - event.at <= WITHIN:
        return ""
    line = f"{names(table.sitting)[seat]} was {at - event.at} ms late."
    return aside.added.setdefault(seat, line)


def _taken(table: Table, action: int) -> tuple[Aside, SetWon] | None:
    """The set that took the face which an action is about, and what was said of it lately."""
    for aside in table.lately:
        for event in aside.word.events:
            if isinstance(event, SetWon) and action >= FIRST and parts(action)[0] in event.gone:
                return aside, event
    return None
