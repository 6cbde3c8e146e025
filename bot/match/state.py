"""The state of a table: players, phase, polls and offers, and the game itself. It is the result of all log entries.

Entries are not checked here: `bot.match.table`, `bot.match.seats` and `bot.match.votes` check a request before they
create an entry. `TableState.apply` raises nothing but a game's Illegal.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, Self, TypeAlias

from bot.match.deals import OF_NIGHT, DealStep, first_seal, next_seal
from bot.match.times import Pace, Times
from bot.store import LogRow, Match
from games import AnyGame, Event, Options, Outcome
from games.advice import Strength
from games.sides import by_side
from games.types import SEATS, Action, Seat, with_seats

READING = 10
"""Ms in which people read a character."""

CARETAKER: Strength = "steady"
"""Strength of the computer that plays for an absent person."""

Stage: TypeAlias = Literal["computer", "ahead", "turn", "reminded", "overdue"]
"""Meaning of a seat's deadline: a computer's answer, a move that was decided ahead, the reminder, the end of the time,
or the end of the vote."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person or computer at the table. The seat is the index in `TableState.players`."""

    user: int
    """Discord's id; 0 for a computer."""
    name: str
    strength: Strength | None = None
    """None for a person."""

    @property
    def kind(self) -> str:
        """ "person", or the strength of a computer."""
        return self.strength or "person"

    def is_same(self, other: "Player | None") -> bool:
        """Return whether this is the same person, or a computer of the same name."""
        return other is not None and (self.user or self.name) == (other.user or other.name)


@dataclass(frozen=True, slots=True)
class Poll:
    """A vote of the people who are playing: on overdue seats, or on another pace."""

    number: int
    """Number among the polls of the table, from 1. Buttons carry it: one of an earlier poll has no effect on a later
    one."""
    seats: tuple[Seat, ...] = ()
    """The overdue seats; empty when the vote is on a pace."""
    pace: str = ""
    """The proposed pace; "" when the vote is on seats."""
    votes: Mapping[Seat, str] = field(default_factory=dict)
    """Choices by seat; "" for a vote that was withdrawn."""
    n: int = 0
    """Number of the log entry that opened it."""
    at: int = 0
    """Time of that entry, in ms."""
    left: int = 0
    """Ms from then until the end of a vote on seats."""
    proposer: Player | None = None
    """The player who proposed the pace; somebody else may have the seat now."""


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder of some players."""

    n: int
    """Number of its log entry."""
    at: int
    """Time of that entry, in ms."""
    left: int
    """Ms that were left to move."""
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a trick, a round, a deal or the match."""

    n: int
    """Number of its log entry."""
    at: int
    """Time of that entry, in ms."""
    players: tuple[Player, ...]
    """Those who sat at the table then, by seat."""
    told: Sequence[Event]
    """The events of which a game's `recap` tells: the last trick, then the round."""
    letters: int
    """Number of characters in which its record tells it; 0 for a trick, after which the table stays."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words that a person added to the seed of the deal. See `bot.match.entries.Cut` for the fields."""

    name: str
    words: str
    digest: str


