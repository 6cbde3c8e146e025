"""A match through kills and faults, drawn from a seed: what was acknowledged is kept, and told once.

Kills come at any moment: while somebody acts, between the answer and the post, in a start, after the end. Faults fall
on every route that the bot has used: requests that fail, are cut or late, or are carried out while the answer is lost.
The moments are the machine's, so that a seed repeats what is done and not when.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from games import AnyGame
from sandbox import TOKEN, Impossible, Sandbox
from tests.e2e.followed import Act, Followed
from tests.e2e.processes import SEED, Moment, Process

STATUSES = (500, 502, 503, 429, 0, None)
"""Of faults. 0 cuts the line, None only delays."""
LONGEST_DELAY = 2.0
"""Seconds of Discord's clock by which a request may be late."""
LONGEST_OUTAGE = 3 * 3600
"""Seconds of Discord's clock that the bot may be away."""
STARTING = 1.2
"""Seconds within which a bot that starts is killed, too."""
STARTS = re.compile(r"/users/@me$|/gateway|/(oauth2/)?applications/")
"""Routes of the start. Without them there is no bot, so a storm leaves them alone."""


class Storm:
    """A match of `game` through as many troubles as are asked for."""

    def __init__(self, match: Followed, rng: Random) -> None:
        self.match = match
        self.bot = match.bot
        self.box = match.box
        self.rng = rng
        self.done: list[str] = []
        """The troubles so far, by name."""

    async def rage(self, troubles: int) -> None:
        """Play on, with a trouble every move or two, until there were so many or the match is over."""
        while len(self.done) < troubles:
            for _ in range(self.rng.randrange(3)):
                await self.play()
            if self.match.over:
                return
            trouble = self.rng.choice(TROUBLES)
            self.done.append(trouble.__name__)
            await trouble(self)

    async def calm(self) -> None:
        """The faults are over: everything is shown and kept, and the log says nothing of itself that is secret."""
        self.box.faults.clear()
        await self.match.play()
        await self.match.sound()
        self._check_results()
        self._check_log()

    async def finish(self) -> None:
        """Play to the end, through one more kill after it."""
        while not self.match.over:
            await self.match.play()
        await self.bot.kill()
        await self.bot.start()
        await self.match.sound()
        await self.box.until(lambda: "🏁" in self.match.card.text)
        self._check_results()

    async def play(self) -> None:
        """Let whoever is awaited move, as far as the weather allows."""
        act = await self._prepare()
        if act is not None:
            self.match.settle(await act())

    async def kill(self, moment: Moment) -> None:
        """Kill the bot at a moment after somebody has acted."""
        act = await self._prepare()
        if act is None:
            await self.bot.kill()
        else:
            self.match.settle(await self.bot.killed(act, moment))

    async def _prepare(self) -> Act | None:
        """The next move but its last step; a command when no form can be opened in this weather. None when the match is
        over."""
        while not self.match.over and not self.match.sitting.awaited():
            await self.match.let_time_pass()
        if self.match.over:
            return None
        try:
            return await self.match.prepare()
        except (AssertionError, StopIteration, RuntimeError, Impossible):
            return self.match.typed()

    def _check_results(self) -> None:
        """The standings are what the log comes to."""
        sitting = self.match.sitting
        outcome = sitting.game.outcome(sitting.state) if self.match.over else None
        placings = outcome.placings if outcome and len(self.match.people) > 1 else ()
        wanted = {person.id: placing for person, placing in zip(self.match.people, placings, strict=False)}
        kept = self.bot.read("SELECT user, placing FROM results WHERE match = ?", self.match.number)
        assert dict(kept) == wanted

    def _check_log(self) -> None:
        """It has no fault of the bot's own, no secret and no name."""
        said = self.bot.said.read_text()
        for word in ("Traceback", " ERROR ", TOKEN, f" {SEED} ", *(p.name for p in self.match.people)):
            assert word not in said, said


Trouble = Callable[[Storm], Awaitable[None]]


