"""The replay of a match that is over: its steps, and what each of them shows from a point of view.

It is computed from the log alone, so nothing about it is stored.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from bot.match.announcements import announce, names
from bot.match.entries import Close, Computer, Dismiss, Join, Leave, Move, Start, Take
from bot.match.log import read
from bot.match.names import seat_names
from bot.match.state import LogEntry, Player, TableState
from bot.match.times import Times
from bot.store import LogRow, Match
from games import AnyGame, Event, Options, Outcome
from games.types import SEATS, Seat

PointOfView: TypeAlias = tuple[Seat, ...]
"""The seats whose hands are shown: none for what was public, one for what that player saw, or all."""
PUBLIC: Final[PointOfView] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the log in which something happened. An entry that ends a round is two steps: the end, at which the
    cards and bids of that round still lie there, and what follows."""

    events: tuple[Event, ...]
    """The events of the game, secret ones included."""
    line: str
    """The line of the table itself; "" for none."""
    names: tuple[str, ...]
    """The players at that time, by seat."""
    state: Any
    """State of the game after it; before it if it ends a round. It is shared through the cache: never change it."""
    move: tuple[int, str] | None
    """The seat that moved, and its move in a person's words."""

    def is_seen(self, seats: PointOfView) -> bool:
        """Return whether anything of it is visible from a point of view."""
        return bool(self.line) or any(_visible(event, seats) for event in self.events)


@dataclass(frozen=True, slots=True)
class Replay:
    """A match that is over, step by step."""

    game: AnyGame
    options: Options
    everything: tuple[Step, ...]
    """All steps; none when the match was never dealt."""
    outcome: Outcome | None
    """The result, with the places of sides; None when the match was closed before its end."""

    @property
    def has_secrets(self) -> bool:
        """True when a player saw something that a watcher did not."""
        return any(event.to is not None for step in self.everything for event in step.events)

    @property
    def all_hands(self) -> PointOfView:
        """The point of view with every hand."""
        return SEATS[: len(self.everything[0].names)]

    def steps(self, seats: PointOfView) -> list[Step]:
        """Return the steps of which something is visible from a point of view."""
        return [step for step in self.everything if step.is_seen(seats)]

    def number(self, step: Step, seats: PointOfView) -> int:
        """Return the number of a step, from 0, among those seen from a point of view; if it is not seen, of the last
        one before it."""
        place = next(place for place, each in enumerate(self.everything) if each is step)
        return max(0, sum(each.is_seen(seats) for each in self.everything[: place + 1]) - 1)

    def lines(self, step: Step, seats: PointOfView) -> list[str]:
        """Return what happened in a step, as short lines of Markdown. Secret lines name their only reader."""
        found = []
        for event in step.events:
            if _visible(event, seats):
                reader = "" if event.to is None else f"🔒 To {step.names[event.to]}: "
                found += [
                    reader + line for line in self.game.words.narrate(event, step.names).splitlines() if line
                ]
        found += [step.line] * bool(step.line)
        return found or [_unsaid(step, seats)]

    def rounds(self, steps: Sequence[Step]) -> list[int]:
        """Return the number of the first step of each round or deal."""
        ended = (number for number, step in enumerate(steps[:-1]) if self.ends_round(step))
        return [0, *(number + 1 for number in ended if self.game.outcome(steps[number + 1].state) is None)]

    def ends_round(self, step: Step) -> bool:
        """Return whether a round or deal ends with this step. The step then shows the table as it was before."""
        return bool(step.events) and self.game.record.closes(step.events[-1])

    def heading(self, step: Step) -> str:
        """Return the first line about the round or deal that begins with this step; "" for none."""
        begun = [event for event in step.events[_ended(self.game, step.events) :] if event.to is None]
        lines = (line for event in begun for line in self.game.words.narrate(event, step.names).splitlines())
        return next(lines, "")


def _ended(game: AnyGame, events: Sequence[Event]) -> int:
    """Return the number of events up to the last one that ends a round; 0 without one."""
    return max((place for place, event in enumerate(events, start=1) if game.record.closes(event)), default=0)


def _visible(event: Event, seats: PointOfView) -> bool:
    return event.to is None or event.to in seats


def _unsaid(step: Step, seats: PointOfView) -> str:
    """Return a line for a step about which the game says nothing. Such a move may be a secret choice."""
    if step.move is None:
        return "Time has passed."
    seat, label = step.move
    return f"{step.names[seat]}: {label}" if seat in seats else f"{step.names[seat]} has moved."


def replay_of(match: Match, game: AnyGame, log: tuple[LogRow, ...], times: Times) -> Replay:
    """Return the replay of a match from its row and its whole log."""
    state = TableState.of(match, game)
    steps = tuple(_steps(state, log, times))
    outcome = state.outcome() if state.phase == "over" else None
    return Replay(game, state.options, steps, outcome)


def _steps(state: TableState, log: Sequence[LogRow], times: Times) -> Iterator[Step]:
    """Apply the log to `state`, and yield its steps."""
    game, before = state.game, None
    for row in log:
        logged = read(row)
        events = tuple(state.apply(logged))
        line = "".join(item.line for item in announce(state, logged, events, times))
        if state.game_state is None or not (events or line):
            continue
        who, move, after = tuple(names(state)), _label(game, logged.entry), state.game_state.copy()
        ended = _ended(game, events) if before is not None else 0
        if ended:
            yield Step(events[:ended], "", who, before, move)
        if events[ended:] or line:
            yield Step(events[ended:], line, who, after, move)
        before = after


def _label(game: AnyGame, entry: object) -> tuple[int, str] | None:
    return (entry.seat, game.words.label(game.parse(entry.text))) if isinstance(entry, Move) else None


# Without the game's rules


def people_in(log: Iterable[LogRow]) -> set[int]:
    """Return everybody who has had a seat in a match, also those who left it. An erased person is a negative number."""
    people, started = set[int](), False
    for entry in (read(row).entry for row in log):
        match entry:
            case Join(user=user) | Take(user=user):
                people.add(user)
            case Leave(user=user) if not started:
                people.discard(user)
            case Start():
                started = True
    return people


def moves_in(log: Iterable[LogRow]) -> list[str]:
    """Return the moves of a match as they are stored, with the names of the players. It works without the rules of the
    game, so also for matches of older rules."""
    seats, lines = _Seats(), []
    for entry in (read(row).entry for row in log):
        match entry:
            case Move(seat=seat, text=text):
                who = seat_names(seats.players)
                lines.append(f"{who[seat]}: {text}")
            case Close(sentence=sentence):
                lines.append(f"Table closed: {sentence}")
            case _:
                seats.apply(entry)
    return lines


@dataclass
class _Seats:
    """The players of a match by seat."""

    players: list[Player] = field(default_factory=list)
    started: bool = False

    def apply(self, entry: LogEntry) -> None:
        """Apply an entry that seats or removes somebody, or draws the seats. Ignore all others."""
        match entry:
            case Join(user=user, name=name):
                self.players.append(Player(user, name))
            case Computer(name=name, strength=strength):
                self.players.append(Player(0, name, strength))
            case Dismiss(seat=seat):
                del self.players[seat]
            case Leave(user=user) if not self.started:
                self.players = [player for player in self.players if player.user != user]
            case Take(seat=seat, user=user, name=name):
                self.players[seat] = Player(user, name)
            case Start(order=order):
                self.started = True
                self.players = [self.players[place] for place in order] or self.players
