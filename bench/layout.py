"""Measure how often the layout jumps around a move: a match in Chromium, on a page of the size of a phone."""

import asyncio
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, expect

from bench.hands import PEOPLE, cancelled, opened, playing
from bench.phone_player import PhonePlayer
from bench.process import DATA
from bench.report import Machine, say
from games import GAMES
from sandbox import Sandbox
from tests.browser.chromium import chromium
from tests.browser.screen import PHONE, screen

MOVES = 10
PAUSE = 3.0
"""Seconds that people think before each move, so that the page comes to rest."""
AFTER = 2.5
"""Seconds after a move during which jumps count for it."""
LONGEST = 300.0
"""Seconds after which a match is broken off."""
TOGETHER = 0.1
"""Seconds within which changes are seen as one."""

OBSERVE = """() => {
  window.jumps = [];
  window.shifts = [];
  const now = () => (performance.timeOrigin + performance.now()) / 1000;
  let before = null;
  const look = () => {
    const hand = [...document.querySelectorAll(".message.ephemeral")].at(-1);
    const height = hand ? hand.getBoundingClientRect().height : null;
    if (before !== null && height !== null && Math.abs(height - before) > 4) jumps.push(now());
    before = height;
    requestAnimationFrame(look);
  };
  look();
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) shifts.push((performance.timeOrigin + each.startTime) / 1000);
  }).observe({ type: "layout-shift" });
}"""
"""Notes each change of the height of the newest private message, by more than four pixels, and each layout shift."""


@dataclass(frozen=True)
class Figures:
    """Jumps within 2.5 seconds after own moves. The one by which the form of the move goes is among them."""

    moves: int
    jumps_per_move: float
    """Changes of the height of the hand."""
    most_jumps: int
    shifts_per_move: float
    """Layout shifts of the whole page, as Chromium reports them; new messages count too."""


@dataclass(frozen=True)
class Layout:
    """`python -m bench layout --json`."""

    machine: Machine
    games: dict[str, Figures]


async def measure(slugs: Sequence[str] = tuple(GAMES), moves: int = MOVES, data: Path = DATA) -> Layout:
    """Play the beginning of a match of each game, until the first person has made so many `moves`. Games without a
    private form are left out."""
    machine = Machine()
    data.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        async with chromium() as browser:
            found = {
                slug: await _match(browser, slug, Path(name) / f"{slug}.sqlite3", moves)
                for slug in slugs
                if not GAMES[slug].real_time
            }
    return Layout(machine, found)


async def _match(browser: Browser, slug: str, file: Path, moves: int) -> Figures:
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Sandbox())
        bot = await stack.enter_async_context(playing(box, file))
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in PEOPLE]
        say(f"The beginning of a match of {GAMES[slug].title}.")
        phone = await stack.enter_async_context(screen(browser, box.url, PHONE))
        card = await opened(slug, room, people, {})
        await box.until(lambda: card.thread)
        assert card.thread is not None
        await phone.person(people[0].name).click()
        client = phone.client(people[0].name)
        await client.enter(f"{GAMES[slug].title} · table 1")
        table = await bot.tables.get(1)
        players = [PhonePlayer(bot, table, card.thread, person, PAUSE) for person in people]
        tasks = [asyncio.create_task(player.play()) for player in players]
        await expect(client.hand).to_be_visible()
        await phone.page.evaluate(OBSERVE)
        with suppress(TimeoutError):
            await box.until(
                lambda: len(players[0].moved) >= moves or any(task.done() for task in tasks), LONGEST
            )
        await cancelled(tasks)
        await asyncio.sleep(AFTER)
        jumps, shifts = await phone.page.evaluate("[jumps, shifts]")
        return _figures(players[0].moved, jumps, shifts)


def _figures(moved: Sequence[float], jumps: Iterable[float], shifts: Iterable[float]) -> Figures:
    after = [_count(jumps, at) for at in moved]
    seen = [_count(shifts, at) for at in moved]
    return Figures(
        moves=len(moved),
        jumps_per_move=round(sum(after) / len(moved), 2),
        most_jumps=max(after),
        shifts_per_move=round(sum(seen) / len(moved), 2),
    )


def _count(times: Iterable[float], moved: float) -> int:
    """Count the changes after a move. Some in quick succession are one; the answer may come before the move counts."""
    near = sorted(at for at in times if moved - TOGETHER < at < moved + AFTER)
    return sum(at - before > TOGETHER for before, at in zip([0.0, *near], near, strict=False))
