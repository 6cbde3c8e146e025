"""Defaults for the modules of a game, each under the name that `games.contract` gives it.

A module takes what fits its game: `from games.defaults import question as question` (the `as` makes it the module's
own for mypy), `done = naming(label)`.
"""

from collections.abc import Callable, Sequence

from games.contract import Event
from games.types import Action, Seat


def task(_view: object) -> str:
    """Return "": what the awaited seats do needs no words."""
    return ""


def question(_view: object, _names: Sequence[str]) -> str:
    """Return "": nobody asks the awaited seats anything."""
    return ""


def naming(label: Callable[[Action], str]) -> Callable[[Action, Sequence[Event]], str]:
    """Return a `done` that tells players the label of their action, and nothing that it led to."""
    return lambda action, _: label(action)


def closes(_event: Event) -> bool:
    """Return False: no event ends a round."""
    return False


def recap(_event: Event, _names: Sequence[str]) -> str:
    """Return "": nothing is to be read above what follows."""
    return ""


def scores_by_round(_events: Sequence[Event], _options: object) -> list[tuple[int, ...]]:
    """Return []: there are no rounds."""
    return []


def highlight(_events: Sequence[Event], _names: Sequence[str]) -> str:
    """Return "": no moment of a match is told."""
    return ""


def course(_events: Sequence[Event], _seat: Seat) -> str:
    """Return "": a match has no parts that go well or badly."""
    return ""
