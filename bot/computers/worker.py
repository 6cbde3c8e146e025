"""The worker process in which computers think: `python -m bot.computers.worker`.

It reads pickled questions from its standard input and writes a pickled answer to each: the advice, or the error and
its line. It imports no other module of the bot, only the games. It has low priority and a memory limit.
"""

import contextlib
import os
import pickle
import resource
import sys
import time
import traceback
from dataclasses import dataclass
from io import RawIOBase
from typing import Any, BinaryIO

from games import AnyGame
from games.advice import Advice, Strength
from games.strategies import advise

NICENESS = 10
MEMORY = 256 << 20
"""Limit of the address space in bytes: five times the 48 MiB of the longest searches at full tables, and half of
what a small server has."""
LONGEST = 0.1
"""Seconds of CPU time after which a search returns the best action so far. Nearly all end sooner, by the number of
playouts that a game allows them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a computer, and all that it ever learns about a match."""

    game: AnyGame
    view: Any
    strength: Strength
    seed: str


def main(questions: BinaryIO, answers: RawIOBase) -> None:
    """Answer questions until the bot closes the pipe."""
    os.nice(NICENESS)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most < 0 else min(MEMORY, most), most))
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # the bot has ended
        while True:
            question = pickle.load(questions)  # noqa: S301 - only the bot writes here
            answers.write(pickle.dumps(_answered(question)))


def _answered(question: Question) -> Advice | str:
    end = time.process_time() + LONGEST
    try:
        return advise(
            question.game, question.view, question.strength, question.seed, lambda: time.process_time() > end
        )
    except Exception as error:  # one bad question must not end the process
        last = traceback.extract_tb(error.__traceback__)[-1]
        # The error's own text may name cards, and this is logged.
        return f"{type(error).__name__} at line {last.lineno} of {os.path.relpath(last.filename)}"


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as line:
        main(sys.stdin.buffer, line)
