"""How long a table waits, the deadlines that follow from how it stands, and what becomes of who misses one."""

from collections.abc import Mapping

from bot.match.entries import Caretaker, Close, CloseReason, Overdue, Remind
from bot.match.state import LogEntry, TableState
from bot.match.times import Times
from games.chance import drawn

TABLE = -1
"""The seat under which the store keeps the clock of the table itself."""
DUE = -2
"""The seat under which it keeps when the game does something by itself. The match knows that time, so no absence puts
it off."""

IDLE = 10
"""A table with nobody there waits so many moves' time before it closes."""


def third(state: TableState, times: Times) -> int:
    """The last part of a turn, which a reminder announces; the table's vote on an overdue seat takes as long."""
    return times.move(state.pace) // 3


def idle(state: TableState, times: Times) -> int:
    """How long a match waits when nobody is there."""
    return times.move(state.pace) * IDLE


def alone(state: TableState) -> bool:
    """Return whether one person is there and computers play all other seats, so that no time runs."""
    present = state.present()
    return len(present) == 1 and all(
        state.mind(seat) for seat in range(len(state.players)) if seat not in present
    )


def deadlines(
    state: TableState, before: TableState, clocks: Mapping[int, int], now: int, times: Times
) -> dict[int, int]:
    """By seat, after a step: a new deadline for each new question, the old one for a question still open.

    With nobody there only the table's own clock runs: computers never play on for nobody. It also runs, for long, when
    the table waits for somebody who is alone with computers, and for nothing and nobody else.
    """
    if state.phase == "lobby":
        return {TABLE: clocks.get(TABLE, now + times.lobby)}
    if state.phase == "play" and not state.present():
        deserted = before.phase == "play" and not before.present()
        waited = now + idle(state, times)
        return {TABLE: clocks.get(TABLE, waited) if deserted else waited}
    due = state.due()
    waits = {} if due is None else {DUE: due}
    unhurried = state.present() if alone(state) else []
    if due is None and set(unhurried) & {*state.awaited()}:
        waits[TABLE] = now + max(times.alone, idle(state, times))
    for seat in {*state.awaited()}.difference(unhurried):
        waits[seat] = now + _wait(state, seat, times)
        if seat in clocks and _question(before, seat) == _question(state, seat):
            waits[seat] = min(waits[seat], clocks[seat])
    return waits


def on_deadline(
    state: TableState, clocks: Mapping[int, int], seat: int, now: int, times: Times
) -> list[LogEntry]:
    """What a deadline comes to that has come: of a person, or of the table itself. (Computers just answer.)"""
    if seat < 0:
        return [Close(reason)] if (reason := _closing(state)) else []
    stage = state.stage(seat)
    late = tuple(
        other for other, due in clocks.items() if due <= now and other >= 0 and state.stage(other) == stage
    )
    match stage:
        case "turn":
            return [Remind(third(state, times), late)]
        case "reminded":
            deserted = set(state.present()) <= {*late}
            return [Overdue((idle if deserted else third)(state, times), late)]
    return [Caretaker(late)]


def _closing(state: TableState) -> CloseReason | None:
    """Return why the deadline of the table itself closes it; None when it was that of the game."""
    if state.phase == "lobby":
        return CloseReason.NOT_STARTED
    if not state.present():
        return CloseReason.NOBODY_THERE
    return CloseReason.ASLEEP if alone(state) and state.due() is None else None


def _question(state: TableState, seat: int) -> object:
    return state.prompts[seat], state.stage(seat), state.pace


def _wait(state: TableState, seat: int, times: Times) -> int:
    last = third(state, times)
    match state.stage(seat):
        case "computer":
            return moment(state, seat, times)
        case "turn":
            return times.move(state.pace) - last
    return last


def moment(state: TableState, seat: int, times: Times) -> int:
    """Ms until a computer answers. It follows from the match and the question's number, never from the cards."""
    least, most = times.computer
    return least + drawn(64, state.seed, f"moment {seat}", state.prompts[seat]) * (most - least) // 64
