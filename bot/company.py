"""Computer players: whose turn it is among them, what they think, and when they answer.

They think in one process of their own (`bot.worker`), one question after another. A computer begins to think as soon
as it is asked something and answers when its moment has come (`bot.timing`), so that neither the cards nor the length
of a thought show in the time it takes. Whatever becomes of the thought, the table goes on: with something harmless.

At games of speed no computer thinks: what it is asked there it does in its moment, and for the rest it keeps its eyes
open (`bot.lookout`). Hints are thought about there, too.
"""

import asyncio
import hashlib
import json
import logging
import pickle
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from bot import child
from bot.lookout import Lookout
from bot.refusal import Refusal
from bot.sitting import Sitting
from bot.store import StoreFailed
from bot.table import Table
from bot.tables import Tables
from bot.worker import Question
from games.advice import Advice
from games.minds import Strength

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds after which a thought counts as hung."""

HINT = 2.0
"""Seconds for a hint; the interaction itself must be answered within three."""


Asked = tuple[tuple[bool, int], Question, asyncio.Future[Advice]]
"""A question that waits: its place in the queue, itself, and who waits for the answer."""


class Thoughtless(Exception):
    """There is no answer. `str()` says why, for the log."""


class Thinker:
    """The worker: started when it is first asked something, and again after it has died or hung."""

    def __init__(self) -> None:
        self._questions: asyncio.PriorityQueue[Asked] = asyncio.PriorityQueue()
        self._numbers = count()
        self._asking: asyncio.Task[None] | None = None
        self.process: Process | None = None

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
        await self._end()

    async def _run(self) -> None:
        while True:
            _, question, answer = await self._questions.get()
            if answer.done():
                continue  # nobody waits for it any more
            try:
                advice = await self._think(question)
            except Thoughtless as reason:
                if not answer.done():
                    answer.set_exception(reason)
            else:
                if not answer.done():
                    answer.set_result(advice)

    async def _think(self, question: Question) -> Advice:
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._exchange(pickle.dumps(question))
        except Exception as error:  # whatever it is, the next question shall be answered
            became = "hung" if isinstance(error, TimeoutError) else "died"
            log.warning("the computers' worker %s (%r); the next question starts a new one", became, error)
            await self._end()
            raise Thoughtless("the worker is gone") from error
        if "fault" in answer:
            raise Thoughtless(answer["fault"])
        return Advice(answer["action"], answer["reason"])

    async def _exchange(self, question: bytes) -> Any:
        if self.process is None:
            self.process = await _spawn()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(question)
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    async def _end(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()


async def _spawn() -> Process:
    """It inherits no setting, no secret, and no terminal whose Ctrl+C would end it first."""
    return await asyncio.create_subprocess_exec(
        *child.command("bot.worker"), stdin=PIPE, stdout=PIPE, env=child.environment(), start_new_session=True
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision of a computer."""

    match: int
    seat: int
    prompt: int


class Company:
    """All computers of the house, those in seats of their own and those who keep the seats of absent people."""

    def __init__(self, tables: Tables) -> None:
        self.thinker = Thinker()
        self._thoughts: dict[Turn, asyncio.Task[Advice]] = {}
        self._answers: dict[Turn, asyncio.Task[None]] = {}
        self.lookout = Lookout(tables)
        tables.on_change.append(self.consider)

    def consider(self, table: Table) -> None:
        """The table has changed: begin to think about what is asked now, and forget what is asked no more."""
        clocks = () if table.sitting.game.real_time else table.clocks
        turns = {_turn(table, seat) for seat in clocks if seat >= 0 and table.sitting.mind(seat)}
        for turn in [turn for turn in self._thoughts if turn.match == table.id and turn not in turns]:
            self._thoughts.pop(turn).cancel()
        for turn in turns.difference(self._thoughts):
            strength = table.sitting.mind(turn.seat)
            assert strength is not None
            asked = question(table.sitting, turn.seat, strength)
            thought = self._thoughts[turn] = asyncio.create_task(self.thinker.ask(asked))
            thought.add_done_callback(_heed)

    def play(self, table: Table, seat: int) -> None:
        """The moment of a computer has come."""
        if not table.has_rung(seat):
            return
        self.consider(table)  # after a restart nobody has thought about it yet
        turn = _turn(table, seat)
        if table.sitting.mind(seat) and turn not in self._answers:
            self._answers[turn] = asyncio.create_task(self._answer(table, turn))

    async def hint(self, table: Table, seat: int) -> Advice:
        """What the best of them would do in that seat. Refusal when nothing comes to mind in time."""
        try:
            async with asyncio.timeout(HINT):
                return await self.thinker.ask(question(table.sitting, seat, "sharp"), first=True)
        except (Thoughtless, TimeoutError) as reason:
            log.warning("table %s: there is no hint: %s", table.id, str(reason) or "no answer yet")
            raise Refusal("No hint right now. Press `Hint` again.") from reason

    async def close(self) -> None:
        """Nobody thinks or looks any more."""
        await self.lookout.close()
        for task in [*self._thoughts.values(), *self._answers.values()]:
            task.cancel()
        await asyncio.gather(*self._thoughts.values(), *self._answers.values(), return_exceptions=True)
        await self.thinker.close()

    async def _answer(self, table: Table, turn: Turn) -> None:
        try:
            await table.answer(turn.seat, turn.prompt, await self._action(table, turn))
        except StoreFailed as failure:  # the clock rings again
            log.warning("table %s could not keep a computer's move: %s", table.id, failure)
        except Exception:
            log.exception("table %s could not be played by a computer", table.id)
        finally:
            del self._answers[turn]

    async def _action(self, table: Table, turn: Turn) -> int | None:
        """What came to mind, None for nothing."""
        if table.sitting.game.real_time:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                return (await asyncio.shield(self._thoughts[turn])).action
        except (Thoughtless, TimeoutError) as reason:
            log.warning(
                "table %s: a computer plays something harmless: %s",
                turn.match,
                str(reason) or "no answer yet",
            )
            return None


def question(sitting: Sitting, seat: int, strength: Strength) -> Question:
    """What a computer in that seat is asked. The seed tells nothing of the match's own."""
    source = f"{sitting.seed} answer {seat} {sitting.prompts[seat]}"
    view = sitting.game.view(sitting.state, seat)
    return Question(sitting.game, view, strength, hashlib.sha256(source.encode()).hexdigest())


def _heed(thought: asyncio.Task[Advice]) -> None:
    """A thought that failed when nobody waited for it any more is no fault."""
    if not thought.cancelled():
        thought.exception()


def _turn(table: Table, seat: int) -> Turn:
    return Turn(table.id, seat, table.sitting.prompts[seat])
