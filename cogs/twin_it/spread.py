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
from games.twin_it.designs import NAMES

K = TypeVar("K", bound=Hashable)
Place: TypeAlias = Literal["table", "pile", "set", "barred"]

WIDTH: Final = 1000
"""Pixels; a phone shows it about 390 wide, so everything here is seen at two fifths."""
COLUMNS: Final = 4
"""As many as a phone shows buttons side by side, so that each stands where its face does."""

_MARGIN: Final = 16
_CELL: Final = (WIDTH - 2 * _MARGIN) // COLUMNS
FACE: Final = 212
_ROW: Final = FACE + 58
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


def picture(spread: Spread) -> Picture:
    """The table as a picture, drawn when it is sent, with an alt text that says the same."""
    return Picture("table.png", alt(spread), partial(paint, spread))


def paint(spread: Spread) -> Image.Image:
    """The picture itself, with the palette."""
    top = _MARGIN + _head(spread)
    rows = -(-len(spread.tiles) // COLUMNS)
    image = Image.new("RGB", (WIDTH, top + rows * _ROW + _MARGIN), FELT)
    _draw_head(image, spread)
    for slot, tile in enumerate(spread.tiles):
        x = _MARGIN + slot % COLUMNS * _CELL + (_CELL - FACE) // 2
        y = top + slot // COLUMNS * _ROW
        if tile is None:
            _draw_plate(image, (x, y), (FACE, FACE), line=LINE)
        else:
            _draw_tile(image, tile, spread.players, x, y)
    return flat(image)


def alt(spread: Spread) -> str:
    """The picture in words: every face by its number and name, then what each player has. The names of people are
    shortened when Discord would not take it all; of a whole race the first faces are told, and how many more there are.
    """
    texts = [_words(spread, letters) for letters in (32, 12, 4)]
    return next((text for text in texts if len(text) <= MOST_ALT), _cut(texts[-1], spread))


def _cut(text: str, spread: Spread) -> str:
    told = text[: MOST_ALT - 20].rpartition("; ")[0].split("; ")
    left = sum(tile is not None for tile in spread.tiles) - len(told)
    return "; ".join([*told, f"and {left} more"])


def _words(spread: Spread, letters: int) -> str:
    shown = [tile for tile in spread.tiles if tile is not None]
    faces = "; ".join(
        f"{tile.number}: {NAMES[tile.design]}{' (barred)' if tile.place == 'barred' else ''}"
        for tile in shown
    )
    parts = [spread.title] if spread.title else []
    parts.append(faces or "No face shows")
    for seat, player in enumerate(spread.players):
        said = [f"{player.name[:letters]} {_score(player)}".strip(), *_has(seat, shown)]
        said += ["hands at rest"] if player.rests else []
        said += ["flips next"] if seat == spread.turn else []
        parts.append(", ".join(said))
    return ". ".join(parts) + "."


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


# A face


def _draw_tile(image: Image.Image, tile: Tile, players: Sequence[Player], x: int, y: int) -> None:
    """The face, its frame, its number below on the left, whose it is below on the right, the hands on top."""
    _draw_frame(image, tile, x, y)
    design = sprite(drawing(tile.design), FACE)
    image.paste(design, (x, y), design)
    write(image, str(tile.number), x + 4, y + FACE + 27, 40, WHITE)
    right = x + FACE - 4
    if tile.owner is not None:
        mark = token(tile.owner, players[tile.owner].name, 40)
        image.paste(mark, (right - 38, y + FACE + 7), mark)
        right -= 44
    write(image, _remark(tile), right, y + FACE + 27, 28, QUIET, weight="Medium", anchor=1)
    for place, seat in reversed(list(enumerate(tile.hands))):
        laid = hand(seat, players[seat].name, _HAND)
        image.paste(laid, (x + FACE - _HAND - 43 * (place % 4), y + FACE - _HAND), laid)


def _remark(tile: Tile) -> str:
    return {"table": "", "pile": str(tile.cards), "set": f"×{tile.cards}", "barred": "barred"}[tile.place]


def _draw_frame(image: Image.Image, tile: Tile, x: int, y: int) -> None:
    """A pile lies in a frame of its owner's colour, a set in one of white, a barred card in one of red."""
    frame = {"table": None, "pile": COLOURS[tile.owner or 0], "set": WHITE, "barred": RED}[tile.place]
    if frame is not None:
        _draw_plate(image, (x - 8, y - 8), (FACE + 16, FACE + 16), line=frame)


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
