"""Measure points a minute in races of Twin It!: computers play like people on a phone, on real spreads.

`games.twin_it.race_player` states the model of these people in full. Strengths stand for slower and quicker people.
"""

from dataclasses import dataclass
from statistics import mean

from bench import real_time_match
from games.strategies import STRENGTHS, Strength
from games.twin_it import GAME
from games.twin_it.options import USUAL_SECONDS
from games.twin_it.result import grade

PLAYERS = (1, 2, 4, 6)


@dataclass(frozen=True)
class RacePoints:
    """Result of races of equally strong players."""

    points: float
    """Mean of the races."""
    each_a_minute: float
    """Points for each person and minute."""
    verdict: str
    """Verdict of the rules on the mean points."""


def measure(races: int = 40, seconds: int = USUAL_SECONDS) -> dict[str, RacePoints]:
    """Return the results by strength and number of players."""
    return {
        f"{strength}, {players} players": _measured(players, strength, seconds, races)
        for strength in STRENGTHS
        for players in PLAYERS
    }


def _measured(players: int, strength: Strength, seconds: int, races: int) -> RacePoints:
    points = mean(play(players, strength, seconds, seed) for seed in range(races))
    return RacePoints(points, points / players * 60 / seconds, grade(players, round(points)))


def play(players: int, strength: Strength, seconds: int, seed: int) -> int:
    """Play one race and return its points."""
    state, _ = GAME.new(GAME.Options(mode="cooperative", seconds=seconds), players, seed)
    real_time_match.play(GAME, state, [strength] * players, str(seed))
    assert state.outcome is not None
    return state.outcome.scores[0]


def reach(races: int, seconds: int = USUAL_SECONDS) -> set[str]:
    """Return all verdicts that occur in `races` for each strength and number of people."""
    return {
        grade(players, play(players, strength, seconds, seed))
        for strength in STRENGTHS
        for players in PLAYERS
        for seed in range(races)
    }
