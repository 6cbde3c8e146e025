"""The process in which computers think: `python -m bot.worker`, started and asked by `bot.company`.

It reads questions (pickled, each with its length before it) from its standard input and writes a line of JSON for
each: the action and the reason, or the fault. It knows the games and nothing of the house, yields to everybody else,
and may not eat the machine's memory.
"""

import json
import os
import pickle
import resource
import struct
import sys
from dataclasses import dataclass
from io import RawIOBase
from typing import Any, BinaryIO

from games import AnyGame
from games.minds import Strength, advise

NICENESS = 10
MEMORY = 1 << 30
"""Bytes of address space."""
LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class Question:
    """What a computer is asked: all that it ever learns of a match."""

    game: AnyGame
    view: Any
    strength: Strength
    seed: str


def packed(question: Question) -> bytes:
    """As it is sent."""
    body = pickle.dumps(question)
    return LENGTH.pack(len(body)) + body


def main(questions: BinaryIO, answers: RawIOBase) -> None:
    """Until the house closes the line."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while head := questions.read(LENGTH.size):
        (length,) = LENGTH.unpack(head)
        question = pickle.loads(questions.read(length))  # noqa: S301 - nobody but the house writes here
        try:
            answers.write(json.dumps(_answered(question)).encode() + b"\n")
        except BrokenPipeError:
            return  # the house was killed meanwhile


def _answered(question: Question) -> dict[str, object]:
    try:
        advice = advise(question.game, question.view, question.strength, question.seed)
    except Exception as error:  # the next question may be a better one
        return {"fault": f"{type(error).__name__}: {error}"}
    return {"action": advice.action, "reason": advice.reason}


if __name__ == "__main__":
    with os.fdopen(sys.stdout.fileno(), "wb", buffering=0) as line:
        main(sys.stdin.buffer, line)
