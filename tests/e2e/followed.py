"""A match that the test follows: the engine beside the bot, dealt the same cards, knows what must be in the log."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from games import GAMES
from games.twin_palms.cards import BETS, CARDS, FIRST_PLAY, WILD
from sandbox import Answer, Channel, Message, Person, Sandbox, TextChannel
from tests.e2e.players import hand_of, open_table, shown
from tests.e2e.processes import SEED, Process, process

GAME = GAMES["twin-palms"]
OPTIONS: dict[str, Any] = {"mode": "normal", "rounds": 2}
NAMES = ("Alice", "Ben", "Cleo")

Act: TypeAlias = Callable[[], Coroutine[Any, Any, Answer | None]]
Moment: TypeAlias = Callable[[], bool]
"""Whether it has come."""


class Followed:
    """Three people and table 1, played by a bot that is a process. `moves` is what its log must hold after the deal."""

    def __init__(self, box: Sandbox, room: TextChannel, people: list[Person], bot: Process) -> None:
        self.box = box
        self.room = room
        self.people = people
        self.bot = bot
        self.state, _ = GAME.new(GAME.Options.model_validate(OPTIONS), len(people), SEED)
        self.moves: list[tuple[str, int | None, str]] = []

    # What everybody sees

    @property
    def card(self) -> Message:
        """The table's card."""
        return next(m for m in self.people[0].sees(self.room) if "rules:1" in m.custom_ids)

    @property
    def thread(self) -> Channel:
        """Where the match is played."""
        assert self.card.thread is not None
        return self.card.thread

    @property
    def board(self) -> Message:
        """The live table."""
        return [m for m in self.people[0].sees(self.thread) if "hand:1" in m.custom_ids and not m.ephemeral][
            -1
        ]

    def told(self) -> list[str]:
        """The narration in order, with names for mentions, and whom each message pinged."""
        public = [m for m in self.people[0].sees(self.thread) if not m.ephemeral and m.custom_ids]
        numbered = [m for m in public if re.fullmatch(r"hand:1:\d+", m.custom_ids[0])]
        return [self.readable(m.text) + self._pinged(m) for m in numbered]

    def all_told(self) -> bool:
        """Whether the bot takes everything for told."""
        return bool(self.bot.read("SELECT 1 FROM matches WHERE published = (SELECT max(n) FROM log)"))

    def readable(self, text: str) -> str:
        """The same in every sandbox: names for mentions."""
        for person in self.people:
            text = text.replace(person.mention, f"@{person.name}")
        return text.replace(f"<#{self.card.id}>", "#thread")

    def _pinged(self, message: Message) -> str:
        return "".join(f" [pings {person.name}]" for person in self.people if person.id in message.pings)

    # The match

    def kept(self) -> list[tuple[str, int | None, str]]:
        """What the bot has kept since the deal."""
        return [entry for entry in self.bot.log() if entry[0] not in ("join", "start")]

    @property
    def over(self) -> bool:
        """Whether nobody is awaited any more."""
        return not GAME.awaited(self.state)

    def next(self) -> tuple[int, int]:
        """Who acts, and how: it follows from the position alone, so every match that is followed is the same one."""
        seat = GAME.awaited(self.state)[0]
        return seat, Random(len(self.moves)).choice(GAME.legal(self.state, seat))

    async def deal(self) -> None:
        """A table of these three, dealt and told."""
        await open_table(self.room, "twin-palms start", *self.people, **OPTIONS)
        await self.people[0].click(self.card, "Start")
        await self.box.until(self.all_told)

    async def prepare(self) -> Act:
        """All of the next move but its last step, which is given back: a command, or a tap on a form."""
        seat, action = self.next()
        person = self.people[seat]
        wild = action >= FIRST_PLAY and WILD in (kind % 12 for kind in CARDS[action])
        if wild or len(self.moves) % 2:
            return lambda: person.slash(self.thread, "move", action=GAME.text(action))
        hand = await hand_of(person, self.thread)
        hand = await (self._bid if action < FIRST_PLAY else self._pick)(hand, seat, action)
        confirm = next(b for b in hand.buttons if b["custom_id"].endswith((":bid", ":play")))
        return lambda: person.click(hand, confirm["custom_id"])

    async def _bid(self, hand: Message, seat: int, action: int) -> Message:
        tricks, bet = divmod(action, len(BETS))
        for step in (f":tricks-{tricks}", f":bet-{bet}"):
            button = next(b for b in hand.buttons if b["custom_id"].endswith(step))
            hand = shown(await self.people[seat].click(hand, button["custom_id"]))
        return hand

    async def _pick(self, hand: Message, seat: int, action: int) -> Message:
        held, (low, high) = self.state.hands[seat], CARDS[action]
        first = held.index(low)
        places = [str(first), str(held.index(high, first + 1))]
        return shown(await self.people[seat].select(hand, "Pick two cards", places))

    def settle(self, answer: Answer | None) -> None:
        """After an attempt at the next move the log holds it, or does not yet; surely if it was acknowledged."""
        assert answer is not None
        seat, action = self.next()
        move = ("move", seat, GAME.text(action))
        kept = self.kept()
        assert kept in (self.moves, [*self.moves, move])
        assert kept != self.moves or "✅" not in answer.text, "an acknowledged move is lost"
        if kept != self.moves:
            GAME.apply(self.state, seat, action)
            self.moves.append(move)

    async def play(self) -> None:
        """Make the next move."""
        answer = await (await self.prepare())()
        assert answer is not None
        assert "✅" in answer.text
        self.settle(answer)

    # Kills

    @property
    def connected(self) -> bool:
        """Whether the bot that was started last has come: what was told already says nothing of it."""
        return self.box.gateway.connected

    async def killed(self, act: Act, moment: Moment, turns: int = 0) -> Answer | None:
        """Do something; the bot is killed once the moment has come and then the sandbox's loop has turned so often."""
        doing = asyncio.create_task(act())
        async with asyncio.timeout(20):
            while not moment():
                if doing.done():
                    doing.result()  # raises what went wrong instead of waiting in vain
                await asyncio.sleep(0)
        for _ in range(turns):
            await asyncio.sleep(0)
        await self.bot.kill()
        return await doing

    def asked(self, method: str, path: str) -> Moment:
        """When the bot's request has been carried out once more than now; whether it gets to know is open."""
        before = len(self.box.requests)
        return lambda: any(r.method == method and re.search(path, r.path) for r in self.box.requests[before:])

    def committed(self) -> Moment:
        """When the log is longer than now."""
        before = len(self.bot.log())
        return lambda: len(self.bot.log()) > before

    def noted(self) -> Moment:
        """When the bot takes more for told than now."""
        query = "SELECT published FROM matches"
        before = self.bot.read(query)
        return lambda: self.bot.read(query) > before

    def forget_nonces(self) -> None:
        """As if the outage had taken longer than Discord remembers them."""
        for channel in self.box.world.channels.values():
            channel.nonces.clear()


@asynccontextmanager
async def followed(file: Path) -> AsyncIterator[Followed]:
    """A room with three people and a bot; no table yet."""
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        room = guild.channel("card-room")
        people = [box.person(name, guild) for name in NAMES]
        async with process(box, file) as bot:
            yield Followed(box, room, people, bot)
