"""A match that the test follows: folding its log beside the bot, it knows how it stands and what must be told."""

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bot.sitting import Sitting
from bot.store import Entry
from bot.timing import Times
from games import GAMES, AnyGame
from sandbox import Answer, Channel, Message, Person, Sandbox, TextChannel
from tests.e2e.players import hand_of, latest, open_table, some_move
from tests.e2e.processes import SEED, Process, process
from tests.e2e.told import Told, called_for, stands

Act: TypeAlias = Callable[[], Coroutine[Any, Any, Answer]]


class Followed:
    """Table `number` with these people, played by a bot that is a process. `log` is what it had kept at the last
    look; what was kept once is never missed again."""

    def __init__(
        self,
        bot: Process,
        room: TextChannel,
        people: list[Person],
        game: AnyGame = GAMES["twin-palms"],
        number: int = 1,
        **options: Any,
    ) -> None:
        self.bot = bot
        self.box = bot.box
        self.room = room
        self.people = people
        self.game = game
        self.number = number
        self.options = options
        self.log: list[Entry] = []
        self.refused = 0
        self.sitting = self._empty()

    def _empty(self) -> Sitting:
        return Sitting(self.game, self.game.Options.model_validate(self.options), SEED)

    # What everybody sees

    @property
    def card(self) -> Message:
        """The table's card."""
        return next(m for m in self.people[0].sees(self.room) if f"rules:{self.number}" in m.custom_ids)

    @property
    def thread(self) -> Channel:
        """Where the match is played."""
        assert self.card.thread is not None
        return self.card.thread

    @property
    def board(self) -> Message:
        """The live table."""
        return latest(self.people[0], self.thread, "Rules")

    def told(self) -> list[str]:
        """What stands where the match is played, in order, with names for mentions, and whom each message pinged."""
        ours = [
            each
            for each in self.thread.messages()
            if each.author is self.box.world.bot and not each.ephemeral
        ]
        return [self.readable(each.text) + self._pinged(each.pings) for each in ours]

    def stands(self) -> Told:
        """The same, by what each message is."""
        return stands(self.box.world, self.number, self.thread)

    def called_for(self) -> Told:
        """What the log calls for as far as it was read."""
        return called_for(self._empty(), self.log, Times())

    def readable(self, text: str) -> str:
        """The same in every sandbox: names for mentions."""
        for person in self.people:
            text = text.replace(person.mention, f"@{person.name}")
        return text.replace(f"<#{self.card.id}>", "#thread")

    def _pinged(self, pings: frozenset[int]) -> str:
        return "".join(f" [pings {person.name}]" for person in self.people if person.id in pings)

    # The match

    @property
    def moves(self) -> list[tuple[str, int | None, str]]:
        """(kind, seat, body) of what was kept after the deal, at the last look."""
        return [(each.kind, each.seat, each.body) for each in self.log if each.kind not in ("join", "start")]

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return self.sitting.phase == "over"

    def next(self) -> tuple[int, int]:
        """Who acts, and how: it follows from the position alone, so every match that is followed is the same one."""
        return some_move(self.sitting, Random(len(self.moves) + self.refused))

    async def deal(self) -> None:
        """A table of these people, dealt and told."""
        await open_table(self.room, f"{self.game.slug} start", *self.people, **self.options)
        await self.begin()

    async def begin(self) -> None:
        """The host starts the match."""
        await self.people[0].click(self.card, "Start")
        await self.box.until(self.bot.all_told)
        ((kept,),) = self.bot.read("SELECT options FROM matches WHERE id = ?", self.number)
        self.options = json.loads(kept)  # a cog may have defaults of its own
        self.sitting = self._empty()
        self.look()

    async def prepare(self) -> Act:
        """All of the next move but its last step, which is given back: a command, or a line typed into a form."""
        if len(self.moves) % 4:
            return self.typed()
        seat, action = self.next()
        person, text = self.people[seat], self.game.text(action)
        modal = (await person.click(await hand_of(person, self.thread), "Type a move")).modal
        assert modal is not None
        return lambda: person.submit(modal, {"Your move": text})

    def typed(self) -> Act:
        """The next move as a command."""
        seat, action = self.next()
        person, text = self.people[seat], self.game.text(action)
        return lambda: person.slash(self.thread, "move", action=text)

    async def play(self) -> None:
        """Make the next move, or see what happened by itself instead. Where time counts a move may come too late."""
        while not self.over and not self.sitting.awaited():
            await self.let_time_pass()
        if self.over:
            return
        known, answer = len(self.log), await (await self.prepare())()
        self.settle(answer)
        if "✅" not in answer.text and len(self.log) == known:
            assert self.game.real_time, answer
            self.refused += 1

    async def let_time_pass(self) -> None:
        """Until what is due by itself has happened. The bot learns from whatever people do what time it is."""
        due = self.sitting.due()
        assert due is not None
        self.box.clock.advance(max(0.0, due / 1000 - self.box.clock.now()))
        await self.people[0].slash(self.thread, "tables")
        await self.box.until(self.look)

    def settle(self, answer: Answer) -> None:
        """After an attempt at the next move it is kept, or not yet; surely if it was acknowledged."""
        seat, action = self.next()
        move = ("move", seat, self.game.text(action))
        made = [
            new for new in ((each.kind, each.seat, each.body) for each in self.look()) if new[0] == "move"
        ]
        assert made in ([], [move])
        assert made or "✅" not in answer.text, "an acknowledged move is lost"

    def look(self) -> list[Entry]:
        """Read on in the log. What is new in it."""
        new = self.bot.log(self.number, len(self.log))
        for entry in new:
            self.sitting.apply(entry)
        self.log += new
        return new

    async def sound(self) -> None:
        """Wait until everything is shown: it is what the log calls for, without gap or repeat; and all that was ever
        seen in the log is still there."""
        await self.box.until(self.bot.all_told)
        self.look()
        assert self.bot.log(self.number) == self.log
        assert self.stands() == self.called_for()


@asynccontextmanager
async def card_room(file: Path) -> AsyncIterator[tuple[Process, TextChannel]]:
    """A bot that is a process, and the channel where it can be played with."""
    async with Sandbox(rate_limits=False) as box:
        room = box.guild("Palm Beach").channel("card-room")
        async with process(box, file) as bot:
            yield bot, room
