"""What a computer does of its own accord in Twin It!'s races: it leafs through the spread as people do on a phone.

Everybody begins on a page of their own, looks it over, claims what they see, or turns some cards over if that is
nothing, remembers some of the page, and leafs on.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from games.advice import RealTimePlayer
from games.twin_it.actions import LIFT, TURN, claim, on
from games.twin_it.sight import Sight, alike, lookalikes
from games.twin_it.spread import PAGES, page
from games.twin_it.state import Face
from games.twin_it.view import View

LOOK: Final = 300
"""Ms for a face: a page of 20 takes six seconds, for each face is held against all others of the page."""
LEAF: Final = 2_000
"""Ms to the next page, with the way to the house and back and the picture to load."""
CLICK: Final = 1_200
"""Ms for a number below the picture."""
TYPE: Final = 6_000
"""Ms to open the line, type two numbers and send it: for two faces on different pages."""
SEES: Final = 0.6
"""How often two alike on one page are seen in one look."""
KEEPS: Final = 0.15
"""How often a face is remembered well enough to know its number when its twin turns up on another page."""
TURNS: Final = 4
"""Cards turned over by who has seen nothing to claim on a page, a click each."""


class Step(NamedTuple):
    """A click or a typed line: it takes so many ms, and makes sense while these faces show, and while the own hand
    lies on `after` if that is one."""

    takes: int
    actions: tuple[int, ...]
    faces: tuple[int, ...]
    after: int = 0


class Reader(RealTimePlayer[View]):
    """Somebody who leafs through the spread."""

    def __init__(self, sight: Sight, seed: str) -> None:
        self._sight = sight
        self._seed = seed
        self._begin()

    def observe(self, view: View, at: int) -> int | None:
        if not view.ends or view.outcome:
            self._begin()
            return None
        self._drop_what_has_gone(view)
        while not self._plan and self._clock < view.ends:
            self._look(view, max(at, self._clock))
        if not self._plan:
            return None
        return max(self._clock + self._plan[0].takes, view.rests[view.seat or 0])

    def act(self, view: View, at: int) -> Sequence[int]:
        due = self.observe(view, at)
        if due is None or due > at:
            return ()
        step = self._plan.popleft()
        self._clock = at
        lifts = view.hands[view.seat or 0] and not step.after and step.actions != (on(step.faces[0], TURN),)
        return (LIFT, *step.actions) if lifts else step.actions

    def _begin(self) -> None:
        """The spread is covered."""
        self._plan: deque[Step] = deque()
        self._memory: dict[int, Face] = {}
        """Faces remembered, by number."""
        self._looks = 0
        self._clock = 0
        """When the last thing was done."""

    def _drop_what_has_gone(self, view: View) -> None:
        shown = {face.number for face in view.faces}
        own = {hand.face for hand in view.hands[view.seat or 0]}
        while self._plan:
            step = self._plan[0]
            if shown.issuperset(step.faces) and (not step.after or step.after in own):
                return
            self._plan.popleft()

    def _look(self, view: View, at: int) -> None:
        """Leaf to the next page, look it over, and plan what comes of it."""
        rng = Random(f"{self._seed} {self._looks}")  # noqa: S311 - a player's whim, no secret
        first = (view.seat or 0) * PAGES // len(view.hands)
        spots = page((first + self._looks) % PAGES)
        here = [face for face in view.faces if face.spot in spots]
        leafs = LEAF if self._looks else 0
        self._clock = at + self._ms(leafs + LOOK * len(here))
        self._plan.extend([*self._claims(view, here, rng)] or self._turns(here, rng))
        self._memory.update((face.number, face) for face in here if rng.random() < KEEPS)
        self._looks += 1

    def _ms(self, usual: int) -> int:
        return int(usual * self._sight.pace)

    def _claims(self, view: View, here: list[Face], rng: Random) -> Iterator[Step]:
        """Of two on this page, and of one here and one remembered from another page."""
        for one, other in lookalikes(view, here):
            if rng.random() < (SEES if alike(one, other) else self._sight.errs):
                faces = one.number, other.number
                yield Step(self._ms(CLICK), (on(one.number),), faces)
                yield Step(self._ms(CLICK), (on(other.number),), faces, after=one.number)
        known = [face for face in view.faces if self._memory.get(face.number) == face and face not in here]
        for one, other in lookalikes(view, [*here, *known]):
            if alike(one, other) and (one in here) != (other in here):
                faces = one.number, other.number
                yield Step(self._ms(TYPE), tuple(claim(faces, lying=False)), faces)

    def _turns(self, here: list[Face], rng: Random) -> Iterator[Step]:
        """Some cards of the page, to see their other sides the next time."""
        cards = [face.number for face in here if face.place == "table"]
        for number in rng.sample(cards, min(TURNS, len(cards))):
            yield Step(self._ms(CLICK), (on(number, TURN),), (number,))
