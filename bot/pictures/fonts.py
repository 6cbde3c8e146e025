"""The house's own typeface, so that pictures look the same everywhere: Inter, under the SIL Open Font License."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from PIL import ImageFont

Weight: TypeAlias = Literal["Medium", "Bold"]

FAMILY: Final = "Inter"
FILES: Final = {
    weight: Path(__file__).with_name("fonts") / f"Inter-{weight}.otf" for weight in ("Medium", "Bold")
}
_MISSING: Final = "\uffff"
"""No font has it: drawn as the box that stands for what a font has not."""


@cache
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """The typeface at so many pixels per em. The plain layout engine: others depend on what is installed."""
    return ImageFont.truetype(FILES[weight], size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(1024)
def legible(text: str, size: int, width: float, weight: Weight = "Bold") -> str:
    """As much of a name as can be drawn: without characters that the typeface lacks (emoji, many scripts), cut with
    "…" at `width` pixels. It may come out empty."""
    shown = " ".join("".join(letter for letter in text if _has(letter)).split())
    if (face := font(size, weight)).getlength(shown) <= width:
        return shown
    while shown and face.getlength(shown + "…") > width:
        shown = shown[:-1].rstrip()
    return shown + "…"


def drawable(text: str) -> bool:
    """Return whether the typeface has every character of a text."""
    return all(map(_has, text))


@cache
def _has(letter: str) -> bool:
    return letter == " " or _drawn(letter) not in (_drawn(_MISSING), b"")


def _drawn(letter: str) -> bytes:
    return bytes(font(24).getmask(letter))
