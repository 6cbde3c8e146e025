"""Computer player for the races of Twin It!: it pages through the spread as people do on a phone.

Each player begins on a different page. On each page the computer looks at all faces, claims the matches it sees or else
turns some cards over, remembers some of the faces, and goes to the next page.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from games.advice import RealTimePlayer
from games.twin_it.actions import LIFT, TURN, claim, on
from games.twin_it.deck import CARDS
from games.twin_it.matching import lookalikes
from games.twin_it.skill import Skill
from games.twin_it.state import Face
from games.twin_it.view import View
from games.types import Action

PER_PAGE: Final = 12
"""Cards on one page of the spread: as many as a phone shows with all buttons. Each player has pages of their own."""
PAGES: Final = -(-CARDS // PER_PAGE)

LOOK: Final = 300
"""Ms to look at one face and compare it with all others of the page: six seconds for a page of 20."""
NEXT_PAGE: Final = 2_000
"""Ms to go to the next page, with the request to the bot and the time to load the picture."""
CLICK: Final = 1_200
"""Ms to press a number below the picture."""
TYPE: Final = 6_000
"""Ms to open the form, type two numbers and send them, for two faces on different pages."""
SEES: Final = 0.6
"""Probability that a match on one page is found in one look."""
REMEMBERS: Final = 0.15
"""Probability that the number of a face is remembered until its match shows on another page."""
TURNS: Final = 4
"""Cards turned over on a page with nothing to claim, one click each."""


class Step(NamedTuple):
    """One planned click or typed line."""

    takes: int
    """Duration in ms."""
    actions: tuple[Action, ...]
    faces: tuple[int, ...]
    """Faces that must still show, by number; otherwise the step is dropped."""
    after: int = 0
    """Face on which a hand of this player must lie; 0 for none."""


class RacePlayer(RealTimePlayer[View]):
    """Computer that pages through the spread."""

    def __init__(self, skill: Skill, seed: str) -> None:
        self._skill = skill
        self._seed = seed
        self._begin()

    def observe(self, view: View, at: int) -> int | None:
        if not view.ends or view.outcome:
            self._begin()
            return None
        self._drop_impossible_steps(view)
        while not self._plan and self._clock < view.ends:
            self._look(view, max(at, self._clock))
        if not self._plan:
            return None
        return max(self._clock + self._plan[0].takes, view.rests[view.seat or 0])

    def act(self, view: View, at: int) -> Sequence[Action]:
        due = self.observe(view, at)
        if due is None or due > at:
            return ()
        step = self._plan.popleft()
        self._clock = at
        lifts = view.hands[view.seat or 0] and not step.after and step.actions != (on(step.faces[0], TURN),)
        return (LIFT, *step.actions) if lifts else step.actions

    def _begin(self) -> None:
        """Forget everything: the spread is covered."""
        self._plan: deque[Step] = deque()
        self._memory: dict[int, Face] = {}
        """Remembered faces, by number."""
        self._looks = 0
        self._clock = 0
        """Time of the last action or look."""

    def _drop_impossible_steps(self, view: View) -> None:
        shown = {face.number for face in view.faces}
        own = {hand.face for hand in view.hands[view.seat or 0]}
        while self._plan:
            step = self._plan[0]
            if shown.issuperset(step.faces) and (not step.after or step.after in own):
                return
            self._plan.popleft()

    def _look(self, view: View, at: int) -> None:
        """Go to the next page, look at it and plan the next steps."""
        rng = Random(f"{self._seed} {self._looks}")  # noqa: S311 - only a computer's luck, nothing secret
        first = (view.seat or 0) * PAGES // len(view.hands)
        begin = (first + self._looks) % PAGES * PER_PAGE
        cards = view.table[begin : begin + PER_PAGE]
        here = [face for face in view.faces if face.card in cards]
        paging = NEXT_PAGE if self._looks else 0
        self._clock = at + self._ms(paging + LOOK * len(here))
        self._plan.extend([*self._claims(view, here, rng)] or self._turns(here, rng))
        self._memory.update((face.number, face) for face in here if rng.random() < REMEMBERS)
        self._looks += 1

    def _ms(self, usual: int) -> int:
        return int(usual * self._skill.pace)

    def _claims(self, view: View, here: list[Face], rng: Random) -> Iterator[Step]:
        """Yield the claims of two faces on this page, then of one here and one remembered from another page."""
        for one, other in lookalikes(view, here):
            if rng.random() < (SEES if one.design == other.design else self._skill.errs):
                faces = one.number, other.number
                yield Step(self._ms(CLICK), (on(one.number),), faces)
                yield Step(self._ms(CLICK), (on(other.number),), faces, after=one.number)
        known = [face for face in view.faces if self._memory.get(face.number) == face and face not in here]
        for one, other in lookalikes(view, [*here, *known]):
            if one.design == other.design and (one in here) != (other in here):
                faces = one.number, other.number
                yield Step(self._ms(TYPE), tuple(claim(faces, lying=False)), faces)

    def _turns(self, here: list[Face], rng: Random) -> Iterator[Step]:
        """Yield steps that turn some cards of the page over, to see their other sides the next time."""
        cards = [face.number for face in here if face.place == "table"]
        for number in rng.sample(cards, min(TURNS, len(cards))):
            yield Step(self._ms(CLICK), (on(number, TURN),), (number,))
