"""Outcome of a match of Twin It!, and the grade of a cooperative race."""

from typing import Final

from games.contract import Outcome
from games.twin_it.options import RACE_SECONDS, USUAL_SECONDS
from games.twin_it.spread import points
from games.twin_it.state import State

GRADES: Final = ("better luck next time", "prospects", "experts", "geniuses")
GRADED_SECONDS: Final = (RACE_SECONDS, USUAL_SECONDS)
"""Lengths of races with a grade: a minute at a real table, and the same amount of play in Discord."""
LEAST_POINTS: Final = {
    1: (5, 7, 10),
    2: (10, 13, 18),
    3: (15, 19, 27),
    4: (20, 25, 36),
    5: (25, 31, 45),
    6: (30, 37, 54),
}
"""Fewest points of prospects, experts and geniuses, by number of players."""


def grade(players: int, score: int) -> str:
    """Return the grade of `score` points for this number of players."""
    return GRADES[sum(score >= least for least in LEAST_POINTS[players])]


def graded(players: int, score: int) -> str:
    """Return a sentence with the grade and the points that the next better grade needs."""
    own = grade(players, score)
    if own == GRADES[-1]:
        return f"Grade: {own}, the best one."
    better = GRADES.index(own)
    return f"Grade: {own} ({GRADES[better + 1]} need {LEAST_POINTS[players][better]} points)."


def scores(state: State) -> tuple[int, ...]:
    """Return by seat the sets of its side, or in a race its points."""
    by_side = [points(won) if state.options.against_time else len(won) for won in state.sets]
    return tuple(by_side[state.side(seat)] for seat in range(state.seats))


def final(state: State, reason: str) -> Outcome:
    """Return the outcome of a match that is over for this reason."""
    found = scores(state)
    placings = tuple(1 + sum(other > own for other in found) for own in found)
    if state.options.mode == "cooperative" and state.options.seconds in GRADED_SECONDS:
        reason += f" {graded(state.seats, found[0])}"
    return Outcome(placings, found, reason)
