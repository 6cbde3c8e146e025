"""Vectors to pixels. A sprite is made once for each size and kept, for rasterizing takes several milliseconds and
holds the interpreter's lock, while everything Pillow does with a sprite lets the event loop run."""

from collections import OrderedDict
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image
from resvg_py import svg_to_bytes

from bot.pictures.fonts import FAMILY, FILES

KEPT_BYTES: Final = 32 * 2**20
"""Of pixels in the cache, four bytes each: 270 sprites of 176 × 176. The ones used longest ago go first."""

_kept: OrderedDict[tuple[str, int], Image.Image] = OrderedDict()
_lock = Lock()


def sprite(svg: str, width: int) -> Image.Image:
    """A vector image at `width` pixels, RGBA, from the cache if it is there: paste it, never draw on it.

    Text in it may use the house's typeface ("Inter", weights 500 and 700) and no other.
    Raises ValueError for what is not SVG.
    """
    with _lock:
        if (svg, width) not in _kept:
            _kept[svg, width] = _rasterized(svg, width)
            while kept_bytes() > KEPT_BYTES and len(_kept) > 1:
                _kept.popitem(last=False)
        _kept.move_to_end((svg, width))
        return _kept[svg, width]


def kept_bytes() -> int:
    """How much the cache holds."""
    return sum(4 * image.width * image.height for image in _kept.values())


def _rasterized(svg: str, width: int) -> Image.Image:
    png = svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(file) for file in FILES.values()],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return Image.open(BytesIO(png)).convert("RGBA")
