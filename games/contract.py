"""The contract between the games' engines and the rest of the program.

A match is a fold: `new` makes the first state from options, a number of seats and a seed, and `apply` changes it by
each action of the log. Nothing else has an influence, so replaying the log recovers the match. Engines are pure: they
use no Discord, asyncio, clock, file or global random generator, and never rely on the order of a set.

`Game` is what a table needs to play. What people read and what remains of a match are other audiences: `Words`,
`Rulebook`, `Record` and `Facts` say what modules beside the rules offer. `games.defaults` has what a module may leave
unsaid.

Actions (see `games.types`) and cards are small ints that are private to each game. The public form of an action is its
text; `text` and `parse` convert between the two.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from random import Random
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar, dataclass_transform

from pydantic import BaseModel, ConfigDict

from games.facts import FactKind
from games.types import Action, Seat


class Illegal(Exception):
    """The refusal of an action; nothing has changed. `str()` tells the player the rule, and what is allowed instead.

    Engines know no names, so it may say "seat 2". `games.phrases.addressed` replaces that before people read it."""


class Options(BaseModel):
    """The settings of a table. A game's subclass adds the fields and their limits. Unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def summary(self) -> list[str]:
        """Return phrases in a player's words: the mode, if there are several, then each option that is not usual."""
        return []

    def after(self, winner: Seat | None) -> Self:  # noqa: ARG002
        """Return the options of a rematch. `winner`: the seat of the only winner of the match before, or None."""
        return self


T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def event(kind: type[T]) -> type[T]:
    """Make a dataclass of a kind of event. Events must not be changed; mypy checks that."""
    # `frozen=True` would make building an event four times slower, and `apply` spends most of its time on that.
    return dataclass(slots=True, unsafe_hash=True)(kind)


@event
class Event:
    """Something that happened. A game has one subclass for each kind of event, each decorated with `@event`."""

    _: KW_ONLY
    to: Seat | None = None
    """The only seat that may learn of the event; None when everybody may, watchers included."""


Sink: TypeAlias = list[Event] | None
"""The list to which an engine appends events; None in a search, which needs no events."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match."""

    placings: tuple[int, ...]
    """By seat: 1 is best, and equals share a place (1, 1, 3). All are 0 in a match that was lost together."""
    scores: tuple[int, ...]
    reason: str
    """Reason for this result: a whole sentence."""


M = TypeVar("M", int, tuple[int, int])


def ranked(merits: Sequence[M]) -> tuple[int, ...]:
    """Return placings by seat: the greatest merit is placed 1, and equal merits share a place (1, 1, 3)."""
    return tuple([1 + sum(other > own for other in merits) for own in merits])


class MatchState:
    """Base of every game's state. A subclass names its fields and is decorated with `games.fields.fields`."""

    __slots__ = ()

    seats: int
    """Number of seats."""
    outcome: Outcome | None
    """The result, once the match is over."""

    def copy(self) -> Self:
        """Return an independent copy. `@fields` writes this method."""
        raise NotImplementedError(f"{type(self).__name__} needs the decorator `@fields`.")


# A module satisfies a protocol with functions and constants. Parameters are positional-only, so that it may name them
# as it likes: `_` if it does not need one.

OptionsT = TypeVar("OptionsT", contravariant=True)
ViewT = TypeVar("ViewT", contravariant=True)


class Words(Protocol[ViewT]):
    """A game's module of words. `names` are display names by seat, of at most 32 characters; the caller has
    made them safe to print anywhere, also in a code block."""

    def label(self, action: Action, /) -> str:
        """Return the action as a person would say it, in at most 100 characters: "Palm 3 and a wild Palm as 8"."""

    def done(self, action: Action, events: Sequence[Event], /) -> str:
        """Return what the player who took an action is told about it: its label, perhaps with what it led to. `events`
        are those of the action that this player may know."""

    def narrate(self, event: Event, names: Sequence[str], /) -> str:
        """Describe the event in one or a few short lines of Markdown; "" when there is nothing to say."""

    def task(self, view: ViewT, /) -> str:
        """Return what the awaited seats are to do, without subject and full stop: "play two cards".

        It is "" when nobody is awaited. It depends only on what a watcher sees, because everybody reads it.
        """

    def question(self, view: ViewT, names: Sequence[str], /) -> str:
        """Return what another player asks the awaited seats, without full stop: "Ann asks whether to go out: agree or
        refuse". Either this or `task` is "". It depends only on what a watcher sees."""

    def describe(self, view: ViewT, names: Sequence[str], /) -> str:
        """Return everything the view says as Markdown, in at most 1,500 characters. It is for players who see no
        pictures and no buttons. It shows a player's own cards and hidden choices only when the view has a seat."""


