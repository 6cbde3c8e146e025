"""Computer player for Twin It!'s games of turns: after a reaction time it sees a match and lays its hands."""

from collections.abc import Iterator, Sequence
from random import Random
from sys import maxsize
from typing import Final, NamedTuple, TypeAlias

from games.advice import RealTimePlayer
from games.twin_it.actions import LIFT, on
from games.twin_it.matching import laid_hand, lookalikes, same_design
from games.twin_it.skill import Skill
from games.twin_it.view import View

NEVER: Final = maxsize
"""Time that never comes."""
MARGIN: Final = 200
"""Ms that a computer's second hand comes at least before the first one lifts."""

Pair: TypeAlias = tuple[int, int]
"""Numbers of two faces, the newer one first."""


class Plan(NamedTuple):
    """Planned actions and their time in ms."""

    at: int
    actions: tuple[int, ...]


class TurnPlayer(RealTimePlayer[View]):
    """Computer that watches all faces of a game of turns.

    Every two lookalikes get a time at which the computer sees them, while both show. The delay since they came to show
    depends only on the seed, their numbers and the number of faces that show then.
    """

    def __init__(self, skill: Skill, seed: str) -> None:
        self._skill = skill
        self._seed = seed
        self._seen: dict[Pair, int] = {}
        """Time at which two lookalikes are taken for a match; NEVER if they are recognized as different."""
        self._lain: dict[int, int] = {}
        """Newest face at the time, by face on which the own hand has lain."""
        self._free = 0
        """Time from which on the hands are free again."""

    def observe(self, view: View, at: int) -> int | None:
        self._look(view, at)
        plan = self._next(view)
        return None if plan is None else max(plan.at, self._free)

    def act(self, view: View, at: int) -> Sequence[int]:
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
            if view.rests[view.seat or 0] and not same_design(one, other):
                seen[pair] = NEVER  # after a mistake the computer looks more carefully
            else:
                seen[pair] = self._seen.get(pair) or self._sees(view, pair, at, match=same_design(one, other))
        self._seen = seen
        self._lain.update((hand.face, view.last) for hand in view.hands[view.seat or 0])

    def _sees(self, view: View, pair: Pair, at: int, *, match: bool) -> int:
        rng = Random(f"{self._seed} {pair}")  # noqa: S311 - only a computer's luck, nothing secret
        if match or rng.random() < self._skill.errs:
            return at + self._skill.reaction_time(len(view.faces), rng)
        return NEVER

    def _second(self, view: View) -> int:
        """Return the ms between the first and the second hand, which comes before the first one lifts."""
        return min(self._skill.second, view.options.hand_ms - MARGIN)

    def _next(self, view: View) -> Plan | None:
        if view.rests[view.seat or 0]:
            return None
        return min(self._plans(view), default=None)

    def _plans(self, view: View) -> Iterator[Plan]:
        """Yield a plan for everything that this seat has seen or will see, as its side's hand allows.

        A second hand joins the one that lies, unless it must be a team mate's. Otherwise that hand is lifted first."""
        # A first hand that found no second one is laid again only when new faces show. Otherwise a computer that waits
        # for a team mate would lay it for ever.
        seen = [(pair, at) for pair, at in self._seen.items() if at < NEVER]
        fresh = [(pair, at) for pair, at in seen if self._lain.get(pair[0]) != view.last]
        laid = laid_hand(view)
        if laid is None:
            yield from (Plan(at, (on(pair[0]),)) for pair, at in fresh)
            return
        member, hand = laid
        joining = [(pair, at) for pair, at in seen if hand.face in pair]
        if member != view.seat or (joining and view.options.mode != "teams"):
            for pair, at in joining:
                (face,) = {*pair} - {hand.face}
                yield Plan(max(at, hand.at + self._second(view)), (on(face),))
        elif not joining:
            yield from (Plan(at, (LIFT, on(pair[0]))) for pair, at in fresh)
