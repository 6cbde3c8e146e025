"""A match that the test follows: it folds the log like the bot, so it knows the state and the expected messages."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bot.match.log import read
from bot.match.state import TableState
from bot.match.times import Times
from bot.store import LogRow
from games import GAMES, AnyGame
from games.types import Action, Seat
from sandbox import Answer, Channel, Message, Person, TextChannel
from sandbox.faults import Fault
from sandbox.permissions import Permission
from tests.e2e.card_room import new_sandbox
from tests.e2e.messages import TableMessages, expected_messages, posted_messages
from tests.e2e.players import hand_of, labels, latest, modal_of, open_table, some_move
from tests.e2e.processes import SEED, BotProcess, bot_process

Act: TypeAlias = Callable[[], Coroutine[Any, Any, Answer]]


class FollowedMatch:
    """Table `number` with these people, played by a bot in a process of its own. `log` has the entries stored at the
    last `read_log`; stored entries must never disappear."""

    def __init__(
        self,
        bot: BotProcess,
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
        self.log: list[LogRow] = []
        self.refused = 0
        self.state = self._empty()

    def _empty(self) -> TableState:
        return TableState(self.game, self.game.Options.model_validate(self.options), SEED)

    # What everybody sees

    @property
    def card(self) -> Message:
        return next(m for m in self.people[0].sees(self.room) if f"rules:{self.number}" in m.custom_ids)

    @property
    def thread(self) -> Channel:
        assert self.card.thread is not None
        return self.card.thread

    @property
    def board(self) -> Message:
        """The live table."""
        return latest(self.people[0], self.thread, "Rules")

    def messages(self) -> list[str]:
        """Return the texts of the bot's messages in the thread, in order, with names for mentions, and the people
        each one pings."""
        ours = [
            each
            for each in self.thread.messages()
            if each.author is self.box.world.bot and not each.ephemeral
        ]
        return [self.readable(each.text) + self._pinged(each.pings) for each in ours]

    def posted(self) -> TableMessages:
        """Return the messages that the bot has posted, by kind."""
        return posted_messages(self.box.world, self.number, self.thread)

    def expected(self) -> TableMessages:
        """Return the messages expected from the log read so far."""
        return expected_messages(self._empty(), self.log, Times())

    def readable(self, text: str) -> str:
        """Return the text with names for mentions, so that it is the same in every sandbox."""
        for person in self.people:
            text = text.replace(person.mention, f"@{person.name}")
        return text.replace(f"<#{self.card.id}>", "#thread")

    def _pinged(self, pings: frozenset[int]) -> str:
        return "".join(f" [pings {person.name}]" for person in self.people if person.id in pings)

    # The match

    @property
    def moves(self) -> list[tuple[str, int | None, str]]:
        """The (kind, seat, body) of every entry after the deal, at the last `read_log`."""
        return [(each.kind, each.seat, each.body) for each in self.log if each.kind not in ("sit", "start")]

    @property
    def over(self) -> bool:
        """True when the match was played to its end."""
        return self.state.phase == "over"

    def next(self) -> tuple[Seat, Action]:
        """Return the next seat and action. They depend only on the position, so all followed matches are the same."""
        return some_move(self.state, Random(len(self.moves) + self.refused))

    async def deal(self) -> None:
        """Open a table for these people, start it, and wait until the bot has posted it."""
        await open_table(self.room, f"{self.game.slug} start", *self.people, **self.options)
        await self.begin()

    async def begin(self) -> None:
        await self.people[0].click(self.card, "Start")
        await self.box.until(
            self.bot.all_posted, timeout=60
        )  # its rasterizer may have hundreds of pictures to draw
        ((kept,),) = self.bot.read("SELECT options FROM matches WHERE id = ?", self.number)
        self.options = json.loads(kept)  # a cog may have defaults of its own
        self.state = self._empty()
        self.read_log()

    async def prepare(self) -> Act:
        """Prepare the next move and return its last step: a command, or the submission of a form."""
        if len(self.moves) % 4:
            return self.typed()
        seat, action = self.next()
        person, text = self.people[seat], self.game.text(action)
        # Between two rounds the last one has become a record, and the next one is not posted yet.
        await self.box.until(lambda: any("My hand" in labels(each) for each in person.sees(self.thread)))
        modal = modal_of(await person.click(await hand_of(person, self.thread), "Type a move"))
        return lambda: person.submit(modal, {"Your move": text})

    def typed(self) -> Act:
        seat, action = self.next()
        person, text = self.people[seat], self.game.text(action)
        return lambda: person.slash(self.thread, "move", action=text)

    async def play(self) -> None:
        """Make the next move, or let time pass if the match waits for it. In a real-time game a move may come too
        late."""
        while not self.over and not self.state.awaited():
            await self.let_time_pass()
        if self.over:
            return
        known, answer = len(self.log), await (await self.prepare())()
        await self.box.until(lambda: not answer.is_loading, timeout=60)  # a busy bot defers it
        self.check_attempt(answer)
        if "✅" not in answer.told and len(self.log) == known:
            assert self.game.real_time, answer
            self.refused += 1

    async def finish(self) -> None:
        """Play to the end, and wait until all of it is posted."""
        while not self.over:
            await self.play()
        await self.box.until(self.bot.all_posted)

    async def let_time_pass(self) -> None:
        """Advance the clock until the next due event has happened. A command tells the bot the time."""
        due = self.state.due()
        assert due is not None
        self.box.clock.advance(max(0.0, due / 1000 - self.box.clock.now()))
        await self.people[0].slash(self.thread, "tables")
        await self.box.until(self.read_log)

    def check_attempt(self, answer: Answer) -> None:
        """Check after an attempted move that the log has either this move or nothing new; the move if it was
        acknowledged."""
        seat, action = self.next()
        move = ("move", seat, self.game.text(action))
        made = [
            new for new in ((each.kind, each.seat, each.body) for each in self.read_log()) if new[0] == "move"
        ]
        assert made in ([], [move])
        assert made or "✅" not in answer.told, "an acknowledged move is lost"

    def read_log(self) -> list[LogRow]:
        """Read new entries of the log and return them."""
        new = self.bot.log(self.number, len(self.log))
        for entry in new:
            self.state.apply(read(entry))
        self.log += new
        return new

    async def check(self) -> None:
        """Wait until the bot has posted everything, then check the messages against the log, and that no entry has
        disappeared."""
        # Its rasterizer may have hundreds of pictures to draw.
        await self.box.until(self.bot.all_posted, timeout=60)
        self.read_log()
        assert self.bot.log(self.number) == self.log
        assert self.posted() == self.expected()


@asynccontextmanager
async def bot_and_channel(folder: Path) -> AsyncIterator[tuple[BotProcess, TextChannel]]:
    """Run a bot in a process of its own, with a channel to play in."""
    async with new_sandbox(rate_limits=False) as box:
        room = box.guild("Palm Beach").channel("card-room")
        async with bot_process(box, folder) as bot:
            yield bot, room


def next_comes_late(bot: BotProcess, room: TextChannel) -> Fault:
    """Let the next message in a channel take 20 s, and come even after a kill."""
    bot.box.faults.add(
        slow := Fault("POST", rf"^/channels/{room.id}/messages$", None, delay=20, arrives=True)
    )
    return slow


async def next_edit_comes_late(bot: BotProcess, message: Message) -> Fault:
    """Wait for half a minute. Then let the next edit of a message take 30 s, and come even after a kill."""
    await asyncio.sleep(30)
    slow = Fault("PATCH", rf"^/channels/\d+/messages/{message.id}$", None, delay=30, arrives=True)
    bot.box.faults.add(slow)
    return slow


async def delete_to_come_late(bot: BotProcess, room: TextChannel, manager: Person, message: Message) -> None:
    """Let somebody delete a message that has stood for minutes, and the bot post it again, which takes 20 s."""
    room.guild.grant(manager.user, Permission.MANAGE_MESSAGES)
    await asyncio.sleep(300)
    room.nonces.clear()
    slow = next_comes_late(bot, room)
    manager.delete(message)
    await bot.box.until(lambda: not slow.times, timeout=60)


@asynccontextmanager
async def managed_channel(folder: Path) -> AsyncIterator[tuple[BotProcess, TextChannel, Person]]:
    """Run a bot in a process of its own. Yields a channel, and somebody who may set up what stands there."""
    async with bot_and_channel(folder) as (bot, room):
        manager = bot.box.person("Manager", room.guild)
        room.guild.grant(manager.user, Permission.MANAGE_GUILD)
        yield bot, room, manager


@asynccontextmanager
async def post_that_comes_late(folder: Path) -> AsyncIterator[tuple[BotProcess, TextChannel, Person, Fault]]:
    """Run a bot like `managed_channel`, whose next message in that channel takes 20 s, and comes even after a kill.
    Yields the fault, too."""
    async with managed_channel(folder) as (bot, room, manager):
        yield bot, room, manager, next_comes_late(bot, room)
