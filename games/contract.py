"""What every game answers: the contract between the engines and the rest of the house.

A match is a fold: `apply` over a log of actions, from the state that `new` makes out of options, a number of
seats and a seed. Nothing else decides anything, so replaying a log *is* recovering a match. Engines are pure: no
Discord, no asyncio, no clock, no file, no global generator, no order of a set.

Seats are ints, 0 to n-1 clockwise. Actions and cards are small ints private to each game; the one public form of
an action is its text (`text` and `parse` are inverse to each other).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from random import Random
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, dataclass_transform

from pydantic import BaseModel, ConfigDict


class Illegal(Exception):
    """An action was refused and nothing has changed. `str()` is the sentence the player reads: it names the rule
    and says what is allowed instead."""


class Options(BaseModel):
    """Per-table settings of a game. Frozen, unknown names refused; subclasses add the fields and their limits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def summary(self) -> list[str]:
        """What a table is announced with, in a player's words: the mode of a game that has several, and what differs
        from the usual."""
        return []


T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def event(kind: type[T]) -> type[T]:
    """Make a dataclass of a kind of event. Nobody may change an event, and mypy holds everybody to it: freezing it
    at run time, too, would make it four times as slow to build, and events are most of the work of `apply`."""
    return dataclass(slots=True, unsafe_hash=True)(kind)


@event
class Event:
    """Something that happened. Each game subclasses it, one class per kind of event, each an `@event`.

    `to` is the only seat that may learn of it; None means everybody may, watchers included.
    """

    _: KW_ONLY
    to: int | None = None


Events: TypeAlias = list[Event] | None
"""Where an engine tells what happens; None while a search plays, which listens to nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended, by seat. Placings: 1 is best, equal is shared (1, 1, 3). `reason` is a whole sentence."""

    placings: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str


O = TypeVar("O", bound=Options)  # noqa: E741 - options, state and view are what a game is made of
S = TypeVar("S")
V = TypeVar("V")


