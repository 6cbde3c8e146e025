"""Numbers and letters for cards, drawn with a round pen, the same for all decks. No font is needed.

Each letter is drawn in a box 80 units high. Strokes along its edges are half inside and half outside.
"""

from typing import Final

HEIGHT: Final = 80
PEN: Final = 15
"""Width of the strokes, in units of a letter's box."""
GAP: Final = 8
"""Distance between the strokes of two letters."""

LETTERS: Final[dict[str, tuple[int, str]]] = {
    "0": (50, "M25 0C8 0 0 18 0 40S8 80 25 80 50 62 50 40 42 0 25 0Z"),
    "1": (22, "M0 15 22 0V80"),
    "2": (48, "M1 22C2 8 11 0 24 0 38 0 46 9 46 22 46 42 8 56 1 80H48"),
    "3": (46, "M3 0H43L21 30C37 30 46 41 46 54 46 70 35 80 22 80 11 80 3 75 0 65"),
    "4": (52, "M37 80V0L0 57H52"),
    "5": (47, "M43 0H9L5 36C10 31 16 29 23 29 38 29 47 39 47 54 47 70 37 80 22 80 11 80 4 75 0 66"),
    "6": (50, "M40 1C16 8 0 30 0 54A25 25.5 0 1 0 50 54C50 39 39 30 25 30 11 30 0 41 0 54"),
    "7": (46, "M0 0H46L17 80"),
    "8": (50, "M25 37A19 18.5 0 1 1 25 0 19 18.5 0 1 1 25 37ZA25 21.5 0 1 0 25 80 25 21.5 0 1 0 25 37Z"),
    "9": (50, "M10 79C34 72 50 50 50 26A25 25.5 0 1 0 0 26C0 41 11 50 25 50 39 50 50 39 50 26"),
    "A": (56, "M0 80 28 0 56 80M10 53H46"),
    "C": (48, "M48 15C44 5 36 0 27 0 10 0 0 17 0 40S10 80 27 80C36 80 44 75 48 65"),
    "D": (48, "M0 0V80H16C37 80 48 64 48 40S37 0 16 0Z"),
    "E": (38, "M38 0H0V80H38M0 38H32"),
    "H": (46, "M0 0V80M46 0V80M0 40H46"),
    "I": (0, "M0 0V80"),
    "J": (38, "M38 0V54C38 71 31 80 18 80 8 80 2 73 0 63"),
    "K": (48, "M0 0V80M46 0 2 47M19 30 48 80"),
    "L": (40, "M0 0V80H40"),
    "N": (48, "M0 80V0L48 80V0"),
    "P": (46, "M0 80V0H22C38 0 46 10 46 24S38 48 22 48H0"),
    "Q": (56, "M28 0C10 0 0 17 0 40S10 80 28 80 56 63 56 40 46 0 28 0ZM34 60 55 82"),
    "R": (48, "M0 80V0H23C38 0 46 9 46 22S38 45 23 45H0M24 46 48 80"),
    "S": (
        46,
        "M43 14C40 5 33 0 23 0 10 0 2 8 2 19 2 32 14 35 24 38 36 41 46 46 46 59 46 71 36 80 23 80 11 80 3 75 0 65",
    ),
    "T": (50, "M0 0H50M25 0V80"),
    "Y": (52, "M0 0 26 42 52 0M26 42V80"),
    "×": (36, "M0 28 36 64M36 28 0 64"),
}
"""By character, its width and the path of its strokes (SVG path data)."""


def width(text: str, pen: float = PEN) -> float:
    """Return the width of `text` in units of a letter's box, strokes included."""
    return sum(LETTERS[letter][0] for letter in text) + (len(text) - 1) * (GAP + pen) + pen


def written(
    text: str,
    x: float,
    y: float,
    height: float,
    colour: str,
    *,
    pen: float = PEN,
    anchor: float = 0,
    halo: str = "",
) -> str:
    """Return `text` as SVG, with its top left corner at x, y. Only the characters in `LETTERS` can be written.

    `height` includes the strokes. `anchor` moves the text left by that part of its width: 0.5 centres it on x.
    `halo` is the colour of an outline that separates the text from its background.
    """
    scale = height / (HEIGHT + pen)
    at = x - anchor * width(text, pen) * scale + pen / 2 * scale
    shapes = []
    offset = 0.0
    for letter in text:
        wide, path = LETTERS[letter]
        shapes.append(f'<path transform="translate({offset:g} 0)" d="{path}"/>')
        offset += wide + GAP + pen
    around = f'<g stroke="{halo}" stroke-width="{1.6 * pen:g}">{"".join(shapes)}</g>' if halo else ""
    return (
        f'<g transform="translate({at:.2f} {y + pen / 2 * scale:.2f}) scale({scale:.4f})" fill="none" '
        f'stroke="{colour}" stroke-width="{pen:g}" stroke-linecap="round" stroke-linejoin="round">'
        f"{around}{''.join(shapes)}</g>"
    )
