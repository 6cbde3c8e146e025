"""The view of a match of Twin It!, and a match imagined from it.

Everything that anybody can learn is public, so the views of all seats are the same, apart from `seat`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.contract import Outcome
from games.fields import restored, shown
from games.twin_it.deck import copies, differ
from games.twin_it.options import TwinItOptions
from games.twin_it.state import Face, Hand, State, Turn, new
from games.types import Seat

UNSEEN: Final = 255


@dataclass(frozen=True, slots=True)
class View:
    """Everything that players may know. What has the name of a field of `State`, `Turns` or `Race` is described there.

    Cards are places in the deck; times are in ms."""

    seat: Seat | None
    options: TwinItOptions
    awaited: tuple[Seat, ...]
    faces: tuple[Face, ...]
    """Every face that shows, by number."""
    hands: tuple[tuple[Hand, ...], ...]
    rests: tuple[int, ...]
    table: tuple[int, ...]
    sets: tuple[tuple[tuple[int, ...], ...], ...]
    scores: tuple[int, ...]
    up: bytes
    seen: bytes
    """By side of a card (2 * card or 2 * card + 1): its design, or UNSEEN if it has never shown."""
    last: int
    now: int
    acted: int
    outcome: Outcome | None

    # In a game of turns

    piles: tuple[tuple[int, ...], ...] = ()
    barred: tuple[int, ...] = ()
    barred_side: int | None = None
    turn: Turn = None
    stirred: int = 0

    # In a race

    deals: int = 0
    ready: tuple[bool, ...] = ()
    opens: int = 0
    ends: int = 0


def view(state: State, seat: Seat | None, awaited: tuple[Seat, ...]) -> View:
    """Return what `seat` (None: a watcher) may know."""
    sides = zip(state.faces, state.known, strict=True)
    return shown(
        View,
        state,
        seat=seat,
        awaited=awaited,
        faces=state.faces_of(state.showing.values()),
        scores=state.scores,
        seen=bytes(design if known else UNSEEN for design, known in sides),
    )


def imagine(view: View, rng: Random) -> State:
    """Return a match that looks like `view`: unseen designs are drawn, and so is the seed of a later deal."""
    state = restored(new(view.options, len(view.hands), rng.getrandbits(64), _drawn(view, rng)), view)
    state.known = bytearray(design != UNSEEN for design in view.seen)
    state.showing = {face.number: face.card for face in view.faces}
    for face in view.faces:
        state.number[face.card] = face.number
    return state


def _drawn(view: View, rng: Random) -> bytes:
    """Return the designs of all sides. Unseen ones are drawn from the designs left; no card has the same one twice."""
    left = Counter(dict(enumerate(copies(view.options.singles))))
    left.subtract(design for design in view.seen if design != UNSEEN)
    unseen = list(left.elements())
    while True:
        rng.shuffle(unseen)
        sides = _filled(view.seen, unseen)
        if differ(sides):
            return bytes(sides)


def _filled(seen: Sequence[int], unseen: Sequence[int]) -> list[int]:
    designs = iter(unseen)
    return [next(designs) if design == UNSEEN else design for design in seen]
