"""The picture of a table of Twin It!: every face that shows, with its number, whose it is, and the hands on it."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias, TypeVar

from PIL import Image

from bot.pictures import Picture, sprite
from bot.pictures.painting import write
from bot.pictures.scene import MOST_ALT
from cogs.twin_it.colours import FELT, LINE, QUIET, RED, SUN, WHITE
from cogs.twin_it.designs import drawing
from cogs.twin_it.palette import flat
from cogs.twin_it.tokens import COLOURS, hand, token
from games.phrases import short
from games.twin_it.designs import NAMES

K = TypeVar("K", bound=Hashable)
Place: TypeAlias = Literal["table", "pile", "set", "barred"]

WIDTH: Final = 1000
"""Pixels; a phone shows it about 390 wide, so everything here is seen at two fifths."""
COLUMNS: Final = 4
"""As many as a phone shows buttons side by side, so that each stands where its face does."""

SMALL_COLUMNS: Final = 6
"""Of the faces without buttons."""

_MARGIN: Final = 16
FACE: Final = 212
"""Pixels of a face with a button."""
SMALL_FACE: Final = 141
"""Pixels of a face without one: 55 of a phone, on which near-twins can still be told apart."""
_BELOW: Final = 58
_HAND: Final = 90
_CHIP: Final = 64


@dataclass(frozen=True, slots=True)
class Tile:
    """A face that shows."""

    number: int
    design: int
    place: Place = "table"
    owner: int | None = None
    """The seat whose pile it is on or whose set it is; of a team, any of its seats."""
    cards: int = 1
    """In the pile or the set, this one among them."""
    hands: tuple[int, ...] = ()
    """The seats whose hands lie on it, the first one first; two of one seat's never lie on the same face."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at the table, by seat."""

    name: str
    score: int | None
    """Sets or points; None where points are common."""
    rests: bool = False
    """Whether the hands rest after a mistake."""


@dataclass(frozen=True, slots=True)
class Spread:
    """What lies on the table. `tiles` are by spot, COLUMNS to a row, None where nothing lies."""

    tiles: tuple[Tile | None, ...]
    players: tuple[Player, ...]
    turn: int | None = None
    """The seat that flips next."""
    title: str = ""
    """Above it all: "Page 2 of 5"."""
    small: tuple[Tile | None, ...] = ()
    """Those for which there are no buttons, SMALL_COLUMNS to a row below the others."""


def picture(spread: Spread, acted: int | None = None) -> Picture:
    """The table as a picture, drawn when it is sent, with an alt text that says the same. Of very many faces the alt
    text has the first: then `acted`, how many actions there were, tells pictures apart whose words are the same."""
    name = "table.png" if acted is None else f"table-{acted}.png"
    return Picture(name, alt(spread), partial(paint, spread))


def paint(spread: Spread) -> Image.Image:
    """The picture itself, with the palette."""
    top = _MARGIN + _head(spread)
    middle = top + _height(spread.tiles, COLUMNS, FACE)
    image = Image.new(
        "RGB", (WIDTH, middle + _height(spread.small, SMALL_COLUMNS, SMALL_FACE) + _MARGIN), FELT
    )
    _draw_head(image, spread)
    _draw_tiles(image, spread.tiles, spread.players, top, COLUMNS, FACE)
    _draw_tiles(image, spread.small, spread.players, middle, SMALL_COLUMNS, SMALL_FACE)
    return flat(image)


