"""Painter of bands: each has the players of a side, its score, and its cards on the table in rows of chips."""

from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.blank import GOLD, INK
from bot.pictures.painting import CREAM, NIGHT, WIDTH, paint_card, paint_plate, width_of, write
from bot.pictures.scene import Band, SeatedPlayer

STRIPE: Final = 12
"""Width of the stripe in the side's colour at the left edge."""
LEFT: Final = 24
RIGHT: Final = 16
GAP: Final = 8
MARK: Final = 60
SCORE: Final = 150
"""Width of a score: "−12,450"."""
PLATE: Final = {1: 64, 2: 104}
"""Height of a player's plate, by the number of players of the side. One alone needs a single line."""
LINE: Final = 56
"""Height of the players of a narrow band, which have no plates."""
NAME: Final = 40
WORDS: Final = 38
"""Font size. `write` takes five sixths of it for long texts: 12 pixels on a phone 390 pixels wide."""
MARGIN: Final = 14
COLUMNS: Final = 6
"""Number of chips in a row."""
CHIP: Final = (WIDTH - LEFT - RIGHT) // COLUMNS - GAP
"""Width of a chip: 55 pixels on a phone 360 pixels wide."""
CHIP_HEIGHT: Final = CHIP // 2


def height(band: Band, *, narrow: bool = False) -> int:
    """Return the height of a band in pixels."""
    head = LINE if narrow else PLATE[len(band.players)] + 2 * GAP
    return head + len(band.rows) * (CHIP_HEIGHT + GAP) + GAP // 2


def plate_width(band: Band) -> int:
    """Return the width of a player's plate."""
    room = WIDTH - LEFT - MARK - 2 * GAP - SCORE - RIGHT
    return room // len(band.players) - GAP


def paint(image: Image.Image, band: Band, y: int, *, narrow: bool = False) -> None:
    """Paint a band across the picture, with its upper edge at y."""
    high = height(band, narrow=narrow)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, y, WIDTH, y + high - 1), NIGHT)
    draw.rectangle((0, y, STRIPE - 1, y + high - 1), band.colour)
    below = _paint_line(image, band, y) if narrow else _paint_plates(image, band, y + GAP)
    for row, chips in enumerate(band.rows):
        for place, chip in enumerate(chips):
            left, top = LEFT + place * (CHIP + GAP), below + row * (CHIP_HEIGHT + GAP)
            paint_card(image, chip, left, top, CHIP)


def _paint_plates(image: Image.Image, band: Band, y: int) -> int:
    """Paint the mark, a plate for each player, and the score. Return the y below them."""
    high, wide = PLATE[len(band.players)], plate_width(band)
    paint_card(image, band.mark, LEFT, y + (high - MARK) // 2, MARK)
    x = LEFT + MARK + 2 * GAP
    for number, player in zip(band.seats, band.players, strict=True):
        paint_plate(image, x, y, wide, high, "turn" if player.turn or player.won else "seat")
        _paint_player(image, player, number, x, y, wide, high, numbered=band.numbered)
        x += wide + GAP
    write(image, band.score, WIDTH - RIGHT, y + high // 2, NAME, GOLD, anchor=1, width=SCORE)
    return y + high + GAP


def _paint_player(
    image: Image.Image,
    player: SeatedPlayer,
    number: int,
    x: int,
    y: int,
    wide: int,
    high: int,
    *,
    numbered: bool,
) -> None:
    """Write name and state on a plate: in two lines, or side by side on a low plate."""
    ink = INK if player.turn or player.won else CREAM
    left, room = x + MARGIN, wide - 2 * MARGIN
    upper = lower = y + high // 2
    if high > PLATE[1]:
        upper, lower = y + 32, y + 74
        write(image, player.detail, left, lower, WORDS, ink, weight="Medium", width=room)
    else:
        room -= write(
            image, player.detail, left + room, lower, WORDS, ink, weight="Medium", anchor=1, width=room
        )
    before = write(image, str(number), left, upper, NAME, ink) + GAP if numbered else 0
    name = left + before
    write(image, player.name, name, upper, NAME, ink, width=room - GAP - before, otherwise=f"Seat {number}")


def _paint_line(image: Image.Image, band: Band, y: int) -> int:
    """Paint mark, players and score in one line. Return the y below them."""
    size = LINE - 2 * GAP
    middle = y + LINE // 2
    paint_card(image, band.mark, LEFT, middle - size // 2, size)
    x = LEFT + size + GAP
    room = (WIDTH - RIGHT - SCORE - x) // len(band.players) - 4 * GAP
    for number, player in zip(band.seats, band.players, strict=True):
        ink = GOLD if player.turn else CREAM
        if player is not band.players[0]:
            x += write(image, "·", x, middle, WORDS, ink) + GAP
        left = room - width_of(player.detail, WORDS, weight="Medium") - GAP
        other = f"Seat {number}"
        x += write(image, player.name, x, middle, WORDS, ink, weight="Medium", width=left, otherwise=other)
        x += GAP
        x += write(image, player.detail, x, middle, WORDS, ink, weight="Medium") + GAP
    write(image, band.score, WIDTH - RIGHT, middle, WORDS, CREAM, anchor=1, width=SCORE)
    return y + LINE
