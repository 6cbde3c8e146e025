"""Nobody learns what was decided ahead: runs of the whole bot that differ only in a person's decision send the same
bytes to all others at the same times, but for the card itself once it is played."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.match.state import TableState
from bot.messages.game_ui import GameUI
from cogs.common.ahead_menu import ASK
from games.types import Seat
from sandbox import Channel, Person, Sandbox
from sandbox.rest import Record
from tests.e2e.players import open_table, shown
from tests.rooms.simulated_bot import SimulatedBot
from tests.rooms.tape import line
from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.world import World

NAMES = ("Alice", "Ben", "Cleo")
MOVES = 40
"""Maximum number of moves before the next player has something to decide ahead."""
MENU = "When your turn comes: …"
PLAYED = 6.0
"""Seconds after the move of the player before, in which the next move is played."""


@dataclass(frozen=True)
class Seen:
    """Everything that the bot sent to all but one person."""

    before: list[str]
    """Requests up to the move that was decided ahead."""
    after: list[Record]
    move: str
    """That move; the next person's own if they were asked."""


@dataclass(frozen=True)
class Run:
    """A run in which somebody uses the menu of their hand while another one is to move."""

    game: str
    folder: Path

    def __call__(self, *picks: int | str, before: str = "") -> Seen:
        """`picks`: what they choose one after the other: moves by their number, or values. `before`: the move of the
        other one, if it is not the usual one."""
        folder = self.folder / f"{picks}{before}"
        folder.mkdir()
        world = World(f"ahead in {self.game}")
        world.is_calm = True
        with simulated(world):
            loop = Loop(world)
            asyncio.set_event_loop(loop)
            try:
                return loop.run_until_complete(self._run(folder, picks, before))
            finally:
                asyncio.set_event_loop(None)

    async def _run(self, folder: Path, picks: Sequence[int | str], before: str) -> Seen:
        async with Sandbox(rate_limits=False) as box:
            bot = SimulatedBot(box, folder, "WARNING")
            guild = box.guild("Palm Beach")
            place = guild.channel("card-room")
            people = [box.person(name, guild) for name in NAMES]
            await bot.start()
            try:
                card = await open_table(place, f"{self.game} start", *people)
                await people[0].click(card, "Start")
                await asyncio.sleep(2)
                return await self._seen(box, bot, box.world.channel(card.id), people, picks, before)
            finally:
                await bot.kill()

    async def _seen(
        self,
        box: Sandbox,
        bot: SimulatedBot,
        thread: Channel,
        people: Sequence[Person],
        picks: Sequence[int | str],
        before: str,
    ) -> Seen:
        seat = await self._played(bot, thread, people)
        state = (await bot.client.tables.get(1)).state
        person, other = (_person(people, state.players[each].user) for each in (seat, state.awaited()[0]))
        own = before or state.game.text(state.game.fallback(state.game_state, state.awaited()[0]))
        moves, start, tick = _possible(state, own, seat), len(box.requests), _Ticks()
        await other.slash(thread, "hand")
        hand = shown(await person.slash(thread, "hand"))
        for pick in picks:
            await tick()
            offered = [each["value"] for each in hand.selects[0]["options"] if each["value"] in moves]
            hand = shown(await person.select(hand, MENU, [pick if isinstance(pick, str) else offered[pick]]))
        await tick()
        n = state.n + len(picks)
        await other.slash(thread, "move", action=own)
        await asyncio.sleep(PLAYED)
        log = await bot.client.store.log(1)
        made = next((row for row in log[n:] if row.kind == "move" and row.seat == seat), None)
        tokens = {each.interaction.token for each in person.answers}
        told = [each for each in box.requests[start:] if not any(token in each.path for token in tokens)]
        at = made.at / 1000 if made else box.clock.now()
        return Seen(
            [line(each) for each in told if each.time < at],
            [each for each in told if each.time >= at],
            made.body if made else "",
        )

    async def _played(self, bot: SimulatedBot, thread: Channel, people: Sequence[Person]) -> Seat:
        """Play until only one person is awaited, and the next one can choose ahead. Return that seat."""
        table, ui = await bot.client.tables.get(1), bot.client.game_uis[self.game]
        for _ in range(MOVES):
            await asyncio.sleep(1)
            state = table.state
            seat, *others = state.awaited()
            following = Seat((seat + 1) % len(people))
            move = state.game.text(state.game.fallback(state.game_state, seat))
            if not others and len(_offered(state, ui, move, following)) > 1:
                return following
            await _person(people, state.players[seat].user).slash(thread, "move", action=move)
        raise AssertionError("nobody has anything to decide ahead")


def _person(people: Sequence[Person], user: int) -> Person:
    return next(each for each in people if each.id == user)


def _possible(state: TableState, move: str, seat: Seat) -> list[str]:
    """Return what a seat can decide ahead that is legal after a move of the awaited one."""
    game, after = state.game, state.game_state.copy()
    game.step(after, state.awaited()[0], game.parse(move))
    legal = game.legal(after, seat)
    return [game.text(action) for action in game.ahead(state.game_state, seat) if action in legal]


def _offered(state: TableState, ui: GameUI, move: str, seat: Seat) -> set[str]:
    """Return what of that the menu of a seat offers."""
    actions = ui.ahead(state.game.view(state.game_state, seat), state.game.ahead(state.game_state, seat))
    return {*_possible(state, move, seat)}.intersection(map(state.game.text, actions))


class _Ticks:
    """Waits for whole seconds since the beginning: a person does not act later because an answer took longer."""

    def __init__(self) -> None:
        self._next = asyncio.get_running_loop().time()

    async def __call__(self) -> None:
        self._next += 1
        await asyncio.sleep(self._next - asyncio.get_running_loop().time())


def _ways(records: Sequence[Record]) -> list[tuple[str, str, str]]:
    return [(f"{each.time:.6f}", each.method, each.path) for each in records]


@pytest.mark.parametrize("game", ["twin-palms", "charms", "palace", "palmer", "liars-dice"])
def test_whatever_was_decided_ahead_others_learn_it_at_the_same_moment(game: str, tmp_path: Path) -> None:
    run = Run(game, tmp_path)
    one, other = run(-1), run(-2)
    assert one.move != other.move != ""
    assert one.before == other.before
    assert _ways(one.after) == _ways(other.after) != []


def test_what_was_decided_and_taken_back_leaves_no_trace(tmp_path: Path) -> None:
    run = Run("thirty-one", tmp_path)
    nothing = run(ASK, ASK, ASK)
    assert (nothing.move, nothing.after) == ("", [])
    assert any("'s turn" in each for each in nothing.before), "they are called"
    assert run("draw", "knock", ASK).before == nothing.before


def test_what_was_decided_and_is_impossible_leaves_no_trace(tmp_path: Path) -> None:
    run = Run("thirty-one", tmp_path)
    nothing = run(ASK, before="knock")
    assert run("knock", before="knock").before == nothing.before
    assert nothing.before != run(ASK).before
