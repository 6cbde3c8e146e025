"""Nothing tells what somebody must not know: two runs of the whole bot that differ only in cards that a person has
never seen send the same bytes and pictures at the same times, and log the same lines, whatever that person looks at and
while others play on.

Pictures are not drawn here: in their place stands all that a drawing is made of (`tests.simulation.workers`)."""

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from bot.match.times import Times
from games import GAMES, AnyGame
from games.types import Seat
from sandbox import Person, Sandbox, TextChannel
from tests.e2e.players import open_table, some_move
from tests.rooms.simulated_bot import SimulatedBot
from tests.rooms.tape import line
from tests.rooms.twins import Line, Twins
from tests.seats import FIRST, SECOND
from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.world import World

MOVES = 9
"""Moves before the cards are swapped."""
LATER = 3
"""Maximum number of moves after that, and again after a kill."""
PAUSE = 2.0
LOOKS = ("hand", "table show", "tables", "profile", "history", "privacy export", "help", "replay", "verify")
OPTIONS = {
    "hand": {"table": "1"},
    "table show": {"table": "1"},
    "replay": {"match": "1"},
    "verify": {"match": "1"},
}
OF_OTHERS = re.compile(r'"last_message_id": "\d+", |"custom_id": "[0-9a-f]{32}", |&hm=[0-9a-f]{64}')
"""Parts of a line that follow from what somebody else alone was shown: the id, and so the time, of a channel's last
message; ids that are drawn by lot one after the other; signatures of links with ids."""
ID = re.compile(r"\d{19}")
FIRST_DEAL = {"palmer": 2}
"""The deal that is tried first; in those before it hardly a move can be made with the swapped cards, too."""
PRESSED = ("hand:1", "type:1", "hint:1", "watch:1")


@dataclass(frozen=True)
class Found:
    """Requests and log lines of a run since cards may lie elsewhere."""

    sent: list[str]
    """All requests, with their answers, but for those that answer people who may see the cards."""
    logged: list[str]
    moves: int
    """Number of moves since then."""


