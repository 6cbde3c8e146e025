"""Lessons: a game taught tap by tap on its own engine. A lesson is data, in the file `lesson.py` of a game's package.

The learner has seat 0. A tap on the form of the hand is written as the text of the move that it makes ("take BL"), or
as "pick" and the picks that the form has after it ("pick 3,5"). What the others do is written as in a golden game:
"Fern: draw; Fern: discard 3D". So a lesson after any number of steps is a pure function of the lesson.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2s
from importlib.util import find_spec
from typing import Any, Final

from games import GAMES
from games.contract import AnyGame, Event, Illegal, Options
from games.letters import ROBOT
from games.phrases import addressed
from games.types import SEATS, Seat

LEARNER: Final = SEATS[0]
"""The learner's seat."""
YOU: Final = "You"
"""The learner's name in scripts."""
PICK: Final = "pick "
"""Beginning of a tap that only changes the picks of the form."""
PACE: Final = 1000
"""Ms between two actions, for games in real time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One idea and one tap."""

    idea: str
    """One or two short sentences."""
    task: str
    """The sentence or question that says where to tap."""
    tap: str
    """The right tap."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Answers to likely wrong taps."""
    otherwise: str = ""
    """Answer to any other tap that the rules allow; "" if there is none."""
    then: str = ""
    """Script of the actions before the next step; some may be the learner's."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A deal that shows the ideas of a game in order, the steps, and what the learner knows at the end."""

    others: tuple[str, ...]
    """Names of the computers, by seat from 1 on."""
    seed: int | str
    steps: tuple[Step, ...]
    learned: tuple[str, str, str]
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the match that differ from the game's defaults."""

    @property
    def players(self) -> Sequence[str]:
        """All players by seat, as people read them."""
        return [YOU, *(f"{ROBOT} {other}" for other in self.others)]

    @property
    def version(self) -> str:
        """Some digits that differ when the lesson has changed."""
        return blake2s(repr(self).encode(), digest_size=3).hexdigest()


@dataclass(frozen=True, slots=True)
class Moment:
    """A lesson after some of its steps."""

    state: Any
    """The position of the game."""
    events: list[Event]
    """Events since the step before."""
    picks: str
    """The picks of the learner's form."""


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by the slug of their game. A game has one if its package has a module `lesson`."""
    modules = {slug: f"{type(game).__module__.rpartition('.')[0]}.lesson" for slug, game in GAMES.items()}
    return {
        slug: importlib.import_module(module).LESSON for slug, module in modules.items() if find_spec(module)
    }


def moment(game: AnyGame, lesson: Lesson, steps: int) -> Moment:
    """Return the lesson after that many steps."""
    options: Options = game.Options(**lesson.options)
    state, events = game.new(options, 1 + len(lesson.others), lesson.seed)
    match = _ScriptedMatch(game, state)
    picks = ""
    for step in lesson.steps[:steps]:
        events, picks = [], ""
        if picks_only(step.tap):
            picks = step.tap.removeprefix(PICK)
        else:
            events += match.act(LEARNER, step.tap)
        events += match.play(lesson.others, step.then)
    return Moment(state, [event for event in events if event.to in (None, LEARNER)], picks)


def picks_only(tap: str) -> bool:
    """Return whether a tap changes the picks of the form only."""
    return tap.startswith(PICK)


def steps_after(lesson: Lesson, steps: int, tap: str) -> int:
    """Return the number of steps done after a tap: the same number if it is wrong. Picks may be skipped, as a form may
    offer a shorter way to the move."""
    for number, step in enumerate(lesson.steps[steps:], start=steps + 1):
        if step.tap == tap:
            return number
        if not picks_only(step.tap):
            break
    return steps


def answer(game: AnyGame, lesson: Lesson, steps: int, tap: str) -> str:
    """Return why a tap after that many steps is wrong: the lesson's own answer, or the refusal of a move that is not
    legal."""
    step = lesson.steps[steps]
    if tap not in step.why and not picks_only(tap):
        try:
            game.check(moment(game, lesson, steps).state, LEARNER, game.parse(tap))
        except Illegal as refusal:
            return addressed(str(refusal), lesson.players)
    return step.why.get(tap, step.otherwise)


class _ScriptedMatch:
    """A match that is played by script. An action takes PACE ms."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self._game, self._state, self._now = game, state, 0

    def play(self, others: tuple[str, ...], script: str) -> Iterator[Event]:
        """Play the actions of a script and yield what happens."""
        names = (YOU, *others)
        for line in filter(None, script.split(";")):
            name, _, action = line.strip().partition(": ")
            yield from self.act(SEATS[names.index(name)], action)

    def act(self, seat: Seat, action: str) -> Iterator[Event]:
        """Make a move after everything that is due before, and yield what happens."""
        self._now += PACE
        while (due := self._game.due(self._state)) is not None and due <= self._now:
            yield from self._game.tick(self._state, self._now)
        yield from self._game.apply(self._state, seat, self._game.parse(action), self._now)
