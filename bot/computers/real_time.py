"""Computers in games of speed: each watches the table, and moves when it has found something.

Each is a `games.advice.RealTimePlayer`. It observes every change of the table, names the time of its next move, and at
that time decides by the table as it is then. Its moves are handled in one order with people's clicks. Players are kept
in memory only, while people are present and Discord is connected; after a restart new ones start.
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

log = logging.getLogger(__name__)

EARLY = 100
"""Ms by which a timer may fire early. If it is earlier, the bot's clock was set back."""


class Place(NamedTuple):
    """A seat that a computer plays: its own, or an absent person's."""

    match: int
    seat: int
    strength: Strength
    guild: int
    """Server of the match."""


class RealTimePlayers:
    """All computers in games of speed."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._players: dict[Place, RealTimePlayer[Any]] = {}
        self._timers: dict[Place, asyncio.TimerHandle] = {}
        self._acts: dict[Place, asyncio.Task[None]] = {}
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
        for place in [each for each in self._players if self._tables.clock.is_away(each.guild)]:
            self._dismiss(place)

    async def close(self) -> None:
        """Stop watching for good."""
        self._awake = False
        for place in [*self._players]:
            self._dismiss(place)
        acts = [*self._acts.values()]
        for act in acts:
            act.cancel()
        await asyncio.gather(*acts, return_exceptions=True)

    def consider(self, table: Table) -> None:
        """Let the computers of a table that has changed look at it."""
        is_watched = self._awake and not self._tables.clock.is_away(table.match.guild)
        here = [*_places(table)] if is_watched else []
        for place in [place for place in self._players if place.match == table.id and place not in here]:
            self._dismiss(place)
        for place in here:
            self._look(table, place)

    async def _visit(self, match: int) -> None:
        """Let the computers of one table look at it. An error is logged, and does not affect other tables."""
        try:
            self.consider(await self._tables.get(match))
        except (Refusal, StoreFailed) as reason:
            log.warning("table %s: its computers cannot play: %s", match, reason)
        except Exception:
            log.exception("table %s: its computers cannot play", match)

    def _dismiss(self, place: Place) -> None:
        self._players.pop(place, None)
        self._cancel_timer(place)

    def _cancel_timer(self, place: Place) -> None:
        if place in self._timers:
            self._timers.pop(place).cancel()

    def _look(self, table: Table, place: Place) -> None:
        game, now = table.state.game, self._tables.clock.now()
        view = game.view(table.state.game_state, place.seat)
        player = self._players.get(place) or real_time_player(game, view, place.strength, _seed(table, place))
        if player is None:
            return
        self._players[place] = player
        self._cancel_timer(place)
        at = player.observe(view, now)
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timers[place] = loop.call_later(max(0, at - now) / 1000, self._on_timer, place, at)

    def _on_timer(self, place: Place, at: int) -> None:
        del self._timers[place]
        if place not in self._acts:  # else it looks again after its move
            self._acts[place] = asyncio.create_task(self._act(place, at))

    async def _act(self, place: Place, at: int) -> None:
        """Let a computer act, then look again."""
        try:
            now = self._tables.clock.now()
            if at - now > EARLY:
                self._dismiss(place)  # the clock was corrected, so the time of its move is wrong
            else:
                await self._react(place, max(at, now))
            await self._visit(place.match)
        finally:
            del self._acts[place]

    async def _react(self, place: Place, at: int) -> None:
        """Make the move of a computer."""
        try:
            table = await self._tables.get(place.match)
            await table.react(place.seat, partial(self._choice, table, place, at), at)
        except Illegal as reason:  # something due by itself came first
            log.debug("table %s: a computer was late: %s", place.match, reason)
        except (Refusal, StoreFailed) as reason:
            log.warning("table %s could not be played by a computer: %s", place.match, reason)
        except Exception:
            log.exception("table %s could not be played by a computer", place.match)
            # A new player repeats a lasting fault after its first delay, not in a tight loop.
            self._dismiss(place)

    def _choice(self, table: Table, place: Place, at: int) -> list[str]:
        """Return the texts of its moves at the table as it is now, after all earlier clicks."""
        player, game = self._players.get(place), table.state.game
        if player is None:
            return []
        return [game.text(action) for action in player.act(game.view(table.state.game_state, place.seat), at)]


def _places(table: Table) -> Iterator[Place]:
    """Yield the computers of a table in play, none when nobody is present."""
    state = table.state
    if state.game.real_time and state.phase == "play" and state.present():
        for seat in range(len(state.players)):
            strength = state.strength_at(seat)
            if strength is not None:
                yield Place(table.id, seat, strength, table.match.guild)


def _seed(table: Table, place: Place) -> str:
    """Return a seed for this computer. It reveals nothing about the match's seed."""
    return hashlib.sha256(f"{table.state.seed} lookout {place.seat}".encode()).hexdigest()