@dataclass(slots=True, eq=False)
class TableState:
    """One table at one moment. `apply` advances it by one entry of the log."""

    game: AnyGame
    options: Options
    seed: str
    """The stored seed of the match; from the start on the seed of its deal (`bot.match.deals`)."""
    # Never changed in place: the record keeps the one of each entry.
    players: tuple[Player, ...] = ()
    """By seat."""
    phase: str = "lobby"
    """lobby, play, over (counted) or closed (not counted)."""
    pace: Pace = "live"
    practice: bool = False
    """True when hints are given; such a match does not count."""
    seal: str = ""
    """The hash of all that the deal follows from so far (`bot.match.deals`); "" for a seed that is used as it is."""
    reserved: dict[int, Player] = field(default_factory=dict)
    """By person: for whom a seat of this lobby is kept."""
    declined: set[int] = field(default_factory=set)
    """People who have declined such a seat."""
    steps: dict[int, int] = field(default_factory=dict)
    """By person: the number of steps of the lobby that they have made."""
    cuts: dict[int, Words] = field(default_factory=dict)
    """The last cut of each person, in order."""
    wishes: dict[int, int] = field(default_factory=dict)
    """By person: the one in the lobby whom they wish for a partner."""
    game_state: Any = None
    """None until the match starts."""
    # Not the number of a log entry: that would reveal how often others have changed a secret choice.
    questions: list[object] = field(default_factory=list)
    """By seat: what it is asked since the game last advanced; empty before that."""
    prompts: list[int] = field(default_factory=list)
    """By seat: number of decisions it has been asked for. A form that was made for an earlier one is stale."""
    changed: list[Seat] = field(default_factory=list)
    """Seats to which the last entry gave another decision."""
    ended: "Ending | None" = None
    """The last end of a trick, a round, a deal or the match."""
    away: set[Seat] = field(default_factory=set)
    """Seats that a computer plays until their players are back."""
    gone: set[Seat] = field(default_factory=set)
    """Seats whose players have left the match: a computer plays them."""
    reminded: set[Seat] = field(default_factory=set)
    """Seats whose players were reminded that their time is running out."""
    polls: dict[int, Poll] = field(default_factory=dict)
    """Open polls by number. The seats of a poll are overdue."""
    polled: int = 0
    """Number of the last poll."""
    ended_polls: list[int] = field(default_factory=list)
    """Numbers of the polls that the last entry ended, by a vote or otherwise."""
    offers: dict[Seat, int] = field(default_factory=dict)
    """By offered seat: the person to whom it is offered."""
    offered: dict[Seat, int] = field(default_factory=dict)
    """By seat: number of the entry that offered it."""
    offer_ended: bool = False
    """True when the last entry ended an offer."""
    called: dict[Seat, tuple[int, int]] = field(default_factory=dict)
    """By awaited seat of a person: number and time (ms) of the entry that asked for the decision. A player who
    moves and must move again is left out."""
    since: dict[Seat, int] = field(default_factory=dict)
    """By seat: when its time for a decision last began anew, in ms. It counts if that is after the seat was asked."""
    returned: set[int] = field(default_factory=set)
    """People who have taken their seat again since it was last given another decision."""
    moved: dict[int, int] = field(default_factory=dict)
    """By person: time in ms of their last move here."""
    acted: dict[int, int] = field(default_factory=dict)
    """By person: number of the entry of their last move here, a secret one included. Only they may learn it."""
    reminders: list[Reminder] = field(default_factory=list)
    """The last reminder of each seat, in order."""
    held: dict[int, Seat] = field(default_factory=dict)
    """By person: the seat whose hand they have seen."""
    left: dict[int, Player] = field(default_factory=dict)
    """By person: who has left the match, or handed their seat over. Somebody else may have the seat now."""
    former: Player | None = None
    """The former player of the seat that was taken last."""
    winner: int = 0
    """The person who has won a match of two because the other one left first; 0 for nobody."""
    reason: str = ""
    """Sentence that says why the table is closed."""
    restored: int = 0
    """Number of the entry that says last that the match goes on from a backup; 0 for none."""
    last: "LogEntry | None" = None
    """The last entry that somebody is told of."""
    ahead: dict[Seat, str] = field(default_factory=dict)
    """By seat: the text of the move that its player has decided ahead. It is played when the seat is awaited."""
    missed: dict[Seat, str] = field(default_factory=dict)
    """By seat: such a move that has become impossible, until its player decides again."""
    ahead_count: dict[Seat, int] = field(default_factory=dict)
    """By seat: how often its player has decided ahead for the next decision. Each time is an entry of the log."""
    played_ahead: bool = False
    """True when the last entry is a move that was decided ahead."""
    rounds: int = 0
    """Number of rounds, hands or deals that are over."""
    n: int = 0
    """Number of the last entry."""
    untold: int = 0
    """Number of entries that nobody is told of."""
    at: int = 0
    """Time in ms of the last entry that somebody is told of; no later one of these is earlier."""

    @classmethod
    def of(cls, match: Match, game: AnyGame) -> "TableState":
        """Return the state of a match before its log."""
        options = game.Options.model_validate_json(match.options)
        return cls(game, options, match.seed, seal=first_seal(match, game))

    def copy(self) -> "TableState":
        twin = TableState(self.game, self.options, self.seed)
        for each in fields(self):
            value = getattr(self, each.name)
            setattr(twin, each.name, value.copy() if isinstance(value, (list, set, dict)) else value)
        if self.game_state is not None:
            twin.game_state = self.game_state.copy()
        return twin

    @property
    def told(self) -> int:
        """Number of the last entry when those that nobody is told of are not counted: for what others can see."""
        return self.n - self.untold

    # Who is here

    @property
    def is_seated(self) -> bool:
        """True when its seats are given, as at a game night: nobody changes its lobby, or takes a seat later."""
        return self.seed.startswith(OF_NIGHT)

    @property
    def vacant(self) -> list[Seat]:
        """The seats that anybody may take, as their players have left the match."""
        return [] if self.is_seated else sorted(self.gone)

    @property
    def seated(self) -> tuple[Player, ...]:
        """The players; people in whose seats a computer plays now with its strength."""
        kept = self.away | self.gone
        if not kept:
            return self.players
        return tuple(
            replace(player, strength=CARETAKER) if seat in kept else player
            for seat, player in with_seats(self.players)
        )

    def remove_player(self, seat: Seat) -> None:
        """Remove a player from the lobby. Those behind move up by one seat."""
        user = self.players[seat].user
        self.wishes = {each: other for each, other in self.wishes.items() if user not in (each, other)}
        self.players = (*self.players[:seat], *self.players[seat + 1 :])

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of a person, None for a watcher."""
        return next((seat for seat, player in with_seats(self.players) if user and player.user == user), None)

    def people(self) -> list[Seat]:
        """Return the seats of people who have not left."""
        return [seat for seat, player in with_seats(self.players) if player.user and seat not in self.gone]

    def present(self) -> list[Seat]:
        """Return the seats of people who are there: no computer plays for them, and they are not overdue."""
        return [seat for seat in self.people() if seat not in self.away | self.overdue]

    @property
    def overdue(self) -> set[Seat]:
        """The seats whose time is up."""
        return {seat for poll in self.polls.values() for seat in poll.seats}

    @property
    def host(self) -> Player:
        """The person who has sat in this lobby longest. They may start the match and cancel the table. A lobby that
        everybody has left has none, and is closed."""
        return self.players[self.people()[0]]

    def is_host(self, user: int) -> bool:
        """Return whether a person is the host of this lobby."""
        return self.people()[:1] == [self.seat_of(user)]

    @property
    def reminder(self) -> Reminder | None:
        """The last reminder."""
        return self.reminders[-1] if self.reminders else None

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat."""
        return tuple(self.game.sides(self.options, len(self.players)))

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places in the lobby of people who wish for each other, if this number of players plays in pairs."""
        sides = self.sides
        if not all(sides.count(side) == 2 for side in sides):
            return []
        wished = [self.seat_of(self.wishes.get(player.user, 0)) for player in self.players]
        pairs = [(place, other) for place, other in enumerate(wished) if other is not None and place < other]
        return [(place, other) for place, other in pairs if wished[other] == place]

    @property
    def pool(self) -> str | None:
        """The pool in which the match is rated, if it is played; None in a lobby, for practice, for a mode without a
        rating, and for a match of one side or one person."""
        if self.practice or len({*self.held.values()}) < 2 or len({*self.sides}) < 2:
            return None
        return self.game.pool(self.options)

    def strength_at(self, seat: Seat) -> Strength | None:
        """Return the strength of the computer that plays this seat now, None when its player does."""
        return CARETAKER if seat in self.away or seat in self.gone else self.players[seat].strength

    def stage(self, seat: Seat) -> Stage:
        """Return what the deadline of an awaited seat means."""
        if self.strength_at(seat):
            return "computer"
        if seat in self.ahead:
            return "ahead"
        if seat in self.overdue:
            return "overdue"
        return "reminded" if seat in self.reminded else "turn"

    # What is to be decided

    def legal(self, seat: Seat) -> list[Action]:
        """Return the legal actions of a seat; none before and after the match."""
        return list(self.game.legal(self.game_state, seat)) if self.phase == "play" else []

    def awaited(self) -> tuple[Seat, ...]:
        """Return the seats for which the match waits."""
        return self.game.awaited(self.game_state) if self.phase == "play" else ()

    def due(self) -> int | None:
        """Return the time in ms at which the game does something by itself; 0 means at once, None never."""
        return self.game.due(self.game_state) if self.phase == "play" else None

    def asked(self) -> list[Seat]:
        """Return the seats of people to whom the last entry gave something new to decide."""
        return [seat for seat in self.awaited() if seat in self.changed and not self.strength_at(seat)]

    def voters(self, poll: Poll) -> list[Seat]:
        """Return the seats that have a vote."""
        # The pace is about the time of overdue people, too, so they have a vote on it.
        return self.present() if poll.seats else [seat for seat in self.people() if seat not in self.away]

    def verdict(self, poll: Poll) -> str:
        """Return the choice of more than half of the voters, "" while there is none."""
        voters = self.voters(poll)
        votes = [vote for seat, vote in poll.votes.items() if seat in voters and vote]
        choices = self.choices(poll)
        majority = next((choice for choice in choices if 2 * votes.count(choice) > len(voters)), "")
        # A pace without a majority is refused once all have voted; a vote on seats ends at its deadline.
        return majority or ("no" if poll.pace and votes and len(votes) == len(voters) else "")

    def choices(self, poll: Poll) -> tuple[str, ...]:
        """Return the answers to vote for."""
        # In a rated match one person alone cannot vote to end it: whoever is losing would void it as soon as the others
        # are late. Nor can they set its pace, which says how long the others may be away.
        alone = self.pool is not None and len(self.voters(poll)) == 1 < len(self.people())
        if poll.seats:
            return ("wait", "keep") if alone else ("wait", "keep", "end")
        return ("no",) if alone else ("yes", "no")

    # Applying the log

    def apply(self, logged: "Logged") -> list[Event]:
        """Apply the next entry of the log and return the events of the game.

        Raises the game's Illegal. The state may then be half changed, so apply new entries to a copy.
        """
        self.n = logged.n
        if not logged.entry.is_told:
            self.untold += 1
            logged.entry.apply(self)
            return []
        polls, offers = [*self.polls], [*self.offers]
        self.at, self.last = logged.at, logged.entry
        self.changed, self.played_ahead = [], False
        if self.seal and (step := logged.entry.deal_step(self)):
            self.seal = next_seal(self.seal, step)
            _, user, _ = logged.entry.columns()
            if user is not None:
                self.steps[user] = self.steps.get(user, 0) + 1
        events = logged.entry.apply(self) or []
        if ending := self._ending(events):
            self.ended = ending
        self._review_ahead(events)
        if self.phase in ("over", "closed"):
            self.polls = {}
        self.ended_polls = [number for number in polls if number not in self.polls]
        self.offer_ended = any(seat not in self.offers for seat in offers)
        called = self.called | dict.fromkeys(logged.entry.calls(self), (self.told, self.at))
        awaited = self.awaited()
        self.called = {
            seat: asked for seat, asked in called.items() if seat in awaited and not self.strength_at(seat)
        }
        return events

    def _review_ahead(self, events: Sequence[Event]) -> None:
        """Drop the moves decided ahead that belong to nobody any more, or to a round that is over; those that have
        become impossible are `missed`."""
        ended = sum(self.game.record.closes(event) for event in events if event.to is None)
        self.rounds += ended
        gone = self.ahead_count if ended else self.changed
        self.ahead_count = {seat: times for seat, times in self.ahead_count.items() if seat not in gone}
        for seat, text in [*self.ahead.items(), *self.missed.items()]:
            if ended or self.phase != "play" or self.strength_at(seat):
                self.forget_ahead(seat)
            elif seat in self.ahead and self.game.parse(text) not in self._possible(seat):
                self.missed[seat] = self.ahead.pop(seat)

    def _possible(self, seat: Seat) -> Sequence[Action]:
        """Return the legal actions of an awaited seat, and what another one may decide ahead."""
        return self.legal(seat) if seat in self.awaited() else self.game.ahead(self.game_state, seat)

    def forget_ahead(self, seat: Seat) -> bool:
        """Forget what the player of a seat has decided ahead. Return whether they had."""
        self.missed.pop(seat, None)
        return self.ahead.pop(seat, None) is not None

    def _ending(self, events: Sequence[Event]) -> "Ending | None":
        game, who = self.game, [player.name for player in self.players]
        public = [event for event in events if event.to is None]
        told = [event for event in public if game.record.recap(event, who)]
        letters = 0
        if self.phase == "over" or any(map(game.record.closes, public)):
            letters = sum(map(len, game.record.lines(public, who)))
        return Ending(self.n, self.at, self.seated, told, letters) if told or letters else None

    def read_until(self, times: Times) -> int:
        """Return the time in ms until which people read how a round, a deal or the match has ended; 0 when nobody
        reads."""
        if self.ended is None or not self.ended.letters or not self.present():
            return 0
        least, most = times.reading
        return self.ended.at + min(most, least + READING * self.ended.letters)

    def outcome(self) -> Outcome:
        """Return how the match ended, with the places of sides, as people are told. Only for a match that is over."""
        if self.winner:
            # Somebody has won by staying longer: there are no scores, and computers have no place.
            first = self.sides[self.held[self.winner]]
            played = {self.sides[seat] for seat in self.held.values()}
            places = tuple(1 if side == first else 2 if side in played else 0 for side in self.sides)
            return Outcome(places, (), "")
        ended = self.game.outcome(self.game_state)
        assert ended is not None, "the match is over"
        return by_side(ended, self.sides)

    # Steps for the entries

    def advance(self, change: Callable[[], list[Event]], mover: Seat | None = None) -> list[Event]:
        """Let `change` advance the game, by an action of the seat `mover` or by itself, and return its events."""
        seats = SEATS[: len(self.players)]
        before, task = self.questions or self._questions(), self._task(mover)
        events = change()
        self.questions = self._questions()
        self.changed = [seat for seat in seats if seat == mover or self.questions[seat] != before[seat]]
        for seat in self.changed:
            self.prompts[seat] += 1
        anew = {*self.changed}
        if self.game.real_time and self._task(mover) == task:
            anew -= {mover}  # whoever is to flip may lay hands for ever
        anew.update({*seats}.difference(self.game.awaited(self.game_state)))
        for seat in anew:
            self.forgive(seat)
        self.returned = {user for user in self.returned if self.held[user] not in anew}
        if self.game.outcome(self.game_state):
            self.phase = "over"
        return events

    def _questions(self) -> list[object]:
        """Return what each seat is asked: if the match waits for it, its legal actions, and what they are about."""
        game, position, seats = self.game, self.game_state, SEATS[: len(self.players)]
        awaited = game.awaited(position)
        if game.real_time:
            # In real time each move changes everybody's legal actions; that must give nobody more time.
            return [seat in awaited for seat in seats]
        # A game may return a list that it changes later.
        return [
            (seat in awaited, tuple(game.legal(position, seat)), game.topic(position, seat)) for seat in seats
        ]

    def _task(self, seat: Seat | None) -> object:
        """Return what a move of a seat must change in real time to give its player more time."""
        if seat is None:
            return None
        return seat in self.game.awaited(self.game_state), self.game.topic(self.game_state, seat)

    def has_returned(self, user: int) -> bool:
        """Return whether a person has had a whole turn again for this decision, and others wait for it."""
        return user in self.returned and self.held[user] in self.awaited() and bool(self.present())

    def answers(self, seat: Seat, actions: Sequence[Action], at: int) -> bool:
        """Return whether actions of a seat answer what it is asked, as all do but those in real time that leave it
        open. Raises the game's Illegal."""
        if not self.game.real_time:
            return True
        after = self.copy()
        for action in actions:
            self.game.apply(after.game_state, seat, action, at)
        return after._task(seat) != self._task(seat)

    def open_poll(self, poll: Poll) -> None:
        """Add the next poll."""
        self.polled = poll.number
        self.polls[poll.number] = poll

    def withdraw_votes(self, seat: Seat) -> None:
        """Withdraw the votes that the former player of a seat has given."""
        for number, poll in self.polls.items():
            if seat in poll.votes:
                self.polls[number] = replace(poll, votes={**poll.votes, seat: ""})

    def forgive(self, seat: Seat) -> None:
        """Forget that a seat was reminded or overdue: its time begins anew."""
        self.since[seat] = self.at
        self.reminded.discard(seat)
        for poll in [poll for poll in self.polls.values() if seat in poll.seats]:
            others = tuple(other for other in poll.seats if other != seat)
            if others:
                # The poll goes on about the other seats.
                self.polls[poll.number] = replace(poll, seats=others)
            else:
                del self.polls[poll.number]


