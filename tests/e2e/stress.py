"""A random match with kills and faults, generated from a seed: acknowledged entries are kept, and each is posted
once.

Kills come at any time: during an action, between answer and post, during a start, after the end. Faults affect every
route that the bot has used: requests fail, lose their connection, are delayed, or are carried out although their
response is lost. A seed repeats the actions but not their exact timing.
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
from tests.e2e.followed_match import Act, FollowedMatch
from tests.e2e.processes import SEED, BotProcess, Condition

STATUSES = (500, 502, 503, 429, 0, None)
"""Possible faults: an HTTP status, 0 for a cut connection, None for a delay only."""
LONGEST_DELAY = 2.0
"""Greatest delay of a request, in seconds of Discord's clock."""
LONGEST_OUTAGE = 3 * 3600
"""Longest time without the bot, in seconds of Discord's clock."""
START_SECONDS = 1.2
"""Seconds after a start within which the bot may be killed again."""
START_ROUTES = re.compile(r"/users/@me$|/gateway|/(oauth2/)?applications/")
"""Routes used by every start. No fault affects them, because the bot could not start at all."""


class StressRun:
    """A match with a number of random faults."""

    def __init__(self, match: FollowedMatch, rng: Random) -> None:
        self.match = match
        self.bot = match.bot
        self.box = match.box
        self.rng = rng
        self.faults: list[str] = []
        """Names of the faults so far."""

    async def play_with_faults(self, number: int) -> None:
        """Play, with a fault after every few moves, until there were that many or the match is over."""
        while len(self.faults) < number:
            for _ in range(self.rng.randrange(3)):
                await self.play()
            if self.match.over:
                return
            fault_type = self.rng.choice(FAULT_TYPES)
            self.faults.append(fault_type.__name__)
            await fault_type(self)

    async def check_after_faults(self) -> None:
        """End the faults, then check the messages, the results and the bot's log."""
        self.box.faults.clear()
        await self.match.play()
        await self.match.check()
        self._check_results()
        self._check_log()

    async def finish(self) -> None:
        """Play to the end, with one more kill after it."""
        while not self.match.over:
            await self.match.play()
        await self.bot.kill()
        await self.bot.start()
        await self.match.check()
        await self.box.until(lambda: "🏁" in self.match.card.text)
        self._check_results()

    async def play(self) -> None:
        """Try to make the next move."""
        act = await self._prepare()
        if act is not None:
            self.match.check_attempt(await act())

    async def kill(self, condition: Condition) -> None:
        """Kill the bot when the condition holds, while the next move is being made."""
        act = await self._prepare()
        if act is None:
            await self.bot.kill()
        else:
            self.match.check_attempt(await self.bot.kill_during(act, condition))

    async def _prepare(self) -> Act | None:
        """Prepare the next move and return its last step; a plain command if a fault prevents opening a form. Return
        None when the match is over."""
        while not self.match.over and not self.match.state.awaited():
            await self.match.let_time_pass()
        if self.match.over:
            return None
        try:
            return await self.match.prepare()
        except (AssertionError, StopIteration, RuntimeError, Impossible):
            return self.match.typed()

    def _check_results(self) -> None:
        """Check that the stored results agree with the log."""
        state = self.match.state
        outcome = state.game.outcome(state.game_state) if self.match.over else None
        placings = outcome.placings if outcome and len(self.match.people) > 1 else ()
        wanted = {person.id: placing for person, placing in zip(self.match.people, placings, strict=False)}
        kept = self.bot.read("SELECT user, placing FROM results WHERE match = ?", self.match.number)
        assert dict(kept) == wanted

    def _check_log(self) -> None:
        """Check that the bot's log has no error of its own, no secret and no player's name."""
        said = self.bot.log_file.read_text()
        for word in ("Traceback", " ERROR ", TOKEN, f" {SEED} ", *(p.name for p in self.match.people)):
            assert word not in said, said


FaultType = Callable[[StressRun], Awaitable[None]]


