"""Layout of Twin It!: faces in pictures by their spots, with their buttons below in the same order.

A face keeps its spot as long as it shows. The board is one picture of all faces, with buttons for the first spots. A
private page has some of the spots: one picture, four faces in a row, and a button for each face in the same order.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, SECONDARY, Item, button, row, shown
from bot.pictures import sprite
from cogs.twin_it import overview as mosaic
from cogs.twin_it import spread
from cogs.twin_it.designs import drawing
from cogs.twin_it.spread import COLUMNS, Player, Spread, Tile
from games.twin_it.deck import CARDS, DESIGNS
from games.twin_it.options import MOST
from games.twin_it.state import Face
from games.twin_it.view import View

ON_BOARD: Final = range(20)
"""Spots with buttons on the board. A message holds 40 components."""
BEYOND: Final = range(20, CARDS + MOST)
"""Spots that are rarely reached: drawn small, without buttons; claimed by typing, or on a private page."""


def sprites() -> Iterator[Callable[[], object]]:
    """Yield functions that draw each design in each size. The first drawing takes far longer than later ones."""
    for design, size in product(range(DESIGNS), (spread.FACE, spread.SMALL_FACE, mosaic.FACE)):
        yield partial(sprite, drawing(design), size)


def picture(view: View, names: Sequence[str], spots: Sequence[int], title: str = "") -> Item:
    """Return a picture of the faces on some spots, with the players above them."""
    return shown(spread.picture(_spread(view, names, spots, title)))


def everything(view: View, names: Sequence[str]) -> Item:
    """Return a picture of all faces: large where the board has buttons, the others small below them."""
    board, rest = _spread(view, names, ON_BOARD, ""), _tiles(view, BEYOND)
    return shown(spread.picture(replace(board, small=rest), view.acted if rest else None))


def overview(view: View, names: Sequence[str]) -> Item:
    """Return a small picture of the whole spread of a race."""
    return shown(mosaic.picture(_spread(view, names, range(CARDS), ""), view.acted))


def _spread(view: View, names: Sequence[str], spots: Sequence[int], title: str) -> Spread:
    scores = [None] * len(names) if view.options.mode == "cooperative" else view.scores
    players = tuple(
        Player(name, scores[seat], rests=bool(view.rests[seat])) for seat, name in enumerate(names)
    )
    turn = view.turn if view.turn >= 0 and not view.options.against_time else None
    return Spread(_tiles(view, spots), players, turn, title)


def _tiles(view: View, spots: Sequence[int]) -> tuple[Tile | None, ...]:
    faces = {face.spot: face for face in view.faces}
    return tuple(_tile(view, faces.get(spot)) for spot in range(spots[0], _last(view, spots) + 1))


def _tile(view: View, face: Face | None) -> Tile | None:
    if face is None:
        return None
    hands = sorted(
        (hand.order, seat)
        for seat, lying in enumerate(view.hands)
        for hand in lying
        if hand.face == face.number
    )
    owner = face.owner if face.owner >= 0 and view.options.mode != "cooperative" else None
    return Tile(
        face.number,
        face.design,
        face.place,
        owner,
        _cards(view, face),
        tuple(seat for _, seat in hands),
    )


def _cards(view: View, face: Face) -> int:
    if face.place == "pile":
        return len(view.piles[face.owner])
    if face.place == "set":
        return next(len(cards) for cards in view.sets[face.owner] if cards[0] == face.card)
    return 1


def rows(view: View, spots: Sequence[int], custom_id: Callable[[int], CustomId]) -> list[Item]:
    """Return a button for each face, where it is in the picture; a free spot has a disabled one. `custom_id` makes
    the id of a face's button of its number. Faces under the viewer's hands stand out."""
    faces = {face.spot: face.number for face in view.faces}
    own = {hand.face for hand in view.hands[view.seat]} if view.seat is not None else set()
    found = []
    for first in range(spots[0], _last(view, spots) + 1, COLUMNS):
        line = [
            _button(faces[spot], custom_id(faces[spot]), held=faces[spot] in own)
            if spot in faces
            else button("·", CustomId("free", spot), disabled=True)
            for spot in range(first, min(first + COLUMNS, spots[-1] + 1))
        ]
        found.append(row(*line))
    return found


def _button(face: int, custom_id: CustomId, *, held: bool) -> Item:
    return button(str(face), custom_id, style=PRIMARY if held else SECONDARY)


def _last(view: View, spots: Sequence[int]) -> int:
    """Return the last of the spots that has a face; the one before the first if none has."""
    return max((face.spot for face in view.faces if face.spot in spots), default=spots[0] - 1)
