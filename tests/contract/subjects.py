"""What the contract suite tests: every game of the house and the toy, each with what its tests know of it.

A game in `games/<package>/` has its test folder `tests/games/<package>/` with `secrets.py`, which offers
everything `Secrets` lists as module-level functions, and `golden/`, its golden games. Being there enlists
it.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from games import GAMES
from games.contract import AnyGame, Event, Options
from tests.toy.rules import GAME as TOY

TESTS = Path(__file__).parent.parent


class Secrets(Protocol):
    """What a game's `secrets.py` offers: the truth about its state, written without a look at `view` or
    `imagine`.

    It may read the state's attributes and the rules' tables. Nothing here changes the state it is given.
    """

    def options(self) -> Sequence[Options]:
        """The option sets to test under, few and telling: every mode once, the shortest match, odd values.
        The suite runs each with every number of seats it allows."""

    def cards(self, state: Any) -> list[int]:
        """Every card of the game wherever it lies, hands, piles, undealt and out of play, in any order. The
        suite expects the same cards at every moment of a match."""

    def unseen(self, state: Any, seat: int | None) -> dict[str, list[int]]:
        """The cards that `seat` (None: a watcher) has never been able to see, by the place where they lie:
        "hand 1", "undealt", "row 0 2". Cards known from a peek, or from having been public, are not among
        them. A place whose order counts and is secret (a stock drawn from) has one name per card: "stock
        0", "stock 1". When the match is over and everything was shown: {}."""

    def put(self, state: Any, places: dict[str, list[int]]) -> Any:
        """An independent copy of `state` in which the cards of `places` lie there. `places` has the names
        and the numbers of cards that `unseen` gave for the same state and some seat, the cards dealt
        among them anew. What follows from the cards (sorted hands, cached sums) follows; choices already
        made stay."""

    def choices(self, state: Any, seat: int | None) -> list[Any]:
        """Copies of `state` in which the hidden choices of others than `seat` (bids before the reveal) are
        different ones that they could have made as well. A few will do; [] when nobody else has one."""

    def recount(self, options: Any, seats: int, events: Sequence[Event]) -> tuple[int, ...]:
        """The final scores by seat, counted from the public events of a finished match alone, beginning with
        those of `new`. It must not call the engine's scoring."""


@dataclass(frozen=True)
class Subject:
    """One game under test. `golden` is the folder of its golden games (`*.txt`)."""

    game: AnyGame
    secrets: Secrets
    golden: Path

    def __str__(self) -> str:
        return self.game.slug


def package(game: AnyGame) -> str:
    """The package in `games/` that a game comes from: "twin_palms"."""
    return type(game).__module__.split(".")[1]


def _subject(game: AnyGame, folder: Path) -> Subject:
    module = ".".join(folder.relative_to(TESTS.parent).parts) + ".secrets"
    return Subject(game, cast(Secrets, importlib.import_module(module)), folder / "golden")


def _subjects() -> dict[str, Subject]:
    """Games without a `secrets.py` are left out here; a test of its own names them."""
    folders = [(game, TESTS / "games" / package(game)) for game in GAMES.values()]
    folders.append((TOY, TESTS / "toy"))
    return {game.slug: _subject(game, folder) for game, folder in folders if (folder / "secrets.py").exists()}


SUBJECTS: dict[str, Subject] = _subjects()
