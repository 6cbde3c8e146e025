"""The public word on each entry of a table's log, the same whenever it is told: live, late, or after a restart."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.names import safe
from bot.sitting import Poll, Sitting, late
from bot.store import Entry
from bot.timing import spelled
from games import Event
from games.phrases import listed

CHOICES = {"wait": "Wait", "keep": "Computer plays", "end": "End the match", "yes": "Yes", "no": "No"}
"""What can be voted for, as the buttons say it."""

Door = tuple[str, str, str]
"""A button below a message: its label, and the verb and the rest of its custom id."""


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be posted about entry `n`: Markdown (empty: nothing), and the people it calls on.

    `number` counts the table's public messages up to it. Messages carry that one: entries count hidden things, too.
    """

    n: int
    number: int
    text: str
    calls: tuple[int, ...] = ()
    urgent: bool = False
    """Whether it also calls those who want to be reminded only."""
    doors: tuple[Door, ...] = ()
    aside: str = ""
    """What is said on the board alone: in a match of real time messages would come too late and push it away."""
    events: tuple[Event, ...] = ()
    """What happened in the game, in sight of all."""
    settled: tuple[int, ...] = ()
    """The polls that are over with it, and by `verdict` how."""
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Aside:
    """A word that is said on the board alone, and what was added to it since: a sentence a seat. That is in no log, so
    a restart forgets it."""

    word: Told
    added: dict[int, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.word.aside, *self.added.values()])


def names(sitting: Sitting) -> list[str]:
    """By seat, safe to print; of two alike the later one gets a number."""
    shown: list[str] = []
    for name in (safe(player.name) for player in sitting.players):
        alike = sum(other == name or other.startswith(f"{name} (") for other in shown)
        shown.append(f"{name} ({alike + 1})" if alike else name)
    return shown


def addressed(sentence: str, who: Sequence[str]) -> str:
    """A game's sentence with players' names: engines know none, and say "seat 2"."""
    return re.sub(r"\b[Ss]eat (\d)\b", lambda seat: who[int(seat[1]) - 1], sentence)


def told(sitting: Sitting, entry: Entry, events: Sequence[Event], spoken: int) -> Told:
    """The word on `entry`. `sitting` is how it left the table, `events` what happened in the game, `spoken` the
    number of the public message before."""
    word = _word(sitting, entry, events, spoken)
    if sitting.settled:
        return replace(word, settled=tuple(sitting.settled), verdict=_verdict(sitting, entry))
    return word


def _word(sitting: Sitting, entry: Entry, events: Sequence[Event], spoken: int) -> Told:
    if sitting.state is None:
        return Told(entry.n, spoken, "")  # a lobby speaks through its card alone
    who = names(sitting)
    public = tuple(event for event in events if event.to is None)
    lines = [sitting.game.narrate(event, who) for event in public]
    if any(lines) and entry.user is None and entry.seat is not None and sitting.players[entry.seat].user:
        lines.insert(0, f"-# A computer plays for {who[entry.seat]}.")
    if sitting.game.real_time and entry.kind in ("move", "tick") and sitting.phase == "play":
        return Told(entry.n, spoken, "", aside="\n".join(filter(None, lines)), events=public)
    if entry.kind in WORDS:
        lines.append(WORDS[entry.kind](sitting, entry, who))
    calls = tuple(sitting.players[seat].user for seat in sitting.asked() if not sitting.mind(seat))
    if entry.kind == "move" and calls == (entry.user,):
        calls = ()  # who has just moved and goes on alone is there already
        lines += [f"{_name(entry, who)} goes on."] * any(lines)
    if calls:
        lines.append(f"{' '.join(f'<@{user}>' for user in calls)}, your turn.")
    text = "\n".join(line for line in lines if line)
    if not text:
        return Told(entry.n, spoken, "")
    called = calls or _urged(sitting, entry)
    return Told(entry.n, spoken + 1, text, called, called != calls, _doors(sitting, entry), events=public)


def _urged(sitting: Sitting, entry: Entry) -> tuple[int, ...]:
    """The people whom a word on time, or an offer, is for."""
    match entry.kind:
        case "remind" | "overdue":
            return tuple(sitting.players[seat].user for seat in late(entry))
        case "offer":
            return (int(entry.body.partition(" ")[0]),)
    return ()


# What is told beside the game


def _name(entry: Entry, who: Sequence[str]) -> str:
    return who[entry.seat or 0]


def _left(sitting: Sitting, entry: Entry, who: Sequence[str]) -> str:
    name = who[sitting.seat_of(entry.user or 0) or 0]
    if not sitting.people():
        return f"👋 {name} has left."
    return f"👋 {name} has left; a computer plays that seat from now on. Somebody else may take it."


def _closed(_: Sitting, entry: Entry, __: Sequence[str]) -> str:
    return f"🚪 The table is closed: {entry.body}"


