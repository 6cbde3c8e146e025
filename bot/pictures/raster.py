"""Sprites: images made from SVG, in a cache.

Rasterizing takes at least ten milliseconds and holds the interpreter's lock, so only the rasterizer does it
(`bot.pictures.rasterizer`), never the process that answers clicks.
"""

from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image

from bot.pictures.fonts import ALL_SCRIPTS_FILE, FAMILY, FILES

MASTER: Final = 256
"""Width in pixels at which each SVG is rasterized once and cached as PNG (about 10 kB). Smaller sprites are made from
this image."""
KEPT_BYTES: Final = 32 * 2**20
"""Usual size of the cache: 270 sprites of 176 × 176."""


class Sprites:
    """A cache of sprites, of at most `most` bytes, four for each pixel. The least recently used ones are dropped
    first."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int], Image.Image] = OrderedDict()
        self._lock = Lock()

    def sprite(self, svg: str, width: int) -> Image.Image:
        """Return an SVG as an RGBA image, `width` pixels wide. It is shared: paste it, never draw on it.

        Text in the SVG is set in Inter (weights 500 and 700), or in the second typeface of `bot.pictures.fonts`.
        Raises ValueError for invalid SVG.
        """
        with self._lock:
            if (svg, width) in self._kept:
                self._kept.move_to_end((svg, width))
                return self._kept[svg, width]
        made = _rasterized(svg, width)
        with self._lock:
            self._kept[svg, width] = made
            while self.kept_bytes() > self._most and len(self._kept) > 1:
                self._kept.popitem(last=False)
        return made

    def kept_bytes(self) -> int:
        """Return the bytes of all cached sprites."""
        return sum(4 * image.width * image.height for image in self._kept.values())


sprites = Sprites()
"""The sprites of this process. They follow from their SVG alone: it does not matter for whom they were made."""
sprite = sprites.sprite


def coverage(svg: str, width: int) -> Image.Image:
    """Return the alpha channel of an SVG, rasterized at exactly `width` pixels and not cached."""
    return Image.open(BytesIO(_png(svg, width))).getchannel("A")


def _rasterized(svg: str, width: int) -> Image.Image:
    """Rasterize an SVG, or scale its master down if that is wide enough."""
    if width > MASTER:
        return Image.open(BytesIO(_png(svg, width))).convert("RGBA")
    master = Image.open(BytesIO(_master(svg))).convert("RGBA")
    return master.resize((width, round(master.height * width / master.width)), Image.Resampling.LANCZOS)


@lru_cache(512)
def _master(svg: str) -> bytes:
    return _png(svg, MASTER)


def _png(svg: str, width: int) -> bytes:
    from resvg_py import svg_to_bytes  # here, as the bot's process imports painters but never draws

    png: bytes = svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=_fonts(svg),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return png


def _fonts(svg: str) -> list[str]:
    """Return the font files that the text in an SVG needs."""
    if "<text" not in svg:
        return []
    return [str(file) for file in (*FILES.values(), *[ALL_SCRIPTS_FILE] * (not svg.isascii()))]
