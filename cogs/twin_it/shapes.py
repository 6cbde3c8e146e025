"""The few vector shapes that the designs are made of. A face is 100 × 100 units, its middle at (50, 50); angles are
degrees clockwise, 0 is up."""

from collections.abc import Iterable
from math import cos, pi, sin
from typing import Final, TypeAlias

Svg: TypeAlias = str
Point: TypeAlias = tuple[float, float]

CORNER: Final = 9
"""Radius of a face's corners."""


def face(background: str, shapes: Iterable[Svg]) -> Svg:
    """A whole face: the shapes on their background, cut to a card with round corners."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><defs><clipPath id="card">'
        f'<rect width="100" height="100" rx="{CORNER}"/></clipPath></defs><g clip-path="url(#card)">'
        f'<rect width="100" height="100" fill="{background}"/>{"".join(shapes)}</g></svg>'
    )


def disc(x: float, y: float, radius: float, fill: str) -> Svg:
    """A filled circle."""
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:.2f}" fill="{fill}"/>'


def ellipse(x: float, y: float, width: float, height: float, fill: str) -> Svg:
    """A filled ellipse, by its middle and its whole width and height."""
    return f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{width / 2:.2f}" ry="{height / 2:.2f}" fill="{fill}"/>'


def box(x: float, y: float, width: float, height: float, fill: str, rounding: float = 0) -> Svg:
    """A filled rectangle, by its middle."""
    return (
        f'<rect x="{x - width / 2:.2f}" y="{y - height / 2:.2f}" width="{width:.2f}" height="{height:.2f}" '
        f'rx="{rounding:.2f}" fill="{fill}"/>'
    )


def polygon(points: Iterable[Point], fill: str) -> Svg:
    """A filled polygon."""
    return f'<polygon points="{" ".join(f"{x:.2f},{y:.2f}" for x, y in points)}" fill="{fill}"/>'


def path(line: str, fill: str = "none", stroke: str = "none", width: float = 0) -> Svg:
    """Any path, its ends and corners round."""
    return (
        f'<path d="{line}" fill="{fill}" stroke="{stroke}" stroke-width="{width:.2f}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def star(x: float, y: float, points: int, outer: float, inner: float, fill: str) -> Svg:
    """A star with so many points, one of them up."""
    step = pi / points
    radii = (outer, inner) * points
    corners = ((x + r * sin(i * step), y - r * cos(i * step)) for i, r in enumerate(radii))
    return polygon(corners, fill)


def wedge(angle: float, width: float, fill: str, at: Point = (50, 50)) -> Svg:
    """A ray from `at` that leaves the face: its middle at `angle`, `width` degrees wide."""
    x, y = at
    edges = [(angle - width / 2) * pi / 180, (angle + width / 2) * pi / 180]
    return polygon([at, *((x + 150 * sin(edge), y - 150 * cos(edge)) for edge in edges)], fill)


def turned(shape: Svg, angle: float, at: Point = (50, 50)) -> Svg:
    """The shape, turned about a point."""
    return f'<g transform="rotate({angle:.3f} {at[0]:.2f} {at[1]:.2f})">{shape}</g>'


def mirrored(shape: Svg) -> Svg:
    """The shape with left and right exchanged."""
    return f'<g transform="translate(100 0) scale(-1 1)">{shape}</g>'


def around(count: int, shape: Svg, start: float = 0) -> Svg:
    """The shape so many times, turned about the middle of the face."""
    return "".join(turned(shape, start + 360 * i / count) for i in range(count))


def grid(columns: int, rows: int, margin: float = 0) -> list[Point]:
    """The middles of the cells, row by row."""
    width, height = (100 - 2 * margin) / columns, (100 - 2 * margin) / rows
    return [
        (margin + width * (i + 0.5), margin + height * (j + 0.5)) for j in range(rows) for i in range(columns)
    ]


def polar(radius: float, angle: float) -> Point:
    """So far from the middle of the face, in that direction."""
    return 50 + radius * sin(angle * pi / 180), 50 - radius * cos(angle * pi / 180)
