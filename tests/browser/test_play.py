"""The way to a table on a phone: few taps, commands that can be tapped, and menus by a long press."""

from pathlib import Path

from playwright.async_api import Browser, Locator, expect

from sandbox import Permission
from tests.browser.screen import PHONE, screen
from tests.e2e.card_room import CardRoom


async def height(message: Locator) -> float:
    """Return the height of a message in pixels."""
    box = await message.bounding_box()
    assert box is not None
    return box["height"]


async def test_play_is_offered_first_and_leads_to_a_table_in_two_taps(
    browser: Browser, here: CardRoom, pictures: Path
) -> None:
    async with screen(browser, here.box.url, PHONE) as phone:
        alice = phone.client("Alice")
        await expect(alice.root.locator(".offer").first).to_contain_text("/play")
        await expect(alice.root.locator(".offer.first")).not_to_contain_text(["season"])
        await alice.root.locator(".offer").first.click()
        await expect(alice.messages.last).to_contain_text("Open a table")
        assert await height(alice.messages.last) < 844
        await phone.page.screenshot(path=pictures / "play.png")
        await alice.click("Palace")
        await phone.page.screenshot(path=pictures / "play-form.png")
        await phone.page.get_by_role("button", name="Submit").click()
        await expect(alice.public.last).to_contain_text("1 of 8 seats")


async def test_help_fits_one_screen_of_a_phone_and_its_commands_can_be_tapped(
    browser: Browser, here: CardRoom, pictures: Path
) -> None:
    here.guild.grant(here.people[0].user, Permission.MANAGE_GUILD)  # whose answer is longest
    async with screen(browser, here.box.url, PHONE) as phone:
        alice = phone.client("Alice")
        await alice.line.fill("/help ")
        await alice.line.press("Enter")
        helped = alice.messages.last
        await expect(helped).to_contain_text("Card games in this channel")
        await expect(helped.get_by_role("heading")).to_be_in_viewport(ratio=1)
        await expect(helped.get_by_role("button", name="Learn", exact=True)).to_be_in_viewport(ratio=1)
        await phone.page.screenshot(path=pictures / "help.png")
        await helped.get_by_role("button", name="/play", exact=True).click()
        await expect(alice.messages.last).to_contain_text("Open a table")


async def test_a_long_press_on_a_message_and_on_a_name_opens_its_menu(
    browser: Browser, here: CardRoom
) -> None:
    async with screen(browser, here.box.url, PHONE) as phone:
        alice = phone.client("Alice")
        await alice.root.locator(".offer").filter(has_text="/palace start").click()
        card = alice.public.last
        await expect(card).to_contain_text("1 of 8 seats")
        await card.get_by_text("1 of 8").click(button="right")
        await phone.page.get_by_role("dialog", name="Apps").get_by_role("button", name="Replay").click()
        await expect(alice.messages.last).to_contain_text("Match 1 is not over")
        await expect(alice.messages.last).to_contain_text("Alice used Replay")
        await card.locator(".origin [data-user]").click(button="right")
        await phone.page.get_by_role("dialog", name="Apps").get_by_role("button", name="Profile").click()
        await expect(alice.messages.last).to_contain_text("You have not finished a match")
        await expect(alice.messages.last).to_contain_text("Alice used Profile")