class Game(ABC, Generic[O, S, V]):
    """One game. Subclasses are stateless; the one instance of each stands in `games.GAMES` under its slug."""

    slug: ClassVar[str]
    """What commands, the store and the registry call it: "twin-palms"."""
    title: ClassVar[str]
    """What people call it: "Twin Palms"."""
    blurb: ClassVar[str]
    """What the game is, for somebody new to it: one short sentence of at most 75 characters without a full stop, "Spot
    two designs alike before anybody else does". Commands, `/help` and the lobby card say it (see `games.about`)."""
    minutes: ClassVar[int]
    """Length of a usual match among people, at some eight seconds a decision."""
    credit: ClassVar[str]
    """Whose game it is, one line for the rules text."""
    version: ClassVar[int]
    """Of the rules. It goes up when an old log would replay differently; a stored match names the one it began with."""
    longest: ClassVar[int]
    """No match of random play takes more actions than this, whatever the options."""
    real_time: ClassVar[bool] = False
    """Whether it matters who acts first: the house then orders actions by when Discord received them."""
    Options: type[O]

    @abstractmethod
    def seats(self, options: O) -> range:
        """How many may play under these options."""

    @abstractmethod
    def new(self, options: O, seats: int, seed: int | str) -> tuple[S, list[Event]]:
        """The first state, and what happened on the way to it. ValueError for a number of seats not in `seats`."""

    @abstractmethod
    def legal(self, state: S, seat: int) -> Sequence[int]:
        """Every action `seat` may take now, sorted and unique. Not empty for all who *may* act, awaited or not."""

    @abstractmethod
    def awaited(self, state: S) -> tuple[int, ...]:
        """The seats the match waits for, ascending. Empty only when it is over or something is `due`: then it waits
        for time alone, and seats with something `legal` are free to act meanwhile."""

    @abstractmethod
    def apply(self, state: S, seat: int, action: int, at: int = 0) -> list[Event]:
        """Change `state` by one action and tell what happened. Accepts exactly what `legal` lists.

        `at` is when the player acted, in ms of Discord's clock; only games of time look at it. Nothing is `due` by
        then: the house lets that `tick` first. An `at` before the last one counts as that.
        Raises Illegal before anything has changed.
        """

    @abstractmethod
    def step(self, state: S, seat: int, action: int) -> None:
        """The same change as `apply`, unchecked and untold: for searching. `action` must come from `legal`."""

    @abstractmethod
    def copy(self, state: S, /) -> S:
        """An independent copy, written by hand."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """What `seat` (None: a watcher) may know, remember or deduce: a frozen dataclass of plain data, without a
        reference into the state and never with the seed. Equal knowledge gives equal views, byte for byte."""

    @abstractmethod
    def imagine(self, view: V, rng: Random) -> S:
        """A whole state drawn at random among those the view allows, with a seed of its own drawn from `rng`."""

    @abstractmethod
    def fallback(self, state: S, seat: int) -> int:
        """A harmless legal action for an absent player who is awaited. It may rest on nothing but that seat's view."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Placings, scores and the reason once the match is over, else None."""

    # Time. Most games know none and keep these three as they are.

    def due(self, state: S) -> int | None:  # noqa: ARG002
        """When something happens by itself, in ms of Discord's clock; 0 means at once, None never."""
        return None

    def tick(self, state: S, at: int) -> list[Event]:
        """Change `state` by what happens by itself at `at`, which is not before `due`, and tell it. Nothing of it stays
        due by then."""
        raise NotImplementedError(f"{self.title} knows no time: `due` is None at {at} and always")

    def resume(self, state: S, at: int) -> list[Event]:  # noqa: ARG002
        """The house was away until `at` while something was due: void or put off what players could not answer."""
        return []

    # Words: the same facts for people. `names` are display names by seat, made safe by the caller to print anywhere,
    # in a code block too, and of at most 32 characters.

    @abstractmethod
    def text(self, action: int) -> str:
        """The action's one text form, as in the log: "play P3 P*=8"."""

    @abstractmethod
    def parse(self, text: str, /) -> int:
        """The action a text names, forgiving of case and spacing. Illegal for anything else, saying the form."""

    @abstractmethod
    def label(self, action: int) -> str:
        """The action as a person would say it, at most 100 characters: "Palm 3 and a wild Palm as 8"."""

    @abstractmethod
    def narrate(self, event: Event, names: Sequence[str]) -> str:
        """One or a few short lines of Markdown telling the event, "" when there is nothing to tell."""

    def record(self, events: Sequence[Event], names: Sequence[str]) -> list[str]:
        """Tell a stretch of play: short lines of Markdown, in order. A game overrides it where several public events
        share a line, as the plays of a trick do. It may be called with any run of a match's public events: from the
        middle of a trick on, or up to it."""
        return [told for event in events if (told := self.narrate(event, names))]

    def closes(self, event: Event) -> bool:  # noqa: ARG002
        """Return whether a round or a deal ends with this public event: its record is complete, a new one begins."""
        return False

    def task(self, view: V) -> str:  # noqa: ARG002
        """What the awaited seats are to do, without a subject and without a full stop: "play two cards". "" when
        nobody is awaited. Everybody reads it, so it may rest on nothing but what a watcher sees."""
        return ""

    def unit(self, options: O) -> str:  # noqa: ARG002
        """Return the unit of scores, in the singular: "sand dollar"."""
        return "point"

    def sides(self, options: O, seats: int) -> tuple[int, ...]:  # noqa: ARG002
        """By seat, the side it plays for: the members of a side win and lose together."""
        return tuple(range(seats))

    def highlight(self, events: Sequence[Event], names: Sequence[str]) -> str:  # noqa: ARG002
        """The moment that decided a finished match, in one sentence; "" when there is none. `events` are all public
        events of the match."""
        return ""

    def primer(self, options: O) -> str:
        """The game on one small page: at most five short lines of Markdown, enough to play a first match by."""
        return self.reference(options)

    @abstractmethod
    def describe(self, view: V, names: Sequence[str]) -> str:
        """Everything the view says, as text (Markdown, at most 1,500 characters): what a player who sees no
        pictures and no buttons reads. Own cards and own hidden choices only when the view has a seat."""

    @abstractmethod
    def rules(self, options: O) -> str:
        """Our own rules text under these options, Markdown, at most 3,800 characters, ending with the credit."""

    @abstractmethod
    def reference(self, options: O) -> str:
        """The card a player keeps beside the table (what beats what), Markdown, at most 1,500 characters."""


AnyGame: TypeAlias = Game[Any, Any, Any]
