"""The process in which vectors become pixels: `python -m bot.rasterizer`, started and asked by `bot.pictures.raster`.

Rasterizing takes up to a tenth of a second and holds the interpreter's lock: in the house, all clicks would wait.
"""

import contextlib
import os
import pickle
import sys
from io import RawIOBase
from typing import Any, BinaryIO

from resvg_py import svg_to_bytes

NICENESS = 5
"""Behind the house, before the computers' thoughts."""


def main(questions: BinaryIO, answers: RawIOBase) -> None:
    """Answer pickled arguments of `svg_to_bytes` by a pickled PNG, or by what is wrong with them, until the house
    closes the line."""
    os.nice(NICENESS)
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # the house is gone
        while True:
            arguments = pickle.load(questions)  # noqa: S301 - nobody but the house writes here
            answers.write(pickle.dumps(_rasterized(arguments)))


def _rasterized(arguments: dict[str, Any]) -> bytes | ValueError:
    try:
        png: bytes = svg_to_bytes(**arguments)
    except ValueError as error:
        return error
    return png


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as line:
        main(sys.stdin.buffer, line)
