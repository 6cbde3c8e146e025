"""The picture of a table of Twin It!: the players, and all faces that show, with their numbers, owners and hands."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

from PIL import Image

from bot.pictures.painting import write
from bot.pictures.picture import Painting, Picture
from bot.pictures.raster import sprite
from bot.pictures.scene import MOST_ALT
from cogs.twin_it.colours import FELT, LINE, QUIET, RED, SUN, WHITE
from cogs.twin_it.designs import drawing
from cogs.twin_it.palette import with_palette
from cogs.twin_it.tokens import COLOURS, hand, sign, token
from games.phrases import short
from games.twin_it.designs import NAMES

K = TypeVar("K", bound=Hashable)
Place: TypeAlias = Literal["table", "pile", "set", "barred"]

WIDTH: Final = 1000
"""Width in pixels. A phone shows the picture about 390 pixels wide, at two fifths of its size."""
COLUMNS: Final = 4
"""Faces in a row: as many as a phone shows buttons side by side, for one arrangement of both."""

SMALL_COLUMNS: Final = 6
"""Faces without buttons in a row."""

_MARGIN: Final = 16
FACE: Final = 212
"""Width of a face with a button, in pixels."""
SMALL_FACE: Final = 141
"""Width of a face without a button: 55 pixels on a phone, where near-twins can still be distinguished."""
_NUMBERS: Final = {FACE: 54, SMALL_FACE: 44}
"""Size of the number below a face, by the width of the face."""
_COUNTS: Final = {FACE: 44, SMALL_FACE: 22}
"""Size of the number of cards below a face, by its width: the digits of a pile are 12 pixels high on a phone."""
_MARKS: Final = {FACE: 40, SMALL_FACE: 27}
"""Width of a mark below a face, by the width of the face."""
_FRAME: Final = 8
"""Width of a frame around a face, with the room between both."""
_HAND: Final = 90
"""Width of a hand on a face with a button."""
_PLAYER: Final = 64
"""Height of a player's line in the head."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A face in the picture."""

    number: int
    design: int
    place: Place = "table"
    owner: int | None = None
    """Seat with this pile or set; for a team any of its seats."""
    cards: int = 1
    """Number of cards in the pile or set, this one included."""
    hands: tuple[int, ...] = ()
    """Seats with a hand on this face, in the order in which they laid it. A seat has at most one hand on a face."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player in the head of the picture."""

    name: str
    score: int | None
    """Sets or points; None in a mode with common points."""
    rests: bool = False
    """True after a mistake, while the player may not lay hands."""


@dataclass(frozen=True, slots=True)
class Spread:
    """The content of the picture."""

    tiles: tuple[Tile | None, ...]
    """By spot, COLUMNS in a row; None for a free spot."""
    players: tuple[Player, ...]
    """By seat."""
    turn: int | None = None
    """Seat that flips next."""
    title: str = ""
    """Line at the top: "Page 2 of 5"."""
    small: tuple[Tile | None, ...] = ()
    """Faces without buttons, SMALL_COLUMNS in a row, below the others."""


def picture(spread: Spread) -> Picture:
    """Return the picture with its alt text. With very many faces that has only the first ones."""
    return Picture("table", alt(spread), Painting(__name__, spread))


def paint(spread: Spread) -> Image.Image:
    """Paint the picture, with the palette."""
    top = _MARGIN + _head_height(spread)
    middle = top + _height(spread.tiles, COLUMNS, FACE)
    image = Image.new(
        "RGB", (WIDTH, middle + _height(spread.small, SMALL_COLUMNS, SMALL_FACE) + _MARGIN), FELT
    )
    _draw_head(image, spread)
    _draw_tiles(image, spread.tiles, spread.players, top, COLUMNS, FACE)
    _draw_tiles(image, spread.small, spread.players, middle, SMALL_COLUMNS, SMALL_FACE)
    return with_palette(image)


