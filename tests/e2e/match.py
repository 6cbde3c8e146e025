"""A match of any game, played by people with what every game has: its start command, the lobby, My hand and /move."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from discord.ui import TextDisplay

from bot.match.state import TableState
from bot.match.table import Table
from bot.messages.posts import live
from games import AnyGame
from sandbox import Answer, Channel, Message, Person
from tests.e2e.house import House, house
from tests.e2e.players import latest, open_table, shown, some_move
from tests.e2e.told import Told, called_for, stands
from tests.toy.rules import GAME as TOY

house_only = pytest.mark.parametrize("game", [TOY], indirect=True, ids=["any-game"])
"""For what lies with the house alone, whatever is played: one game stands for all."""
FAULT = "the bot's fault"
"""What no answer may confess, whatever people or Discord do."""


class Match:
    """Table 1 of `here`, with as few people as the game takes unless it is to be `full`. `watcher` is somebody else."""

    def __init__(self, here: House, game: AnyGame) -> None:
        self.here = here
        self.box = here.box
        self.game = game
        self.watcher = here.box.person("Walter", here.guild)
        self.people: list[Person] = []
        self.card: Message

    # Playing it

    async def gather(self, *, full: bool = False) -> None:
        """Open the table and fill it as far as it must be, or as far as it can."""
        self.people = self.here.people[:1]
        self.card = await open_table(self.here.room, f"{self.game.slug} start", *self.people)
        options = (await self.table()).state.options
        seats = self.game.seats(options)[-1 if full else 0]
        guests = [self.box.person(f"Guest {n}", self.here.guild) for n in range(seats)]
        for person in [*self.here.people, *guests][1:seats]:
            await person.click(self.card, "Join")
            self.people.append(person)

    async def deal(self, *, full: bool = False) -> None:
        """Gather, start, and wait until that is told."""
        await self.gather(full=full)
        await self.people[0].click(self.card, "Start")
        await self.rest()

    async def table(self) -> Table:
        """As the bot knows it."""
        return await self.here.bot.tables.get(1)

    async def next(self) -> tuple[Person, str]:
        """Somebody who is awaited, and the text of a move: it follows from the log alone."""
        state = (await self.table()).state
        seat, action = some_move(state, Random(state.n))
        return self.people[seat], self.game.text(action)

    async def step(self, place: Channel | None = None) -> Answer:
        """The next move, from the keyboard."""
        person, text = await self.next()
        return await person.slash(place or await self.place(), "move", action=text)

    async def go_on(self, place: Channel | None = None) -> None:
        """Everybody makes one more move, acknowledged and told; afterwards all is sound."""
        before = [await self.moves_of(person) for person in self.people]
        while any([await self.moves_of(p) == n for p, n in zip(self.people, before, strict=True)]):
            answer = await self.step(place)
            assert "✅" in answer.text, answer
        await self.sound()

    async def finish(self) -> None:
        """Play on to the end. What the board shows on the way is drawn at the house's pace, not every time."""
        table = await self.table()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("bot.messages.live_message.PACE", 1.0)
            while table.is_open:
                if not table.state.awaited():
                    await self.let_time_pass()
                    continue
                person, text = await self.next()
                await table.move(person.id, text, table.house.now())
        await self.sound()

    async def let_time_pass(self) -> None:
        """Until what is due by itself has happened. The bot learns from whatever people do what time it is."""
        table = await self.table()
        due, n = table.state.due(), table.state.n
        assert due is not None
        self.box.clock.advance(max(0.0, due / 1000 - self.box.clock.now()))
        await self.watcher.slash(await self.place(), "tables")
        await self.box.until(lambda: table.state.n > n)

    # Looking at it

    async def place(self) -> Channel:
        """Where it is played."""
        match = (await self.table()).match
        return self.box.world.channel(match.place or match.channel)

    async def board(self) -> Message:
        """The live table: of all messages where a match is played only it has this button."""
        return latest(self.watcher, await self.place(), "Rules")

    async def hand(self, person: Person) -> Message:
        """Somebody's hand, opened by the last `My hand` there."""
        return shown(await person.click(latest(person, await self.place()), "My hand"))

    async def entries(self) -> int:
        """The length of the log."""
        return len(await self.here.bot.store.log(1))

    async def moves_of(self, person: Person) -> int:
        """How many of their moves are kept."""
        log = await self.here.bot.store.log(1)
        return sum(entry.kind == "move" and entry.user == person.id for entry in log)

    async def rest(self) -> None:
        """Wait until everything is told and shown; TimeoutError when that does not come to an end."""
        async with asyncio.timeout(20):
            await self.here.bot.publisher.rest()

    async def time_out(self) -> None:
        """Let more time pass than anybody is waited for before the next step: reminder, vote, caretaker."""
        self.box.clock.advance(91)
        await self.watcher.slash(await self.place(), "tables")  # by this the bot learns what time it is

    async def caught_up(self) -> None:
        """Wait until every deadline that has come is met."""
        tables = self.here.bot.tables

        def met() -> bool:
            table = tables._loaded.get(1)
            return table is not None and min(table.clocks.values(), default=0) > tables.now()

        await self.box.until(met)

    # Whether it is unharmed

    async def sound(self) -> None:
        """Where it is played stands what the log says, without gap or repeat; the live table shows how it stands."""
        await self.rest()
        seen, wanted = stands(self.box.world, 1, await self.place()), await self._called_for()
        assert seen == wanted, f"{seen}\nis not\n{wanted}"
        if (await self.table()).is_open:
            assert (await self.board()).text == await self._drawn()

    async def _drawn(self) -> str:
        """What the live table must say."""
        panel = live(await self.table(), self.here.bot.game_uis[self.game.slug])
        return "\n".join(each.content for each in panel.walk_children() if isinstance(each, TextDisplay))

    async def _called_for(self) -> Told:
        store = self.here.bot.store
        match = await store.match(1)
        assert match is not None
        options = self.game.Options.model_validate_json(match.options)
        state = TableState(self.game, options, match.seed)
        greeted = match.place != match.channel
        return called_for(state, await store.log(1), self.here.bot.tables.times, greeted=greeted)


@asynccontextmanager
async def match_of(game: AnyGame, path: Path) -> AsyncIterator[Match]:
    """A table of that game to be, in a house whose matches are all dealt the same cards."""
    cogs = ("tests.toy.cog",) if game is TOY else ()
    async with house(path, seed=lambda: "e2e", extra_cogs=cogs) as here:
        yield Match(here, game)


def refused(answer: Answer) -> str:
    """The sentence somebody was refused with, to them alone."""
    answered(answer)
    assert answer.ephemeral, answer
    assert "✅" not in answer.text, answer
    assert answer.text.rstrip("*_`)")[-1] in ".!?", answer
    return answer.text


def answered(answer: Answer) -> None:
    """With something, and not with the confession that the bot is broken."""
    assert answer.failed is None, answer.interaction.data
    for text in (answer.text, *(each.text for each in answer.followups)):
        assert FAULT not in text, (text, answer.interaction.data)
