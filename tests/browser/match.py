"""A match of Twin Palms as three people click it."""

from collections.abc import AsyncIterator

from playwright.async_api import expect

from bot.client import Palmhouse
from tests.browser.screen import Client, Screen

THREAD = "Twin Palms · table 1"
PLAYERS = ("Alice", "Ben", "Cleo")
CARDS = 'button[data-use*=":card-"]'
"""The buttons of a hand that stand for its cards."""


async def open_table(shown: Screen) -> list[Client]:
    """The first click is a game; two others join. The clients of the three, the host's first."""
    clients = [shown.client(name) for name in PLAYERS]
    host, *others = clients
    await host.root.locator(".offer").filter(has_text="/twin-palms start").click()
    for other in others:
        await other.click("Join")
        await expect(host.messages.last).to_contain_text(other.name)
    return clients


async def deal(clients: list[Client]) -> None:
    """The host starts, and everybody goes where the match is and opens their hand."""
    await clients[0].click("Start")
    for client in clients:
        await client.enter(THREAD)
        await client.click("My hand")
        await expect(client.hand.get_by_role("img", name="Your hand")).to_be_visible()


async def bid(client: Client, tricks: str) -> None:
    """Two presses: the number, and that it is meant."""
    await client.click(tricks, client.hand)
    await client.click(f"Bid {tricks}", client.hand)
    await expect(client.hand).to_contain_text("✅")


async def turns(bot: Palmhouse, clients: list[Client]) -> AsyncIterator[Client]:
    """Whoever's turn it is, with their hand open, until the round is over."""
    table = await bot.tables.get(1)
    dealt = table.state.game_state.round
    while table.state.game_state.round == dealt:
        (seat,) = table.state.awaited()
        client = next(each for each in clients if each.name == table.state.players[seat].name)
        await client.click("My hand", client.hand)
        await expect(client.hand).to_contain_text("Your turn")
        yield client


async def pick(client: Client) -> None:
    """Press the first two cards; the last two are picked already."""
    cards = client.hand.locator(CARDS)
    if await cards.count() > 2:
        for place in range(2):
            await cards.nth(place).click()
            await expect(client.hand.locator(f"{CARDS}.primary")).to_have_count(place + 1)


async def play(client: Client) -> None:
    """Play what is picked; what is wild among it becomes what makes the strongest set."""
    await client.hand.get_by_role("button", name="Play ").first.click()
    await expect(client.hand).to_contain_text("✅")