def _height(tiles: Sequence[Tile | None], columns: int, size: int) -> int:
    return -(-len(tiles) // columns) * (size + _below(size))


def _below(size: int) -> int:
    """Return the height of the line below a face, and of the frames of this face and the next one."""
    return 2 * _FRAME + 15 + _NUMBERS[size] * 3 // 4


def alt(spread: Spread) -> str:
    """Return the alt text: the number and name of each face, then what each player has.

    If it is longer than Discord allows, the names of players are shortened; if that is not enough, only the first
    faces are named, with the number of the others.
    """
    texts = (_words(spread, letters) for letters in (32, 12, 4))
    return next((text for text in texts if len(text) <= MOST_ALT), "") or _cut(spread)


def _cut(spread: Spread) -> str:
    """Return an alt text with all players and as many faces as fit."""
    faces, players = _faces(spread), _players(spread, 4)
    room = MOST_ALT - len(". ".join([spread.title, *players])) - 30
    fitting = 0
    while room >= len(faces[fitting]) + 2:
        room -= len(faces[fitting]) + 2
        fitting += 1
    named = "; ".join([*faces[:fitting], f"and {len(faces) - fitting} more"])
    return f"{'. '.join(filter(None, [spread.title, named, *players]))}."


def _words(spread: Spread, letters: int) -> str:
    faces = "; ".join(_faces(spread)) or "No face shows"
    return f"{'. '.join(filter(None, [spread.title, faces, *_players(spread, letters)]))}."


def _shown(spread: Spread) -> list[Tile]:
    return [tile for tile in (*spread.tiles, *spread.small) if tile is not None]


def _faces(spread: Spread) -> list[str]:
    return [
        f"{tile.number}: {NAMES[tile.design]}{' (forbidden)' if tile.place == 'barred' else ''}"
        for tile in _shown(spread)
    ]


def _players(spread: Spread, letters: int) -> list[str]:
    shown, parts = _shown(spread), []
    for seat, player in enumerate(spread.players):
        words = [f"{short(player.name, letters)} {_score(player)}".strip(), *_possessions(seat, shown)]
        words += ["hands are off"] if player.rests else []
        words += ["flips next"] if seat == spread.turn else []
        parts.append(", ".join(words))
    return parts


def _score(player: Player) -> str:
    return "" if player.score is None else str(player.score)


def _possessions(seat: int, shown: Sequence[Tile]) -> Iterator[str]:
    """Yield the pile, the sets and the hands of a player in words."""
    own = [tile for tile in shown if tile.owner == seat]
    yield from (f"pile of {tile.cards} ({tile.number})" for tile in own if tile.place == "pile")
    yield from (f"set of {tile.cards} ({tile.number})" for tile in own if tile.place == "set")
    yield from (f"hand on {tile.number}" for tile in shown if seat in tile.hands)


# The head: the title, then rows of three players


def _head_height(spread: Spread) -> int:
    """Return the height of title and players in pixels."""
    return (48 if spread.title else 0) + -(-len(spread.players) // 3) * _PLAYER + 12


def _draw_head(image: Image.Image, spread: Spread) -> None:
    y = _MARGIN
    if spread.title:
        write(image, spread.title, _MARGIN + 4, y + 21, 34, QUIET, weight="Medium")
        y += 48
    columns = min(3, len(spread.players))
    for seat, player in enumerate(spread.players):
        width = (WIDTH - 2 * _MARGIN) // columns
        x = _MARGIN + seat % columns * width
        _draw_player(image, seat, player, (x, y + seat // columns * _PLAYER, width - 10), spread.turn == seat)


def _draw_player(
    image: Image.Image,
    seat: int,
    player: Player,
    at: tuple[int, int, int],
    flips: bool,
) -> None:
    """Draw mark, name and score. The player who flips next has a gold frame; one who may not lay hands is dimmed."""
    x, y, width = at
    _draw_plate(image, (x, y), (width, _PLAYER - 8), fill=LINE, line=SUN if flips else LINE)
    mark = token(seat, player.name, 46)
    image.paste(mark, (x + 8, y + 5), mark)
    room = width - 84 - write(image, _score(player), x + width - 14, y + 28, 36, WHITE, anchor=1)
    colour = QUIET if player.rests else WHITE
    unnamed = f"Seat {seat + 1}"
    write(image, player.name, x + 62, y + 28, 32, colour, weight="Medium", width=room, otherwise=unnamed)


# The faces


def _draw_tiles(
    image: Image.Image,
    tiles: Sequence[Tile | None],
    players: Sequence[Player],
    top: int,
    columns: int,
    size: int,
) -> None:
    cell = (WIDTH - 2 * _MARGIN) // columns
    for slot, tile in enumerate(tiles):
        x = _MARGIN + slot % columns * cell + (cell - size) // 2
        y = top + slot // columns * (size + _below(size))
        if tile is None:
            _draw_plate(image, (x, y), (size, size), line=LINE)
        else:
            _draw_tile(image, tile, players, (x, y), size)


def _draw_tile(
    image: Image.Image, tile: Tile, players: Sequence[Player], at: tuple[int, int], size: int
) -> None:
    """Draw a face with its frame and the hands on it, and its number and whose it is below."""
    x, y = at
    _draw_frame(image, tile, at, size)
    design = sprite(drawing(tile.design), size)
    image.paste(design, (x, y), design)
    middle, right = y + size + _below(size) // 2 - 3, x + size - 4
    room = size - 6 - _draw_remark(image, tile, players, (right, middle), size)
    write(image, str(tile.number), x + 4, middle, _NUMBERS[size], WHITE, width=room)
    _draw_hands(image, tile, players, (x + size, y + size), _HAND * size // FACE)


def _draw_remark(
    image: Image.Image, tile: Tile, players: Sequence[Player], at: tuple[int, int], size: int
) -> int:
    """Draw whose a face is and of how many cards, or that it is barred, to the left of a point. Return the width."""
    (right, middle), width, used = at, _MARKS[size], 0
    if tile.owner is not None or tile.place == "barred":
        mark = sign(width) if tile.owner is None else token(tile.owner, players[tile.owner].name, width)
        image.paste(mark, (right - width, middle - width // 2), mark)
        used = width + 4
    cards = {"pile": f"{tile.cards}", "set": f"×{tile.cards}"}.get(tile.place, "")
    left = right - used
    return used + 4 + write(image, cards, left, middle, _COUNTS[size], QUIET, weight="Medium", anchor=1)


def _draw_hands(
    image: Image.Image, tile: Tile, players: Sequence[Player], corner: tuple[int, int], size: int
) -> None:
    """Draw the hands on a face. The first one is at the lower right corner, on top of the others. More than four are
    smaller, so that the marks of all can be seen."""
    size = size * 4 // max(4, len(tile.hands))
    for place, seat in reversed(list(enumerate(tile.hands))):
        laid = hand(seat, players[seat].name, size)
        image.paste(laid, (corner[0] - size - size * 43 // 90 * place, corner[1] - size), laid)


def _draw_frame(image: Image.Image, tile: Tile, at: tuple[int, int], size: int) -> None:
    """Draw a frame: in the owner's colour for a pile, white for a set, red for a barred card."""
    frame = {"table": None, "pile": COLOURS[tile.owner or 0], "set": WHITE, "barred": RED}[tile.place]
    if frame is not None:
        _draw_plate(
            image, (at[0] - _FRAME, at[1] - _FRAME), (size + 2 * _FRAME, size + 2 * _FRAME), line=frame
        )


def _draw_plate(
    image: Image.Image, at: tuple[int, int], size: tuple[int, int], *, line: str, fill: str = "none"
) -> None:
    """Draw a rectangle with round corners and a line inside its edge."""
    width, height = size
    plate = sprite(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><rect x="2.5" y="2.5" '
        f'width="{width - 5}" height="{height - 5}" rx="20" fill="{fill}" stroke="{line}" stroke-width="5"/></svg>',
        width,
    )
    image.paste(plate, at, plate)
