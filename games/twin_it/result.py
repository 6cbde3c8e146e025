"""Outcome of a match of Twin It!, and the grade of a cooperative race."""

from typing import Final

from games.contract import Outcome, ranked
from games.phrases import counted
from games.twin_it.options import RACE_SECONDS, USUAL_SECONDS
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

UNSEEN: Final = 3
"""Largest number of pairs that are named although nobody saw them."""


def grade(players: int, score: int) -> str:
    """Return the grade of `score` points for this number of players."""
    return GRADES[sum(score >= least for least in LEAST_POINTS[players])]


def graded(players: int, score: int) -> str:
    """Return a sentence with the grade and the points that the next better one lacks."""
    own = grade(players, score)
    if own == GRADES[-1]:
        return f"Grade: {own}, the best one."
    better = GRADES.index(own)
    return f"Grade: {own}, {LEAST_POINTS[players][better] - score} short of {GRADES[better + 1]}."


def final(state: State, reason: str) -> Outcome:
    """Return the outcome of a match that is over for this reason. Together, people win a race by its first grade."""
    found = state.scores
    if state.options.mode != "cooperative":
        return Outcome(ranked(found), found, reason)
    has_grades = state.options.seconds in GRADED_SECONDS
    won = has_grades and grade(state.seats, found[0]) != GRADES[0]
    said = [reason, *[graded(state.seats, found[0])] * has_grades, *[_unseen(state)] * (not won)]
    return Outcome((int(won),) * state.seats, found, " ".join(filter(None, said)))


def _unseen(state: State) -> str:
    """Return a sentence with the first faces alike that nobody has claimed; "" when there are none."""
    alike: dict[int, list[int]] = {}
    for face in state.faces_of(state.showing.values()):
        if face.place == "table":
            alike.setdefault(face.design, []).append(face.number)
    pairs = [f"{pair[0]} and {pair[1]}" for pair in alike.values() if len(pair) > 1]
    more = f" (and {counted(len(pairs) - UNSEEN, 'more pair')})" * (len(pairs) > UNSEEN)
    return f"Nobody saw {', '.join(pairs[:UNSEEN])}{more}." if pairs else ""
