"""Computer player for Twin It!'s games of turns: after a reaction time it sees a match and lays its hands."""

from collections.abc import Iterator, Sequence
from random import Random
from sys import maxsize
from typing import Final, NamedTuple, TypeAlias

from games.advice import RealTimePlayer
from games.twin_it.actions import LIFT, on
from games.twin_it.matching import laid_hand, lookalikes
from games.twin_it.skill import Skill
from games.twin_it.view import View
from games.types import Action

NEVER: Final = maxsize
"""Time that never comes."""
MARGIN: Final = 200
"""Least time in ms from a computer's second hand to the moment when its first hand would lift."""

Pair: TypeAlias = tuple[int, int]
"""Numbers of two faces, the newer one first."""


class Plan(NamedTuple):
    """Planned actions and their time in ms."""

    at: int
    actions: tuple[Action, ...]


class TurnPlayer(RealTimePlayer[View]):
    """Computer that watches all faces of a game of turns.

    When two lookalikes come to show, the computer draws the time at which it will see them. The delay depends only on
    the seed, the numbers of the two faces, and the number of faces that show then.
    """

    def __init__(self, skill: Skill, seed: str) -> None:
        self._skill = skill
        self._seed = seed
        self._seen: dict[Pair, int] = {}
        """Time at which two lookalikes are taken for a match; NEVER if they are recognized as different."""
        self._newest_when_laid: dict[int, int] = {}
        """By face on which this seat has had a hand: the newest face at that time."""
        self._free = 0
        """Time at which the hands are free again."""

    def observe(self, view: View, at: int) -> int | None:
        self._look(view, at)
        plan = self._next(view)
        return None if plan is None else max(plan.at, self._free)

    def act(self, view: View, at: int) -> Sequence[Action]:
        self._look(view, at)
        plan = self._next(view)
        if plan is None or max(plan.at, self._free) > at:
            return ()
        self._free = at + self._second(view)
        return plan.actions

    def _look(self, view: View, at: int) -> None:
        """Note faces that have come to show, and forget those that have gone."""
        seen: dict[Pair, int] = {}
        for one, other in lookalikes(view, view.faces[::-1]):
            pair = one.number, other.number
            if view.rests[view.seat or 0] and one.design != other.design:
                seen[pair] = NEVER  # after a mistake the computer looks more carefully
            else:
                seen[pair] = self._seen.get(pair) or self._seen_at(
                    view, pair, at, match=one.design == other.design
                )
        self._seen = seen
        self._newest_when_laid.update((hand.face, view.last) for hand in view.hands[view.seat or 0])

    def _seen_at(self, view: View, pair: Pair, at: int, *, match: bool) -> int:
        rng = Random(f"{self._seed} {pair}")  # noqa: S311 - only a computer's luck, nothing secret
        if match or rng.random() < self._skill.errs:
            return at + self._skill.reaction_time(len(view.faces), rng)
        return NEVER

    def _second(self, view: View) -> int:
        """Return the ms from the first hand to the second one, which must come before the first one lifts."""
        return min(self._skill.second, view.options.hand_ms - MARGIN)

    def _next(self, view: View) -> Plan | None:
        if view.rests[view.seat or 0]:
            return None
        return min(self._plans(view), default=None)

    def _plans(self, view: View) -> Iterator[Plan]:
        """Yield a plan for each match that this seat has seen or will see, if the hand of its side allows one.

        If this seat or a team mate has a hand on the match, the plan adds the second hand (in teams, only to a team
        mate's). If this seat has a hand on another face, the plan lifts it first."""
        # A first hand that found no second one is laid again only when new faces show. Otherwise a computer that waits
        # for a team mate would lay it for ever.
        seen = [(pair, at) for pair, at in self._seen.items() if at < NEVER]
        fresh = [(pair, at) for pair, at in seen if self._newest_when_laid.get(pair[0]) != view.last]
        laid = laid_hand(view)
        if laid is None:
            yield from (Plan(at, (on(pair[0]),)) for pair, at in fresh)
            return
        joining = [(pair, at) for pair, at in seen if laid.face in pair]
        if laid.seat != view.seat or (joining and view.options.mode != "teams"):
            for pair, at in joining:
                (face,) = {*pair} - {laid.face}
                yield Plan(max(at, laid.at + self._second(view)), (on(face),))
        elif not joining:
            yield from (Plan(at, (LIFT, on(pair[0]))) for pair, at in fresh)
