"""Who has won a match of Twin It!, and the verdict on a cooperative one."""

from typing import Final

from games.contract import Outcome, ranked
from games.twin_it.options import RACE_SECONDS, USUAL_SECONDS
from games.twin_it.spread import points
from games.twin_it.state import State

GRADES: Final = ("better luck next time", "prospects", "experts", "geniuses")
GRADED_SECONDS: Final = (RACE_SECONDS, USUAL_SECONDS)
"""The verdicts are for races of these lengths only: a minute at a real table, and what is a minute's worth here."""
LEAST: Final = {
    1: (5, 7, 10),
    2: (10, 13, 18),
    3: (15, 19, 27),
    4: (20, 25, 36),
    5: (25, 31, 45),
    6: (30, 37, 54),
}
"""By number of players: the fewest points of prospects, experts and geniuses."""


def grade(players: int, score: int) -> str:
    """Return the grade for this many players."""
    return GRADES[sum(score >= least for least in LEAST[players])]


def verdict(players: int, score: int) -> str:
    """Return the grade for this many players, and what the next better one needs."""
    own = grade(players, score)
    if own == GRADES[-1]:
        return f"Verdict: {own}, the highest there is."
    better = GRADES.index(own)
    return f"Verdict: {own} ({GRADES[better + 1]} need {LEAST[players][better]} points)."


def scores(state: State) -> tuple[int, ...]:
    """By seat: sets of the side, or against time its points."""
    by_side = [points(won) if state.options.against_time else len(won) for won in state.sets]
    return tuple(by_side[state.side(seat)] for seat in range(state.seats))


def final(state: State, reason: str) -> Outcome:
    """The outcome of a match that is over for this reason."""
    found = scores(state)
    if state.options.mode == "cooperative" and state.options.seconds in GRADED_SECONDS:
        reason += f" {verdict(state.seats, found[0])}"
    return Outcome(ranked(found), found, reason)
