"""The client of the worker process in which computers think, with its queue of questions."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count

from bot.computers.worker import Question
from bot.worker_process import WorkerGone, WorkerProcess, command
from games.advice import Advice

log = logging.getLogger(__name__)

Asked = tuple[tuple[bool, int], Question, asyncio.Future[Advice]]
"""A waiting question: its priority, the question, and the future of its answer."""


class NoAdvice(Exception):
    """The worker has no answer. `str()` gives the reason, for the log."""


class WorkerClient:
    """The worker process and its queue: one question at a time."""

    def __init__(self, worker: WorkerProcess | None = None) -> None:
        self.worker = worker or WorkerProcess(command("bot.computers.worker"), "the computers' worker")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="computers")
        self._questions: asyncio.PriorityQueue[Asked] = asyncio.PriorityQueue()
        self._numbers = count()
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Question, *, first: bool = False) -> Advice:
        """Return the advice. With `first` the question goes before all waiting ones. Raises NoAdvice. Cancelling the
        call takes its question off the queue."""
        if self._asking is None:
            self._asking = asyncio.create_task(self._run(), name="worker-client")
        answer: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()
        self._questions.put_nowait(((not first, next(self._numbers)), question, answer))
        advice: Advice = await answer
        return advice

    async def close(self) -> None:
        """End the worker process. Waiting questions get no answer."""
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking
        await asyncio.to_thread(self.worker.close)
        self._thread.shutdown(wait=False)

    async def _run(self) -> None:
        while True:
            _, question, answer = await self._questions.get()
            if answer.done():
                continue  # it was cancelled
            advice = await self._answered(question)
            if answer.done():
                continue
            if isinstance(advice, NoAdvice):
                answer.set_exception(advice)
            else:
                answer.set_result(advice)

    async def _answered(self, question: Question) -> Advice | NoAdvice:
        """Return the advice, or the reason there is none. Never raises: the next question is asked in any case."""
        loop = asyncio.get_running_loop()
        try:
            answer: Advice | str = await loop.run_in_executor(self._thread, self.worker.ask, question)
        except WorkerGone as reason:  # it is logged already
            return NoAdvice(str(reason))
        except Exception:
            log.exception("a computer could not be asked")
            return NoAdvice("the question could not be asked")
        if isinstance(answer, Advice):
            return answer
        log.warning("a computer could not think about %s: %s", question.game.slug, answer)
        return NoAdvice(answer)
