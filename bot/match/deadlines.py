"""The deadlines of a table, and the log entries to append when one has passed."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from bot.match.entries import Caretaker, Close, CloseReason, Move, Overdue, Release, Remind
from bot.match.state import LogEntry, TableState
from bot.match.times import OLD_TIMES, Pace, Times
from bot.match.waking import DAY, LONGEST_AWAY, later, moved, time_up, wakes
from bot.store import Hours
from games.chance import drawn
from games.types import SEATS, Seat

TABLE = -1
"""Seat number under which the deadline of the table itself is stored."""
# An outage does not move it in a match: there it is part of the state of the game.
DUE = -2
"""Seat number of the time at which the game does something by itself; in a lobby, until which seats are kept."""

HoursOf: TypeAlias = Mapping[int, Hours | None]
"""By person: their hours; without a person, or None, for who has set none."""
NO_HOURS: Final[HoursOf] = MappingProxyType({})

IDLE = 10
"""A match with nobody present closes after this many times the time for a move."""


def reminder_time(state: TableState, times: Times) -> int:
    """Return the ms between the reminder and the end of a move's time; a vote on overdue seats takes as long."""
    return times.move(state.pace) // 3


def idle(state: TableState, times: Times) -> int:
    """Return the ms that a match waits when nobody is there."""
    return times.move(state.pace) * IDLE


def alone(state: TableState) -> bool:
    """Return whether one person is there and computers play all other seats."""
    present = state.present()
    return len(present) == 1 and all(
        state.strength_at(seat) for seat in SEATS[: len(state.players)] if seat not in present
    )


def closes(phase: str, deadlines: Mapping[int, int]) -> int | None:
    """Return the time in ms at which a table closes if nobody does anything; None while it waits for somebody else."""
    return deadlines.get(TABLE) if phase == "lobby" or len(deadlines) == 1 else None


def lobby_deadlines(
    deadlines: Mapping[int, int], now: int, times: Times, *, reserved: bool
) -> dict[int, int]:
    """Return the deadlines in ms of a lobby, old ones unchanged. Seats are kept in it if `reserved`."""
    waits = {TABLE: times.lobby} | {DUE: times.reserved} if reserved else {TABLE: times.lobby}
    return {seat: deadlines.get(seat, now + wait) for seat, wait in waits.items()}


def kept_until(people: Iterable[Hours | None], pace: Pace, now: int, times: Times) -> int:
    """Return until when seats are kept for people with these hours, in ms: at a slow pace until they have been awake
    for as long as a lobby stays open. Nobody waits so for somebody who wakes only after a day."""
    if pace == "live":
        return now + times.reserved
    awake = [later(each, now, times.lobby) for each in people if wakes(each, now) <= now + DAY]
    return max(awake, default=now + times.lobby)


def next_deadlines(
    state: TableState,
    before: TableState,
    deadlines: Mapping[int, int],
    now: int,
    times: Times,
    hours: HoursOf = NO_HOURS,
) -> dict[int, int]:
    """Return the deadlines in ms by seat after a step from `before` to `state`."""
    if state.phase == "lobby":
        return lobby_deadlines(deadlines, now, times, reserved=bool(state.reserved))
    if state.phase == "play" and not state.present():
        # Only the table itself has a deadline: computers shall not play on alone.
        deserted = before.phase == "play" and not before.present()
        waited = now + idle(state, times)
        return {TABLE: deadlines.get(TABLE, waited) if deserted else waited}
    due = state.due()
    waits = {} if due is None else {DUE: due}
    # Whoever plays alone with computers keeps nobody waiting, so no time runs for them.
    unhurried = state.present() if alone(state) else []
    # Their table closes, but only after a long time.
    if due is None and set(unhurried) & {*state.awaited()}:
        waits[TABLE] = now + max(times.alone, idle(state, times))
    # What was asked while people read how a round ended is due as if it had been asked after that.
    asked = max(now, state.read_until(times))
    for seat in {*state.awaited()}.difference(unhurried).union(_decided(state)):
        waits[seat] = _time_up(state, seat, asked, _wait(state, seat, times), hours)
        # A decision that is still open keeps its deadline.
        if seat in deadlines and _decision(before, seat) == _decision(state, seat):
            waits[seat] = min(waits[seat], deadlines[seat])
    return waits


def _time_up(state: TableState, seat: Seat, at: int, ms: int, hours: HoursOf) -> int:
    """Return when a time of `ms` ends that a seat has from `at` on: in which a person decides, it passes while they are
    awake."""
    person = hours.get(state.players[seat].user) if _is_to_decide(state, seat) else None
    return time_up(person, state.pace, at, ms, _patience(state, seat))


