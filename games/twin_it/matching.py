"""Functions on views that say which faces match for a seat. Computers and hints use them."""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from games.twin_it.designs import FAMILY
from games.twin_it.state import Face, Hand
from games.twin_it.view import View
from games.types import SEATS


def lookalikes(view: View, faces: Sequence[Face]) -> Iterator[tuple[Face, Face]]:
    """Yield every two of these faces that match or nearly match (near-twins), in their order.

    Leaves out faces on which the view's seat may never win."""
    families: dict[int, list[Face]] = {}
    for face in faces:
        if not never_matches(view, face):
            families.setdefault(face.design // FAMILY, []).append(face)
    pairs = chain.from_iterable(combinations(family, 2) for family in families.values())
    return (pair for pair in pairs if not pair[0].place == pair[1].place == "set")


def never_matches(view: View, face: Face) -> bool:
    """Return whether a face can never match for this seat: it is forbidden, or in a timed race on another's set."""
    side = (view.seat or 0) % len(view.sets)
    if view.options.mode == "timed":
        return face.place == "set" and face.owner != side
    return side == view.barred_side and any(
        other.place == "barred" and other.design == face.design for other in view.faces
    )


def laid_hand(view: View) -> Hand | None:
    """Return the hand that counts for this seat: its own, or in teams one of its team's."""
    own = view.seat or SEATS[0]
    mates = SEATS[own % 2 : len(view.hands) : 2] if view.options.mode == "teams" else (own,)
    return next((hand for mate in mates for hand in view.hands[mate]), None)