class Rulebook(Protocol[OptionsT]):
    """A game's module of rules for people."""

    CREDIT: str
    """Author and source of the game, one line of the rules text."""

    def rules(self, options: OptionsT, /) -> str:
        """Return the full rules under these options as Markdown, in at most 3,800 characters, the credit last."""

    def primer(self, options: OptionsT, /) -> str:
        """Return the rules for a first match: at most five short lines of Markdown."""

    def reference(self, options: OptionsT, /) -> str:
        """Return a short overview for use during play (what beats what) as Markdown, in at most 1,500 characters."""


class Record(Protocol[OptionsT]):
    """A game's module on the course of a match. All events are public ones."""

    def lines(self, events: Sequence[Event], names: Sequence[str], /) -> list[str]:
        """Describe consecutive events in short lines of Markdown, in order. `events` may begin and end anywhere, for
        example in the middle of a trick, and several may share a line, such as the plays of a trick."""

    def closes(self, event: Event, /) -> bool:
        """Return whether this event ends a round, hand or deal, so that a new record begins after it."""

    def recap(self, event: Event, names: Sequence[str], /) -> str:
        """Return a line on how this event ended a trick, round or deal, shown above the next one; "" else."""

    def scores_by_round(self, events: Sequence[Event], options: OptionsT, /) -> list[tuple[int, ...]]:
        """Return the scores of all seats after each round or deal so far, in order; [] for a game without rounds.
        `events` are all of a match so far. There is one entry for each event that `closes`. After a finished match the
        last entry equals the scores of the outcome. A seat that is out keeps its last score."""

    def highlight(self, events: Sequence[Event], names: Sequence[str], /) -> str:
        """Return one sentence on the best moment of a finished match; "" when there is none.

        It is somebody's success, not a failure. Prefer a rare moment to the one that decided the match. `events` are
        all of the match.
        """


class Facts(Protocol):
    """A game's module of facts: what remains of a finished match for profiles. `events` are all public
    events of the match, in order, and nothing else has an influence."""

    KINDS: Mapping[str, FactKind]
    """Meaning of each key of the facts, in the order in which a profile shows them."""

    def count(self, events: Sequence[Event], seat: Seat, /) -> dict[str, int]:
        """Return facts about the match of `seat`, by the keys of `KINDS`: counts, or times in ms; at least 0.

        Every seat has every fact of the kind "sum", 0 when nothing was counted. A "most" or "least" is left out for a
        seat that has no value.
        """

    def course(self, events: Sequence[Event], seat: Seat, /) -> str:
        """Return how each part of the match went for `seat`, as one of 🟩🟨🟥; "" in a game without parts."""


O = TypeVar("O", bound=Options)  # noqa: E741 - options, state and view are what a game is made of
S = TypeVar("S", bound=MatchState)
V = TypeVar("V")


