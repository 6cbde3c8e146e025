"""Computers in games of speed: each watches the table, and moves when it has found something.

Each is a `games.advice.RealTimePlayer`. It observes every change of the table, names the time of its next move, and
decides at that time, by the table of that moment. Its moves are handled in one order with people's clicks. Players are
kept in memory only, while people are present and Discord is connected; after a restart new ones start.
"""

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.match.tables import Tables
from bot.store import StoreFailed
from games import GAMES, Illegal
from games.advice import RealTimePlayer, Strength
from games.strategies import real_time_player
from games.types import SEATS, Seat

log = logging.getLogger(__name__)

EARLY = 100
"""Ms by which a timer may fire early. If it is earlier, the bot's clock was set back."""


class ComputerSeat(NamedTuple):
    """A seat that a computer plays: its own, or an absent person's."""

    match: int
    seat: Seat
    strength: Strength
    guild: int
    """Server of the match."""


class RealTimePlayers:
    """All computers in games of speed."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._players: dict[ComputerSeat, RealTimePlayer[Any]] = {}
        self._timers: dict[ComputerSeat, asyncio.TimerHandle] = {}
        self._acts: dict[ComputerSeat, asyncio.Task[None]] = {}
        self._failing: dict[int, set[str]] = {}
        """By match: the reasons, logged already, for which its computers could not play since their last move."""
        self._awake = False
        tables.on_change.append(self.consider)

    async def wake(self) -> None:
        """Watch every table whose people can act. Called when an outage is over."""
        self._awake = True
        for match in await self._tables.open_matches():
            game = GAMES.get(match.game)
            if match.phase == "play" and game is not None and game.real_time:
                await self._visit(match.id)

    def rest(self) -> None:
        """Watch no table whose people cannot act. Called when an outage begins."""
        for computer in [each for each in self._players if self._tables.clock.has_outage(each.guild)]:
            self._dismiss(computer)
        self._failing.clear()  # another process may serve the tables next, and end them

    async def close(self) -> None:
        """Stop watching for good."""
        self._awake = False
        for computer in [*self._players]:
            self._dismiss(computer)
        acts = [*self._acts.values()]
        for act in acts:
            act.cancel()
        await asyncio.gather(*acts, return_exceptions=True)

    def consider(self, table: Table) -> None:
        """Let the computers of a table that has changed look at it."""
        guild = table.match.guild
        is_watched = self._awake and self._tables.owns(guild) and not self._tables.clock.has_outage(guild)
        here = [*_computers(table)] if is_watched else []
        for computer in [each for each in self._players if each.match == table.id and each not in here]:
            self._dismiss(computer)
        if not here:
            self._failing.pop(table.id, None)
        for computer in here:
            self._look(table, computer)

    async def _visit(self, match: int) -> None:
        """Let the computers of one table look at it. Log an error."""
        try:
            self.consider(await self._tables.get(match))
        except Exception as error:
            self._note(match, error)

    def _note(self, match: int, error: Exception) -> None:
        """Log why the computers of a table could not play, but not at each try: a disk may be full for hours."""
        is_bug, known = not isinstance(error, Refusal | StoreFailed), set[str]()
        if self._tables.runs(match):  # nobody would forget it of one that is over
            known = self._failing.setdefault(match, known)
        if repr(error) not in known:
            level = logging.ERROR if is_bug else logging.WARNING
            log.log(level, "table %s could not be played by a computer: %s", match, error, exc_info=is_bug)
        known.add(repr(error))

    def _dismiss(self, computer: ComputerSeat) -> None:
        self._players.pop(computer, None)
        self._cancel_timer(computer)

    def _cancel_timer(self, computer: ComputerSeat) -> None:
        if computer in self._timers:
            self._timers.pop(computer).cancel()

    def _look(self, table: Table, computer: ComputerSeat) -> None:
        game, now = table.state.game, self._tables.clock.now()
        view = game.view(table.state.game_state, computer.seat)
        player = self._players.get(computer) or real_time_player(
            game, view, computer.strength, _seed(table, computer)
        )
        if player is None:
            return
        self._players[computer] = player
        self._cancel_timer(computer)
        at = player.observe(view, now)
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timers[computer] = loop.call_later(max(0, at - now) / 1000, self._on_timer, computer, at)

    def _on_timer(self, computer: ComputerSeat, at: int) -> None:
        del self._timers[computer]
        if computer not in self._acts:  # else it looks again after its move
            self._acts[computer] = asyncio.create_task(self._act(computer, at))

    async def _act(self, computer: ComputerSeat, at: int) -> None:
        """Let a computer act, then look again."""
        try:
            now = self._tables.clock.now()
            if at - now > EARLY:
                self._dismiss(computer)  # the clock was corrected, so the time of its move is wrong
            else:
                await self._react(computer, max(at, now))
            await self._visit(computer.match)
        finally:
            del self._acts[computer]

    async def _react(self, computer: ComputerSeat, at: int) -> None:
        """Make the move of a computer."""
        try:
            table = await self._tables.get(computer.match)
            if await table.react(computer.seat, partial(self._choice, table, computer, at), at):
                self._failing.pop(computer.match, None)
        except Illegal as reason:  # something due by itself came first
            log.debug("table %s: a computer was late: %s", computer.match, reason)
        # After a fault, such as a full disk, a new player tries again after its first delay, not in a tight loop.
        except Exception as error:
            self._note(computer.match, error)
            self._dismiss(computer)

    def _choice(self, table: Table, computer: ComputerSeat, at: int) -> list[str]:
        """Return the texts of its moves at the table as it is now, after all earlier clicks."""
        player, game = self._players.get(computer), table.state.game
        if player is None:
            return []
        return [
            game.text(action) for action in player.act(game.view(table.state.game_state, computer.seat), at)
        ]


def _computers(table: Table) -> Iterator[ComputerSeat]:
    """Yield the computers of a table in play, none when nobody is present."""
    state = table.state
    if state.game.real_time and state.phase == "play" and state.present():
        for seat in SEATS[: len(state.players)]:
            strength = state.strength_at(seat)
            if strength is not None:
                yield ComputerSeat(table.id, seat, strength, table.match.guild)


def _seed(table: Table, computer: ComputerSeat) -> str:
    """Return a seed for this computer. It reveals nothing about the match's seed."""
    return hashlib.sha256(f"{table.state.seed} lookout {computer.seat}".encode()).hexdigest()
