"""The common part of the positions of all games: a match at some moment, played and questioned in words.

How a position is written as text is defined in each game's own `position.py`.
"""

import re
from collections.abc import Iterable
from random import Random
from typing import Any, ClassVar, Generic, Self, TypeVar

import pytest

from games import AnyGame, Event, Illegal
from games.french import CARD
from games.texts import read_move
from games.types import SEATS, Action, Seat

NAMES = ["Alice", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hal"]

N = TypeVar("N", Seat, None)
S = TypeVar("S")


class MatchInWords(Generic[S]):
    """A match at some moment, questioned in words."""

    game: ClassVar[AnyGame]

    def __init__(self, state: S, names: list[str]) -> None:
        self.state = state
        self.names = names
        self.events: list[Event] = []
        """Everything that has happened since that moment."""

    @classmethod
    def opened(cls, seats: int = 3, seed: int | str = 1, **options: Any) -> Self:
        """Return a match that has just begun."""
        state, events = cls.game.new(cls.game.Options(**options), seats, seed)
        opening = cls(state, NAMES[:seats])
        opening.events = events
        return opening

    def seat(self, name: str) -> Seat:
        return SEATS[self.names.index(name)]

    def legal(self, name: str) -> list[str]:
        return [self.game.text(action) for action in self.game.legal(self.state, self.seat(name))]

    def ahead(self, name: str) -> list[str]:
        """Return what a player may choose now for their next decision."""
        return [self.game.text(action) for action in self.game.ahead(self.state, self.seat(name))]

    def awaited(self) -> list[str]:
        return [self.names[seat] for seat in self.game.awaited(self.state)]

    def private_narration(self, name: str) -> list[str]:
        """Return the narration of the events that only `name` received."""
        return self.narrated(event for event in self.events if event.to == self.seat(name))

    def narrated(self, events: Iterable[Event]) -> list[str]:
        return [text for event in events if (text := self.game.words.narrate(event, self.names))]

    def describe(self, name: str | None) -> str:
        """Return the description of all that `name` (None: a watcher) knows."""
        seat = None if name is None else self.seat(name)
        return self.game.words.describe(self.game.view(self.state, seat), self.names)


class ScriptedMatch(MatchInWords[S]):
    """A match played by lines as in a golden game, "Alice: take BL", separated by semicolons."""

    @classmethod
    def after_random_moves(cls, seats: int, seed: int, moves: int, **options: Any) -> Self:
        """Return a match after that many random actions."""
        return cls.opened(seats, seed, **options).at_random(moves, Random(seed))

    def at_random(self, moves: int, rng: Random) -> Self:
        """Make that many random actions of awaited players, or fewer if the match ends, and return the match itself."""
        for _ in range(moves):
            if awaited := self.game.awaited(self.state):
                seat = rng.choice(awaited)
                action = rng.choice(self.game.legal(self.state, seat))
                self.events += self.game.apply(self.state, seat, action)
        return self

    def act(self, script: str) -> list[str]:
        """Play the lines and return the public narration."""
        events = [event for line in re.split(r"[;\n]", script.strip()) for event in self._apply(line)]
        self.events += events
        return self.narrated(event for event in events if event.to is None)

    def taken(self, line: str) -> tuple[Action, list[Event]]:
        """Make a move and return it with what happened by it that its player may know."""
        name, _, action = line.partition(": ")
        seat, moved = self.seat(name), self.game.parse(action)
        return moved, [
            event for event in self.game.apply(self.state, seat, moved) if event.to in (None, seat)
        ]

    def refusal(self, action: str) -> str:
        """Return the refusal of an action. Fails if the action is accepted."""
        with pytest.raises(Illegal) as refusal:
            self._apply(action)
        return str(refusal.value)

    def _apply(self, line: str) -> list[Event]:
        name, _, action = line.strip().partition(": ")
        seat = self.seat(name)
        return self.game.apply(self.state, seat, read_move(self.game, self.state, seat, action))


# Parsing the text


def table(text: str) -> tuple[str, list[list[str]]]:
    """Return the first line, and for each further line the cells separated by |."""
    head, *rows = [line.strip() for line in text.strip().splitlines()]
    return head, [[cell.strip() for cell in row.split("|")] for row in rows]


def number(pattern: str, text: str, otherwise: int) -> int:
    """Return the number found by the pattern's group, or `otherwise`."""
    found = re.search(pattern, text)
    return int(found[1]) if found else otherwise


def named(pattern: str, text: str, names: list[str], otherwise: N) -> Seat | N:
    """Return the seat of the name found by the pattern's group, or `otherwise`."""
    found = re.search(pattern, text)
    return SEATS[names.index(found[1])] if found else otherwise


def pile(where: str, text: str) -> list[int]:
    """Return the French cards listed after `where`. The text has the top first, the result has it last."""
    found = re.search(rf"{where}((?: \w+)+)", text)
    return [CARD[word] for word in reversed(found[1].split())] if found else []
