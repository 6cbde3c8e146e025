"""A person who plays through the newest private hand alone, as on a phone."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from bench.form_taps import Step, go, latest, nearest
from bot.client import Palmhouse
from bot.match.table import Stale, Table
from bot.messages.game_ui import Form
from games.strategies import choose
from games.types import Action, Seat
from sandbox import Channel, Message, Person
from sandbox.answer import Impossible

PATIENCE: Final = 2.0
"""Seconds for which a person whose turn it is by the table looks at a hand that does not say so."""


@dataclass(frozen=True)
class Pace:
    """Seconds that people take."""

    pause: float
    """Thought before each move."""
    glance: float = 0.2
    """From one look at the hand to the next."""
    tap: float = 0.3
    """From one tap to the next."""


@dataclass
class PhonePlayer:
    """A person at a table. They decide like a steady computer."""

    bot: Palmhouse
    table: Table
    place: Channel
    person: Person
    pace: Pace
    opened: Message | None = None
    """Their hand, where it was last seen."""
    is_tapping: bool = False
    taps: int = 0
    """All taps but the first `My hand`."""
    reopened: int = 0
    """Number of `My hand` after the first."""
    refused: int = 0
    """Taps on what had become stale."""
    surprises: list[str] = field(default_factory=list)
    """Events in which a form changed between two taps on it."""
    moved: list[float] = field(default_factory=list)
    """Times of moves, by the clock of the sandbox."""

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
            await asyncio.sleep(self.pace.glance)
            if self.is_asked():
                await asyncio.sleep(self.pace.pause)
                if self.is_asked():  # else a timer has moved on
                    await self._move()

    def is_asked(self) -> bool:
        """Return whether it is their turn by the table."""
        return self.table.state.phase == "play" and self.seat in self.table.state.awaited()

    def _read(self) -> tuple[int, str] | None:
        """Return prompt and picks of the form in the hand, if a part of it can be used."""
        for part in [] if self.hand is None else self.hand.components:
            if str(part.get("custom_id")).startswith("form:") and not part.get("disabled"):
                prompt, picks, _ = Form.read(part["custom_id"].split(":", 2)[2])
                return prompt, picks
        return None

    def offers(self) -> bool:
        """Return whether the hand has the form of their present decision."""
        read = self._read()
        return read is not None and self._is_present(read[0])

    def misleads(self) -> bool:
        """Return whether the hand has a form that would be refused as stale."""
        read = self._read()
        return read is not None and not self._is_present(read[0])

    def _is_present(self, prompt: int) -> bool:
        state = self.table.state
        return state.phase == "play" and (state.game.real_time or prompt == state.prompts[self.seat])

    def picks(self) -> str:
        """Return the picks in the hand, if they are of the present decision."""
        read = self._read()
        return read[1] if read is not None and self._is_present(read[0]) else ""

    async def _open_hand(self) -> None:
        message, button = await latest(self.person, self.place, "hand:")
        answer = await self.person.click(message, button)
        direct = [each for each in self.person.sees(self.person.dms) if ":own" in str(each.custom_ids)]
        self.opened = direct[-1] if direct else answer.message

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
                self.taps, self.reopened = self.taps + 1, self.reopened + 1
                await self._open_hand()
                await asyncio.sleep(self.pace.tap)
            if self.offers():
                await self._tap(view, action)

    async def _press(self, action: str) -> None:
        """Press a button of the public table, even on a page that is not shown."""
        slug = self.table.match.game
        board, _ = await latest(self.person, self.place, f"{slug}.press:")
        self.taps += 1
        await self.person.press(board, f"{slug}.press:{self.table.id}:{action}")
        self.moved.append(self.person.world.clock.now())

    async def _offered(self) -> bool:
        clock = self.person.world.clock
        return await clock.until(lambda: self.offers() or not self.is_asked(), clock.now() + PATIENCE)

    async def _tap(self, view: object, action: Action) -> None:
        """Tap through the form to the action, as long as the form shows what the taps before have led to."""
        for step in await self._way(view, action):
            if not self.offers():
                return
            before, prompt = self.picks(), self.table.state.prompts[self.seat]
            self.is_tapping = True
            try:
                hand = self.hand
                assert hand is not None
                await go(self.person, hand, step)
            except (Impossible, LookupError, TimeoutError) as error:
                self.surprises.append(f"{self.person.name} could not do {step}: {error}")
                return
            finally:
                self.is_tapping = False
            self.taps += step.taps
            self.refused += str(Stale()) in hand.text
            if self.table.state.phase != "play" or self.table.state.prompts[self.seat] != prompt:
                self.moved.append(self.person.world.clock.now())
                return
            after = self.picks()
            await asyncio.sleep(self.pace.tap)
            if self.picks() != after or after == before:
                self.surprises.append(
                    f"{self.person.name} did {step}: {before!r} became {after!r}, then {self.picks()!r}."
                )
                return

    async def _way(self, view: object, action: Action) -> list[Step]:
        state = self.table.state
        names = [player.name for player in state.players]
        form = Form(self.table.id, state.prompts[self.seat], state.legal(self.seat), self.picks())
        return await asyncio.to_thread(
            nearest, self.bot.game_uis[self.table.match.game], view, names, form, action
        )