def _patience(state: TableState, seat: Seat) -> int:
    """Return until when the table waits in ms while an awaited person sleeps or is away. Whatever they say of that
    later, others go on some time."""
    _, asked = state.called.get(seat, (0, state.at))
    return asked + LONGEST_AWAY


def _is_to_decide(state: TableState, seat: Seat) -> bool:
    """Return whether an awaited seat waits for a person, and not for a move that plays by itself."""
    return state.stage(seat) not in ("computer", "ahead")


def move_ends(
    state: TableState, seat: Seat, deadlines: Mapping[int, int], times: Times, hours: HoursOf
) -> int | None:
    """Return the time in ms at which an awaited person is overdue; for people with hours also when their vote ends.
    Else return None."""
    stage = state.stage(seat)
    has_hours = hours.get(state.players[seat].user) is not None
    if state.pace == "live" or seat not in deadlines or not (stage in ("turn", "reminded") or has_hours):
        return None
    rest = reminder_time(state, times) if stage == "turn" else 0
    return _time_up(state, seat, deadlines[seat], rest, hours)


def with_hours(
    state: TableState, deadlines: Mapping[int, int], before: HoursOf, after: HoursOf, since: int, now: int
) -> dict[int, int]:
    """Return the deadlines by seat of people with hours who have changed them, or could not act from `since` until
    `now`."""
    found = {}
    for seat in state.people() if state.phase == "play" else ():
        old, new = (hours.get(state.players[seat].user) for hours in (before, after))
        if seat in deadlines and _is_to_decide(state, seat) and (old or new):
            patience = _patience(state, seat)
            found[int(seat)] = moved(deadlines[seat], old, new, state.pace, since, now, patience)
    return found


def told_after_outage(
    state: TableState, deadlines: Mapping[int, int], hours: HoursOf, since: int, now: int
) -> dict[int, int]:
    """Return those deadlines by seat that messages tell, after nobody could act from `since` until `now`: of people
    with hours, of all seats where times are said that are wrong now, and all where a vote is open on somebody who is
    overdue."""
    is_wrong = state.pace != "live" and abs(now - since) >= OLD_TIMES
    told = [seat for seat in deadlines if (seat >= 0 and is_wrong) or (seat != DUE and state.overdue)]
    moved_on = {seat: deadlines[seat] + now - since for seat in told}
    return moved_on | with_hours(state, deadlines, hours, hours, since, now)


def on_deadline(
    state: TableState, deadlines: Mapping[int, int], seat: int, now: int, times: Times
) -> list[LogEntry]:
    """Return the log entries to append when the deadline of `seat` (of a person, TABLE or DUE) has passed."""
    if seat == DUE and state.phase == "lobby":
        return [Release()]
    if seat < 0:
        return [Close(reason)] if (reason := _closing(state)) else []
    stage = state.stage(Seat(seat))
    passed = [Seat(other) for other, due in deadlines.items() if due <= now and other >= 0]
    late = tuple(other for other in passed if state.stage(other) == stage)
    match stage:
        case "ahead":
            return [Move(Seat(seat), state.ahead[Seat(seat)], state.players[seat].user)]
        case "turn":
            return [Remind(reminder_time(state, times), late)]
        case "reminded":
            deserted = set(state.present()) <= {*late}
            return [Overdue((idle if deserted else reminder_time)(state, times), late)]
    return [Caretaker(late)]


def _closing(state: TableState) -> CloseReason | None:
    """Return the reason to close the table when its own deadline has passed; None when it stays open."""
    if state.phase == "lobby":
        return CloseReason.NOT_STARTED
    if not state.present():
        return CloseReason.NOBODY_THERE
    return CloseReason.ASLEEP if alone(state) and state.due() is None else None


def _decided(state: TableState) -> set[Seat]:
    """Return the awaited seats whose players have decided ahead."""
    return {*state.awaited()} & state.ahead.keys()


def _decision(state: TableState, seat: Seat) -> object:
    # Not by the number of its prompt: a secret move must not change when others read that the time ends.
    return state.since.get(seat, 0), state.stage(seat), state.pace


def _wait(state: TableState, seat: Seat, times: Times) -> int:
    reminder = reminder_time(state, times)
    match state.stage(seat):
        case "computer" | "ahead":
            return answer_delay(state, seat, times)
        case "turn":
            return times.move(state.pace) - reminder
    return reminder


def answer_delay(state: TableState, seat: Seat, times: Times) -> int:
    """Return the ms until a computer answers, or a move that was decided ahead is played."""
    # It follows from the seed and the number of the decision, never from the cards, and so tells nothing about them.
    least, most = times.computer
    delay = least + drawn(64, state.seed, f"moment {seat}", state.prompts[seat]) * (most - least) // 64
    # Others may act out of turn.
    others = {*state.present()}.difference(state.awaited())
    return delay * (2 if any(state.legal(other) for other in others) else 1)
