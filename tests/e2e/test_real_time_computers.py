"""Computers in a real-time game: a faster person beats them, they take what is left, they play races, and they
continue after a kill."""

import asyncio
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bot.match.table import Table
from games import GAMES
from sandbox import Message, Person
from tests.e2e.card_room import CardRoom
from tests.e2e.followed_match import FollowedMatch, bot_and_channel
from tests.e2e.players import open_table, shown, start_match
from tests.e2e.solo import times as times
from tests.held import fail
from tests.seats import FIRST

GAME = GAMES["twin-it"]


class SoloMatch:
    """Alice, alone at a table with computers."""

    def __init__(self, here: CardRoom, table: Table, card: Message) -> None:
        self.here = here
        self.box = here.box
        self.alice: Person = here.people[0]
        self.table = table
        self.place = here.thread(card)

    @property
    def state(self) -> Any:
        return self.table.state.game_state

    async def move(self, action: str) -> str:
        """Type a move as Alice and return the answer."""
        return (await self.alice.slash(self.place, "move", action=action)).text

    async def pass_time(self, seconds: float) -> None:
        """Advance Discord's clock by seconds, and let the bot know."""
        self.box.clock.advance(seconds)
        await self.alice.slash(self.place, "tables")

    def pair(self) -> tuple[int, int] | None:
        """Return two faces that match, if there are any."""
        faces = GAME.view(self.state, FIRST).faces
        pairs = (pair for pair in combinations(faces, 2) if pair[0].design == pair[1].design)
        return next(((one.number, other.number) for one, other in pairs), None)

    async def until(self, condition: Callable[[], object]) -> None:
        """Flip whenever it is Alice's turn until the condition holds."""
        while not condition():
            await self.box.until(lambda: condition() or 0 in self.table.state.awaited(), 20)
            if not condition():
                await self.move("flip")

    async def win_a_set(self) -> None:
        """Lay hands on two matching faces; a computer may be faster at first, so try again."""
        while not self.state.sets[0]:
            await self.until(self.pair)
            if self.state.hands[0]:
                await self.move("lift")
            for face in self.pair() or ():
                await self.move(f"hand {face}")


async def solo_match(here: CardRoom, **options: Any) -> SoloMatch:
    """A match of Alice and computers."""
    card = await start_match(here, "twin-it start", here.people[0], **options)
    return SoloMatch(here, await here.bot.tables.get(1), card)


async def test_a_fast_person_wins_a_set_and_an_inactive_one_loses_to_the_computers(here: CardRoom) -> None:
    match = await solo_match(here, computers=2, sets_to_win=2, hand_seconds=15, tie_ms=0)
    await match.win_a_set()
    await match.until(lambda: not match.table.is_open)
    outcome = match.state.outcome
    assert outcome is not None
    assert max(outcome.scores[1:]) == 2


async def test_in_a_race_a_computer_scores_as_a_team_mate(here: CardRoom) -> None:
    race = await solo_match(here, computers=1, strength="sharp", mode="cooperative", seconds=60)
    await race.move("ready")
    await race.box.until(lambda: race.table.state.due())
    await race.pass_time(5)
    await race.box.until(lambda: race.state.ends)
    while race.table.is_open and not race.state.sets[0]:
        await race.pass_time(2)
        await race.move(f"turn {race.state.last}")
    assert race.state.sets[0]


async def test_after_a_kill_a_computer_looks_again_and_takes_what_shows(tmp_path: Path) -> None:
    async with bot_and_channel(tmp_path) as (bot, room):
        people = [bot.box.person(name, room.guild) for name in ("Alice", "Ben", "Cleo", "Dana", "Eve")]
        here = FollowedMatch(bot, room, people, GAME)
        card = await open_table(room, "twin-it start", *people)
        await people[0].click(shown(await people[0].click(card, "Add computer")), "Sharp")
        await here.begin()
        while not here.state.game_state.any_match():
            (seat,) = here.state.awaited()
            await people[seat].slash(here.thread, "move", action="flip")
            here.read_log()
        await bot.kill()
        await bot.start()
        await bot.box.until(lambda: here.read_log() and here.state.game_state.sets[5], 20)
        await here.check()


async def test_on_a_full_disk_no_computer_tries_again_and_again(
    here: CardRoom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await solo_match(here, computers=2, strength="sharp", hand_seconds=3)
    await match.until(lambda: any(match.state.hands[1:]))
    with monkeypatch.context() as patch:
        for name in ("append", "heartbeat"):
            fail(patch, here.bot.store, name)
        await asyncio.sleep(20)
    said = [each for each in caplog.messages if "could not be played by a computer" in each]
    assert 0 < len(said) == len({*said}), "each reason once"
    match.table = await here.bot.tables.get(1)
    await match.until(lambda: any(match.state.sets[1:]))
