"""Accessibility of the page: no fault found by axe-core, buttons large enough for fingers, small screens, keyboard
alone."""

from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]
from playwright.async_api import Browser, Page, expect

from tests.browser.match import CARDS, PLAYERS, THREAD, open_table
from tests.browser.screen import DESKTOP, PHONE, Client, Screen, screen
from tests.e2e.card_room import CardRoom

FINGER = 44  # pixels that a button needs in both directions
KINDS: dict[str, dict[str, Any]] = {"desktop": DESKTOP, "phone": PHONE}

SMALL = """finger => [...document.querySelectorAll("button, summary, select, input:not([type=checkbox]), label")]
    .filter(each => each.checkVisibility({visibilityProperty: true}) && !each.closest(".text, .hidden"))
    .map(each => [each.textContent || each.id, each.getBoundingClientRect()])
    .filter(([_, box]) => box.width > 1 && (box.width < finger || box.height < finger))
    .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""


async def faults(page: Page) -> list[str]:
    """Return the serious and critical faults that axe-core finds, each with its rule and element."""
    found = (await Axe().run(page)).response["violations"]
    return [
        f"{each['id']}: {node['html']:.200}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


async def bidding(here: CardRoom, shown: Screen) -> Client:
    """Open Alice's client with her hand in a match, started with commands, in which nobody has bid yet."""
    alice = shown.client(PLAYERS[0])
    # What is there when the page gets its first state is not news.
    await expect(alice.root.get_by_role("heading", level=2)).to_contain_text("card-room")
    people = here.people[:3]
    started = await people[0].slash(here.room, "twin-palms start")
    assert started.message
    for person in people[1:]:
        await person.click(started.message, "Join")
    await people[0].click(started.message, "Start")
    await alice.enter(THREAD)
    await alice.click("My hand")
    await expect(alice.hand.get_by_role("img", name="Your hand")).to_be_visible()
    return alice


@pytest.mark.parametrize(("kind", "scheme"), [("desktop", "dark"), ("phone", "light")])
async def test_axe_finds_no_serious_fault(
    browser: Browser, here: CardRoom, kind: str, scheme: Literal["dark", "light"], pictures: Path
) -> None:
    async with screen(browser, here.box.url, KINDS[kind], scheme) as shown:
        seen = {"empty": await faults(shown.page)}
        alice = await bidding(here, shown)
        seen["hand"] = await faults(shown.page)
        await shown.page.screenshot(path=pictures / f"{kind}-{scheme}-hand.png")
        await alice.line.press_sequentially("/twin-palms start mode:")
        await expect(alice.root.get_by_role("option")).to_have_count(4)
        seen["command"] = await faults(shown.page)
        await shown.page.screenshot(path=pictures / f"{kind}-{scheme}-command.png")
        await alice.line.fill("")
        await alice.click("Type a move")
        await expect(shown.page.get_by_role("dialog")).to_be_visible()
        seen["form"] = await faults(shown.page)
        await shown.page.screenshot(path=pictures / f"{kind}-{scheme}-form.png")
        assert {state: found for state, found in seen.items() if found} == {}


async def test_on_a_phone_every_button_is_large_enough_and_nothing_overflows(
    browser: Browser, here: CardRoom, pictures: Path
) -> None:
    async with screen(browser, here.box.url, PHONE) as phone:
        alice = phone.client("Alice")
        await _fits(phone)
        await bidding(here, phone)
        await _fits(phone)
        for person in here.people[:3]:
            await person.slash(here.room, "move", action="bid 1")
        await alice.click("My hand")
        await alice.hand.locator(CARDS).first.click()
        await expect(alice.hand.locator(f"{CARDS}.primary")).to_have_count(1)
        await _fits(phone)
        await phone.page.screenshot(path=pictures / "phone-cards.png")
        await alice.click("Channels")
        await _fits(phone)
        await phone.page.screenshot(path=pictures / "phone-channels.png")


async def _fits(phone: Screen) -> None:
    small: Any = await phone.page.evaluate(SMALL, FINGER)
    assert small == []
    assert await phone.overflow() == 0


async def test_a_command_with_options_can_be_given_by_keyboard_alone(here: CardRoom, desk: Screen) -> None:
    """Name and choices are completed, each option is explained, and Enter sends the command."""
    alice, keys = desk.client("Alice"), desk.page.keyboard
    await keys.press("/")
    await keys.type("palms st")
    await expect(alice.root.get_by_role("option")).to_contain_text(["/twin-palms start"])
    await keys.press("Enter")
    await expect(alice.line).to_have_value("/twin-palms start ")
    hint = alice.root.get_by_role("status")
    await expect(hint).to_contain_text("Say how many tricks you will win")
    await keys.type("mode:")
    await expect(hint).to_contain_text("optional, one of: easy, normal, advanced, extreme")
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await expect(alice.line).to_have_value("/twin-palms start mode:normal ")
    await keys.type("rounds:")
    await expect(hint).to_contain_text("optional, a whole number from 1 to 12")
    await keys.type("0")
    await keys.press("Enter")
    await expect(alice.root.get_by_role("alert")).to_contain_text("“0” is not a value “rounds” can have")
    await keys.press("Backspace")
    await keys.type("2")
    await keys.press("Enter")
    await expect(alice.public.last).to_contain_text("normal mode")
    await expect(alice.public.last).to_contain_text("Alice used /twin-palms start")


async def test_a_move_that_was_chosen_is_sent_and_not_a_longer_one(here: CardRoom, desk: Screen) -> None:
    alice = await bidding(here, desk)
    await alice.line.fill("/move action:bid 1")
    options = alice.root.get_by_role("option")
    await expect(options.first).to_contain_text("Bid 1")
    await alice.line.press("Enter")
    await expect(alice.line).to_have_value("/move action:Bid 1 ")
    await expect(options.first).to_contain_text("Bid 1")  # with a bet
    await alice.line.press("Enter")
    await expect(alice.line).to_have_value("")


async def test_keyboard_focus_stays_on_the_pressed_button_when_the_message_changes(
    here: CardRoom, desk: Screen
) -> None:
    """It stays although the bot's update changes the custom ids."""
    alice = await bidding(here, desk)
    await alice.button("3", alice.hand).focus()
    await desk.page.keyboard.press("Enter")
    await expect(alice.button("Bid 3", alice.hand)).to_be_enabled()
    await expect(alice.button("3", alice.hand)).to_be_focused()
    await alice.button("Bid 3", alice.hand).focus()
    await desk.page.keyboard.press("Enter")
    await expect(alice.hand).to_contain_text("✅ Bid 3")
    await desk.page.keyboard.press("Escape")
    await expect(alice.line).to_be_focused()


async def test_a_screen_reader_announces_new_messages_but_not_edits(here: CardRoom, desk: Screen) -> None:
    alice, *_ = await open_table(desk)
    news = desk.page.locator("#news")
    await expect(news).to_contain_text("Sandbox Bot. Is Twin Palms new to you?")
    answer = await news.text_content()
    assert answer
    assert "Ben" not in answer
    await alice.line.fill("Hello")
    await alice.line.press("Enter")
    await expect(news).to_have_text("Alice. Hello")
