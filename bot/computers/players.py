"""Computer players in games of turns, and the queue of the worker process in which they think.

A computer begins to think when its turn comes, and plays after its answer delay (`bot.match.deadlines`). So the time it
takes reveals nothing about its cards. If there is still no advice when the worker must be taken to hang, it plays the
game's harmless fallback. Players in games of speed are in `bot.computers.real_time`.
"""

import asyncio
import logging
from typing import NamedTuple

from bot.background import in_background
from bot.computers.real_time import RealTimePlayers
from bot.computers.worker import Question
from bot.computers.worker_client import NoAdvice, WorkerClient
from bot.match.answering import answer_seed
from bot.match.refusal import Refusal
from bot.match.state import TableState
from bot.match.table import Table
from bot.match.tables import Tables
from bot.store import StoreFailed
from games.advice import Advice, Strength
from games.types import Action, Seat

log = logging.getLogger(__name__)

HINT = 2.0
"""Seconds to wait for a hint. Discord wants an answer to the click within three."""


class Turn(NamedTuple):
    """One decision of a computer."""

    match: int
    seat: Seat
    prompt: int


class ComputerPlayers:
    """All computers: those in seats of their own, and caretakers in the seats of absent people."""

    def __init__(self, tables: Tables, worker_client: WorkerClient | None = None) -> None:
        self.worker_client = worker_client or WorkerClient()
        self._tables = tables
        self._thoughts: dict[Turn, asyncio.Task[Advice]] = {}
        self._answers: dict[Turn, asyncio.Task[None]] = {}
        self.real_time = RealTimePlayers(tables)
        tables.on_change.append(self.consider)

    def consider(self, table: Table) -> None:
        """Begin to think about the questions of a table that has changed, and cancel those that are answered."""
        deadlines = () if table.state.game.real_time else table.deadlines
        seats = [Seat(seat) for seat in deadlines if seat >= 0]
        turns = {_turn(table, seat) for seat in seats if table.state.strength_at(seat)}
        for turn in [turn for turn in self._thoughts if turn.match == table.id and turn not in turns]:
            self._thoughts.pop(turn).cancel()
        for turn in turns.difference(self._thoughts):
            strength = table.state.strength_at(turn.seat)
            assert strength is not None
            asked = question(table.state, turn.seat, strength)
            self._thoughts[turn] = in_background(self.worker_client.ask(asked))

    def play(self, table: Table, seat: Seat) -> None:
        """Make a computer's move: its answer delay has passed."""
        if not table.is_due(seat):
            return
        self.consider(table)  # needed after a restart, when it has not begun to think
        turn = _turn(table, seat)
        if table.state.strength_at(seat) and turn not in self._answers:
            self._answers[turn] = asyncio.create_task(self._answer(table, turn))

    def let_go(self) -> None:
        """Think no more about the tables that this process does not run any more."""
        for turn in [turn for turn in self._thoughts if not self._tables.runs(turn.match)]:
            self._thoughts.pop(turn).cancel()

    async def hint(self, table: Table, seat: Seat) -> Advice:
        """Return a sharp computer's advice for that seat. Raises Refusal when there is none within HINT seconds."""
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
        """Stop all computers."""
        await self.real_time.close()
        for task in [*self._thoughts.values(), *self._answers.values()]:
            task.cancel()
        await asyncio.gather(*self._thoughts.values(), *self._answers.values(), return_exceptions=True)
        await asyncio.to_thread(self.worker_client.close)

    async def _answer(self, table: Table, turn: Turn) -> None:
        try:
            action = await self._action(turn)
            text = None if action is None else table.state.game.text(action)
            await table.answer(turn.seat, turn.prompt, text)
        except StoreFailed as failure:  # the clock calls again
            log.warning("table %s could not keep a computer's move: %s", table.id, failure)
        except Exception:
            log.exception("table %s could not be played by a computer", table.id)
        finally:
            del self._answers[turn]

    async def _action(self, turn: Turn) -> Action | None:
        """Return the advised action; None when it is late, or the question is answered already."""
        thought = self._thoughts.get(turn)
        if thought is None:
            return None
        worker = self.worker_client.worker
        doubted = worker.is_doubted
        await asyncio.wait({thought}, timeout=0 if doubted else worker.patience)
        if not thought.done() and not doubted:
            log.warning("table %s: a computer plays the fallback: no advice in time", turn.match)
        if not thought.done() or thought.cancelled() or thought.exception() is not None:
            return None
        return thought.result().action


def question(state: TableState, seat: Seat, strength: Strength) -> Question:
    """Return the question for a computer in that seat. Its seed reveals nothing about the match's seed."""
    view = state.game.view(state.game_state, seat)
    return Question(state.game, view, strength, answer_seed(state, seat))


def _turn(table: Table, seat: Seat) -> Turn:
    return Turn(table.id, seat, table.state.prompts[seat])
