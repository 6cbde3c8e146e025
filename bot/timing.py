"""How long a table waits, the deadlines that follow from how it stands, and what becomes of who misses one."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.draft import Draft
from bot.sitting import Pace, Sitting
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


def third(sitting: Sitting, times: Times) -> int:
    """The last part of a turn, which a reminder announces; the table's vote on an overdue seat takes as long."""
    return times.move(sitting.pace) // 3


def idle(sitting: Sitting, times: Times) -> int:
    """How long a match waits when nobody is there."""
    return times.move(sitting.pace) * IDLE


def alone(sitting: Sitting) -> bool:
    """Return whether one person is there and computers play all other seats, so that no time runs."""
    present = sitting.present()
    return len(present) == 1 and all(
        sitting.mind(seat) for seat in range(len(sitting.players)) if seat not in present
    )


def deadlines(
    sitting: Sitting, before: Sitting, clocks: Mapping[int, int], now: int, times: Times
) -> dict[int, int]:
    """By seat, after a step: a new deadline for each new question, the old one for a question still open.

    With nobody there only the table's own clock runs: computers never play on for nobody. It also runs, for long, when
    the table waits for somebody who is alone with computers, and for nothing and nobody else.
    """
    if sitting.phase == "lobby":
        return {TABLE: clocks.get(TABLE, now + times.lobby)}
    if sitting.phase == "play" and not sitting.present():
        deserted = before.phase == "play" and not before.present()
        waited = now + idle(sitting, times)
        return {TABLE: clocks.get(TABLE, waited) if deserted else waited}
    due = sitting.due()
    waits = {} if due is None else {DUE: due}
    unhurried = sitting.present() if alone(sitting) else []
    if due is None and set(unhurried) & {*sitting.awaited()}:
        waits[TABLE] = now + max(times.alone, idle(sitting, times))
    for seat in {*sitting.awaited()}.difference(unhurried):
        waits[seat] = now + _wait(sitting, seat, times)
        if seat in clocks and _question(before, seat) == _question(sitting, seat):
            waits[seat] = min(waits[seat], clocks[seat])
    return waits


def tolled(sitting: Sitting, clocks: Mapping[int, int], seat: int, now: int, times: Times) -> list[Draft]:
    """What a deadline comes to that has come: of a person, or of the table itself. (Computers just answer.)"""
    if seat < 0:
        return [Draft("close", body=CLOSES[reason])] if (reason := _closing(sitting)) else []
    stage = sitting.stage(seat)
    late = [
        other for other, due in clocks.items() if due <= now and other >= 0 and sitting.stage(other) == stage
    ]
    match stage:
        case "turn":
            return [Draft("remind", body=_numbers(third(sitting, times), *late))]
        case "reminded":
            deserted = set(sitting.present()) <= {*late}
            return [Draft("overdue", body=_numbers((idle if deserted else third)(sitting, times), *late))]
    return [Draft("caretaker", body=_numbers(*late))]


def _closing(sitting: Sitting) -> str:
    """Why a table closes whose own clock has come: a key of CLOSES, "" when only what is due by itself happens."""
    if sitting.phase != "play" or not sitting.present():
        return sitting.phase
    return "asleep" if alone(sitting) and sitting.due() is None else ""


def _numbers(*numbers: int) -> str:
    return " ".join(map(str, numbers))


def _question(sitting: Sitting, seat: int) -> object:
    return sitting.prompts[seat], sitting.stage(seat), sitting.pace


def _wait(sitting: Sitting, seat: int, times: Times) -> int:
    last = third(sitting, times)
    match sitting.stage(seat):
        case "computer":
            return moment(sitting, seat, times)
        case "turn":
            return times.move(sitting.pace) - last
    return last


def moment(sitting: Sitting, seat: int, times: Times) -> int:
    """Ms until a computer answers. It follows from the match and the question's number, never from the cards."""
    least, most = times.computer
    return least + drawn(64, sitting.seed, f"moment {seat}", sitting.prompts[seat]) * (most - least) // 64


def spelled(ms: int) -> str:
    """A length of time in words, in the largest unit of which it is a whole number: "20 minutes", "90 seconds"."""
    size, unit = next(((size, unit) for size, unit in UNITS if ms and ms % size == 0), UNITS[-1])
    number = ms // size
    return f"{number} {unit}{'s' * (number != 1)}"
