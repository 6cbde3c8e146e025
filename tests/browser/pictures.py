"""`make pictures`: play the beginning of a match on the page, and write README's pictures into docs/: a table of
each game, a hand, and the animation."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.async_api import Browser, expect

from bot.cli.start import unpack_emojis
from bot.client import Palmhouse
from bot.pictures.worker_client import WorkerClient
from bot.store.seeds import new_seed
from sandbox import Sandbox
from sandbox.__main__ import furnish
from tests.browser.animation import animate
from tests.browser.chromium import chromium
from tests.browser.match import THREAD, bid, deal, open_table, pick, play, turns
from tests.browser.portraits import portraits
from tests.browser.screen import PHONE, Client, Screen, screen
from tests.e2e.card_room import connected_bot

DOCS = Path(__file__).parents[2] / "docs"
DESK = {"viewport": {"width": 1200, "height": 800}}
LOBBY = {"viewport": {"width": 1200, "height": 880}}
HAND = PHONE | {"viewport": {"width": 390, "height": 860}, "device_scale_factor": 1.5}


async def draw_lobby(browser: Browser, into: Path) -> None:
    """Let three people sit down at a table with a sealed deal, and write the picture lobby."""
    async with _opened(new_seed) as (box, _), screen(browser, box.url, LOBBY) as desk:
        await open_table(desk)
        await desk.page.screenshot(path=into / "lobby.png")


async def draw(browser: Browser, into: Path) -> Counter[str]:
    """Let three people play a round by clicking, always with the same cards, and write the pictures bid, trick and
    scores. Return how many times each of them played."""
    played = Counter[str]()
    async with (
        _opened(lambda: "pictures") as (box, bot),
        screen(browser, box.url, DESK) as desk,
        screen(browser, box.url, HAND, "light") as phone,
    ):
        clients = await _bidding(desk, into)
        async for client in turns(bot, clients):
            played[client.name] += 1
            by_phone = played.total() == len(clients)
            hand = await _carried(phone, client) if by_phone else client
            await pick(hand)
            if by_phone:
                await phone.page.screenshot(path=into / "trick.png")
            await play(hand)
        for client in clients:
            await expect(client.root).to_contain_text("🎯")
            await expect(client.root).to_contain_text("Round 2 of 6")
        sheet = phone.page.get_by_role("article").filter(has_text="takes it").filter(has_text="🎯").first
        await sheet.hover(trial=True)  # scrolls to it, again if it is drawn anew meanwhile
        await phone.page.screenshot(path=into / "scores.png")
    return played


@asynccontextmanager
async def _opened(seed: Callable[[], str]) -> AsyncIterator[tuple[Sandbox, Palmhouse]]:
    """Start what `make run` starts, without the pauses that Discord demands of so fast a match."""
    with TemporaryDirectory() as data:
        async with Sandbox(rate_limits=False) as box:
            furnish(box)
            chance = {"seed": seed, "rasterizer": WorkerClient()}
            async with connected_bot(box, Path(data, "matches.sqlite3"), **chance) as bot:
                await unpack_emojis(bot, lambda: [*bot.game_uis["twin-palms"].drawings.values()])
                for person in box.people:  # nobody is offered a lesson, which would stand below the card
                    await bot.store.offer_lesson(person.id, "twin-palms")
                yield box, bot


async def _bidding(desk: Screen, into: Path) -> list[Client]:
    clients = await open_table(desk)
    await deal(clients)
    alice = clients[0]
    await alice.click("2", alice.hand)
    await expect(alice.button("Bid 2", alice.hand)).to_be_enabled()
    await desk.page.screenshot(path=into / "bid.png")
    for client in clients:
        await bid(client, "2")
    return clients


async def _carried(phone: Screen, client: Client) -> Client:
    """Open a hand as the same person on a phone, where the match continues. The one opened before is deleted."""
    await phone.person(client.name).click()
    there = phone.client(client.name)
    await there.enter(THREAD)
    before = await there.hand.get_attribute("data-id") or ""
    await there.click("My hand", there.table)
    await expect(there.hand).not_to_have_attribute("data-id", before)
    await expect(there.root.locator(".message.ephemeral")).to_have_count(1)
    return there


async def main() -> None:
    """Write all pictures."""
    DOCS.mkdir(exist_ok=True)
    async with chromium() as browser:
        await draw_lobby(browser, DOCS)
        await draw(browser, DOCS)
        await animate(browser, DOCS)
    await portraits(DOCS)


if __name__ == "__main__":
    asyncio.run(main())
