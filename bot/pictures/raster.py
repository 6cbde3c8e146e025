"""Vectors to pixels. A sprite is made once for each size and kept: rasterizing takes ten milliseconds and more, in a
process of its own (`bot.rasterizer`), while what Pillow does with a sprite lets the event loop run in this one."""

import atexit
import logging
import pickle
from collections import OrderedDict
from functools import lru_cache
from io import BytesIO
from subprocess import PIPE, Popen
from threading import Lock
from typing import Any, Final

from PIL import Image

from bot import child
from bot.pictures.fonts import FAMILY, FILES

log = logging.getLogger(__name__)

MASTER: Final = 256
"""Pixels. Each vector image is rasterized once at this width and kept as PNG, some 10 kB; smaller sprites are made
from that."""
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
        if (svg, width) in _kept:
            _kept.move_to_end((svg, width))
            return _kept[svg, width]
    made = _rasterized(svg, width)
    with _lock:
        _kept[svg, width] = made
        while kept_bytes() > KEPT_BYTES and len(_kept) > 1:
            _kept.popitem(last=False)
    return made


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
    return _rasterizer.ask(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(file) for file in FILES.values()] if "<text" in svg else [],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


class _Rasterizer:
    """The process that rasterizes: started when it is first asked, and again when it has died."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.process: Popen[bytes] | None = None

    def ask(self, **arguments: Any) -> bytes:
        """The PNG. Raises ValueError for what is not SVG."""
        with self._lock:
            try:
                answer = self._exchange(arguments)
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                log.warning("the rasterizer died (%r); a new one is asked", error)
                self.end()
                answer = self._exchange(arguments)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    def _exchange(self, arguments: dict[str, Any]) -> bytes | ValueError:
        if self.process is None:
            self.process = Popen(  # noqa: S603 - the house's own module
                child.command("bot.rasterizer"),
                stdin=PIPE,
                stdout=PIPE,
                env=child.environment(),
                start_new_session=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        pickle.dump(arguments, self.process.stdin)
        self.process.stdin.flush()
        answer: bytes | ValueError = pickle.load(self.process.stdout)  # noqa: S301 - the house's own process
        return answer

    def end(self) -> None:
        """It is asked no more."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()


_rasterizer: Final = _Rasterizer()
atexit.register(_rasterizer.end)
