"""The process in which computers think: `python -m bot.computers.worker`, started and asked by `bot.computers.players`.

It reads pickled questions from its standard input and writes a pickled answer to each: the advice, or what failed and
where. It knows the games and nothing of the house, yields to everybody else, and may not eat the machine's memory.
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
from games.advice import Advice
from games.minds import Strength, advise

NICENESS = 10
MEMORY = 256 << 20
"""Bytes of address space: five times the 48 MiB that the deepest thoughts at the fullest tables of all games took, and
half of a small server."""
LONGEST = 0.1
"""Seconds of the processor's time after which a thought answers with the best it has found. The games' budgets of
playouts end nearly all of them sooner."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a computer is asked: all that it ever learns of a match."""

    game: AnyGame
    view: Any
    strength: Strength
    seed: str


def main(questions: BinaryIO, answers: RawIOBase) -> None:
    """Until the house closes the line."""
    os.nice(NICENESS)
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most < 0 else min(MEMORY, most), most))
    with contextlib.suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # the house is gone
        while True:
            question = pickle.load(questions)  # noqa: S301 - nobody but the house writes here
            answers.write(pickle.dumps(_answered(question)))


def _answered(question: Question) -> Advice | str:
    end = time.process_time() + LONGEST
    try:
        return advise(
            question.game, question.view, question.strength, question.seed, lambda: time.process_time() > end
        )
    except Exception as error:  # the next question may be a better one
        last = traceback.extract_tb(error.__traceback__)[-1]
        # The error's own text may name cards, and this is logged.
        return f"{type(error).__name__} at line {last.lineno} of {os.path.relpath(last.filename)}"


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as line:
        main(sys.stdin.buffer, line)
