"""A whole round of Twin Palms, played by three people by clicking in the page."""

from pathlib import Path

from playwright.async_api import expect

from tests.browser.match import bid, deal, open_table, pick, play, turns
from tests.browser.screen import Screen
from tests.e2e.house import House


async def test_three_people_play_a_round_by_clicking(here: House, desk: Screen, pictures: Path) -> None:
    """All by what the page offers them, from the empty channel to the score sheet."""
    clients = await open_table(desk)
    await deal(clients)
    for client in clients:
        await bid(client, "2")
    played = 0
    async for client in turns(here.bot, clients):
        await pick(client)
        await play(client)
        played += 1
    assert played == 3 * 5
    for client in clients:
        await expect(client.root).to_contain_text("Scores of round 1")
        await expect(client.root).to_contain_text("Round 2 of 6")
    await desk.page.screenshot(path=pictures / "round.png")
