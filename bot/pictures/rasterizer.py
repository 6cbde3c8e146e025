"""The rasterizer, a worker process that draws pictures and encodes them: `python -m bot.pictures.rasterizer`.

A picture takes up to a tenth of a second. In the bot's process all clicks would wait for it.
"""

import contextlib
import os
import pickle
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from io import RawIOBase
from typing import BinaryIO

from PIL import Image

from bot.pictures.artwork import Artwork
from bot.pictures.encoding import encode
from bot.pictures.raster import sprite

NICENESS = 5
"""Lower priority than the bot, higher than the worker process of the computers."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A request for a picture. The answer is its file."""

    paint: Callable[[], Image.Image]

    def __call__(self) -> bytes:
        return encode(self.paint())


@dataclass(frozen=True, slots=True)
class Prepare:
    """A request to keep a sprite for later pictures. The answer is empty."""

    art: Artwork
    width: int

    def __call__(self) -> bytes:
        sprite(self.art.svg, self.width)
        return b""


@dataclass(frozen=True, slots=True)
class Rehearse:
    """A request to draw a picture that nobody wants, so that its sprites are kept for others. The answer is empty."""

    paint: Callable[[], Image.Image]

    def __call__(self) -> bytes:
        self.paint()
        return b""


def main(requests: BinaryIO, answers: RawIOBase) -> None:
    """Answer requests until the bot closes the pipe: each is called, and its bytes are pickled. For an error the answer
    is a text that names its type and line."""
    os.nice(NICENESS)
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # the bot has ended
        while True:
            request = pickle.load(requests)  # noqa: S301 - only the bot writes here
            answers.write(pickle.dumps(_answered(request)))


def _answered(request: Draw | Prepare | Rehearse) -> bytes | str:
    try:
        return request()
    except Exception as error:  # one bad picture must not end the process
        last = traceback.extract_tb(error.__traceback__)[-1]
        # The error's own text may name cards, and this is logged.
        return f"{type(error).__name__} in {last.filename}, line {last.lineno}"


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as answers:
        main(sys.stdin.buffer, answers)
