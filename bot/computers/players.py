"""Computer players in games of turns, and the queue of the worker process in which they think.

A computer begins to think when its turn comes, and plays after its answer delay (`bot.match.deadlines`), so the time
it takes tells neither its cards nor the length of its thought. When there is no advice by then, it plays the game's
harmless fallback. Players in games of speed are in `bot.computers.real_time`.
"""

import asyncio
import hashlib
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from bot.computers.real_time import RealTimePlayers
from bot.computers.worker import Question
from bot.match.refusal import Refusal
from bot.match.state import TableState
from bot.match.table import Table
from bot.match.tables import Tables
from bot.store import StoreFailed
from bot.worker_process import PATIENCE, Gone, WorkerProcess
from games.advice import Advice
from games.minds import Strength

log = logging.getLogger(__name__)

HINT = 2.0
"""Seconds for a hint; the interaction itself must be answered within three."""


Asked = tuple[tuple[bool, int], Question, asyncio.Future[Advice]]
"""A question that waits: its place in the queue, itself, and who waits for the answer."""


class NoAdvice(Exception):
    """There is no answer. `str()` says why, for the log."""


class WorkerClient:
    """The worker, and the questions that wait for it."""

    def __init__(self) -> None:
        self.worker = WorkerProcess("bot.computers.worker", "the computers' worker")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="computers")
        self._questions: asyncio.PriorityQueue[Asked] = asyncio.PriorityQueue()
        self._numbers = count()
        self._asking: asyncio.Task[None] | None = None

    async def ask(self, question: Question, *, first: bool = False) -> Advice:
        """The answer, in its turn or before all others; cancelled, it is not asked any more. Raises Thoughtless."""
        if self._asking is None:
            self._asking = asyncio.create_task(self._run(), name="thinker")
        answer: asyncio.Future[Advice] = asyncio.get_running_loop().create_future()
        self._questions.put_nowait(((not first, next(self._numbers)), question, answer))
        advice: Advice = await answer
        return advice

    async def close(self) -> None:
        """End it."""
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
                continue  # nobody waits for it any more
            thought = await self._think(question)
            if answer.done():
                continue
            if isinstance(thought, NoAdvice):
                answer.set_exception(thought)
            else:
                answer.set_result(thought)

    async def _think(self, question: Question) -> Advice | NoAdvice:
        """Return the advice, or why there is none: whatever becomes of a question, the next one is asked."""
        loop = asyncio.get_running_loop()
        try:
            answer: Advice | str = await loop.run_in_executor(self._thread, self.worker.ask, question)
        except Gone as reason:  # the log knows
            return NoAdvice(str(reason))
        except Exception:
            log.exception("a computer could not be asked")
            return NoAdvice("the question could not be asked")
        if isinstance(answer, Advice):
            return answer
        log.warning("a computer could not think about %s: %s", question.game.slug, answer)
        return NoAdvice(answer)


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision of a computer."""

    match: int
    seat: int
    prompt: int


class ComputerPlayers:
    """All computers of the house, those in seats of their own and those who keep the seats of absent people."""

    def __init__(self, tables: Tables) -> None:
        self.worker_client = WorkerClient()
        self._thoughts: dict[Turn, asyncio.Task[Advice]] = {}
        self._answers: dict[Turn, asyncio.Task[None]] = {}
        self.real_time = RealTimePlayers(tables)
        tables.on_change.append(self.consider)

    def consider(self, table: Table) -> None:
        """The table has changed: begin to think about what is asked now, and forget what is asked no more."""
        clocks = () if table.state.game.real_time else table.clocks
        turns = {_turn(table, seat) for seat in clocks if seat >= 0 and table.state.mind(seat)}
        for turn in [turn for turn in self._thoughts if turn.match == table.id and turn not in turns]:
            self._thoughts.pop(turn).cancel()
        for turn in turns.difference(self._thoughts):
            strength = table.state.mind(turn.seat)
            assert strength is not None
            asked = question(table.state, turn.seat, strength)
            thought = self._thoughts[turn] = asyncio.create_task(self.worker_client.ask(asked))
            thought.add_done_callback(_heed)

    def play(self, table: Table, seat: int) -> None:
        """The moment of a computer has come."""
        if not table.has_rung(seat):
            return
        self.consider(table)  # after a restart nobody has thought about it yet
        turn = _turn(table, seat)
        if table.state.mind(seat) and turn not in self._answers:
            self._answers[turn] = asyncio.create_task(self._answer(table, turn))

    async def hint(self, table: Table, seat: int) -> Advice:
        """What the best of them would do in that seat. Refusal when nothing comes to mind in time."""
        no_hint = Refusal("No hint right now. Press `Hint` again.")
        try:
            async with asyncio.timeout(HINT):
                return await self.worker_client.ask(question(table.state, seat, "sharp"), first=True)
        except NoAdvice as reason:
            raise no_hint from reason
        except TimeoutError as reason:
            log.warning("table %s: a hint took too long", table.id)
            raise no_hint from reason

    async def close(self) -> None:
        """Nobody thinks or looks any more."""
        await self.real_time.close()
        for task in [*self._thoughts.values(), *self._answers.values()]:
            task.cancel()
        await asyncio.gather(*self._thoughts.values(), *self._answers.values(), return_exceptions=True)
        await self.worker_client.close()

    async def _answer(self, table: Table, turn: Turn) -> None:
        try:
            action = await self._action(turn)
            text = None if action is None else table.state.game.text(action)
            await table.answer(turn.seat, turn.prompt, text)
        except StoreFailed as failure:  # the clock rings again
            log.warning("table %s could not keep a computer's move: %s", table.id, failure)
        except Exception:
            log.exception("table %s could not be played by a computer", table.id)
        finally:
            del self._answers[turn]

    async def _action(self, turn: Turn) -> int | None:
        """Return the action that came to mind; None for none, and where none is asked for any more."""
        thought = self._thoughts.get(turn)
        if thought is None:
            return None
        doubted = self.worker_client.worker.is_doubted
        await asyncio.wait({thought}, timeout=0 if doubted else PATIENCE)
        if not thought.done() and not doubted:
            log.warning("table %s: a computer plays something harmless: no answer yet", turn.match)
        if not thought.done() or thought.cancelled() or thought.exception() is not None:
            return None
        return thought.result().action


def question(state: TableState, seat: int, strength: Strength) -> Question:
    """What a computer in that seat is asked. The seed tells nothing of the match's own."""
    source = f"{state.seed} answer {seat} {state.prompts[seat]}"
    view = state.game.view(state.game_state, seat)
    return Question(state.game, view, strength, hashlib.sha256(source.encode()).hexdigest())


def _heed(thought: asyncio.Task[Advice]) -> None:
    """A thought that failed when nobody waited for it any more is no fault."""
    if not thought.cancelled():
        thought.exception()


def _turn(table: Table, seat: int) -> Turn:
    return Turn(table.id, seat, table.state.prompts[seat])
