"""The public word on each entry of a table's log, the same whenever it is told: live, late, or after a restart."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.names import safe
from bot.sitting import Sitting
from bot.store import Entry
from games import Event


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be posted about entry `n`: Markdown (empty: nothing), and the people it calls on.

    `number` counts the table's public messages up to it. Messages carry that one: entries count hidden things, too.
    """

    n: int
    number: int
    text: str
    calls: tuple[int, ...] = ()


def names(sitting: Sitting) -> list[str]:
    """By seat, safe to print; of two alike the later one gets a number."""
    shown: list[str] = []
    for name in (safe(player.name) for player in sitting.players):
        alike = sum(other == name or other.startswith(f"{name} (") for other in shown)
        shown.append(f"{name} ({alike + 1})" if alike else name)
    return shown


def told(sitting: Sitting, entry: Entry, events: Sequence[Event], spoken: int) -> Told:
    """The word on `entry`. `sitting` is how it left the table, `events` what happened in the game, `spoken` the
    number of the public message before."""
    if sitting.state is None:
        return Told(entry.n, spoken, "")  # a lobby speaks through its card alone
    lines = [_preface(sitting, entry)]
    lines += [sitting.game.narrate(event, names(sitting)) for event in events if event.to is None]
    calls = _calls(sitting, entry)
    if calls:
        lines.append(f"{' '.join(f'<@{user}>' for user in calls)}, your turn.")
    text = "\n".join(line for line in lines if line)
    if not text:
        return Told(entry.n, spoken, "")
    return Told(entry.n, spoken + 1, text, calls)


def _calls(sitting: Sitting, entry: Entry) -> tuple[int, ...]:
    """The people who have something new to decide. Who has just moved and goes on alone is there already."""
    calls = tuple(sitting.players[seat].user for seat in sitting.asked() if seat not in sitting.gone)
    return () if entry.kind == "move" and calls == (entry.user,) else calls


def _preface(sitting: Sitting, entry: Entry) -> str:
    """What the entry says beside its move."""
    who = names(sitting)
    match entry.kind:
        case "timeout" if entry.seat is not None and entry.seat not in sitting.gone:
            return f"⏳ {who[entry.seat]} ran out of time; the table plays for that seat."
        case "leave":
            return f"👋 {who[sitting.seat_of(entry.user or 0) or 0]} has left; the table plays that seat from now on."
        case "close":
            return f"🚪 The table is closed: {entry.body}"
    return ""
