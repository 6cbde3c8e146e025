"""Painter of a shared result of a daily deal: the placing, a bar of others beaten, and the streak."""

from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.blank import GOLD
from bot.pictures.painting import CREAM, FAINT, NIGHT, OUT, RIM, WIDTH, with_palette, write
from bot.pictures.scene import DailyResult

EDGE: Final = 40
HEIGHT: Final = 420
BAR_TOP: Final = 268
BAR_HEIGHT: Final = 48


def paint(result: DailyResult) -> Image.Image:
    """Paint the picture, with a palette."""
    image, room = Image.new("RGB", (WIDTH, HEIGHT), NIGHT), WIDTH - 2 * EDGE
    write(image, result.title, WIDTH // 2, 50, 44, CREAM, anchor=0.5, width=room)
    write(image, result.placing, WIDTH // 2, 140, 96, GOLD, anchor=0.5, width=room)
    write(image, result.name, WIDTH // 2, 220, 42, CREAM, anchor=0.5, width=room, otherwise="Somebody")
    if result.percentage is not None:
        _paint_bar(image, result.percentage)
    below = " · ".join(filter(None, [result.compared, result.days]))
    write(image, below, WIDTH // 2, 370, 38, FAINT, weight="Medium", anchor=0.5, width=room)
    return with_palette(image, [])


def _paint_bar(image: Image.Image, percentage: int) -> None:
    """Paint a bar whose gold part is the percentage of others who did worse."""
    draw, fill, edge = ImageDraw.Draw(image), *OUT
    left, right, bottom = EDGE, WIDTH - EDGE, BAR_TOP + BAR_HEIGHT
    draw.rounded_rectangle((left, BAR_TOP, right, bottom), BAR_HEIGHT // 2, fill, edge, 3)
    wide = (right - left) * percentage // 100
    if wide >= BAR_HEIGHT:
        draw.rounded_rectangle((left, BAR_TOP, left + wide, bottom), BAR_HEIGHT // 2, RIM)
