"""Painter of a chart: the course of a rating, with its first, highest, lowest and last value below."""

from typing import Final

from PIL import Image, ImageDraw

from bot.pictures.axis import axis
from bot.pictures.blank import GOLD
from bot.pictures.painting import CREAM, FAINT, NIGHT, OUT, WIDTH, paint_plate, with_palette, write
from bot.pictures.raster import coverage
from bot.pictures.scene import RatingChart

HEIGHT: Final = 700
EDGE: Final = 24
TITLE: Final = 84
WORDS: Final = 36
"""Font size of the scale and the dates: 14 pixels on a phone 390 pixels wide."""
LEFT, RIGHT, TOP, BOTTOM = 130, WIDTH - 44, TITLE + 30, 490
"""Edges of the plot."""
LINES: Final = 5
"""Largest number of steps of the scale."""
LOWEST_SPAN: Final = 40
"""Smallest difference between the ends of the scale: small changes shall look small."""
LINE: Final = 7
"""Width of the line."""
PLATE: Final = 104
GAP: Final = 12


def paint(chart: RatingChart) -> Image.Image:
    """Paint the picture, with a palette."""
    image = Image.new("RGB", (WIDTH, HEIGHT), NIGHT)
    write(image, chart.title, WIDTH // 2, TITLE // 2 + 6, 46, CREAM, anchor=0.5, width=WIDTH - 2 * EDGE)
    scale = _scale(chart.ratings)
    _paint_scale(image, scale)
    image.paste(GOLD, (0, 0), coverage(_curve(_places(chart, scale)), WIDTH))
    _paint_days(image, chart)
    _paint_summary(image, chart)
    return with_palette(image, ())


def _scale(ratings: tuple[int, ...]) -> range:
    """Return the ratings at the lines of the scale, the lowest first. All ratings are between the ends."""
    low, high = min(ratings), max(ratings)
    missing = max(0, LOWEST_SPAN - (high - low))
    return axis(low - missing // 2, high + missing // 2, LINES)


def _height(rating: int, scale: range) -> float:
    return BOTTOM - (BOTTOM - TOP) * (rating - scale[0]) / (scale[-1] - scale[0])


def _places(chart: RatingChart, scale: range) -> list[tuple[float, float]]:
    """Return x and y of each point: x by time, or by number when all matches ended at the same time."""
    first, last = chart.points[0][0], chart.points[-1][0]
    times = [time - first for time, _ in chart.points] if last > first else [*range(len(chart.points))]
    return [
        (LEFT + (RIGHT - LEFT) * time / times[-1], _height(rating, scale))
        for time, rating in zip(times, chart.ratings, strict=True)
    ]


def _curve(places: list[tuple[float, float]]) -> str:
    """Return the line with the area below it as SVG of one colour. The ends, highest and lowest points have dots."""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marked = {places[0], places[-1], min(places, key=_down), max(places, key=_down)}
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="11"/>' for x, y in sorted(marked))
    area = f"{places[0][0]:.1f},{BOTTOM} {points} {places[-1][0]:.1f},{BOTTOM}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<polygon points="{area}" fill-opacity="0.2"/><polyline points="{points}" fill="none" stroke="#000000" '
        f'stroke-width="{LINE}" stroke-linejoin="round" stroke-linecap="round"/>{dots}</svg>'
    )


def _down(place: tuple[float, float]) -> float:
    return place[1]


def _paint_scale(image: Image.Image, scale: range) -> None:
    for rating in scale:
        y = round(_height(rating, scale))
        ImageDraw.Draw(image).line((LEFT, y, RIGHT, y), OUT[1], 3)
        write(image, str(rating), LEFT - 18, y, WORDS, FAINT, anchor=1, weight="Medium")


def _paint_days(image: Image.Image, chart: RatingChart) -> None:
    first, last = chart.days
    y = BOTTOM + 40
    if first == last:
        write(image, first, (LEFT + RIGHT) // 2, y, WORDS, FAINT, anchor=0.5, weight="Medium")
        return
    write(image, first, LEFT, y, WORDS, FAINT, weight="Medium")
    write(image, last, RIGHT, y, WORDS, FAINT, anchor=1, weight="Medium")


def _paint_summary(image: Image.Image, chart: RatingChart) -> None:
    wide = (WIDTH - 2 * EDGE + GAP) // len(chart.summary) - GAP
    y = HEIGHT - EDGE - PLATE
    for number, (name, rating) in enumerate(chart.summary):
        x = EDGE + number * (wide + GAP)
        paint_plate(image, x, y, wide, PLATE, "out")
        write(image, name, x + wide // 2, y + 32, WORDS, FAINT, anchor=0.5, weight="Medium")
        write(image, rating, x + wide // 2, y + 72, 44, CREAM, anchor=0.5)
