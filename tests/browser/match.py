"""A match of Twin Palms, played by three people who click on the page."""

from collections.abc import AsyncIterator

from playwright.async_api import expect

from bot.client import Palmhouse
from tests.browser.screen import Client, Screen

THREAD = "Twin Palms · table 1"
PLAYERS = ("Alice", "Ben", "Cleo")
CARDS = 'button[data-use*=":card-"]'
"""Selector of the buttons for the cards of a hand."""


async def open_table(shown: Screen) -> list[Client]:
    """Open a table with the first click; two others join. Return the clients of the three, the host's first."""
    clients = [shown.client(name) for name in PLAYERS]
    host, *others = clients
    await host.root.locator(".offer").filter(has_text="/twin-palms start").click()
    for other in others:
        await other.click("Join")
        await expect(host.public.last).to_contain_text(other.name)
    return clients


async def deal(clients: list[Client]) -> None:
    """Start the match as its host; everybody opens the thread and their hand."""
    await clients[0].click("Start")
    for client in clients:
        await client.enter(THREAD)
        await client.click("My hand")
        await expect(client.hand.get_by_role("img", name="Your hand")).to_be_visible()


async def bid(client: Client, tricks: str) -> None:
    """Bid that number with two presses: the number, then the confirmation."""
    await client.click(tricks, client.hand)
    await client.click(f"Bid {tricks}", client.hand)
    await expect(client.hand).to_contain_text("✅")


async def turns(bot: Palmhouse, clients: list[Client]) -> AsyncIterator[Client]:
    """Yield the client of the awaited player, whose open hand has followed the table, until the round is over."""
    table = await bot.tables.get(1)
    dealt = table.state.game_state.round
    while table.state.game_state.round == dealt:
        (seat,) = table.state.awaited()
        client = next(each for each in clients if each.name == table.state.players[seat].name)
        await expect(client.hand).to_contain_text("Your turn")
        yield client


async def pick(client: Client) -> None:
    """Press the first two cards, unless they are picked already: the last two of a round are."""
    cards = client.hand.locator(CARDS)
    if await cards.count() > 2:
        for place in range(2):
            await cards.nth(place).click()
            await expect(client.hand.locator(f"{CARDS}.primary")).to_have_count(place + 1)


async def play(client: Client) -> None:
    """Play the picked cards. Where a wild needs a number, choose the strongest set."""
    await client.hand.get_by_role("button", name="Play ").first.click()
    await expect(client.hand).to_contain_text("✅")
