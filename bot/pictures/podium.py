"""Painter of the end of a match: a podium with three steps, below it the scores of all, their course and the best
moment."""

from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.blank import GOLD, INK, star_pip
from bot.pictures.painting import (
    CREAM,
    FAINT,
    NIGHT,
    RIM,
    WIDTH,
    paint_pip,
    paint_plate,
    with_palette,
    wrapped,
    write,
)
from bot.pictures.scene import PlacedPlayer, Podium
from bot.pictures.score_curve import colour, curve_height, paint_curve
from games.phrases import signed

EDGE: Final = 24
TITLE: Final = 84
STEP: Final = 310
"""Width of a step of the podium."""
HEIGHTS: Final = {1: 150, 2: 114, 3: 84}
"""Height of a step, by place."""
COLOURS: Final = {1: GOLD, 2: CREAM, 3: RIM}
CENTRES: Final = {1: WIDTH // 2, 2: EDGE + STEP // 2, 3: WIDTH - EDGE - STEP // 2}
STAR: Final = 62
STAR_PIP: Final = star_pip(GOLD, CREAM)
NAME: Final = 42
"""Font size of the names above a step. `write` takes five sixths of it for long names."""
LINE: Final = 54
ROW: Final = 70
TALL_ROW: Final = 100
"""Height of a row with the rating below the name."""
RATING: Final = 34
CLEAR: Final = 16
"""Distance between a step and the names above it, with room for the dots below Arabic letters."""
GAP: Final = 8
MOMENT: Final = 36
BASE: Final = 14


def paint(podium: Podium) -> Image.Image:
    """Paint the picture, with a palette."""
    floor = TITLE + (STAR + _above(podium)) * (podium.players[0].place > 0)
    columns = 1 if len(podium.players) <= 4 else 2
    rows = -(-len(podium.players) // columns)
    row = TALL_ROW if columns > 1 and any(player.rating for player in podium.players) else ROW
    totals = floor + BASE + 54
    below = totals + rows * (row + GAP)
    moment = below + (curve_height(podium.curve) if podium.curve else 0)
    words = wrapped(podium.moment, MOMENT, WIDTH - 2 * EDGE, "Medium") if podium.moment else []
    height = moment + len(words) * 46 + (16 if words else 0) + EDGE
    image = Image.new("RGB", (WIDTH, height), NIGHT)
    write(image, podium.title, WIDTH // 2, TITLE // 2 + 4, 52, CREAM, anchor=0.5, width=WIDTH - 2 * EDGE)
    for place in HEIGHTS:
        _paint_step(image, podium, place, floor)
    ImageDraw.Draw(image).rectangle((EDGE, floor, WIDTH - EDGE, floor + BASE - 1), RIM)
    write(image, podium.heading, EDGE + 10, totals - 20, 34, FAINT, weight="Medium")
    for number, player in enumerate(podium.players):
        line, column = divmod(number, columns)  # row by row, so that partners stand side by side
        _paint_total(image, player, number, column, totals + line * (row + GAP), columns, row)
    if podium.curve:
        paint_curve(image, podium.curve, below)
    for number, sentence in enumerate(words):
        y = moment + 32 + number * 46
        write(
            image, sentence, WIDTH // 2, y, MOMENT, CREAM, weight="Medium", anchor=0.5, width=WIDTH - 2 * EDGE
        )
    return with_palette(image, [STAR_PIP, *(map(colour, podium.curve.lines) if podium.curve else ())])


def _above(podium: Podium) -> int:
    """Return the height of the highest step together with the names above it."""
    return max(HEIGHTS[place] + len(podium.step(place)) * LINE for place in HEIGHTS) + CLEAR


def _paint_step(image: Image.Image, podium: Podium, place: int, floor: int) -> None:
    players, x, high = podium.step(place), CENTRES[place], HEIGHTS[place]
    top = floor - high
    if not players:
        return
    alone = place == 1 and len(players) == len(podium.players)
    room = WIDTH - 2 * EDGE if alone else STEP
    ImageDraw.Draw(image).rectangle((x - STEP // 2, top, x + STEP // 2 - 1, floor), COLOURS[place])
    write(image, str(place), x, top + high // 2, min(high - 20, 120), INK, anchor=0.5)
    for number, player in enumerate(reversed(players)):
        y = top - CLEAR - number * LINE - LINE // 2
        write(image, player.name, x, y, NAME, CREAM, anchor=0.5, width=room, otherwise="Somebody")
    if place == 1:
        paint_pip(image, STAR_PIP, x, top - CLEAR - len(players) * LINE - STAR // 2, STAR)


def _paint_total(
    image: Image.Image, player: PlacedPlayer, number: int, column: int, y: int, columns: int, high: int
) -> None:
    wide = (WIDTH - 2 * EDGE - (columns - 1) * GAP) // columns
    left = EDGE + column * (wide + GAP)
    first = player.place == 1
    ink, middle = INK if first else CREAM, y + high // 2
    score = "" if player.score is None else signed(player.score)
    paint_plate(image, left, y, wide, high, "turn" if first else "out")
    write(image, player.number, left + 22, middle, 38, ink)
    room = wide - 96 - write(image, score, left + wide - 22, middle, 40, ink, anchor=1) - 30
    if player.rating and columns == 1:
        right = left + 74 + room
        room -= write(image, player.rating, right, middle, RATING, ink, weight="Medium", anchor=1) + 24
    elif player.rating:
        write(image, player.rating, left + 74, middle + 23, RATING, ink, weight="Medium", width=room)
        middle -= 21
    write(image, player.name, left + 74, middle, 40, ink, width=room, otherwise=f"Player {number + 1}")
