"""Measure private hands in whole matches of people: taps, seconds behind the table, agreement with it, and requests.

Bot, sandbox and people share this process, so that a hand can be compared with a freshly drawn one.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any

from bench.hand_watch import KINDS, Disagreement, HandWatch
from bench.phone_player import PhonePlayer
from bench.process import DATA
from bench.report import Machine, say
from bot.client import Palmhouse
from bot.start import enter_sandbox, play
from bot.store import open_store
from games import GAMES
from sandbox import Message, Person, Sandbox, TextChannel

SEED = "figures"
PEOPLE = ("Alice", "Ben", "Cleo", "Dana")
"""The last one has the hand in direct messages."""
EACH = 0.2
"""Seconds between two comparisons that count."""
TAKES = 0.1
"""Seconds that each request takes, as on the way to Discord, so that changes come while answers are under way."""
AT_THE_END = 3.0
"""Seconds for which hands are compared after the last move."""
MOST = 120
"""Moves after which a match is broken off, unless another number is asked for."""
WORST = 8
"""Number of disagreements that are printed."""


@dataclass(frozen=True)
class Figures:
    """Figures of one match of four people. Shares are of all moments and hands, in percent."""

    moves: int
    taps_per_move: float
    """With `My hand`, but for the first one."""
    my_hand_per_move: float
    refused: int
    """Taps on buttons of an earlier decision."""
    changed: int
    """Times that a form changed between two taps on it."""
    p50_s: float | None
    """Seconds from the change of a table to the hand that shows it. Answers to own clicks do not count."""
    p95_s: float | None
    most_s: float | None
    agrees: float
    agrees_or_recent: float
    """The same, and moments when the table had changed within the last 1.5 seconds."""
    late_picture: float
    """Moments after that in which only a picture was of before."""
    in_words: float
    """Moments in which a hand had words in the place of its picture."""
    misleads: float
    """Moments in which a hand had buttons of an earlier decision."""
    calls_per_move: float
    limited_calls_per_move: float
    """Calls that count for Discord's limit of 50 a second: all but answers and their edits."""
    uploaded_kb_per_move: float
    disagreements: int
    """Times that a hand was behind for longer than 1.5 seconds."""


@dataclass(frozen=True)
class Hands:
    """`python -m bench hands --json`."""

    machine: Machine
    pause: float
    games: dict[str, Figures]


