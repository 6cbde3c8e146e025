"""The client of the worker process in which computers think."""

import asyncio
import logging

from bot.computers.worker import Question
from bot.worker_process import Asked, WorkerGone, WorkerProcess, WorkerQueue, command
from games.advice import Advice

log = logging.getLogger(__name__)


class NoAdvice(Exception):
    """The worker has no answer. `str()` gives the reason, for the log."""


class WorkerClient(WorkerQueue):
    """The worker process, and the questions that wait for it."""

    def __init__(self, worker: WorkerProcess | None = None) -> None:
        super().__init__(
            worker or WorkerProcess(command("bot.computers.worker"), "the computers' worker"), "computers"
        )

    async def ask(self, question: Question, *, first: bool = False) -> Advice:
        """Return the advice. With `first` the question goes before all waiting ones. Raises NoAdvice. Cancelling the
        call takes its question off the queue."""
        asked = Asked(question)
        self.put(asked, urgent=first)
        try:
            answer: Advice | str = await asyncio.wrap_future(asked.answer)
        except WorkerGone as reason:  # it is logged already
            raise NoAdvice(str(reason)) from None
        except Exception:
            log.exception("a computer could not be asked")
            raise NoAdvice("the question could not be asked") from None
        if isinstance(answer, Advice):
            return answer
        log.warning("a computer could not think about %s: %s", question.game.slug, answer)
        raise NoAdvice(answer)
