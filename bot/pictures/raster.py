"""Vectors to pixels. A sprite is made once for each size and kept: rasterizing takes ten milliseconds and more, in a
process of its own (`bot.rasterizer`), while what Pillow does with a sprite lets the event loop run in this one."""

import atexit
import logging
import pickle
import time
from collections import OrderedDict
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from subprocess import PIPE, Popen
from threading import Lock, Timer
from typing import Any, Final

from PIL import Image

from bot import child
from bot.pictures.fonts import ALL_SCRIPTS_FILE, FAMILY, FILES

log = logging.getLogger(__name__)

MASTER: Final = 256
"""Pixels. Each vector image is rasterized once at this width and kept as PNG, some 10 kB; smaller sprites are made
from that."""
KEPT_BYTES: Final = 32 * 2**20
"""Of pixels in the cache, four bytes each: 270 sprites of 176 × 176. The ones used longest ago go first."""

PATIENCE: Final = 10.0
"""Seconds after which the rasterizer counts as hung; a drawing takes a tenth of one."""

PAUSE: Final = 1.0
"""Seconds before a rasterizer that could not be started, or died at once, is tried again; twice as long each time."""
LONGEST_PAUSE: Final = 60.0

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
    return _rasterizer.ask(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=_fonts(svg),
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


def _fonts(svg: str) -> list[str]:
    """Return the font files that the text in an image needs."""
    if "<text" not in svg:
        return []
    return [str(file) for file in (*FILES.values(), *[ALL_SCRIPTS_FILE] * (not svg.isascii()))]


class Undrawn(Exception):
    """Vectors cannot be made pixels now: the rasterizer does not answer, and neither does a new one."""


class _Rasterizer:
    """The process that rasterizes: started when it is first asked, and again when it has died or hung."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.process: Popen[bytes] | None = None
        self._failures = 0
        """Failures in a row."""
        self._rests_until = 0.0
        """Until then it is not started, in seconds of the monotonic clock."""

    def start(self) -> None:
        """Start it, unless it runs. It is as nice as the thread that does so, and a little nicer. Where that fails,
        it is tried again when something is to be drawn, and then said."""
        # Whoever holds the lock is starting it: waiting for that would hold up the event loop.
        if self.process is None and not self._rests() and self._lock.acquire(blocking=False):
            try:
                with suppress(OSError):
                    self._running()
            finally:
                self._lock.release()

    def ask(self, **arguments: Any) -> bytes:
        """The PNG. Raises ValueError for what is not SVG, Undrawn when there is no answer."""
        with self._lock:
            if self._rests():
                raise Undrawn("vectors cannot be made pixels: the rasterizer has failed and rests")
            answer = self._answer(arguments)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    def _rests(self) -> bool:
        return time.monotonic() < self._rests_until

    def _answer(self, arguments: dict[str, Any]) -> bytes | ValueError:
        """Ask, and a new one when it was found dead. One that has failed before is given one try after each pause."""
        for last in (True,) if self._failures else (False, True):
            try:
                answer = self._exchange(arguments)
            except Exception as error:  # whatever came of it, it is of no use
                log.warning(
                    "the rasterizer died or hung (%r)%s", error, "" if last else "; a new one is asked"
                )
                if last:
                    self._rest()
                    raise Undrawn(f"vectors cannot be made pixels: {error!r}") from error
            else:
                self._failures = 0
                return answer
        raise AssertionError("the last try returns or raises")

    def _rest(self) -> None:
        pause = min(PAUSE * 2**self._failures, LONGEST_PAUSE)
        self._failures += 1
        self._rests_until = time.monotonic() + pause

    def _exchange(self, arguments: dict[str, Any]) -> bytes | ValueError:
        try:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            hung = Timer(PATIENCE, process.kill)
            hung.start()
            try:
                pickle.dump(arguments, process.stdin)
                process.stdin.flush()
                answer: bytes | ValueError = pickle.load(process.stdout)  # noqa: S301 - the house's own process
            finally:
                hung.cancel()
        except BaseException:
            self.end()  # what is left of its answer must not become the next one
            raise
        return answer

    def _running(self) -> Popen[bytes]:
        if self.process is None:
            self.process = Popen(  # noqa: S603 - the house's own module
                child.command("bot.rasterizer"),
                stdin=PIPE,
                stdout=PIPE,
                env=child.environment(),
                start_new_session=True,
            )
        return self.process

    def end(self) -> None:
        """It is asked no more."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            process.communicate()


_rasterizer: Final = _Rasterizer()
atexit.register(_rasterizer.end)


def start() -> None:
    """Have the rasterizer ready. From a thread that is not nice: what people wait for is not behind all others."""
    _rasterizer.start()
