"""Worker processes without processes: a question is answered by the program that asks it."""

import pickle
import time
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from bot.computers.worker import Question
from bot.computers.worker_client import WorkerClient as Thinker
from bot.pictures.rasterizer import Draw, Prepare, Rehearse
from bot.pictures.worker_client import WorkerClient as Rasterizer
from bot.worker_process import PATIENCE, WorkerProcess
from games.advice import Advice
from games.strategies import advise

PNG = b"\x89PNG\r\n\x1a\n"
"""The beginning of every file of this type, by which discord.py knows it."""


class Worker(WorkerProcess):
    """A worker process that answers by a function."""

    is_gone = False
    """True when it is dead, and cannot be started again."""

    hangs = False
    """True when it hangs at the next question."""
    dies = 0
    """Number of times that it still dies at a question."""

    def __init__(self, name: str, answer: Callable[[Any], Any]) -> None:
        super().__init__((), name)
        self._answers = answer

    def start(self) -> None:
        pass

    @property
    def is_running(self) -> bool:
        return self._proven and not self.is_gone

    def _exchange(self, question: bytes) -> Any:
        if self.is_gone:
            raise FileNotFoundError
        if self.hangs:
            self.hangs = False
            time.sleep(PATIENCE)
            raise EOFError
        if self.dies:
            self.dies -= 1
            raise EOFError
        return self._answers(pickle.loads(question))


def thinker(*, stops_at_once: bool = False) -> Thinker:
    """Return the client of a process in which computers think, either for as long as they like or not at all."""

    def think(question: Question) -> Advice | str:
        return advise(question.game, question.view, question.strength, question.seed, lambda: stops_at_once)

    return Thinker(Worker("the computers' worker", think))


def blank_file(paint: object) -> bytes:
    """Return the file of a picture that is not drawn, by the function that would paint it. Files of pictures differ."""
    return PNG + repr(paint).encode()


class Undrawn(Rasterizer):
    """A client that asks for one sprite of those of a game: to lay out all would take more time than a match."""

    async def prepare(self, sprites: Iterable[Prepare | Rehearse]) -> None:
        await super().prepare(islice(sprites, 1))


def rasterizer() -> Rasterizer:
    """Return the client of a rasterizer that draws nothing."""
    return Undrawn(
        Worker("the rasterizer", lambda asked: blank_file(asked.paint) if isinstance(asked, Draw) else b"")
    )
