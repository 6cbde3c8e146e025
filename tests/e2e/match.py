"""A match of any game, played by people with what all games share: the start command, the lobby, `My hand` and
/move."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from discord.ui import TextDisplay

from bot.match.state import TableState
from bot.match.table import Table
from bot.messages.posts import live
from games import GAMES, AnyGame
from sandbox import Answer, Channel, Message, Person
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.messages import TableMessages, expected_messages, posted_messages
from tests.e2e.players import latest, open_table, shown, some_move
from tests.toy import GAME as TOY

every_game = pytest.mark.parametrize(
    "game", [*GAMES.values(), TOY], indirect=True, ids=lambda game: game.slug
)
"""Run the test with each registered game and the toy, so that it covers future games, too."""
three_games_are_enough = pytest.mark.parametrize(
    "game", [TOY, GAMES["twin-palms"], GAMES["twin-it"]], indirect=True, ids=lambda game: game.slug
)
"""Run the test with the toy, a game of cards with a form of several steps, and one of speed: it depends on no other."""
SHORT: dict[str, dict[str, Any]] = {
    "charms": {"hands": 1},
    "hand-and-foot": {"deals": 1},
    "palace": {"allow_equal": True},
    "palmer": {"limit": 20},
    "thirty-one": {"tokens": 2},
    "twin-it": {"sets_to_win": 3},
    "twin-palms": {"rounds": 1},
}
"""Options with which a match of random play ends soon."""
FAULT = "the bot's fault"
"""Text of the answer to an unexpected error. No action of people or of Discord may produce it."""


class Match:
    """Table 1 of `here`, with the smallest number of people the game allows, or the largest if `full`. `watcher` is
    another person."""

    def __init__(self, here: CardRoom, game: AnyGame) -> None:
        self.here = here
        self.box = here.box
        self.game = game
        self.watcher = here.box.person("Walter", here.guild)
        self.people: list[Person] = []
        self.card: Message

    # Play

    async def gather(self, *, full: bool = False, **chosen: Any) -> None:
        """Open the table with these options and let people join: as few as the game needs, or as many as it allows."""
        self.people = self.here.people[:1]
        self.card = await open_table(self.here.room, f"{self.game.slug} start", *self.people, **chosen)
        options = (await self.table()).state.options
        seats = self.game.seats(options)[-1 if full else 0]
        guests = [self.box.person(f"Guest {n}", self.here.guild) for n in range(seats)]
        for person in [*self.here.people, *guests][1:seats]:
            await person.click(self.card, "Join")
            self.people.append(person)

    async def deal(self, *, full: bool = False, **chosen: Any) -> None:
        """Gather the people, start the match, and wait until the bot has posted it."""
        await self.gather(full=full, **chosen)
        await self.people[0].click(self.card, "Start")
        await self.rest()

    async def table(self) -> Table:
        return await self.here.bot.tables.get(1)

    async def next(self) -> tuple[Person, str]:
        """Return an awaited person and the text of a move. They depend only on the log."""
        state = (await self.table()).state
        seat, action = some_move(state, Random(state.n))
        return self.people[seat], self.game.text(action)

    async def step(self, place: Channel | None = None) -> Answer:
        person, text = await self.next()
        return await person.slash(place or await self.place(), "move", action=text)

    async def check_that_play_continues(self, place: Channel | None = None) -> None:
        """Check that everybody can make one more move, acknowledged and shown, and that the messages are right
        afterwards."""
        before = [await self.moves_of(person) for person in self.people]
        while any([await self.moves_of(p) == n for p, n in zip(self.people, before, strict=True)]):
            answer = await self.step(place)
            assert "✅" in answer.told, answer
        await self.check()

    async def finish(self) -> None:
        table = await self.table()
        while table.is_open:
            if not table.state.awaited():
                await self.let_time_pass()
                continue
            person, text = await self.next()
            await table.play(person.id, [text], table.clock.now())
        await self.check()

    async def let_time_pass(self) -> None:
        """Advance the clock until the next due event has happened. A command tells the bot the time."""
        table = await self.table()
        due, n = table.state.due(), table.state.n
        assert due is not None
        self.box.clock.advance(max(0.0, due / 1000 - self.box.clock.now()))
        await self.watcher.slash(await self.place(), "tables")
        await self.box.until(lambda: table.state.n > n)

    # Look

    async def place(self) -> Channel:
        """Return the channel or thread in which the match is played."""
        match = (await self.table()).match
        return self.box.world.channel(match.place or match.channel)

    async def board(self) -> Message:
        """Return the live table, the only message there with the button `Rules`."""
        return latest(self.watcher, await self.place(), "Rules")

    async def hand(self, person: Person) -> Message:
        """Return the person's hand, opened with the last `My hand` there."""
        return shown(await person.click(latest(person, await self.place()), "My hand"))

    async def entries(self) -> int:
        return len(await self.here.bot.store.log(1))

    async def moves_of(self, person: Person) -> int:
        log = await self.here.bot.store.log(1)
        return sum(entry.kind == "move" and entry.user == person.id for entry in log)

    async def rest(self) -> None:
        """Wait until everything is posted and shown."""
        await self.here.rest()

    async def time_out(self) -> None:
        """Let more time pass than anybody has for the next step: reminder, vote or caretaker."""
        self.box.clock.advance(91)
        await self.watcher.slash(await self.place(), "tables")  # tells the bot the time

    async def wait_for_deadlines(self) -> None:
        """Wait until all deadlines that have passed are handled."""
        tables = self.here.bot.tables

        def met() -> bool:
            table = tables._loaded.get(1)
            return table is not None and min(table.deadlines.values(), default=0) > tables.clock.now()

        await self.box.until(met)

    # Check

    async def check(self) -> None:
        """Check that exactly the messages expected from the log are posted, each once and in order, and that the
        live table shows the present state."""
        await self.rest()
        seen, wanted = posted_messages(self.box.world, 1, await self.place()), await self._expected()
        assert seen == wanted, f"{seen}\nis not\n{wanted}"
        if (await self.table()).is_open:
            assert (await self.board()).text == await self._drawn()

    async def _drawn(self) -> str:
        """Return the text that the live table must have."""
        panel = live(await self.table(), self.here.bot.game_uis[self.game.slug])
        return "\n".join(each.content for each in panel.walk_children() if isinstance(each, TextDisplay))

    async def _expected(self) -> TableMessages:
        store = self.here.bot.store
        match = await store.match(1)
        assert match is not None
        state = TableState.of(match, self.game)
        greeted = match.place != match.channel
        return expected_messages(state, await store.log(1), self.here.bot.tables.clock.times, greeted=greeted)


@asynccontextmanager
async def match_of(game: AnyGame, where: Path | str) -> AsyncIterator[Match]:
    """A match of that game with the same cards each time; its table is not open yet."""
    cogs = ("tests.toy.cog",) if game is TOY else ()
    async with card_room(where, seed=lambda: "e2e", extra_cogs=cogs) as here:
        yield Match(here, game)


def refusal_of(answer: Answer) -> str:
    """Return the text of a refusal; check that it is ephemeral and a sentence."""
    check_answer(answer)
    assert answer.ephemeral, answer
    assert "✅" not in answer.text, answer
    assert answer.text.rstrip("*_`)")[-1] in ".!?", answer
    return answer.text


def check_answer(answer: Answer) -> None:
    """Check that there is an answer that does not admit an unexpected error, and that names people instead of seats."""
    assert answer.failed is None, answer.interaction.data
    for text in (answer.text, *(each.text for each in answer.followups)):
        assert FAULT not in text, (text, answer.interaction.data)
        assert not re.search(r"\bseat \d", text, re.IGNORECASE), (text, answer.interaction.data)