def _height(tiles: Sequence[Tile | None], columns: int, size: int) -> int:
    return -(-len(tiles) // columns) * (size + _BELOW)


def alt(spread: Spread) -> str:
    """The picture in words: every face by its number and name, then what each player has. The names of people are
    shortened when Discord would not take it all; of very many faces the first are told, and how many more there are.
    """
    texts = (_words(spread, letters) for letters in (32, 12, 4))
    return next((text for text in texts if len(text) <= MOST_ALT), "") or _cut(spread)


def _cut(spread: Spread) -> str:
    """As many faces as fit beside all players."""
    faces, players = _faces(spread), _players(spread, 4)
    room = MOST_ALT - len(". ".join([spread.title, *players])) - 30
    fitting = 0
    while room >= len(faces[fitting]) + 2:
        room -= len(faces[fitting]) + 2
        fitting += 1
    told = "; ".join([*faces[:fitting], f"and {len(faces) - fitting} more"])
    return f"{'. '.join(filter(None, [spread.title, told, *players]))}."


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
        said = [f"{short(player.name, letters)} {_score(player)}".strip(), *_has(seat, shown)]
        said += ["hands are off"] if player.rests else []
        said += ["flips next"] if seat == spread.turn else []
        parts.append(", ".join(said))
    return parts


def _score(player: Player) -> str:
    return "" if player.score is None else str(player.score)


def _has(seat: int, shown: Sequence[Tile]) -> Iterator[str]:
    """Pile, sets and hands of a player."""
    own = [tile for tile in shown if tile.owner == seat]
    yield from (f"pile {tile.number} of {tile.cards}" for tile in own if tile.place == "pile")
    yield from (f"set {tile.number} of {tile.cards}" for tile in own if tile.place == "set")
    yield from (f"hand on {tile.number}" for tile in shown if seat in tile.hands)


# The head: the title, then three players to a row


def _head(spread: Spread) -> int:
    """Pixels that title and players take."""
    return (48 if spread.title else 0) + -(-len(spread.players) // 3) * _CHIP + 12


def _draw_head(image: Image.Image, spread: Spread) -> None:
    y = _MARGIN
    if spread.title:
        write(image, spread.title, _MARGIN + 4, y + 21, 34, QUIET, weight="Medium")
        y += 48
    columns = min(3, len(spread.players))
    for seat, player in enumerate(spread.players):
        width = (WIDTH - 2 * _MARGIN) // columns
        x = _MARGIN + seat % columns * width
        _draw_player(image, seat, player, (x, y + seat // columns * _CHIP, width - 10), spread.turn == seat)


def _draw_player(
    image: Image.Image,
    seat: int,
    player: Player,
    at: tuple[int, int, int],
    flips: bool,
) -> None:
    """Mark, name and score; framed in gold is who flips next, dimmed whose hands rest."""
    x, y, width = at
    _draw_plate(image, (x, y), (width, _CHIP - 8), fill=LINE, line=SUN if flips else LINE)
    mark = token(seat, player.name, 46)
    image.paste(mark, (x + 8, y + 5), mark)
    room = width - 84 - write(image, _score(player), x + width - 14, y + 28, 36, WHITE, anchor=1)
    colour = QUIET if player.rests else WHITE
    write(image, player.name, x + 62, y + 28, 32, colour, weight="Medium", width=room)


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
        y = top + slot // columns * (size + _BELOW)
        if tile is None:
            _draw_plate(image, (x, y), (size, size), line=LINE)
        else:
            _draw_tile(image, tile, players, (x, y), size)


def _draw_tile(
    image: Image.Image, tile: Tile, players: Sequence[Player], at: tuple[int, int], size: int
) -> None:
    """The face, its frame, its number below on the left, whose it is below on the right, the hands on top."""
    x, y = at
    _draw_frame(image, tile, at, size)
    design = sprite(drawing(tile.design), size)
    image.paste(design, (x, y), design)
    write(image, str(tile.number), x + 4, y + size + 27, 40, WHITE)
    right = x + size - 4
    if tile.owner is not None:
        mark = token(tile.owner, players[tile.owner].name, 40)
        image.paste(mark, (right - 38, y + size + 7), mark)
        right -= 44
    write(image, _remark(tile), right, y + size + 27, 28, QUIET, weight="Medium", anchor=1)
    _draw_hands(image, tile, players, (x + size, y + size), _HAND * size // FACE)


def _draw_hands(
    image: Image.Image, tile: Tile, players: Sequence[Player], corner: tuple[int, int], size: int
) -> None:
    """The first one at the lower right corner, on top of the others."""
    for place, seat in reversed(list(enumerate(tile.hands))):
        laid = hand(seat, players[seat].name, size)
        image.paste(laid, (corner[0] - size - size * 43 // 90 * (place % 4), corner[1] - size), laid)


def _remark(tile: Tile) -> str:
    return {"table": "", "pile": str(tile.cards), "set": f"×{tile.cards}", "barred": "forbidden"}[tile.place]


def _draw_frame(image: Image.Image, tile: Tile, at: tuple[int, int], size: int) -> None:
    """A pile lies in a frame of its owner's colour, a set in one of white, a barred card in one of red."""
    frame = {"table": None, "pile": COLOURS[tile.owner or 0], "set": WHITE, "barred": RED}[tile.place]
    if frame is not None:
        _draw_plate(image, (at[0] - 8, at[1] - 8), (size + 16, size + 16), line=frame)


def _draw_plate(
    image: Image.Image, at: tuple[int, int], size: tuple[int, int], *, line: str, fill: str = "none"
) -> None:
    """A rectangle with round corners and a line inside its edge."""
    width, height = size
    plate = sprite(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"><rect x="2.5" y="2.5" '
        f'width="{width - 5}" height="{height - 5}" rx="20" fill="{fill}" stroke="{line}" stroke-width="5"/></svg>',
        width,
    )
    image.paste(plate, at, plate)
