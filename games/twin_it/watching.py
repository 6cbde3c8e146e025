"""What a computer does of its own accord in Twin It!'s games of turns: it sees two alike after a while, and claims."""

from collections.abc import Iterator, Sequence
from random import Random
from sys import maxsize
from typing import Final, NamedTuple, TypeAlias

from games.advice import RealTimePlayer
from games.twin_it.actions import LIFT, on
from games.twin_it.sight import Sight, alike, lookalikes, lying
from games.twin_it.view import View

NEVER: Final = maxsize
MARGIN: Final = 200
"""Ms before its hand would lift at which a computer's other one comes at the latest."""

Pair: TypeAlias = tuple[int, int]
"""Two faces by their numbers, the newer one first."""


class Grab(NamedTuple):
    """Hands that somebody has in mind to lay, and when."""

    at: int
    actions: tuple[int, ...]


class Watcher(RealTimePlayer[View]):
    """Every two that look alike have a moment at which they are seen, as long as both show. How long that takes from
    when they came to show follows from the seed, their numbers and how many faces show then; nothing else moves it."""

    def __init__(self, sight: Sight, seed: str) -> None:
        self._sight = sight
        self._seed = seed
        self._seen: dict[Pair, int] = {}
        """When two are taken for twins; NEVER if they are taken for what they are."""
        self._lain: dict[int, int] = {}
        """By face on which the own hand has lain: the last face that had come to show by then."""
        self._free = 0
        """When the hands are free for the next thing."""

    def observe(self, view: View, at: int) -> int | None:
        self._look(view, at)
        grab = self._next(view)
        return None if grab is None else max(grab.at, self._free)

    def act(self, view: View, at: int) -> Sequence[int]:
        self._look(view, at)
        grab = self._next(view)
        if grab is None or max(grab.at, self._free) > at:
            return ()
        self._free = at + self._second(view)
        return grab.actions

    def _look(self, view: View, at: int) -> None:
        """Take in what has come to show, and forget what has gone."""
        seen: dict[Pair, int] = {}
        for one, other in lookalikes(view, view.faces[::-1]):
            pair = one.number, other.number
            if view.rests[view.seat or 0] and not alike(one, other):
                seen[pair] = NEVER  # who has just erred looks twice
            else:
                seen[pair] = self._seen.get(pair) or self._sees(view, pair, at, twins=alike(one, other))
        self._seen = seen
        self._lain.update((hand.face, view.last) for hand in view.hands[view.seat or 0])

    def _sees(self, view: View, pair: Pair, at: int, *, twins: bool) -> int:
        rng = Random(f"{self._seed} {pair}")  # noqa: S311 - a player's whim, no secret
        if twins or rng.random() < self._sight.errs:
            return at + self._sight.until_seen(len(view.faces), rng)
        return NEVER

    def _second(self, view: View) -> int:
        """Ms after one hand comes the other: before the first one lifts."""
        return min(self._sight.second, view.options.hand_ms - MARGIN)

    def _next(self, view: View) -> Grab | None:
        if view.rests[view.seat or 0]:
            return None
        return min(self._grabs(view), default=None)

    def _grabs(self, view: View) -> Iterator[Grab]:
        """All that this seat has seen or will see, as its side's hand allows: a second hand joins the one that lies,
        unless a mate's is wanted; other hands come down when that one is lifted. Where one has lain in vain it comes
        down again when there is more to see, else who waits for a mate would lay it for ever."""
        seen = [(pair, at) for pair, at in self._seen.items() if at < NEVER]
        fresh = [(pair, at) for pair, at in seen if self._lain.get(pair[0]) != view.last]
        laid = lying(view)
        if laid is None:
            yield from (Grab(at, (on(pair[0]),)) for pair, at in fresh)
            return
        member, hand = laid
        joining = [(pair, at) for pair, at in seen if hand.face in pair]
        if member != view.seat or (joining and view.options.mode != "teams"):
            for pair, at in joining:
                (face,) = {*pair} - {hand.face}
                yield Grab(max(at, hand.at + self._second(view)), (on(face),))
        elif not joining:
            yield from (Grab(at, (LIFT, on(pair[0]))) for pair, at in fresh)