async def kill_while_somebody_acts(storm: Storm) -> None:
    """At any moment from the click on."""
    await storm.kill(_after(storm.rng.choice((0.0, 0.005, 0.02, 0.05, 0.2))))
    await return_(storm)


def _after(seconds: float) -> Moment:
    """When so much time has passed since it was first asked."""
    loop = asyncio.get_running_loop()
    began = cache(loop.time)
    return lambda: loop.time() - began() >= seconds


async def kill_while_it_shows(storm: Storm) -> None:
    """After the answer, when the first request for the table has been carried out."""
    asked, late = storm.bot.asked(storm.rng.choice(("POST", "PATCH", "DELETE")), r"/messages"), _after(1.0)
    await storm.kill(lambda: asked() or late())
    await return_(storm)


async def kill_in_a_start(storm: Storm) -> None:
    """Once or twice."""
    await storm.bot.kill()
    for _ in range(storm.rng.randrange(1, 3)):
        await storm.bot.stumble(storm.rng.uniform(0, STARTING))
    await return_(storm)


async def return_(storm: Storm) -> None:
    """The bot is started again, some time later; Discord may know no nonce any more."""
    if storm.rng.randrange(2):
        storm.bot.forget_nonces()
    storm.box.clock.advance(storm.rng.choice((0, 0, 5, 60, LONGEST_OUTAGE)))
    await storm.bot.start()
    storm.match.look()


async def fault(storm: Storm) -> None:
    """A route of all that were used fails once or a few times."""
    used = {(each.method, each.template) for each in storm.box.requests if not STARTS.match(each.path)}
    method, template = storm.rng.choice(sorted(used))
    status = storm.rng.choice(STATUSES)
    storm.box.fail(
        method,
        "^" + re.sub(r"\{\w+\}", "[^/]+", template) + "$",
        status,
        times=storm.rng.randrange(1, 4),
        after=bool(storm.rng.randrange(2)),
        delay=storm.rng.uniform(0, LONGEST_DELAY) if status is None else 0.0,
    )
    await storm.play()


async def gale(storm: Storm) -> None:
    """For some moves nothing that the bot says to Discord arrives for certain."""
    for method in ("POST", "PATCH", "DELETE", "GET"):
        for status in storm.rng.sample(STATUSES, 3):
            storm.box.fail(method, "/messages|/callback|/threads", status, times=2, delay=0.05)
    await storm.play()
    await storm.play()


async def lose_the_gateway(storm: Storm) -> None:
    """In one of the ways in which it is lost."""
    gateway = storm.box.gateway
    way = storm.rng.randrange(5)
    await (
        gateway.ask_to_reconnect()
        if way == 4
        else (gateway.drop if way < 2 else gateway.invalidate)(resumable=bool(way % 2))
    )
    await storm.box.until(lambda: storm.bot.connected, timeout=30)


TROUBLES: tuple[Trouble, ...] = (
    kill_while_somebody_acts,
    kill_while_it_shows,
    kill_in_a_start,
    fault,
    fault,
    gale,
    lose_the_gateway,
)


@asynccontextmanager
async def storm(game: AnyGame, seed: int, file: Path, **options: Any) -> AsyncIterator[Storm]:
    """A match of that game, dealt in calm weather, with as many people as the seed says."""
    rng = Random(f"{game.slug} {seed}")
    async with Sandbox(rate_limits=bool(rng.randrange(2))) as box:
        guild = box.guild("Palm Beach")
        room, bot = guild.channel("card-room"), Process(box, file)
        seats = rng.choice(game.seats(game.Options.model_validate(options))[:4])
        people = [box.person(f"Player {n}", guild) for n in range(1, seats + 1)]
        try:
            await bot.start()
            match = Followed(bot, room, people, game, **options)
            await match.deal()
            yield Storm(match, rng)
        finally:
            await bot.kill()
            sys.stderr.write(bot.said.read_text())  # shown when the test fails
        assert box.complaints == []
