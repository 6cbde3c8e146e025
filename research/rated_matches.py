"""Matches among computers of mixed strengths, from which the constants of ratings are fitted.

Each match is stored at once as a line of JSON. A run that was stopped goes on from there, as long as the games' sources
are the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from bench import strength
from bench.strength import fingerprint, play_out
from games import GAMES
from games.advice import STRENGTHS, Strength

RECORDS: Final = Path("artefacts/ratings")
"""Folder of the stored matches."""
SEATS: Final = (2, 5)
"""Fewest and most seats of a match, within the game's limits."""
SHARP_SHARE: Final[Mapping[str, float]] = {
    "charms": 0.08,
    "palace": 0.25,
    "thirty-one": 0.08,
    "twin-palms": 0.08,
}
"""Share of matches with a sharp computer, and then just one, by game: it thinks for up to three seconds of processor
time in each match. In the other games every seat has each strength equally often."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game with the options under which a pool's matches are played."""

    game: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """Result of one match."""

    number: int
    """Number of the match: it decides the deal and the line-up."""
    strengths: tuple[Strength, ...]
    """By seat."""
    placings: tuple[int, ...]
    """By seat."""


def tables() -> dict[str, Table]:
    """Return the tables by pool."""
    race = Table("twin-it", {"mode": "timed", "seconds": 120})
    return {slug: Table(slug, {}) for slug in GAMES} | {"twin-it-race": race}


def played(pool: str, matches: int, folder: Path = RECORDS) -> list[Record]:
    """Return the first `matches` matches of a pool, by number, after playing those that are not stored yet."""
    path = folder / f"{pool} {fingerprint(GAMES[tables()[pool].game])}.jsonl"
    rows = strength.played(path, pool, matches, partial(play, pool))
    return [Record(row["number"], tuple(row["strengths"]), tuple(row["placings"])) for row in rows]


def play(pool: str, number: int) -> dict[str, Any]:
    """Play the match with that number."""
    table = tables()[pool]
    game = GAMES[table.game]
    options = game.Options(**table.options)
    strengths = line_up(pool, number)
    state, _ = game.new(options, len(strengths), f"ratings {number}")
    play_out(game, state, strengths, number)
    outcome = game.outcome(state)
    assert outcome is not None
    return {"number": number, "strengths": strengths, "placings": outcome.placings}


def line_up(pool: str, number: int) -> tuple[Strength, ...]:
    """Return the strengths by seat of the match with that number."""
    table = tables()[pool]
    game = GAMES[table.game]
    rng = Random(f"{pool} {number}")
    allowed = game.seats(game.Options(**table.options))
    seats = range(rng.choice([seats for seats in allowed if SEATS[0] <= seats <= SEATS[1]]))
    share = SHARP_SHARE.get(table.game)
    if share is None:
        return tuple(rng.choice(STRENGTHS) for _ in seats)
    strengths: list[Strength] = [rng.choice(("casual", "steady")) for _ in seats]
    if rng.random() < share:
        strengths[rng.choice(seats)] = "sharp"
    return tuple(strengths)
