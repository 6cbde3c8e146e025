"""What a table's log folds to: who sits, who plays for whom, which phase it is in, and the cards.

Entries are trusted here: `bot.match.table` and its companions check them before they are made, and the store gives back
what it was given. The only exception that can come out is a game's Illegal, before anything has changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, cast

from bot.store import Entry
from games import AnyGame, Event, Options
from games.minds import Strength

CARETAKER: Strength = "steady"
"""How strong the computer plays that keeps the seat of an absent person."""

Pace: TypeAlias = Literal["live", "relaxed", "correspondence"]
Stage: TypeAlias = Literal["computer", "turn", "reminded", "overdue"]
"""What a seat's deadline is about: a computer's answer, the reminder, the end of the time, or the table's vote."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table. The seat is the place in `TableState.players`."""

    user: int
    """0 for a computer; no snowflake is 0."""
    name: str
    strength: Strength | None = None
    """Of a computer."""


@dataclass(frozen=True, slots=True)
class Poll:
    """A question that the people who are here decide: what becomes of overdue seats, or another pace."""

    number: int
    """Counts the table's polls, so that a button of an earlier one decides nothing."""
    seats: tuple[int, ...] = ()
    """Those that are overdue, when it is about them."""
    pace: str = ""
    """The one that is proposed, else."""
    votes: Mapping[int, str] = field(default_factory=dict)
    """By seat."""
    n: int = 0
    """The entry of the log that asked."""
    left: int = 0
    """Ms that there are to decide, when it is about seats."""

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be voted for."""
        return ("wait", "keep", "end") if self.seats else ("yes", "no")


@dataclass(frozen=True, slots=True)
class Reminder:
    """The last reminder."""

    n: int
    """Its entry of the log."""
    left: int
    """Ms that were left."""
    seats: tuple[int, ...]


class TableState:
    """One table at one moment. `apply` moves it on by one entry of the log."""

    __slots__ = (
        "answered",
        "at",
        "away",
        "called",
        "changed",
        "game",
        "gone",
        "held",
        "last",
        "moved",
        "n",
        "offered",
        "offers",
        "options",
        "pace",
        "phase",
        "players",
        "polled",
        "polls",
        "practice",
        "prompts",
        "reason",
        "reminded",
        "reminder",
        "seed",
        "settled",
        "game_state",
    )

    def __init__(self, game: AnyGame, options: Options, seed: str) -> None:
        self.game = game
        self.options = options
        self.seed = seed
        self.players: list[Player] = []
        self.phase = "lobby"
        self.pace: Pace = "live"
        self.practice = False
        """Whether hints are given; such a match does not count."""
        self.game_state: Any = None
        self.prompts: list[int] = []
        """By seat: how often it was asked something else. A form made before the last time is stale. It is no entry's
        number, which would tell how often others have thought again."""
        self.changed: list[int] = []
        """The seats that the last entry asked something else."""
        self.away: set[int] = set()
        """Seats that a computer keeps until their players are back."""
        self.gone: set[int] = set()
        """Seats whose players have left a match in play: a computer keeps them, and anybody may take them."""
        self.reminded: set[int] = set()
        """Seats whose players were told that their time is running out."""
        self.polls: dict[int, Poll] = {}
        """By number. A seat that one is about is overdue."""
        self.polled = 0
        """How many polls there were, so the number of the last."""
        self.settled: list[int] = []
        """The polls that the last entry has settled, by a vote or otherwise."""
        self.offers: dict[int, int] = {}
        """By seat: the person it is offered to."""
        self.offered: dict[int, int] = {}
        """By seat: the entry that offered it."""
        self.answered = False
        """True when the last entry ended an offer."""
        self.called: dict[int, tuple[int, int]] = {}
        """By awaited seat of a person: number and time (ms) of the entry that asked them. A player who moves and must
        move again is left out."""
        self.moved: dict[int, int] = {}
        """By person: when they made their last move here, in ms."""
        self.reminder: Reminder | None = None
        self.held: dict[int, int] = {}
        """By person: the seat whose hand they have seen."""
        self.reason = ""
        self.last: Entry | None = None
        """The last entry of the log."""
        self.n = 0
        self.at = 0
        """When the last entry was made, in ms; no later one is earlier."""

    def copy(self) -> "TableState":
        """An independent copy."""
        twin = TableState.__new__(TableState)
        for name in TableState.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, (list, set, dict)) else value)
        if self.game_state is not None:
            twin.game_state = self.game.copy(self.game_state)
        return twin

    # Who is here

    def seat_of(self, user: int) -> int | None:
        """The seat of a person, None for a watcher."""
        return next((seat for seat, player in enumerate(self.players) if user and player.user == user), None)

    def people(self) -> list[int]:
        """The seats of people who have not left."""
        return [seat for seat, player in enumerate(self.players) if player.user and seat not in self.gone]

    def present(self) -> list[int]:
        """The seats of people who are there: nobody plays for them, and they are not overdue."""
        return [seat for seat in self.people() if seat not in self.away | self.overdue]

    @property
    def overdue(self) -> set[int]:
        """The seats whose time is up."""
        return {seat for poll in self.polls.values() for seat in poll.seats}

    @property
    def host(self) -> Player:
        """Who may start and cancel: whoever has sat here longest."""
        return self.players[self.people()[0]]

    def mind(self, seat: int) -> Strength | None:
        """How strong a computer plays this seat now, None when its player does."""
        return CARETAKER if seat in self.away or seat in self.gone else self.players[seat].strength

    def stage(self, seat: int) -> Stage:
        """What the table waits for at an awaited seat."""
        if self.mind(seat):
            return "computer"
        if seat in self.overdue:
            return "overdue"
        return "reminded" if seat in self.reminded else "turn"

    # What is to be decided

    def legal(self, seat: int) -> list[int]:
        """What a seat may do now; nothing before and after the match."""
        return list(self.game.legal(self.game_state, seat)) if self.phase == "play" else []

    def awaited(self) -> tuple[int, ...]:
        """The seats the match waits for."""
        return self.game.awaited(self.game_state) if self.phase == "play" else ()

    def due(self) -> int | None:
        """When something happens by itself, in ms; 0 means at once."""
        return self.game.due(self.game_state) if self.phase == "play" else None

    def asked(self) -> tuple[int, ...]:
        """The seats that the last entry gave something new to decide."""
        return tuple(seat for seat in self.awaited() if seat in self.changed)

    def verdict(self, poll: Poll) -> str:
        """What more than half of the people who are there have voted for, "" for nothing yet."""
        voters = self.present()
        votes = [vote for seat, vote in poll.votes.items() if seat in voters]
        return next((choice for choice in poll.choices if 2 * votes.count(choice) > len(voters)), "")

    # The fold

    def apply(self, entry: Entry) -> list[Event]:
        """Take the entry up and say what happened in the game."""
        self.changed = []
        before, offered = [*self.polls], [*self.offers]
        events = FOLDS[entry.kind](self, entry) or []
        if self.phase in ("over", "closed"):
            self.polls = {}
        self.settled = [number for number in before if number not in self.polls]
        self.answered = any(seat not in self.offers for seat in offered)
        self.n = entry.n
        self.at = entry.at
        self.last = entry
        self._call(entry, public=any(event.to is None for event in events))
        return events

    def _call(self, entry: Entry, *, public: bool) -> None:
        """Note whom the entry gave something new to decide. What somebody did in secret changes nothing here."""
        if entry.kind == "move" and entry.user and entry.seat is not None:
            if public:
                self.moved[entry.user] = entry.at
            self.called.pop(entry.seat, None)
        asked = [seat for seat in self.asked() if not self.mind(seat)]
        if self.game.real_time and entry.kind in ("move", "tick"):
            asked = []  # everybody is looking, and a call would come too late
        if entry.kind != "move" or not entry.user or asked != [entry.seat]:
            self.called |= dict.fromkeys(asked, (entry.n, entry.at))
        awaited = self.awaited()
        self.called = {
            seat: asked for seat, asked in self.called.items() if seat in awaited and not self.mind(seat)
        }

    def _join(self, entry: Entry) -> None:
        assert entry.user is not None
        self.players.append(Player(entry.user, entry.body))

    def _computer(self, entry: Entry) -> None:
        strength, _, name = entry.body.partition(" ")
        self.players.append(Player(0, name, cast(Strength, strength)))

    def _dismiss(self, entry: Entry) -> None:
        del self.players[_seat(entry)]

    def _leave(self, entry: Entry) -> None:
        seat = self.seat_of(entry.user or 0)
        assert seat is not None
        if self.phase == "lobby":
            del self.players[seat]
        else:
            self._settle(seat)
            self.offers.pop(seat, None)
            self.gone.add(seat)

    def _start(self, _: Entry) -> list[Event]:
        self.game_state, events = self.game.new(self.options, len(self.players), self.seed)
        self.phase = "play"
        self.prompts = [0] * len(self.players)
        self.changed = [*range(len(self.players))]
        self.held = {self.players[seat].user: seat for seat in self.people()}
        return events

    def _move(self, entry: Entry) -> list[Event]:
        seats = range(len(self.players))
        before = self._questions()
        events = self._change(entry)
        after = self._questions()
        self.changed = [seat for seat in seats if seat == entry.seat or after[seat] != before[seat]]
        for seat in self.changed:
            self.prompts[seat] += 1
        for seat in {*seats}.difference(self.game.awaited(self.game_state)).union(self.changed):
            self._settle(seat)
        if self.game.outcome(self.game_state):
            self.phase = "over"
        return events

    def _change(self, entry: Entry) -> list[Event]:
        match entry.kind:
            case "tick":
                return self.game.tick(self.game_state, entry.at)
            case "resume":
                return self.game.resume(self.game_state, entry.at)
        return self.game.apply(self.game_state, _seat(entry), self.game.parse(entry.body), entry.at)

    def _questions(self) -> list[object]:
        """What each seat is asked: whether the match waits for it, and its choices. In real time these come and go with
        everybody's hands, which gives nobody more time; there they do not count."""
        awaited, seats = self.game.awaited(self.game_state), range(len(self.players))
        if self.game.real_time:
            return [seat in awaited for seat in seats]
        # A game may hand out a list that it changes later.
        return [(seat in awaited, tuple(self.game.legal(self.game_state, seat))) for seat in seats]

    def _close(self, entry: Entry) -> None:
        self.phase = "closed"
        self.reason = entry.body

    def _practice(self, _: Entry) -> None:
        self.practice = True

    # Who runs out of time, and what the table makes of it

    def _remind(self, entry: Entry) -> None:
        self.reminded.update(late(entry))
        self.reminder = Reminder(entry.n, _left(entry), late(entry))

    def _overdue(self, entry: Entry) -> None:
        self._ask(Poll(self.polled + 1, seats=late(entry), n=entry.n, left=_left(entry)))

    def _wait(self, entry: Entry) -> None:
        for seat in late(entry):
            self._settle(seat)

    def _caretaker(self, entry: Entry) -> None:
        for seat in late(entry):
            self._settle(seat)
            self.away.add(seat)

    def _back(self, entry: Entry) -> None:
        self._settle(_seat(entry))
        self.away.discard(_seat(entry))

    def _propose(self, entry: Entry) -> None:
        self._ask(Poll(self.polled + 1, pace=entry.body, votes={_seat(entry): "yes"}, n=entry.n))

    def _vote(self, entry: Entry) -> None:
        number, _, choice = entry.body.partition(" ")
        poll = self.polls[int(number)]
        self.polls[poll.number] = replace(poll, votes={**poll.votes, _seat(entry): choice})

    def _pace(self, entry: Entry) -> None:
        self.pace = cast(Pace, entry.body)
        self.polls = {number: poll for number, poll in self.polls.items() if poll.seats}

    def _ask(self, poll: Poll) -> None:
        self.polled = poll.number
        self.polls[poll.number] = poll

    def _settle(self, seat: int) -> None:
        """Nothing of this seat is overdue any more; a poll goes on about the others it is about."""
        self.reminded.discard(seat)
        for poll in [poll for poll in self.polls.values() if seat in poll.seats]:
            others = tuple(other for other in poll.seats if other != seat)
            if others:
                self.polls[poll.number] = replace(poll, seats=others)
            else:
                del self.polls[poll.number]

    # Another person in a seat

    def _offer(self, entry: Entry) -> None:
        self.offers[_seat(entry)] = int(entry.body.partition(" ")[0])
        self.offered[_seat(entry)] = entry.n

    def _decline(self, entry: Entry) -> None:
        self.offers.pop(_seat(entry))

    def _give(self, _: Entry) -> None:
        """Whoever takes the seat stands in the next entry; this one ends the giver's membership."""

    def _take(self, entry: Entry) -> None:
        assert entry.user is not None
        seat = _seat(entry)
        self._settle(seat)
        for seats in (self.gone, self.away):
            seats.discard(seat)
        self.offers.pop(seat, None)
        self.players[seat] = Player(entry.user, entry.body)
        self.held[entry.user] = seat
        self.prompts[seat] += 1
        self.changed = [seat]