class Game(ABC, Generic[O, S, V]):
    """The rules of one game, and the modules that speak about it. An instance has no state of its own;
    `games.GAMES` has one of each game, by slug."""

    slug: ClassVar[str]
    """The game's name in commands, in the store and in `games.GAMES`: "twin-palms"."""
    title: ClassVar[str]
    """The game's name for people: "Twin Palms"."""
    blurb: ClassVar[str]
    """A sentence of at most 75 characters, without a full stop, for somebody new to the game: "Spot two designs alike
    before anybody else does". Commands, `/help` and the lobby card show it (see `games.about`)."""
    minutes: ClassVar[int]
    """Length of a typical match among people, at about eight seconds a decision, with the default options."""
    length_option: ClassVar[str] = ""
    """Name of the option that sets the length of a match: twice its value, twice the minutes; "" for none."""
    reference_title: ClassVar[str] = "What beats what"
    """Label of the button that shows `rulebook.reference`."""
    version: ClassVar[int]
    """Version of the rules, stored with each match. It goes up when an old log would replay differently."""
    longest: ClassVar[int]
    """Upper limit of the actions in a match of random play, whatever the options."""
    real_time: ClassVar[bool] = False
    """True when it matters who acts first. Actions then come in the order in which Discord received them."""
    round_name: ClassVar[str] = "round"
    """Word for the part of a match that `record.closes` ends: "round", "hand" or "deal"."""
    card_names: ClassVar[Sequence[str]]
    """Names of the cards that the game shuffles, by their numbers, for the deal file: "10 of hearts". In ASCII. Only
    equal cards have the same name."""
    shuffles: ClassVar[Mapping[str, str]]
    """Kind of each shuffle by its name, in which N stands for any number: "deal N". Kinds: "whole" (one pack
    or several), "part" (some cards of a pack) and "lot" (numbers, as `games.chance.drawn` draws them)."""
    dealing: ClassVar[str]
    """Sentences on how the cards of a deal file (see `card_names`) become hands, for people who compare them with what
    they held: "Cards are dealt from the end of the list, three to each player in the order of seats."."""
    Options: type[O]

    def __init__(self, *, words: Words[V], rulebook: Rulebook[O], record: Record[O], facts: Facts) -> None:
        """Make a game of these rules and of the modules that speak about them."""
        self.words = words
        self.rulebook = rulebook
        self.record = record
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel to a worker process as the name of the game's package, as modules cannot be pickled."""
        return _game_of, (type(self).__module__.rpartition(".")[0],)

    @abstractmethod
    def seats(self, options: O) -> range:
        """Return how many may play under these options."""

    def how(self, options: O) -> str:  # noqa: ARG002
        """Return advice on what to do at any time, on the live table: for a game without hidden cards; "" else."""
        return ""

    def duration(self, options: O) -> int:
        """Return the length in minutes of a typical match under these options, see `minutes`: a multiple of 5."""
        usual = type(options).model_fields[self.length_option].default if self.length_option else 1
        return self.minutes_of(getattr(options, self.length_option, usual), usual)

    def minutes_of(self, part: int, usual: int) -> int:
        """Return the minutes of a match of `part` instead of `usual` rounds."""
        return -(-self.minutes * part // usual // 5) * 5

    @abstractmethod
    def new(self, options: O, seats: int, seed: int | str) -> tuple[S, list[Event]]:
        """Return the first state, and the events that lead to it. Raises ValueError, see `check_seats`."""

    def check_seats(self, options: O, seats: int) -> None:
        """Raise ValueError unless this number of seats may play under these options."""
        if seats not in (allowed := self.seats(options)):
            number = f"{allowed[0]} to {allowed[-1]}"
            raise ValueError(f"{self.title} with these options is for {number} players, not for {seats}.")

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[Action]:
        """Return every action that `seat` may take now, sorted and unique. A seat that is not awaited may have legal
        actions, too: to change a secret choice, for example."""

    def ahead(self, _state: S, _seat: Seat, /) -> Sequence[Action]:
        """Return the actions that a player who is not awaited may choose now, to be taken at their next decision if
        they are legal then: sorted and unique. It depends on the view alone."""
        return ()

    def topic(self, _state: S, _seat: Seat, /) -> object:
        """Return a value that changes when the same legal actions mean something else: forms are then stale, as they
        are when these change. In real time a move that keeps it gives no more time. It depends on the view alone."""
        return None

    @abstractmethod
    def awaited(self, state: S) -> tuple[Seat, ...]:
        """Return the seats that the match waits for, ascending. It is empty only when the match is over, or when it
        waits for a time (`due`) and for nobody; seats with legal actions may act before."""

    def apply(self, state: S, seat: Seat, action: Action, at: int = 0) -> list[Event]:  # noqa: ARG002
        """Change `state` by one action and return what happened. Raises Illegal before anything has changed, for all
        actions but those that `legal` lists.

        `at` is the time of the action in ms of Discord's clock; only games in real time use it. The caller calls
        `tick` first if something is due by then. A time before that of the last action counts as that one.
        """
        self.check(state, seat, action)
        events: list[Event] = []
        self.step(state, seat, action, events)
        return events

    def check(self, state: S, seat: Seat, action: Action) -> None:
        """Raise Illegal unless `seat` may take `action` now."""
        if 0 <= seat < state.seats and action in self.legal(state, seat):
            return
        if state.outcome is not None:
            raise Illegal("The match is over.")
        if not 0 <= seat < state.seats:
            raise Illegal(f"Only seats 1 to {state.seats} play at this table. You can watch.")
        raise Illegal(self.why_not(state, seat, action))

    @abstractmethod
    def why_not(self, state: S, seat: Seat, action: Action, /) -> str:
        """Return the rule that forbids `action`, and what is allowed instead, in whole sentences to the player. The
        match is not over, `seat` plays in it, and `legal` does not list `action`. It depends on the view alone."""

    @abstractmethod
    def step(self, state: S, seat: Seat, action: Action, events: Sink = None) -> None:
        """Change `state` by a legal action, and append what happened to `events`. A search needs no events."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None) -> V:
        """Return everything that `seat` (None: a watcher) may know, remember or deduce: a frozen dataclass of plain
        data, without the seed and references into the state. Equal knowledge gives equal views, byte for byte."""

    @abstractmethod
    def imagine(self, view: V, rng: Random) -> S:
        """Return a state drawn at random among those that look like `view`, with a new seed drawn from `rng`."""

    @abstractmethod
    def fallback(self, state: S, seat: Seat) -> Action:
        """Return a harmless legal action for an absent player who is awaited. It depends on the view alone."""

    def outcome(self, state: S) -> Outcome | None:
        """Return placings, scores and the reason once the match is over, else None."""
        return state.outcome

    # Time. Games without time limits of their own inherit these three.

    def due(self, _state: S, /) -> int | None:
        """Return when something happens by itself, in ms of Discord's clock: 0 means at once, None never."""
        return None

    def tick(self, state: S, at: int) -> list[Event]:
        """Change `state` by everything that happens by itself up to `at`, and return the events. `at` is not before
        `due`. Afterwards nothing is due at `at` or before."""
        raise NotImplementedError(f"{self.title} has no time limits: nothing is due at {at}.")

    def resume(self, _state: S, _at: int, /) -> list[Event]:
        """Cancel or postpone everything that players could not react to while the bot was away, and return the events.
        Called when the bot is back and something was due."""
        return []

    @abstractmethod
    def text(self, action: Action, /) -> str:
        """Return the text form of an action, as in the log: "play P3 P*=8"."""

    @abstractmethod
    def parse(self, text: str, /) -> Action:
        """Return the action that a text names; case and spacing do not matter. Raises `games.texts.Unread` for any
        other text, or Illegal with a sentence on what is wrong with it."""

    @abstractmethod
    def pack(self, options: O) -> Sequence[int]:
        """Return the pack, ascending. Every deck that is shuffled is this pack, a part of it, or several copies."""

    def unit(self, _: O, /) -> str:
        """Return the unit of scores, in the singular: "sand dollar"."""
        return "point"

    def sides(self, _: O, seats: int, /) -> tuple[int, ...]:
        """Return the side of each seat. The members of a side win and lose together."""
        return tuple(range(seats))

    @property
    def pools(self) -> Mapping[str, str]:
        """Titles of the game's rating pools, by name. A pool's name belongs to one game alone."""
        return {self.slug: self.title}

    def pool(self, _: O, /) -> str | None:
        """Return the name of the pool in which a match under these options is rated; None for a match not rated. A
        match that all seats win or lose together is not rated."""
        return self.slug


AnyGame: TypeAlias = Game[Any, Any, Any]


def _game_of(package: str) -> Any:
    return import_module(package).GAME
