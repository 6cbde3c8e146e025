"""Painter of one page of a leaderboard: a row for each person, that of the person who asked in gold."""

from typing import Final

from PIL import Image

from bot.pictures.blank import INK
from bot.pictures.painting import (
    CREAM,
    FAINT,
    NIGHT,
    WIDTH,
    paint_plate,
    with_palette,
    write,
)
from bot.pictures.scene import Leaderboard, LeaderboardRow

EDGE: Final = 24
TITLE: Final = 80
HEADS: Final = 46
ROW: Final = 78
GAP: Final = 8
MARGIN: Final = 22
"""Distance of the words from the edge of their plate."""
DIGIT: Final = 27
"""Largest width of a digit of a place."""
COLUMN: Final = 154
"""Width of a column of numbers."""
WORDS: Final = 40
"""Font size of names and numbers. `write` takes five sixths of it for long names."""
HEAD: Final = 33


def paint(board: Leaderboard) -> Image.Image:
    """Paint the picture, with a palette."""
    top = TITLE + HEADS
    image = Image.new("RGB", (WIDTH, top + len(board.rows) * (ROW + GAP) + EDGE), NIGHT)
    write(image, board.title, WIDTH // 2, TITLE // 2 + 4, 44, CREAM, anchor=0.5, width=WIDTH - 2 * EDGE)
    for head, right in zip(board.headings, _right_edges(board), strict=True):
        write(image, head, right, TITLE + HEADS // 2, HEAD, FAINT, anchor=1, weight="Medium")
    digits = max(len(str(row.place)) for row in board.rows)
    for number, row in enumerate(board.rows):
        _paint_row(image, row, top + number * (ROW + GAP), digits, _right_edges(board))
    return with_palette(image, ())


def _right_edges(board: Leaderboard) -> list[int]:
    """Return the right edges of the columns of numbers."""
    count = len(board.headings)
    return [WIDTH - EDGE - MARGIN - (count - 1 - column) * COLUMN for column in range(count)]


def _paint_row(image: Image.Image, row: LeaderboardRow, y: int, digits: int, rights: list[int]) -> None:
    colour, middle = INK if row.marked else CREAM, y + ROW // 2
    paint_plate(image, EDGE, y, WIDTH - 2 * EDGE, ROW, "turn" if row.marked else "out")
    write(image, row.number, EDGE + MARGIN, middle, WORDS, colour)
    left = EDGE + 2 * MARGIN + (digits + 1) * DIGIT
    room = rights[0] - COLUMN - left
    write(image, row.name, left, middle, WORDS, colour, width=room, otherwise="Somebody")
    for cell, right in zip(row.cells, rights, strict=True):
        write(image, cell, right, middle, WORDS, colour, anchor=1, width=COLUMN - 10)
