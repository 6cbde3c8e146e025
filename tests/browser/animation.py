"""Draw the animation in README: a trick of Twin Palms, then a set of Twin It!, each as two people see it on the
page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image, ImageDraw
from playwright.async_api import Browser, Locator, expect

from bot.cli.start import unpack_emojis
from bot.pictures.fonts import font
from bot.pictures.worker_client import WorkerClient
from games import GAMES, AnyGame
from tests.browser.match import CARDS
from tests.browser.screen import Screen, screen
from tests.e2e.card_room import CardRoom, card_room
from tests.e2e.players import open_table

TOP = 60
"""Height in pixels of the page's list of people; the caption is drawn over it."""
SIZE = {"width": 800, "height": 880}
PLAYERS = 3

TRICK = ("bid 1", "bid 1", "bid 1", "play P1 P1", "play P9 P*=9")
"""The bids of Alice, Ben and Cleo, then the plays before Alice's turn."""
TENS = (2, 3)
"""Places of Alice's two tens in her hand."""
FLIPS = 6
"""Number of flips after which the next flip shows a pair."""
PAIR = ("13", "16")
HOLD = 15
"""Seconds for which a hand stays on a face; long, because a busy machine may need seconds between two clicks."""

UNTIMED = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("time { visibility: hidden }");
    document.adoptedStyleSheets = [sheet];
"""
"""Style that hides the time of each message, which would differ in each run. The page forbids inline styles."""

READ, LOOK, TAP = 1_200, 900, 500  # ms for which a frame is shown


class Film:
    """The frames of a scene under one caption, and the duration of each frame."""

    def __init__(self, shown: Screen, game: AnyGame) -> None:
        self.frames: list[tuple[Image.Image, int]] = []
        self._shown = shown
        self._caption = f"{game.title}: {game.blurb[0].lower()}{game.blurb[1:]}"

    async def take(self, length: int, finger: Locator | None = None) -> None:
        """Append the page as it is now. `finger`, if given, is the element about to be pressed; a circle marks it."""
        data = await self._shown.page.screenshot(animations="disabled")
        frame = Image.open(BytesIO(data)).convert("RGB")
        draw = ImageDraw.Draw(frame)
        draw.rectangle((0, 0, SIZE["width"], TOP), fill="#0b5a56")
        draw.text((SIZE["width"] / 2, TOP / 2), self._caption, "white", font(20), anchor="mm")
        box = await finger.bounding_box() if finger else None
        if box:
            corners = (box["x"] - 4, box["y"] - 4, box["x"] + box["width"] + 4, box["y"] + box["height"] + 4)
            draw.rounded_rectangle(corners, 12, outline="#ffc845", width=5)
        self.frames.append((frame, length))

    async def press(self, button: Locator) -> None:
        """Append a frame that marks the button, then press it."""
        await button.scroll_into_view_if_needed()
        await self.take(TAP, button)
        await button.click()
        await self._shown.page.mouse.move(0, 0)


async def frames(browser: Browser) -> list[tuple[Image.Image, int]]:
    """Play both scenes, and return the frames of the animation and for how many ms each is shown."""
    return [*await _trick(browser), *await _pair(browser)]


async def animate(browser: Browser, into: Path) -> None:
    """Write the animation, trailer.webp."""
    images, lengths = zip(*await frames(browser), strict=True)
    images[0].save(
        into / "trailer.webp",
        save_all=True,
        append_images=images[1:],
        duration=lengths,
        loop=0,
        quality=70,
        method=6,
    )


async def _trick(browser: Browser) -> list[tuple[Image.Image, int]]:
    """Play a trick: Alice plays last, opens her hand, picks two cards and takes the trick."""
    async with _dealt(browser, "twin-palms", "trick 56") as (here, shown, film):
        alice, ben = shown.client("Alice"), shown.client("Ben")
        await _move(here, *TRICK[:PLAYERS])
        await expect(ben.table).to_contain_text("Ben's turn")
        await film.take(LOOK)
        for move, following in zip(TRICK[PLAYERS:], ("Cleo", "Alice"), strict=True):
            await _move(here, move)
            await expect(alice.table).to_contain_text(f"{following}'s turn")
            await film.take(LOOK)
        await film.press(alice.button("My hand"))
        await expect(alice.hand.get_by_role("img", name="Your hand")).to_be_visible()
        await film.take(LOOK)
        for count, place in enumerate(TENS, 1):
            await film.press(alice.hand.locator(CARDS).nth(place))
            await expect(alice.hand.locator(f"{CARDS}.primary")).to_have_count(count)
        await film.press(alice.hand.get_by_role("button", name="Play ").first)
        await expect(ben.table).to_contain_text("takes it")
        await film.take(READ)
        return film.frames


async def _pair(browser: Browser) -> list[tuple[Image.Image, int]]:
    """Flip a card as Alice; Ben is the first to claim the pair that it shows."""
    async with _dealt(browser, "twin-it", "spot 190", hand_seconds=HOLD) as (here, shown, film):
        alice, ben = shown.client("Alice"), shown.client("Ben")
        await _move(here, *["flip"] * FLIPS)
        await film.take(LOOK)
        await film.press(alice.button("Flip", alice.table))
        await expect(ben.button(PAIR[1], ben.table)).to_be_visible()
        await expect(ben.button("Rules", ben.table)).to_be_in_viewport()
        await film.take(READ)
        await film.press(ben.button(PAIR[0], ben.table))
        picture = alice.table.get_by_role("img", name=f"hand on {PAIR[0]}")
        await expect(picture.first).to_be_visible()
        await film.press(ben.button(PAIR[1], ben.table))
        await expect(alice.table).to_contain_text("takes the pair")
        await film.take(READ)
        return film.frames


@asynccontextmanager
async def _dealt(
    browser: Browser, slug: str, seed: str, **options: Any
) -> AsyncIterator[tuple[CardRoom, Screen, Film]]:
    """Open the page of Alice and Ben beside a new match of three people that always has the same cards."""
    with TemporaryDirectory() as data:
        async with (
            card_room(Path(data, "matches.sqlite3"), seed=lambda: seed, rasterizer=WorkerClient()) as here,
            screen(browser, here.box.url, {"viewport": SIZE}) as shown,
        ):
            await unpack_emojis(here.bot, lambda: [*here.bot.game_uis[slug].drawings.values()])
            await shown.page.evaluate(UNTIMED)
            people = here.people[:PLAYERS]
            card = await open_table(here.room, f"{slug} start", *people, **options)
            await people[0].click(card, "Start")
            for name in ("Alice", "Ben"):
                await shown.client(name).enter(f"{GAMES[slug].title} · table 1")
            yield here, shown, Film(shown, GAMES[slug])


async def _move(here: CardRoom, *moves: str) -> None:
    """Make the next of the moves for the awaited player."""
    table = await here.bot.tables.get(1)
    for move in moves:
        seat = table.state.awaited()[0]
        await table.play(here.people[seat].id, [move], table.clock.now())
    await here.bot.publisher.wait()