async def kill_during_an_action(run: StressRun) -> None:
    """Kill the bot at a random time after the click."""
    await run.kill(_after(run.rng.choice((0.0, 0.005, 0.02, 0.05, 0.2))))
    await restart(run)


def _after(seconds: float) -> Condition:
    """Return a condition: that many seconds have passed since its first call."""
    loop = asyncio.get_running_loop()
    began = cache(loop.time)
    return lambda: loop.time() - began() >= seconds


async def kill_during_a_post(run: StressRun) -> None:
    """Kill the bot after the answer, when the first request for the table's messages was carried out."""
    asked, late = (
        run.bot.request_made(run.rng.choice(("POST", "PATCH", "DELETE")), r"/messages"),
        _after(1.0),
    )
    await run.kill(lambda: asked() or late())
    await restart(run)


async def kill_during_a_start(run: StressRun) -> None:
    """Kill the bot once or twice while it starts."""
    await run.bot.kill()
    for _ in range(run.rng.randrange(1, 3)):
        await run.bot.start_and_kill(run.rng.uniform(0, START_SECONDS))
    await restart(run)


async def restart(run: StressRun) -> None:
    """Start the bot again some time later; Discord may have forgotten its nonces."""
    if run.rng.randrange(2):
        run.bot.forget_nonces()
    run.box.clock.advance(run.rng.choice((0, 0, 5, 60, LONGEST_OUTAGE)))
    await run.bot.start()
    run.match.read_log()


async def fail_a_route(run: StressRun) -> None:
    """Make one of the routes used so far fail once or a few times."""
    used = {(each.method, each.template) for each in run.box.requests if not START_ROUTES.match(each.path)}
    method, template = run.rng.choice(sorted(used))
    status = run.rng.choice(STATUSES)
    run.box.fail(
        method,
        "^" + re.sub(r"\{\w+\}", "[^/]+", template) + "$",
        status,
        times=run.rng.randrange(1, 4),
        after=bool(run.rng.randrange(2)),
        delay=run.rng.uniform(0, LONGEST_DELAY) if status is None else 0.0,
    )
    await run.play()


async def many_faults(run: StressRun) -> None:
    """Make many requests fail for some moves."""
    for method in ("POST", "PATCH", "DELETE", "GET"):
        for status in run.rng.sample(STATUSES, 3):
            run.box.fail(method, "/messages|/callback|/threads", status, times=2, delay=0.05)
    await run.play()
    await run.play()


async def lose_the_gateway(run: StressRun) -> None:
    """Lose the connection to the gateway in one of five ways."""
    gateway = run.box.gateway
    way = run.rng.randrange(5)
    await (
        gateway.ask_to_reconnect()
        if way == 4
        else (gateway.drop if way < 2 else gateway.invalidate)(resumable=bool(way % 2))
    )
    await run.box.until(lambda: run.bot.connected, timeout=30)


FAULT_TYPES: tuple[FaultType, ...] = (
    kill_during_an_action,
    kill_during_a_post,
    kill_during_a_start,
    fail_a_route,
    fail_a_route,
    many_faults,
    lose_the_gateway,
)


@asynccontextmanager
async def stress_run(game: AnyGame, seed: int, file: Path, **options: Any) -> AsyncIterator[StressRun]:
    """Run a match of that game, dealt without faults; the seed decides the number of people."""
    rng = Random(f"{game.slug} {seed}")
    async with Sandbox(rate_limits=bool(rng.randrange(2))) as box:
        guild = box.guild("Palm Beach")
        room, bot = guild.channel("card-room"), BotProcess(box, file)
        seats = rng.choice(game.seats(game.Options.model_validate(options))[:4])
        people = [box.person(f"Player {n}", guild) for n in range(1, seats + 1)]
        try:
            await bot.start()
            match = FollowedMatch(bot, room, people, game, **options)
            await match.deal()
            yield StressRun(match, rng)
        finally:
            await bot.kill()
            sys.stderr.write(bot.log_file.read_text())  # shown when the test fails
        assert box.complaints == []
