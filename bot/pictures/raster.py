"""Vectors to pixels. A sprite is made once for each size and kept: rasterizing takes ten milliseconds and more, in a
process of its own (`bot.rasterizer`), while what Pillow does with a sprite lets the event loop run in this one."""

import atexit
from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image

from bot.pictures.fonts import ALL_SCRIPTS_FILE, FAMILY, FILES
from bot.worker_process import Gone, WorkerProcess

MASTER: Final = 256
"""Pixels. Each vector image is rasterized once at this width and kept as PNG, some 10 kB; smaller sprites are made
from that."""
KEPT_BYTES: Final = 32 * 2**20
"""Of pixels in the cache, four bytes each: 270 sprites of 176 × 176. The ones used longest ago go first."""

_kept: OrderedDict[tuple[str, int], Image.Image] = OrderedDict()
_lock = Lock()


def sprite(svg: str, width: int) -> Image.Image:
    """A vector image at `width` pixels, RGBA, from the cache if it is there: paste it, never draw on it.

    Text in it is set in the house's typeface ("Inter", weights 500 and 700); letters that it has not, in the other.
    Raises ValueError for what is not SVG, Undrawn when there is no rasterizer.
    """
    with _lock:
        if (svg, width) in _kept:
            _kept.move_to_end((svg, width))
            return _kept[svg, width]
    made = _rasterized(svg, width)
    with _lock:
        _kept[svg, width] = made
        while kept_bytes() > KEPT_BYTES and len(_kept) > 1:
            _kept.popitem(last=False)
    return made


def stencil(svg: str, width: int) -> Image.Image:
    """Return where a vector image covers its ground, drawn at exactly `width` pixels and not kept."""
    return Image.open(BytesIO(_png(svg, width))).getchannel("A")


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
    arguments = {
        "svg_string": svg,
        "width": width,
        "skip_system_fonts": True,
        "font_files": _fonts(svg),
        "font_family": FAMILY,
        "sans_serif_family": FAMILY,
    }
    try:
        answer: bytes | ValueError = _rasterizer.ask(arguments)
    except Gone as reason:
        raise Undrawn(f"vectors cannot be made pixels: {reason}") from reason
    if isinstance(answer, ValueError):
        raise answer
    return answer


def _fonts(svg: str) -> list[str]:
    """Return the font files that the text in an image needs."""
    if "<text" not in svg:
        return []
    return [str(file) for file in (*FILES.values(), *[ALL_SCRIPTS_FILE] * (not svg.isascii()))]


class Undrawn(Exception):
    """Vectors cannot be made pixels now: the rasterizer does not answer, and neither does a new one."""


_rasterizer: Final = WorkerProcess("bot.rasterizer", "the rasterizer")
atexit.register(_rasterizer.close)


def start() -> None:
    """Have the rasterizer ready. From a thread that is not nice: what people wait for is not behind all others.

    It takes a fraction of a millisecond and waits for nobody, so the event loop may do it."""
    _rasterizer.start()
