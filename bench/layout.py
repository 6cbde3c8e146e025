"""Measure how often the layout jumps around a move: a match in Chromium, on a page of the size of a phone.

Jumps are changes of the height of the hand within 2.5 seconds after own moves; the one by which the form of the move
goes is among them. Shifts are layout shifts of the whole page, as Chromium reports them; new messages count too.
Games without a private form are left out.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Final

from playwright.async_api import Browser, expect

from bench.phone_player import Pace
from bench.phones import PEOPLE, played, room
from bench.process import Lab
from bench.report import Figures
from games import GAMES
from sandbox import Sandbox
from tests.browser.chromium import chromium
from tests.browser.screen import PHONE, screen

AFTER: Final = 2.5
"""Seconds after a move during which jumps count for it."""
LONGEST: Final = 300.0
"""Seconds after which a match is broken off."""
TOGETHER: Final = 0.1
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
class Sizes:
    """Amounts to measure."""

    games: tuple[str, ...] = tuple(GAMES)
    pause: float = 3.0
    """Seconds that people think before each move, so that the page comes to rest."""
    moves: int = 10
    """Moves of the first person after which a match is broken off."""


TINY: Final = Sizes(("thirty-one",), pause=0.1, moves=1)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play the beginning of a match of each game."""
    slugs = [slug for slug in sizes.games if not GAMES[slug].real_time]
    async with chromium() as browser:
        return {"games": {slug: await _match(browser, lab.folder, slug, sizes) for slug in slugs}}


async def _match(browser: Browser, folder: Path, slug: str, sizes: Sizes) -> Figures:
    async with (
        Sandbox() as box,
        room(box, folder / f"{slug}.sqlite3") as here,
        screen(browser, box.url, PHONE) as phone,
    ):
        await phone.person(PEOPLE[0]).click()
        client = phone.client(PEOPLE[0])
        await expect(client.root).to_be_visible()
        match = await here.begin(slug, Pace(sizes.pause))
        await client.enter(f"{GAMES[slug].title} · table 1")
        moved = match.players[0].moved
        playing = asyncio.create_task(played(match.players, lambda: len(moved) >= sizes.moves))
        await expect(client.hand).to_be_visible(timeout=60_000)
        await phone.page.evaluate(OBSERVE)
        with suppress(TimeoutError):
            await asyncio.wait_for(playing, LONGEST)
        await asyncio.sleep(AFTER)
        jumps, shifts = await phone.page.evaluate("[jumps, shifts]")
    after = [_count(jumps, at) for at in moved]
    return {
        "moves": len(moved),
        "jumps_per_move": mean(after),
        "most_jumps": max(after),
        "shifts_per_move": mean(_count(shifts, at) for at in moved),
    }


def _count(times: Iterable[float], moved: float) -> int:
    """Count the changes after a move. Some in quick succession are one; the answer may come before the move counts."""
    near = sorted(at for at in times if moved - TOGETHER < at < moved + AFTER)
    return sum(at - before > TOGETHER for before, at in zip([0.0, *near], near, strict=False))
