"""Vectors to pixels. A sprite is made once for each size and kept, for rasterizing takes ten milliseconds and more and
holds the interpreter's lock, while everything Pillow does with a sprite lets the event loop run."""

import time
from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image
from resvg_py import svg_to_bytes

from bot.pictures.fonts import FAMILY, FILES

MASTER: Final = 256
"""Pixels. Each vector image is rasterized once at this width and kept as PNG, some 10 kB; smaller sprites are made
from that."""
PAUSE: Final = 0.005
"""Seconds after each rasterizing: what waits for the lock comes first."""
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
    """Up to the width of the master a smaller copy of it, made while the event loop runs."""
    if width > MASTER:
        return Image.open(BytesIO(_png(svg, width))).convert("RGBA")
    master = Image.open(BytesIO(_master(svg))).convert("RGBA")
    return master.resize((width, round(master.height * width / master.width)), Image.Resampling.LANCZOS)


@lru_cache(512)
def _master(svg: str) -> bytes:
    return _png(svg, MASTER)


def _png(svg: str, width: int) -> bytes:
    png: bytes = svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(file) for file in FILES.values()] if "<text" in svg else [],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    time.sleep(PAUSE)
    return png
