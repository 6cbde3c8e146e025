"""Nothing tells what somebody must not know: two runs of the whole bot that differ only in cards that a person has
never seen send the same bytes at the same times, whatever that person looks at."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from games import GAMES, AnyGame
from games.types import Seat
from sandbox import Person, Sandbox, TextChannel
from tests.contract.subjects import SUBJECTS
from tests.contract.test_secrecy import shuffled_places, sorted_places
from tests.e2e.players import open_table, some_move
from tests.rooms.simulated_bot import SimulatedBot
from tests.rooms.tape import line
from tests.seats import FIRST, SECOND
from tests.simulation.loop import Loop
from tests.simulation.patches import simulated
from tests.simulation.world import World

MOVES = 7
"""Moves before the cards are swapped."""
LOOKS = ("hand", "table show", "tables", "profile", "history", "privacy export", "help", "replay", "verify")
OPTIONS = {
    "hand": {"table": "1"},
    "table show": {"table": "1"},
    "replay": {"match": "1"},
    "verify": {"match": "1"},
}
SHUFFLES = 9
PRESSED = ("hand:1", "type:1", "hint:1", "watch:1")


@dataclass(frozen=True)
class Look:
    """A run in which a person looks at everything: the one at `seat`, or a watcher if that is None."""

    game: AnyGame
    seat: Seat | None
    folder: Path

    def requests(self, *, unseen_by: Seat | None) -> tuple[list[str], bool]:
        """Play a few moves, shuffle the cards that this seat has not seen, and let the person look. Return all requests
        from then on, and whether any card lies elsewhere."""
        return self._run(shuffles=True, by=unseen_by)

    def usual_requests(self) -> list[str]:
        """Return the same without another card anywhere."""
        found, _ = self._run(shuffles=False, by=None)
        return found

    def _run(self, *, shuffles: bool, by: Seat | None) -> tuple[list[str], bool]:
        folder = self.folder / f"{shuffles} {by}"
        folder.mkdir()
        world = World(f"secrecy of {self.game.slug}")
        with simulated(world):
            loop = Loop(world)
            asyncio.set_event_loop(loop)
            try:
                return loop.run_until_complete(self._looked(folder, shuffles=shuffles, by=by))
            finally:
                asyncio.set_event_loop(None)

    async def _looked(self, folder: Path, *, shuffles: bool, by: Seat | None) -> tuple[list[str], bool]:
        async with Sandbox(rate_limits=False) as box:
            bot = SimulatedBot(box, folder, "WARNING")
            guild = box.guild("Palm Beach")
            place = guild.channel("card-room")
            people = [box.person(f"Player {n}", guild) for n in range(6)]
            await bot.start()
            try:
                players = await self._played(bot, place, people)
                swapped = shuffles and await self._shuffle(bot, by)
                before = len(box.requests)
                await self._look(bot, place, people[-1] if self.seat is None else players[self.seat])
                return [*map(line, box.requests[before:])], swapped
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

    async def _shuffle(self, bot: SimulatedBot, by: Seat | None) -> bool:
        table, secrets = await bot.client.tables.get(1), SUBJECTS[self.game.slug].secrets
        places = secrets.unseen(table.state.game_state, by)
        tries = [shuffled_places(places, Random(n)) for n in range(SHUFFLES)]
        # One may leave each card where it was, in another order.
        anew = next((each for each in tries if sorted_places(each) != sorted_places(places)), tries[0])
        table.state.game_state = secrets.put(table.state.game_state, anew)
        return sorted_places(anew) != sorted_places(places)

    async def _look(self, bot: SimulatedBot, place: TextChannel, person: Person) -> None:
        for command in LOOKS:
            await person.slash(place, command, **OPTIONS.get(command, {}))
        for typed in ("", "p", "1"):
            await person.autocomplete(place, "move", "action", typed)
        table = next(
            each for each in reversed(place.threads[0].messages()) if "hand:1" in str(each.custom_ids)
        )
        for custom_id in PRESSED:
            await person.press(table, custom_id)
        await asyncio.sleep(3)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
@pytest.mark.parametrize("seat", [None, 0], ids=["a watcher", "a player"])
def test_cards_that_somebody_has_never_seen_change_no_byte(
    game: AnyGame, seat: Seat | None, tmp_path: Path
) -> None:
    look = Look(game, seat, tmp_path)
    usual = look.usual_requests()
    other, swapped = look.requests(unseen_by=seat)
    assert usual == other
    assert swapped or game.slug in ("charms", "twin-it"), "something is hidden"


def test_cards_that_somebody_has_seen_change_what_they_get(tmp_path: Path) -> None:
    look = Look(GAMES["twin-palms"], FIRST, tmp_path)
    other, swapped = look.requests(unseen_by=SECOND)
    assert swapped
    assert look.usual_requests() != other
