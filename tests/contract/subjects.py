"""The games under test: every game in `games/` and the toy, each with what its tests know about it.

A game in `games/<package>/` has the test folder `tests/games/<package>/` with `secrets.py`, which offers everything
that `Secrets` lists as module-level functions, and `golden/`, its golden games. A game with such a folder is found
and tested without being registered.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from games import GAMES
from games.contract import AnyGame, Event, Options
from games.types import Seat
from tests.toy import GAME as TOY

TESTS = Path(__file__).parent.parent


class Secrets(Protocol):
    """The interface of a game's `secrets.py`: the cards that each seat cannot see, written independently of `view` and
    `imagine`.

    It may read the state's attributes and the tables of the rules. No function changes the state it is given.
    """

    def options(self) -> Sequence[Options]:
        """Return the option sets to test with: few, but every mode once, the shortest match, and unusual values. The
        suite runs each of them with every possible number of seats."""

    def cards(self, state: Any) -> list[int]:
        """Return every card of the game wherever it lies (hands, piles, undealt, out of play), in any order. The
        suite expects the same cards at every moment of a match."""

    def unseen(self, state: Any, seat: Seat | None) -> dict[str, list[int]]:
        """Return the cards that `seat` (None: a watcher) has never been able to see, by the place where they lie:
        "hand 1", "undealt", "row 0 2". Cards known from a peek, or because they were once public, are not included.
        A place whose order is secret and matters (a stock to draw from) has one name per card: "stock 0", "stock 1".
        When the match is over and everything was shown: {}."""

    def put(self, state: Any, places: dict[str, list[int]]) -> Any:
        """Return an independent copy of `state` with the cards of `places` in those places. `places` comes from
        `unseen` for the same state and some seat, with the same number of cards per place, redistributed. Whatever
        follows from the cards (sorted hands, cached sums) is updated; choices already made stay."""

    def choices(self, state: Any, seat: Seat | None) -> list[Any]:
        """Return copies of `state` in which the hidden choices of seats other than `seat` (for example bids before
        the reveal) are replaced by other legal ones. A few are enough; [] when nobody else has a hidden choice.
        A game without hidden choices leaves this out."""

    Referee: "Callable[[Any, int], SecondReferee]"
    """The class of the game's second referee. Makes one from the options and the number of seats."""


class SecondReferee(Protocol):
    """Counts the scores again, only from the public events of a match, beginning with those of `new`. Must not call the
    engine's scoring."""

    def receive(self, event: Event) -> None:
        """Take the next event, and check what follows from earlier ones."""

    def scores(self) -> tuple[int, ...]:
        """Return the scores by seat."""


@dataclass(frozen=True)
class Subject:
    """One game under test. `golden` is the folder of its golden games (`*.txt`)."""

    game: AnyGame
    secrets: Secrets
    golden: Path

    def __str__(self) -> str:
        return self.game.slug


def package(game: AnyGame) -> str:
    """Return the package in `games/` that defines a game, for example "twin_palms"."""
    return type(game).__module__.split(".")[1]


def _subject(game: AnyGame, folder: Path) -> Subject:
    secrets = importlib.import_module(".".join(folder.relative_to(TESTS.parent).parts) + ".secrets")
    vars(secrets).setdefault("choices", lambda state, seat: [])
    return Subject(game, cast(Secrets, secrets), folder / "golden")


def _subjects() -> dict[str, Subject]:
    """Collect the games that have a `secrets.py`. A test of its own fails for games without one."""
    folders = [(game, TESTS / "games" / package(game)) for game in GAMES.values()]
    folders.append((TOY, TESTS / "toy"))
    return {game.slug: _subject(game, folder) for game, folder in folders if (folder / "secrets.py").exists()}


SUBJECTS: dict[str, Subject] = _subjects()