async def measure(
    slugs: Sequence[str] = tuple(GAMES),
    pause: float = 1.0,
    most: int = MOST,
    options: Mapping[str, Mapping[str, Any]] = {},
    data: Path = DATA,
) -> Hands:
    """Play a match of each game. People think for `pause` seconds before each move. `options` are those of the `start`
    commands, by slug."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        found = {
            slug: await _match(slug, Path(name) / f"{slug}.sqlite3", pause, most, options.get(slug, {}))
            for slug in slugs
        }
    return Hands(machine, pause, found)


async def _match(slug: str, file: Path, pause: float, most: int, options: Mapping[str, Any]) -> Figures:
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Sandbox())
        bot = await stack.enter_async_context(playing(box, file))
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in PEOPLE]
        await bot.store.set_preference(people[-1].id, "hand", "dm")
        say(f"A match of {GAMES[slug].title}.")
        card = await opened(slug, room, people, options)
        for method in ("POST", "PATCH", "DELETE"):
            box.fail(method, "", None, times=sys.maxsize, delay=TAKES)
        table, calls = await bot.tables.get(1), len(box.requests)
        await box.until(lambda: card.thread)
        assert card.thread is not None
        players = [PhonePlayer(bot, table, card.thread, person, pause) for person in people]
        watches = [HandWatch(bot, table, player) for player in players]
        await _watched(box, bot, watches, most)
        found = [each for watch in watches for each in watch.disagreements]
        _tell(found, [each for player in players for each in player.surprises])
        return _figures(box, players, watches, calls, len(found))


@asynccontextmanager
async def playing(box: Sandbox, file: Path) -> AsyncIterator[Palmhouse]:
    """Run the usual bot, dealt from one seed, until the end of the block."""
    async with AsyncExitStack() as stack:
        token = await enter_sandbox(stack, box.url)
        store = await open_store(file)
        bot = await stack.enter_async_context(Palmhouse(store, seed=lambda: SEED))
        run = asyncio.create_task(play(bot, token))
        await box.ready(60)
        yield bot
        await bot.close()
        await run


async def opened(
    slug: str, room: TextChannel, people: Sequence[Person], options: Mapping[str, Any]
) -> Message:
    """Open a table, let everybody join, and begin. Return the card."""
    card = (await people[0].slash(room, f"{slug} start", **options)).message
    assert card is not None
    for person in people[1:]:
        await person.click(card, "Join")
    await people[0].click(card, "Start")
    return card


async def _watched(box: Sandbox, bot: Palmhouse, watches: Sequence[HandWatch], most: int) -> None:
    """Let the match be played, and compare all the while."""
    changes = [box.clock.now()]
    bot.tables.on_change.append(lambda _: changes.append(box.clock.now()))
    tasks = [asyncio.create_task(watch.player.play()) for watch in watches]
    comparing = asyncio.create_task(_compare(box, watches, changes))
    try:
        while not all(task.done() for task in tasks):
            await asyncio.sleep(EACH)
            for watch in watches:
                watch.sample(box.clock.now())
            if comparing.done() or sum(len(watch.player.moved) for watch in watches) >= most:
                break
        for task in tasks:
            if task.done() or comparing.done():
                (comparing if comparing.done() else task).result()
        await cancelled(tasks)
        for _ in range(round(AT_THE_END / EACH)):
            await asyncio.sleep(EACH)
            for watch in watches:
                watch.sample(box.clock.now())
    finally:
        await cancelled([*tasks, comparing])


async def cancelled(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Cancel the tasks, and wait for their end."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _compare(box: Sandbox, watches: Sequence[HandWatch], changes: Sequence[float]) -> None:
    """Compare whenever anything has changed, and twenty times a second."""
    while True:
        for watch in watches:
            await watch.look(changes[-1], box.clock.now())
        await box.clock.change(0.05)


def _tell(found: Sequence[Disagreement], surprises: Sequence[str]) -> None:
    for sentence in surprises:
        say(f"  {sentence}")
    for each in sorted(found, key=lambda each: -each.seconds)[:WORST]:
        stale = ", with stale buttons" if each.offers else ""
        say(f"  {each.player} at entry {each.n}: {each.seconds} s behind{stale}.")
        say(f"    shown:    {each.shown!r:.300}\n    expected: {each.expected!r:.300}")


def _figures(
    box: Sandbox, players: Sequence[PhonePlayer], watches: Sequence[HandWatch], calls: int, disagreements: int
) -> Figures:
    moves = sum(len(player.moved) for player in players)
    asked = [each for each in box.requests[calls:] if each.path != "/gateway/bot"]
    limited = [each for each in asked if not each.template.startswith(("/interactions", "/webhooks"))]
    waits = [wait for watch in watches for wait in watch.waits]
    parts = quantiles(waits, n=20) if len(waits) > 1 else None
    moments = {kind: sum(watch.moments[kind] for watch in watches) for kind in watches[0].moments}
    every = sum(moments[kind] for kind in KINDS[:4])

    def share(*kinds: str) -> float:
        return round(100 * sum(moments[kind] for kind in kinds) / every, 1)

    return Figures(
        moves=moves,
        taps_per_move=round(sum(player.taps for player in players) / moves, 2),
        my_hand_per_move=round(sum(player.reopened for player in players) / moves, 2),
        refused=sum(player.refused for player in players),
        changed=sum(len(player.surprises) for player in players),
        p50_s=round(parts[9], 2) if parts else None,
        p95_s=round(parts[18], 2) if parts else None,
        most_s=round(max(waits), 2) if waits else None,
        agrees=share("agrees"),
        agrees_or_recent=share("agrees", "recent"),
        late_picture=share("late picture"),
        in_words=share("in words"),
        misleads=share("misleads"),
        calls_per_move=round(len(asked) / moves, 2),
        limited_calls_per_move=round(len(limited) / moves, 2),
        uploaded_kb_per_move=round(sum(map(len, box.world.files.values())) / 1000 / moves, 2),
        disagreements=disagreements,
    )
