"""What everybody may know of a match of Twin It!, and a whole match drawn from that.

All that anybody can learn lies open, so the views of all seats are the same but for `seat`.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.contract import Outcome
from games.twin_it.deck import copies, differ
from games.twin_it.options import TwinItOptions
from games.twin_it.result import scores
from games.twin_it.state import Face, Hand, State

UNSEEN: Final = 255


@dataclass(frozen=True, slots=True)
class View:
    """Tuples are by seat unless said otherwise; cards are places in the deck (see `deck`), times ms."""

    seat: int | None
    options: TwinItOptions
    awaited: tuple[int, ...]
    faces: tuple[Face, ...]
    """Every face that shows, by number."""
    hands: tuple[tuple[Hand, ...], ...]
    """The hands that lie."""
    rests: tuple[int, ...]
    """Until when the hands rest after a mistake, 0 when they do not."""
    piles: tuple[tuple[int, ...], ...]
    """Cards, the top last."""
    table: tuple[int, ...]
    barred: tuple[int, ...]
    barred_side: int
    sets: tuple[tuple[tuple[int, ...], ...], ...]
    """By side (seat, team, or all together), in the order won or enlarged: two or three cards, the first on top."""
    scores: tuple[int, ...]
    """Sets, or points against time."""
    up: bytes
    """By card, which of its sides is up."""
    seen: bytes
    """By side of a card, 2 * card or 2 * card + 1: its design, UNSEEN when it has never shown."""
    last: int
    """The last number given to a face."""
    turn: int
    now: int
    """When the last thing happened."""
    acted: int
    stirred: int
    deals: int
    ready: tuple[bool, ...]
    opens: int
    """Against time: when the spread is uncovered, 0 while somebody is not ready."""
    ends: int
    """Against time: when the time is up, 0 while the spread is covered."""
    outcome: Outcome | None


def view(state: State, seat: int | None, awaited: tuple[int, ...]) -> View:
    """What `seat` (None: a watcher) may know."""
    sides = zip(state.faces, state.known, strict=True)
    return View(
        seat=seat,
        options=state.options,
        awaited=awaited,
        faces=state.shown(),
        hands=tuple(state.hands),
        rests=tuple(state.rests),
        piles=tuple(map(tuple, state.piles)),
        table=tuple(state.table),
        barred=tuple(state.barred),
        barred_side=state.barred_side,
        sets=tuple(map(tuple, state.sets)),
        scores=scores(state),
        up=bytes(state.up),
        seen=bytes(design if known else UNSEEN for design, known in sides),
        last=state.last,
        turn=state.turn,
        now=state.now,
        acted=state.acted,
        stirred=state.stirred,
        deals=state.deals,
        ready=tuple(state.ready),
        opens=state.opens,
        ends=state.ends,
        outcome=state.outcome,
    )


def imagine(view: View, rng: Random) -> State:
    """A match like the one seen: what has never shown is drawn, and so is the seed of a further deal."""
    state = State(view.options, len(view.hands), rng.getrandbits(64), _drawn(view, rng))
    state.known = bytearray(design != UNSEEN for design in view.seen)
    state.up = bytearray(view.up)
    state.piles = list(map(list, view.piles))
    state.table = list(view.table)
    state.barred = list(view.barred)
    state.barred_side = view.barred_side
    state.sets = list(map(list, view.sets))
    state.showing = {face.number: face.card for face in view.faces}
    for face in view.faces:
        state.number[face.card] = face.number
        state.spots[face.card] = face.spot
    state.last = view.last
    state.hands = list(view.hands)
    state.rests = list(view.rests)
    state.turn = view.turn
    state.now = view.now
    state.acted = view.acted
    state.stirred = view.stirred
    state.deals = view.deals
    state.ready = list(view.ready)
    state.opens = view.opens
    state.ends = view.ends
    state.outcome = view.outcome
    return state


def _drawn(view: View, rng: Random) -> bytes:
    """All sides, the unseen ones drawn among the designs that are left, so that no card has the same twice."""
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