class LogEntry(ABC):
    """One thing that happened at a table. Each kind is a frozen class in `bot.match.entries`."""

    __slots__ = ()

    kind: ClassVar[str]
    """Name of the kind in the store."""
    is_told: ClassVar[bool] = True
    """False when nobody but its person learns of it. Then it changes nothing that others see, nor when they see it."""

    @classmethod
    @abstractmethod
    def read(cls, row: LogRow) -> Self:
        """Return the entry in a row of the store."""

    @abstractmethod
    def columns(self) -> tuple[int | None, int | None, str]:
        """Return the seat, user and body of its row."""

    @abstractmethod
    def apply(self, state: TableState, /) -> list[Event] | None:
        """Change the state; `state.n` and `state.at` are the number and time of this entry already. Return the events
        of the game, if any."""

    def deal_step(self, state: TableState, /) -> DealStep:  # noqa: ARG002
        """Return what the entry adds to the seal of a deal (`bot.match.deals`), empty for nothing. `state` is the table
        before it."""
        return ()

    def calls(self, state: TableState, /) -> list[Seat]:
        """Return the seats of the people to call for a decision. `state` is the table after it."""
        return state.asked()

    def announcement(self, state: TableState, times: Times, /) -> str:  # noqa: ARG002
        """Return its line in the public record, "" for none. `state` is the table after it."""
        return ""

    def ending(self, state: TableState, times: Times, /) -> str:
        """Return the result of the poll or offer that this entry ended. Called for such entries only."""
        return self.announcement(state, times)


@dataclass(frozen=True, slots=True)
class Logged:
    """An entry with its place in a log: `n` counts from 1 without a gap, `at` is in ms."""

    n: int
    at: int
    entry: LogEntry
    click: int | None = None
    """Id of the click that made it, if it may be made only once."""

    @property
    def row(self) -> LogRow:
        seat, user, body = self.entry.columns()
        return LogRow(self.n, self.entry.kind, seat, user, body, self.at, self.click)