def _reminded(sitting: Sitting, entry: Entry, _: Sequence[str]) -> str:
    people = " ".join(f"<@{user}>" for user in _urged(sitting, entry))
    return f"⏰ {people}, the table waits for you: {spelled(int(entry.body.split()[0]))} left."


def _overdue(sitting: Sitting, entry: Entry, _: Sequence[str]) -> str:
    people = [f"<@{user}>" for user in _urged(sitting, entry)]
    who, left = listed(people), spelled(int(entry.body.split()[0]))
    if not sitting.present():
        return (
            f"⏳ {who}, your time is up and nobody else is here. The table waits for {left}, then it closes."
        )
    if len(people) == 1:
        ask, then = "has run out of time. Wait, let a computer keep the seat", "a computer keeps it"
    else:
        ask, then = "have run out of time. Wait, let computers keep their seats", "computers keep them"
    return (
        f"⏳ {who} {ask} until they are back, or end the match? More than half of you decide; without that {then} in "
        f"{left}."
    )


def _waited(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    return f"⏳ The table waits for {_missing(entry, who)}."


def _kept(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    missing = _missing(entry, who)
    play, seat = ("A computer plays", "seat") if len(late(entry)) == 1 else ("Computers play", "seats")
    return f"🤖 {play} for {missing} from now on. {missing}, `I'm back` gives you your {seat} at once."


def _missing(entry: Entry, who: Sequence[str]) -> str:
    return listed(who[seat] for seat in late(entry))


def _returned(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    return f"🪑 {_name(entry, who)} is back."


def _voted(sitting: Sitting, entry: Entry, who: Sequence[str]) -> str:
    poll = sitting.polls[int(entry.body.split()[0])]
    if sitting.verdict(poll):
        return ""  # what it decides is the next entry
    choice = entry.body.split()[1]
    return f"🗳️ {_name(entry, who)}: {CHOICES[choice].lower()}."


def _proposed(sitting: Sitting, entry: Entry, who: Sequence[str]) -> str:
    if sitting.verdict(sitting.polls[sitting.polled]):
        return ""
    return f"🗳️ {_name(entry, who)} proposes the pace {entry.body}. More than half of you decide."


def _paced(_: Sitting, entry: Entry, __: Sequence[str]) -> str:
    return f"⏱️ The pace is {entry.body}."


def _offered(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    to = entry.body.partition(" ")[0]
    return f"🤝 <@{to}>, {_name(entry, who)} offers you their seat, with its hand and its score."


def _declined(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    return f"🤝 The offer is declined; {_name(entry, who)} plays on."


def _given(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    return f"🤝 {_name(entry, who)} hands the seat to {safe(entry.body)}."


def _taken(_: Sitting, entry: Entry, who: Sequence[str]) -> str:
    return f"🪑 {_name(entry, who)} plays seat {(entry.seat or 0) + 1} from now on."


WORDS: Mapping[str, Callable[[Sitting, Entry, Sequence[str]], str]] = {
    "leave": _left,
    "close": _closed,
    "remind": _reminded,
    "overdue": _overdue,
    "wait": _waited,
    "caretaker": _kept,
    "back": _returned,
    "vote": _voted,
    "propose": _proposed,
    "pace": _paced,
    "offer": _offered,
    "decline": _declined,
    "give": _given,
    "take": _taken,
}
"""By kind of entry; kinds that are not here are told by the game alone."""


def _doors(sitting: Sitting, entry: Entry) -> tuple[Door, ...]:
    """The buttons below the word on `entry`, beside `My hand`."""
    seat = entry.seat if entry.seat is not None else 0
    match entry.kind:
        case "overdue" if sitting.present():
            return _ballot(sitting.polls[sitting.polled])
        case "propose":
            return _ballot(sitting.polls[sitting.polled])
        case "caretaker":
            return (BACK,)
        case "leave" if sitting.people():
            return (taking(sitting.seat_of(entry.user or 0) or 0),)
        case "offer":
            return (("Accept", "accept", str(seat)), ("Decline", "decline", str(seat)))
    return ()


BACK: Door = ("I'm back", "back", "")


def taking(seat: int) -> Door:
    """The way into a seat that was left."""
    return ("Take the seat", "take", str(seat))


def _ballot(poll: Poll) -> tuple[Door, ...]:
    return tuple((CHOICES[choice], "vote", f"{poll.number}:{choice}") for choice in poll.choices)


def _verdict(sitting: Sitting, entry: Entry) -> str:
    """How a poll came to its end: by what it decided, or because there is nothing to decide any more."""
    who = names(sitting)
    if sitting.phase == "over":
        return "🏁 The match is over."
    if entry.kind in WORDS:
        return WORDS[entry.kind](sitting, entry, who)
    return "The match has gone on." if entry.seat is None else f"{who[entry.seat]} has moved."
