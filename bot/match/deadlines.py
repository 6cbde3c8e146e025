"""How long a table waits, the deadlines that follow from how it stands, and what becomes of who misses one."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.match.new_entry import NewEntry
from bot.match.state import Pace, TableState
from games.chance import drawn

TABLE = -1
"""The seat under which the store keeps the clock of the table itself."""
DUE = -2
"""The seat under which it keeps when the game does something by itself. The match knows that time, so no absence puts
it off."""

IDLE = 10
"""A table with nobody there waits so many moves' time before it closes."""

CLOSES = {
    "lobby": "nobody started it in time.",
    "play": "nobody was left to play; the match does not count.",
    "asleep": "nobody has moved for a day; the match does not count.",
}
"""By phase, and for a match that sleeps: why a table closes whose own clock has run out."""

UNITS = ((86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"))


@dataclass(frozen=True, slots=True)
class Times:
    """How long the table waits, in ms: for a move at each pace, for a lobby to fill, before a computer answers."""

    live: int = 90_000
    relaxed: int = 3_600_000
    correspondence: int = 86_400_000
    lobby: int = 3_600_000
    alone: int = 86_400_000
    """Until a match closes in which somebody alone among computers has not moved."""
    # One length for every table: computers are marked, so they need not pass for people, and a person who waits for
    # three of them in a row waits four seconds. Shorter, and nobody could follow what they do.
    computer: tuple[int, int] = (800, 1_500)
    """At least, and less than, whatever they hold."""

    def move(self, pace: Pace) -> int:
        """For a move at this pace."""
        length: int = getattr(self, pace)
        return length


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
) -> list[NewEntry]:
    """What a deadline comes to that has come: of a person, or of the table itself. (Computers just answer.)"""
    if seat < 0:
        return [NewEntry("close", body=CLOSES[reason])] if (reason := _closing(state)) else []
    stage = state.stage(seat)
    late = [
        other for other, due in clocks.items() if due <= now and other >= 0 and state.stage(other) == stage
    ]
    match stage:
        case "turn":
            return [NewEntry("remind", body=_numbers(third(state, times), *late))]
        case "reminded":
            deserted = set(state.present()) <= {*late}
            return [NewEntry("overdue", body=_numbers((idle if deserted else third)(state, times), *late))]
    return [NewEntry("caretaker", body=_numbers(*late))]


def _closing(state: TableState) -> str:
    """Why a table closes whose own clock has come: a key of CLOSES, "" when only what is due by itself happens."""
    if state.phase != "play" or not state.present():
        return state.phase
    return "asleep" if alone(state) and state.due() is None else ""


def _numbers(*numbers: int) -> str:
    return " ".join(map(str, numbers))


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


def spelled(ms: int) -> str:
    """A length of time in words, in the largest unit of which it is a whole number: "20 minutes", "90 seconds"."""
    size, unit = next(((size, unit) for size, unit in UNITS if ms and ms % size == 0), UNITS[-1])
    number = ms // size
    return f"{number} {unit}{'s' * (number != 1)}"
