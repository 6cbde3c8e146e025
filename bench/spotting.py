"""Pairs a minute: people who leaf through the spread of Twin It! on a phone, played against real spreads.

The people are a model, stated here in full; that real ones are slower or quicker is what the paces are for. Everybody
begins on a page of their own, looks it over, claims what they see, remembers some of it, and leafs on.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from random import Random
from statistics import mean
from typing import Final

from cogs.twin_it.layout import PAGES, page
from games.twin_it import GAME
from games.twin_it.actions import READY, TURN, claim, on
from games.twin_it.options import USUAL_SECONDS
from games.twin_it.result import grade
from games.twin_it.state import Face, State

LOOK: Final = 0.3
"""Seconds for a face: a page of 20 takes six."""
LEAF: Final = 2.0
"""Seconds to the next page, with the way to the bot and back and the picture to load."""
CLICK: Final = 1.2
"""Seconds for a number below the picture."""
TYPE: Final = 6.0
"""Seconds to open the line, type two numbers and send it: for two faces on different pages."""
SEES: Final = 0.6
"""How often two alike on one page are seen in one look."""
KEEPS: Final = 0.15
"""How often a face is remembered well enough to know its number when its twin turns up on another page."""
TURNS: Final = 4
"""Cards turned over by who has seen nothing to claim on a page, a click each."""
PACES: Final = {"slow": 1.6, "usual": 1.0, "quick": 0.7}
"""What a person's seconds are multiplied by."""


@dataclass(frozen=True)
class Spotting:
    """Of `players` at one pace in a race of so many seconds: mean points, points a person and minute, the verdict on
    the mean."""

    points: float
    each_a_minute: float
    verdict: str


def measure(races: int = 40, seconds: int = USUAL_SECONDS) -> dict[str, Spotting]:
    """By pace and number of players."""
    return {
        f"{pace}, {players} players": _measured(players, pace, seconds, races)
        for pace in PACES
        for players in (1, 2, 4, 6)
    }


def _measured(players: int, pace: str, seconds: int, races: int) -> Spotting:
    points = mean(play(players, PACES[pace], seconds, seed) for seed in range(races))
    return Spotting(points, points / players * 60 / seconds, grade(players, round(points)))


def play(players: int, pace: float, seconds: int, seed: int) -> int:
    """The points of one race."""
    state = _opened(players, seconds, seed)
    rng, begun = Random(seed), state.now
    people = [_Spotter(seat, seat * PAGES // players) for seat in range(players)]
    turns = [(0.0, spotter.seat) for spotter in people]
    heapify(turns)
    while turns:
        at, seat = heappop(turns)
        at += pace * people[seat].look(state, rng)
        for faces, takes in people[seat].seen:
            at += pace * takes
            if at < seconds:
                _claim(state, seat, faces, begun + int(1000 * at))
        if not people[seat].seen:
            at += pace * CLICK * TURNS
            _turn_some(state, people[seat], begun + int(1000 * at), rng)
        people[seat].page = (people[seat].page + 1) % PAGES
        if at < seconds:
            heappush(turns, (at + pace * LEAF, seat))
    GAME.tick(state, GAME.due(state) or 0)
    assert state.outcome is not None
    return state.outcome.scores[0]


class _Spotter:
    """Somebody on a page."""

    def __init__(self, seat: int, page: int) -> None:
        self.seat = seat
        self.page = page
        self.memory: dict[int, Face] = {}
        """Remembered faces of other pages, by number."""
        self.seen: list[tuple[tuple[Face, Face], float]] = []
        """What the last look came to: two faces, and the seconds to claim them."""

    def look(self, state: State, rng: Random) -> float:
        """Look the page over. Returns the seconds it takes."""
        every = [state.face(card) for card in state.showing.values()]
        here = [face for face in every if face.spot in page(self.page)]
        known = [face for face in self.memory.values() if face in every and face not in here]
        near = [pair for pair in combinations(here, 2) if _alike(*pair) and rng.random() < SEES]
        far = [(one, other) for one in here for other in known if _alike(one, other)]
        self.seen = [(pair, 2 * CLICK) for pair in near] + [(pair, TYPE) for pair in far]
        self.memory.update((face.number, face) for face in here if rng.random() < KEEPS)
        return LOOK * len(here)


def _alike(one: Face, other: Face) -> bool:
    return one.design == other.design


def _opened(players: int, seconds: int, seed: int) -> State:
    state, _ = GAME.new(GAME.Options(mode="cooperative", seconds=seconds), players, seed)
    for seat in range(players):
        GAME.apply(state, seat, READY, 0)
    GAME.tick(state, GAME.due(state) or 0)
    return state


def _claim(state: State, seat: int, faces: tuple[Face, Face], at: int) -> None:
    """Claim two faces, unless somebody else was there first."""
    numbers = [face.number for face in faces]
    if all(number in state.showing for number in numbers):
        for action in claim(numbers, lying=False):
            GAME.apply(state, seat, action, at)


def _turn_some(state: State, spotter: _Spotter, at: int, rng: Random) -> None:
    """Turn cards of the page over, to see their other sides the next time."""
    faces = (state.face(card) for card in state.showing.values())
    here = [face.number for face in faces if face.place == "table" and face.spot in page(spotter.page)]
    for number in rng.sample(here, min(TURNS, len(here))) if at < state.ends else ():
        GAME.apply(state, spotter.seat, on(number, TURN), at)


def reach(races: int, seconds: int = USUAL_SECONDS) -> set[str]:
    """The verdicts that so many races come to, for each pace and number of people."""
    return {
        grade(players, play(players, pace, seconds, seed))
        for pace in PACES.values()
        for players in (1, 2, 4, 6)
        for seed in range(races)
    }
