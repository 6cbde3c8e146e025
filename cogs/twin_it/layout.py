"""The arrangement of faces and buttons in the messages of Twin It!

A face keeps its spot as long as it is visible. The board is one picture of all faces, with buttons for the first spots.
A private page is a picture of some spots, with four faces in a row and a button for each face in the same arrangement.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, SECONDARY, Item, button, row, shown
from bot.pictures.rasterizer import Prepare
from bot.pictures.scene import DrawnCard, Pile, Seat, TableScene
from cogs.twin_it import overview as mosaic
from cogs.twin_it import spread
from cogs.twin_it.designs import drawing
from cogs.twin_it.spread import COLUMNS, Player, Spread, Tile
from games.twin_it.deck import CARDS, DESIGNS
from games.twin_it.designs import NAMES
from games.twin_it.options import MOST
from games.twin_it.state import Face
from games.twin_it.view import View

ON_BOARD: Final = range(20)
"""Spots with buttons on the board. A message has room for 40 components, its other buttons included."""
BEYOND: Final = range(20, CARDS + MOST)
"""Spots that are rarely reached: drawn small, without buttons. Players claim them by typing, or on a private page."""


def sprites() -> Iterator[Prepare]:
    """Yield requests for each design in each size: only the first drawing takes long."""
    for design, size in product(range(DESIGNS), (spread.FACE, spread.SMALL_FACE, mosaic.FACE)):
        yield Prepare(drawing(design), size)


def picture(view: View, names: Sequence[str], spots: Sequence[int], title: str = "") -> Item:
    """Return a picture of the faces on these spots, with the players above them."""
    return shown(spread.picture(_spread(view, names, spots, title)))


def whole_board(view: View, names: Sequence[str]) -> Item:
    """Return a picture of all faces: large ones for those with buttons, small ones below for the others."""
    board, rest = _spread(view, names, ON_BOARD, ""), _tiles(view, BEYOND)
    return shown(spread.picture(replace(board, small=rest)))


def overview(view: View, names: Sequence[str]) -> Item:
    """Return a picture of all faces of a race, all of them small."""
    return shown(mosaic.picture(_spread(view, names, range(CARDS), "")))


def table_scene(view: View, names: Sequence[str]) -> TableScene:
    """Return the players and all faces: for the page of a replay, which has no picture of the whole table."""
    scores = [""] * len(names) if view.options.mode == "cooperative" else [*map(str, view.scores)]
    seats = tuple(
        Seat(name, scores[seat], "rests" * bool(view.rests[seat]), seat in view.awaited)
        for seat, name in enumerate(names)
    )
    tiles = [tile for tile in _tiles(view, range(CARDS + MOST)) if tile is not None]
    unit = "points" if view.options.against_time else "sets"
    return TableScene(
        f"Faces that show: {len(tiles)}", unit, seats, tuple(_pile(tile, names) for tile in tiles)
    )


def _pile(tile: Tile, names: Sequence[str]) -> Pile:
    owner = "" if tile.owner is None else f"{names[tile.owner]}, {tile.place} of {tile.cards}"
    barred = "forbidden" * (tile.place == "barred")
    hands = [f"✋ {names[seat]}" for seat in tile.hands]
    caption = " · ".join(filter(None, [str(tile.number), owner, barred, *hands]))
    return Pile((DrawnCard(drawing(tile.design), NAMES[tile.design]),), caption)


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


def face_buttons(view: View, spots: Sequence[int], custom_id: Callable[[int], CustomId]) -> list[Item]:
    """Return rows of buttons, one for each face, in the arrangement of the picture. A free spot has a disabled button.

    `custom_id` makes the id of a button from the number of its face. Faces under the viewer's own hands
    stand out.
    """
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
    """Return the last of these spots with a face, or the spot before the first one when all are free."""
    return max((face.spot for face in view.faces if face.spot in spots), default=spots[0] - 1)
