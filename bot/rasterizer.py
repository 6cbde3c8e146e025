"""The rasterizer, a process that turns SVG into PNG: `python -m bot.rasterizer`. `bot.pictures.raster` starts it.

Rasterizing takes up to a tenth of a second and holds the interpreter's lock. In the bot's process all clicks would
wait for it.
"""

import contextlib
import os
import pickle
import sys
from io import RawIOBase
from typing import Any, BinaryIO

from resvg_py import svg_to_bytes

NICENESS = 5
"""Lower priority than the bot, higher than the worker process of the computers."""


def main(requests: BinaryIO, answers: RawIOBase) -> None:
    """Answer requests until the bot closes the pipe.

    A request is a pickled dict with the arguments of `svg_to_bytes`. The answer is the PNG as pickled bytes, or a
    pickled ValueError for invalid arguments."""
    os.nice(NICENESS)
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # the bot has ended
        while True:
            arguments = pickle.load(requests)  # noqa: S301 - only the bot writes here
            answers.write(pickle.dumps(_rasterized(arguments)))


def _rasterized(arguments: dict[str, Any]) -> bytes | ValueError:
    try:
        png: bytes = svg_to_bytes(**arguments)
    except ValueError as error:
        return error
    return png


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as answers:
        main(sys.stdin.buffer, answers)
