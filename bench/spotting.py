"""Points a minute in races of Twin It!: people on a phone, as computers play them, against real spreads.

The model of these people is stated in full in `games.twin_it.race_player`; that real ones are slower or quicker is
what the strengths are for.
"""

from dataclasses import dataclass
from statistics import mean

from bench import speed
from games.strategies import STRENGTHS, Strength
from games.twin_it import GAME
from games.twin_it.options import USUAL_SECONDS
from games.twin_it.result import grade

PLAYERS = (1, 2, 4, 6)


@dataclass(frozen=True)
class Spotting:
    """Of `players` of one strength in a race of so many seconds: mean points, points a person and minute, the verdict
    on the mean."""

    points: float
    each_a_minute: float
    verdict: str


def measure(races: int = 40, seconds: int = USUAL_SECONDS) -> dict[str, Spotting]:
    """By strength and number of players."""
    return {
        f"{strength}, {players} players": _measured(players, strength, seconds, races)
        for strength in STRENGTHS
        for players in PLAYERS
    }


def _measured(players: int, strength: Strength, seconds: int, races: int) -> Spotting:
    points = mean(play(players, strength, seconds, seed) for seed in range(races))
    return Spotting(points, points / players * 60 / seconds, grade(players, round(points)))


def play(players: int, strength: Strength, seconds: int, seed: int) -> int:
    """The points of one race."""
    state, _ = GAME.new(GAME.Options(mode="cooperative", seconds=seconds), players, seed)
    speed.play(GAME, state, [strength] * players, str(seed))
    assert state.outcome is not None
    return state.outcome.scores[0]


def reach(races: int, seconds: int = USUAL_SECONDS) -> set[str]:
    """The verdicts that so many races come to, for each strength and number of people."""
    return {
        grade(players, play(players, strength, seconds, seed))
        for strength in STRENGTHS
        for players in PLAYERS
        for seed in range(races)
    }
