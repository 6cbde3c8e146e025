"""A person who plays through the newest private hand alone, as on a phone."""

import asyncio
from dataclasses import dataclass
from typing import Final

from bench.form_taps import Step, go, latest, nearest
from bench.report import say
from bot.client import Palmhouse
from bot.match.table import Table
from bot.messages.game_ui import Form
from games.strategies import choose
from games.types import Action, Seat
from sandbox import Channel, Message, Person
from sandbox.answer import Impossible

MOMENT: Final = 0.05
"""Seconds from one look at the table to the next, and from one tap to the next."""
PATIENCE: Final = 2.0
"""Seconds for which a person whose turn it is by the table looks at a hand that does not say so."""


@dataclass
class PhonePlayer:
    """A person at a table. They decide like a steady computer."""

    bot: Palmhouse
    table: Table
    place: Channel
    person: Person
    pause: float
    """Seconds of thought before each move."""
    opened: Message | None = None
    """Their hand, where it was last seen."""
    taps: int = 0
    """All taps but the first `My hand`."""
    moves: int = 0

    @property
    def hand(self) -> Message | None:
        """Their newest hand: it moves below each new round."""
        if self.opened is not None and self.opened.deleted:
            own = (each for each in reversed(self.person.sees(self.place)) if each.ephemeral)
            self.opened = next(own, self.opened)
        return self.opened

    @property
    def seat(self) -> Seat:
        seat = self.table.state.seat_of(self.person.id)
        assert seat is not None
        return seat

    async def play(self) -> None:
        """Play until the match is over, or the task is cancelled."""
        await self._open_hand()
        while self.table.state.phase == "play":
            await asyncio.sleep(MOMENT)
            if self.is_asked():
                await asyncio.sleep(self.pause)
                if self.is_asked():  # else a timer has moved on
                    await self._move()

    def is_asked(self) -> bool:
        """Return whether it is their turn by the table."""
        return self.table.state.phase == "play" and self.seat in self.table.state.awaited()

    def _picks(self) -> str | None:
        """Return the picks in the hand, if it has a form of their present decision that can be used."""
        for part in [] if self.hand is None else self.hand.components:
            if str(part.get("custom_id")).startswith("form:") and not part.get("disabled"):
                _, _, prompt, picks, _ = part["custom_id"].split(":")
                return picks if self._is_present(int(prompt)) else None
        return None

    def _is_present(self, prompt: int) -> bool:
        state = self.table.state
        return state.phase == "play" and (state.game.real_time or prompt == state.prompts[self.seat])

    async def _open_hand(self) -> None:
        message, button = await latest(self.person, self.place, "hand:")
        self.opened = (await self.person.click(message, button)).message

    async def _move(self) -> None:
        """Make one move, unless the turn goes away meanwhile."""
        state = self.table.state
        prompt, view = state.prompts[self.seat], state.game.view(state.game_state, self.seat)
        action = choose(state.game, view, "steady", state.n)
        if state.game.real_time:
            await self._press(state.game.text(action))
            return
        while self.is_asked() and self._is_present(prompt):
            if not await self._offered():
                self.taps += 1
                await self._open_hand()
                await asyncio.sleep(MOMENT)
            if self._picks() is not None:
                await self._tap(view, action)

    async def _press(self, action: str) -> None:
        """Press a button of the public table, even on a page that is not shown."""
        slug = self.table.match.game
        board, _ = await latest(self.person, self.place, f"{slug}.press:")
        self.taps += 1
        await self.person.press(board, f"{slug}.press:{self.table.id}:{action}")
        self.moves += 1

    async def _offered(self) -> bool:
        clock = self.person.world.clock
        return await clock.until(
            lambda: self._picks() is not None or not self.is_asked(), clock.now() + PATIENCE
        )

    async def _tap(self, view: object, action: Action) -> None:
        """Tap through the form to the action, as long as the form shows what the taps before have led to."""
        for step in await self._way(view, action):
            hand, before, prompt = self.hand, self._picks(), self.table.state.prompts[self.seat]
            if hand is None or before is None:
                return
            try:
                await go(self.person, hand, step)
            except (Impossible, LookupError, TimeoutError) as error:
                say(f"  {self.person.name} could not do {step}: {error}")
                return
            self.taps += step.taps
            if self.table.state.phase != "play" or self.table.state.prompts[self.seat] != prompt:
                self.moves += 1
                return
            after = self._picks()
            await asyncio.sleep(MOMENT)
            if self._picks() != after or after == before:
                say(f"  {self.person.name} did {step}: {before!r} became {after!r}, then {self._picks()!r}.")
                return

    async def _way(self, view: object, action: Action) -> list[Step]:
        state = self.table.state
        names = [player.name for player in state.players]
        form = Form(self.table.id, state.prompts[self.seat], state.legal(self.seat), self._picks() or "")
        return await asyncio.to_thread(
            nearest, self.bot.game_uis[self.table.match.game], view, names, form, action
        )
