"""The arrangement of faces and buttons in the messages of Twin It!

The board is one picture of all faces. Those on piles and the newest on the table have buttons, in the arrangement of
the picture: few enough for a phone to show all at once. A private page is a picture of some places, with a button for
each face in the same arrangement; a face keeps its place as long as it is visible.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final

from bot.messages.custom_ids import CustomId
from bot.messages.panel import PRIMARY, SECONDARY, Item, button, row, shown
from bot.pictures.artwork import Artwork
from bot.pictures.rasterizer import Prepare
from bot.pictures.scene import DrawnCard, Pile, SeatedPlayer, TableScene
from cogs.twin_it import overview as mosaic
from cogs.twin_it import spread
from cogs.twin_it.spread import COLUMNS, Player, Spread, Tile
from games.twin_it.deck import DESIGNS
from games.twin_it.designs import NAMES
from games.twin_it.state import ANYBODY, FREE, Face
from games.twin_it.view import View
from games.types import with_seats

ON_BOARD: Final = 8
"""Number of faces with buttons on the board: two rows. The others are small; players claim them by typing, or on a
private page."""


def sprites() -> Iterator[Prepare]:
    """Yield requests for each design in each size: only the first drawing takes long."""
    for design, size in product(range(DESIGNS), (spread.FACE, spread.SMALL_FACE, mosaic.FACE)):
        yield Prepare(_face(design), size)


def _face(design: int) -> Artwork:
    return Artwork("cogs.twin_it.designs", "drawing", (design,))


def picture(view: View, names: Sequence[str], faces: Sequence[Face | None], title: str) -> Item:
    """Return a picture of these faces, None for a free place, with the players above them."""
    return shown(spread.picture(_spread(view, names, faces, title=title)))


def whole_board(view: View, names: Sequence[str]) -> Item:
    """Return a picture of all faces: large ones for those with buttons, small ones below for the others, the oldest
    first."""
    faces = in_order(view)
    small = [face for face in faces[ON_BOARD:] if face is not None]
    return shown(spread.picture(_spread(view, names, faces[:ON_BOARD], small)))


def in_order(view: View) -> list[Face | None]:
    """Return all faces of a game in turns in the order of the board: those with buttons, then the others, the oldest
    first."""
    large = on_board(view)
    return [*large, *(face for face in view.faces if face not in large)]


def on_board(view: View) -> list[Face | None]:
    """Return the faces with buttons on the board: the piles by seat, then the newest faces on the table. A place is
    free (None) only when every face has a button."""
    places, piles = _places(view), len(view.piles)
    room = ON_BOARD - piles
    # A card of the table always competes for the same place, so a new face moves no other button.
    newest = [max(filter(None, places[piles + n :: room]), default=None) for n in range(room)]
    found = [*places[:piles], *newest]
    others = (face for face in view.faces if face not in found)
    return _up_to_last([face or next(others, None) for face in found])


def lacks_buttons(view: View) -> bool:
    """Return whether some faces of a game in turns have no button on the board."""
    return not view.options.against_time and len(view.faces) > ON_BOARD


def by_place(view: View, places: slice = slice(None)) -> list[Face | None]:
    """Return the faces on these places, up to the last one; None for a free place. First come the piles, by seat."""
    return _up_to_last(_places(view)[places])


def _places(view: View) -> list[Face | None]:
    shown = {face.card: face for face in view.faces}
    tops = [pile[-1] if pile else FREE for pile in view.piles]
    return [shown.get(card) for card in [*tops, *view.table]]


def _up_to_last(faces: list[Face | None]) -> list[Face | None]:
    """Return these faces without the free places after the last one."""
    return faces[: max((place for place, face in enumerate(faces, 1) if face), default=0)]


def overview(view: View, names: Sequence[str]) -> Item:
    """Return a picture of all faces of a race, all of them small."""
    return shown(mosaic.picture(_spread(view, names, by_place(view))))


def table_scene(view: View, names: Sequence[str]) -> TableScene:
    """Return the players and all faces: for the page of a replay, which has no picture of the whole table."""
    scores = [""] * len(names) if view.options.mode == "cooperative" else [*map(str, view.scores)]
    seats = tuple(
        SeatedPlayer(name, scores[seat], "rests" * bool(view.rests[seat]), seat in view.awaited)
        for seat, name in with_seats(names)
    )
    faces = by_place(view) if view.options.against_time else in_order(view)
    tiles = [_tile(view, face) for face in faces if face is not None]
    return TableScene(
        f"Faces that show: {len(tiles)}",
        f"{view.options.unit}s",
        seats,
        tuple(_pile(tile, names) for tile in tiles),
    )


def _pile(tile: Tile, names: Sequence[str]) -> Pile:
    owner = "" if tile.owner is None else f"{names[tile.owner]}, {tile.place} of {tile.cards}"
    barred = "forbidden" * (tile.place == "barred")
    hands = [f"✋ {names[seat]}" for seat in tile.hands]
    caption = " · ".join(filter(None, [str(tile.number), owner, barred, *hands]))
    return Pile((DrawnCard(_face(tile.design), NAMES[tile.design]),), caption)


def _spread(
    view: View,
    names: Sequence[str],
    faces: Sequence[Face | None],
    small: Sequence[Face] = (),
    title: str = "",
) -> Spread:
    scores = [None] * len(names) if view.options.mode == "cooperative" else view.scores
    players = tuple(
        Player(name, scores[seat], rests=bool(view.rests[seat])) for seat, name in with_seats(names)
    )
    turn = None if view.turn == ANYBODY else view.turn
    tiles = tuple(face and _tile(view, face) for face in faces)
    return Spread(tiles, players, turn, title, tuple(_tile(view, face) for face in small))


def _tile(view: View, face: Face) -> Tile:
    hands = sorted(
        (hand.order, hand.seat) for lying in view.hands for hand in lying if hand.face == face.number
    )
    owner = None if view.options.mode == "cooperative" else face.owner
    return Tile(
        face.number,
        face.design,
        face.place,
        owner,
        _cards(view, face),
        tuple(seat for _, seat in hands),
    )


def _cards(view: View, face: Face) -> int:
    if face.owner is None:
        return 1
    if face.place == "pile":
        return len(view.piles[face.owner])
    return next(len(cards) for cards in view.sets[face.owner] if cards[0] == face.card)


def face_buttons(
    view: View, faces: Sequence[Face | None], custom_id: Callable[[int], CustomId]
) -> list[Item]:
    """Return rows of buttons, one for each face, in the arrangement of the picture. A free place has a disabled button.

    `custom_id` makes the id of a button from the number of its face. Faces under the viewer's own hands
    stand out.
    """
    own = {hand.face for hand in view.hands[view.seat]} if view.seat is not None else set()
    buttons = [
        button("·", CustomId("free", 0, str(place)), disabled=True)
        if face is None
        else _button(face.number, custom_id(face.number), held=face.number in own)
        for place, face in enumerate(faces)
    ]
    return [row(*buttons[first : first + COLUMNS]) for first in range(0, len(buttons), COLUMNS)]


def _button(face: int, custom_id: CustomId, *, held: bool) -> Item:
    return button(str(face), custom_id, style=PRIMARY if held else SECONDARY)