def _seat(entry: Entry) -> int:
    """The seat that an entry is about."""
    assert entry.seat is not None
    return entry.seat


def _left(entry: Entry) -> int:
    """Return the ms that a reminder or a poll says are left."""
    return int(entry.body.split()[0])


def late(entry: Entry) -> tuple[int, ...]:
    """The seats that a word on missed time is about: a reminder, a poll, or what it comes to. In older logs the last
    two are about one seat, in its column."""
    if entry.seat is not None:
        return (entry.seat,)
    words = entry.body.split()
    return tuple(map(int, words[1:] if entry.kind in ("remind", "overdue") else words))


FOLDS: Mapping[str, Callable[[TableState, Entry], list[Event] | None]] = {
    "join": TableState._join,
    "computer": TableState._computer,
    "dismiss": TableState._dismiss,
    "leave": TableState._leave,
    "practice": TableState._practice,
    "start": TableState._start,
    "move": TableState._move,
    "timeout": TableState._move,  # in older logs: the table played for who ran out of time
    "tick": TableState._move,
    "resume": TableState._move,
    "close": TableState._close,
    "remind": TableState._remind,
    "overdue": TableState._overdue,
    "wait": TableState._wait,
    "caretaker": TableState._caretaker,
    "back": TableState._back,
    "propose": TableState._propose,
    "vote": TableState._vote,
    "pace": TableState._pace,
    "offer": TableState._offer,
    "decline": TableState._decline,
    "give": TableState._give,
    "take": TableState._take,
}
"""What each kind of entry does to a table."""