@dataclass(frozen=True)
class Look:
    """A run in which a person looks at everything: the one at `seat`, or a watcher if that is None. Then people play
    on, the bot is killed, and a watcher looks, too."""

    game: AnyGame
    seat: Seat | None
    folder: Path
    deal: int = 0

    def __call__(self, *, swaps: bool, by: Seat | None) -> Found:
        """Play a few moves, maybe swap cards that the seat `by` has not seen, and let people look and play on."""
        folder = self.folder / f"{self.deal} {swaps} {by}"
        folder.mkdir()
        world = World(f"secrecy of {self.game.slug} {self.deal}")
        world.is_calm = True  # answers to those who may see the cards may be longer
        with simulated(world):
            loop = Loop(world)
            asyncio.set_event_loop(loop)
            try:
                return loop.run_until_complete(self._found(folder, swaps, by))
            finally:
                asyncio.set_event_loop(None)

    async def _found(self, folder: Path, swaps: bool, by: Seat | None) -> Found:
        async with Sandbox(rate_limits=False) as box:
            bot = SimulatedBot(box, folder, "DEBUG", times=Times())
            guild = box.guild("Palm Beach")
            place = guild.channel("card-room")
            people = [box.person(f"Player {n}", guild) for n in range(6)]
            await bot.start()
            try:
                players = await self._played(bot, place, people)
                state = (await bot.client.tables.get(1)).state
                twins, sent, logged = Twins.of(state, by, 2 * LATER), len(box.requests), len(bot.lines)
                begun = box.world.snowflakes.next()
                state.game_state = twins.states[swaps].copy()
                with twins.played(swapped=swaps):
                    await self._go_on(bot, place, players, people[-1], twins.moves)
                made = await bot.client.store.log(1)
                knowing = [each for seat, each in enumerate(players) if seat != self.seat]
                tokens = {answer.interaction.token for each in knowing for answer in each.answers}
                told = [each for each in box.requests[sent:] if not tokens.intersection(each.path.split("/"))]
                return Found(
                    [_plain(line(each), begun) for each in told],
                    bot.lines[logged:],
                    sum(row.kind == "move" for row in made[twins.n :]),
                )
            finally:
                await bot.kill()

    async def _played(self, bot: SimulatedBot, place: TextChannel, people: list[Person]) -> list[Person]:
        """Play a few moves at table 1. Return the people by seat."""
        card = await open_table(place, f"{self.game.slug} start", people[0])
        table, chance = await bot.client.tables.get(1), Random(self.game.slug)
        seats = table.seats()  # of two, one may have only cards of one kind that the other has not seen
        for person in people[1 : max(seats.start, min(3, seats.stop - 1))]:
            await person.click(card, "Join")
        await people[0].click(card, "Start")
        players = [next(p for p in people if p.id == each.user) for each in table.state.players]
        for _ in range(MOVES):
            await asyncio.sleep(2)
            if table.state.awaited():
                seat, action = some_move(table.state, chance)
                await players[seat].slash(place, "move", action=self.game.text(action), table="1")
        await asyncio.sleep(2)
        return players

    async def _go_on(
        self, bot: SimulatedBot, place: TextChannel, players: list[Person], watcher: Person, moves: Line
    ) -> None:
        """Let people look and play on, before a kill and after it."""
        person = watcher if self.seat is None else players[self.seat]
        await self._look(place, person)
        await self._press(place, players[-1], "hand:1")
        await self._play_on(place, players, moves[:LATER])
        await bot.kill()
        await _tick()
        await bot.start()
        await self._play_on(place, players, moves[LATER:])
        for each in dict.fromkeys((person, watcher)):
            await self._press(place, each, *PRESSED)

    async def _play_on(self, place: TextChannel, players: list[Person], moves: Line) -> None:
        for seat, text in moves:
            await _tick()
            await players[seat].slash(place, "move", action=text, table="1")
        await _tick()

    async def _look(self, place: TextChannel, person: Person) -> None:
        for command in LOOKS:
            await person.slash(place, command, **OPTIONS.get(command, {}))
        for typed in ("", "p", "1"):
            await person.autocomplete(place, "move", "action", typed)
        await self._press(place, person, *PRESSED)

    async def _press(self, place: TextChannel, person: Person, *custom_ids: str) -> None:
        table = next(
            each for each in reversed(place.threads[0].messages()) if "hand:1" in str(each.custom_ids)
        )
        for custom_id in custom_ids:
            await person.press(table, custom_id)
        await asyncio.sleep(3)


async def _tick() -> None:
    """Wait until a pause is over: nobody acts later because an answer to somebody else took longer."""
    now = asyncio.get_running_loop().time()
    await asyncio.sleep(PAUSE - now % PAUSE)


def _plain(text: str, begun: int) -> str:
    """Return a line without what follows from that which others alone were shown. An id after `begun` ends with the
    number of such things at that time."""
    return ID.sub(
        lambda id_: str(int(id_[0]) >> 12) if int(id_[0]) > begun else id_[0], OF_OTHERS.sub("", text)
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
@pytest.mark.parametrize("seat", [None, 0], ids=["a watcher", "a player"])
def test_cards_that_somebody_has_never_seen_change_no_byte(
    game: AnyGame, seat: Seat | None, tmp_path: Path
) -> None:
    for deal in range(FIRST_DEAL.get(game.slug, 0), 9):
        look = Look(game, seat, tmp_path, deal)
        usual, other = look(swaps=False, by=seat), look(swaps=True, by=seat)
        assert usual.sent == other.sent
        assert usual.logged == other.logged != []
        if usual.moves > 1:
            return
    pytest.fail("in no deal are there two such moves")


def test_cards_that_somebody_has_seen_change_what_they_get(tmp_path: Path) -> None:
    look = Look(GAMES["twin-palms"], FIRST, tmp_path)
    assert look(swaps=False, by=SECOND).sent != look(swaps=True, by=SECOND).sent
