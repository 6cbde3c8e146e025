"""Painter of the course of a match: a line of scores for each side, with its name at the end."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from bot.pictures.axis import axis
from bot.pictures.painting import CREAM, FAINT, NIGHT, OUT, WIDTH, width_of, write
from bot.pictures.scene import ScoreCurve, ScoreLine
from games.phrases import signed

EDGE: Final = 24
HEADING: Final = 70
LABEL: Final = 40
"""Font size of the names. `write` takes five sixths of it for long names."""
LABEL_STEP: Final = 44
"""Smallest distance between two names."""
LABEL_WIDTH: Final = 290
"""Greatest width of a name."""
LINK: Final = 48
"""Width of the thin line that leads from the end of a line to its name."""
GAP: Final = 12
WORDS: Final = 34
"""Font size of the scale and of the rounds."""
ROUNDS: Final = 62
"""Height of the line with the rounds."""
LOWEST_PLOT: Final = 220
LINES: Final = 4
"""Largest number of steps of the scale."""
WIDEST_SCALE: Final = 200
STROKE: Final = 7
THIN: Final = 3
DOT: Final = 9
FINE: Final = 2
"""Factor by which lines are drawn larger and then scaled down."""
MARGIN: Final = 30
"""Room around the plot for lines beside others, and for dots."""
ASIDE: Final = 8
"""Distance between two lines where their scores are equal, so that none hides another."""
MOST_ASIDE: Final = 44
"""Largest distance between the first and the last of such lines."""
COLOURS: Final = (
    "#ffd12e",
    "#66d0ff",
    "#ff8ac2",
    "#b9e33f",
    "#ff8a1f",
    "#dccbff",
    CREAM,
    "#ff7566",
)
"""Colours by seat. The first six are also the colours of seats in Twin It!"""
Point: TypeAlias = tuple[float, float]


def colour(line: ScoreLine) -> str:
    return COLOURS[line.seat % len(COLOURS)]


def curve_height(curve: ScoreCurve) -> int:
    """Return the height of the whole part of the picture."""
    return HEADING + _plot_height(curve) + ROUNDS


def paint_curve(image: Image.Image, curve: ScoreCurve, top: int) -> None:
    """Paint heading, lines, names, scale and rounds, with the upper edge at `top`."""
    names = [
        line.name if width_of(line.name, LABEL, LABEL_WIDTH) else f"Seat {line.seat + 1}"
        for line in curve.lines
    ]
    label = WIDTH - EDGE - max(width_of(name, LABEL, LABEL_WIDTH) for name in names)
    scores = [score for line in curve.lines for score in line.scores]
    scale = axis(min(scores), max(max(scores), min(scores) + 1), LINES)
    widest = max(width_of(signed(value), WORDS, WIDEST_SCALE) for value in scale)
    plot = Plot(curve, scale, EDGE + widest + 28, top + HEADING, label - GAP - LINK)
    heights = _apart([line[-1][1] for line in plot.lines], plot.lower)
    _paint_lines(image, plot, heights, label)
    write(image, curve.heading, EDGE + 10, top + 26, WORDS, FAINT, weight="Medium", width=WIDTH - 2 * EDGE)
    for value in scale:
        y = round(plot.height(value))
        write(image, signed(value), plot.left - 18, y, WORDS, FAINT, anchor=1, width=WIDEST_SCALE)
    for name, line, height in zip(names, curve.lines, heights, strict=True):
        write(image, name, label, round(height), LABEL, colour(line), width=LABEL_WIDTH)
    word, y = curve.round_name.capitalize(), plot.lower + ROUNDS // 2 + 12
    write(image, f"{word} 1", plot.left, y, WORDS, FAINT, weight="Medium")
    write(image, f"{word} {curve.rounds}", plot.right, y, WORDS, FAINT, weight="Medium", anchor=1)


class Plot:
    """The places of all points in the picture."""

    def __init__(self, curve: ScoreCurve, scale: range, left: int, upper: int, right: int) -> None:
        self.curve = curve
        self.scale = scale
        self.left, self.upper, self.right = left, upper, right
        self.lower = upper + _plot_height(curve)
        self.lines = self._lines()
        """x and y of each point, by line. Points of equal scores lie side by side."""

    def height(self, score: int) -> float:
        """Return the y of a score."""
        part = (score - self.scale[0]) / (self.scale[-1] - self.scale[0])
        return self.lower - (self.lower - self.upper) * part

    def _lines(self) -> list[list[Point]]:
        lines: list[list[Point]] = [[] for _ in self.curve.lines]
        step = (self.right - self.left) / (self.curve.rounds - 1)
        for number, scores in enumerate(zip(*(line.scores for line in self.curve.lines), strict=True)):
            for before, (points, score) in enumerate(zip(lines, scores, strict=True)):
                aside = _aside(scores.count(score), scores[:before].count(score))
                points.append((self.left + number * step, self.height(score) + aside))
        return lines


def _plot_height(curve: ScoreCurve) -> int:
    return max(LOWEST_PLOT, len(curve.lines) * LABEL_STEP)


def _aside(equal: int, number: int) -> float:
    """Return the pixels by which the point with this number, of several with equal scores, lies below the middle."""
    return (number - (equal - 1) / 2) * min(ASIDE, MOST_ASIDE / equal)


def _apart(heights: Sequence[float], lower: int) -> list[float]:
    """Return the heights of the names: near the ends of the lines, above `lower`, and far enough from each other."""
    order = sorted(range(len(heights)), key=lambda number: heights[number])
    found = [*heights]
    for before, number in pairwise(order):
        found[number] = max(found[number], found[before] + LABEL_STEP)
    limit = float(lower)
    for number in reversed(order):
        found[number] = min(found[number], limit)
        limit = found[number] - LABEL_STEP
    return found


def _paint_lines(image: Image.Image, plot: Plot, heights: Sequence[float], label: int) -> None:
    """Paint the scale and the lines: each with a dark edge, a dot at its end, and a thin line to its name.

    `heights` are those of the names, `label` is their left edge."""
    # Drawn larger and scaled down, because Pillow's lines have rough edges. The rasterizer takes ten times as long.
    left, upper = plot.left - MARGIN, plot.upper - MARGIN
    size = (label - left) * FINE, (plot.lower + MARGIN - upper) * FINE
    large = Image.new("RGB", size, NIGHT)
    draw = ImageDraw.Draw(large)

    def at(x: float, y: float) -> Point:
        return (x - left) * FINE, (y - upper) * FINE

    for value in plot.scale:
        y = round(plot.height(value))
        draw.line([at(plot.left, y), at(plot.right, y)], OUT[1], THIN * FINE)
    for line, points, height in zip(plot.curve.lines, plot.lines, heights, strict=True):
        path = [at(*point) for point in points]
        ink = colour(line)
        draw.line(path, NIGHT, (STROKE + 4) * FINE)
        draw.line(path, ink, STROKE * FINE, joint="curve")
        draw.line([path[-1], at(plot.right + LINK, height)], ink, THIN * FINE)
        draw.circle(path[-1], DOT * FINE, ink)
    image.paste(large.reduce(FINE), (left, upper))
