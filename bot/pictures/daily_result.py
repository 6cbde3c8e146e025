"""Painter of a shared result of a daily deal: placing and score, a bar of others beaten, and the streak."""

from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.blank import GOLD
from bot.pictures.painting import CREAM, FAINT, NIGHT, OUT, RIM, WIDTH, with_palette, write
from bot.pictures.scene import DailyResult

EDGE: Final = 40
LINE: Final = 38
"""Font size of the score and of the comparison."""
SCORE: Final = 278
"""Middle of the line with the score."""
BAR_TOP: Final = 320
BAR_HEIGHT: Final = 48
STEP: Final = 56
"""Height of a line."""


def paint(result: DailyResult) -> Image.Image:
    """Paint the picture, with a palette."""
    below = BAR_TOP + BAR_HEIGHT + 46 if result.percentage is not None else SCORE + STEP
    last = below if result.compared else SCORE
    image, room = Image.new("RGB", (WIDTH, last + 48), NIGHT), WIDTH - 2 * EDGE
    write(image, result.title, WIDTH // 2, 50, 44, CREAM, anchor=0.5, width=room)
    write(image, result.placing, WIDTH // 2, 140, 96, GOLD, anchor=0.5, width=room)
    write(image, result.name, WIDTH // 2, 220, 42, CREAM, anchor=0.5, width=room, otherwise="Somebody")
    score = " · ".join(filter(None, [result.score, result.days]))
    write(image, score, WIDTH // 2, SCORE, LINE, CREAM, weight="Medium", anchor=0.5, width=room)
    if result.percentage is not None:
        _paint_bar(image, result.percentage)
    write(image, result.compared, WIDTH // 2, below, LINE, FAINT, weight="Medium", anchor=0.5, width=room)
    return with_palette(image, [])


def _paint_bar(image: Image.Image, percentage: int) -> None:
    """Paint a bar whose gold part is the percentage of others who did worse."""
    draw, fill, edge = ImageDraw.Draw(image), *OUT
    left, right, bottom = EDGE, WIDTH - EDGE, BAR_TOP + BAR_HEIGHT
    draw.rounded_rectangle((left, BAR_TOP, right, bottom), BAR_HEIGHT // 2, fill, edge, 3)
    wide = (right - left) * percentage // 100
    if wide >= BAR_HEIGHT:
        draw.rounded_rectangle((left, BAR_TOP, left + wide, bottom), BAR_HEIGHT // 2, RIM)
