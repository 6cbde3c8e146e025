"""Several people's clients side by side: what each shows, which people are shown, and what survives a reload or
restart."""

import re
from pathlib import Path

import discord
from playwright.async_api import Browser, expect

from sandbox import Sandbox
from tests.browser.match import deal, open_table
from tests.browser.screen import PHONE, Screen, screen
from tests.e2e.card_room import CardRoom, connected_bot


async def test_a_message_appears_at_once_on_everybodys_client(here: CardRoom, desk: Screen) -> None:
    alice, ben = desk.client("Alice"), desk.client("Ben")
    await alice.line.fill("Good evening, **all**")
    await alice.line.press("Enter")
    await expect(ben.messages).to_have_text(re.compile("Alice.*Good evening, all"))
    await expect(ben.messages.locator("strong")).to_have_text("all")


async def test_who_was_called_finds_the_way_though_the_message_names_them_no_more(
    here: CardRoom, desk: Screen
) -> None:
    lounge = here.guild.channel("lounge")
    place = here.bot.get_partial_messageable(lounge.id)
    called = discord.AllowedMentions(users=True)
    message = await place.send(f"<@{here.people[1].id}>, it is your turn", allowed_mentions=called)
    await message.edit(content="it is your turn")
    await desk.client("Ben").enter("lounge")
    await expect(desk.client("Alice").root.locator(".calls")).to_be_hidden()


async def test_an_ephemeral_message_is_only_on_its_readers_client_until_dismissed(
    here: CardRoom, desk: Screen
) -> None:
    alice, ben, _ = await open_table(desk)
    await deal([alice])
    await ben.enter("Twin Palms · table 1")
    await expect(alice.hand).to_contain_text("Only you can see this")
    await expect(ben.messages.last).to_contain_text("Everybody's turn · bid")
    await expect(ben.root.get_by_role("img", name="Your hand")).to_have_count(0)
    await alice.click("Dismiss message")
    await expect(alice.root.get_by_role("img", name="Your hand")).to_have_count(0)
    await expect(alice.messages.last).to_be_focused()


async def test_the_user_chooses_whose_clients_are_shown(here: CardRoom, desk: Screen) -> None:
    """As many as fit are shown; a new one replaces the one shown longest."""
    shown = desk.page.locator(".client .who")
    await expect(shown).to_have_text(["Alice", "Ben", "Cleo"])
    await desk.person("Ben").click()
    await expect(shown).to_have_text(["Alice", "Cleo"])
    await desk.person("Dana").click()
    await desk.person("Eve").click()
    await expect(shown).to_have_text(["Alice", "Dana", "Eve"])
    await desk.page.set_viewport_size({"width": 1700, "height": 900})
    await desk.person("Ben").click()
    await expect(shown).to_have_text(["Alice", "Ben", "Dana", "Eve"])
    await desk.page.set_viewport_size({"width": 500, "height": 900})
    await expect(shown).to_have_text(["Ben"])
    await desk.person("Ben").click()
    await expect(shown).to_have_text(["Ben"])


async def test_a_phone_shows_one_client_and_marks_people_who_are_awaited(
    browser: Browser, here: CardRoom
) -> None:
    async with screen(browser, here.box.url, PHONE) as phone:
        await phone.client("Alice").root.locator(".offer").filter(has_text="/twin-palms start").click()
        for name in ("Ben", "Alice"):
            await phone.person(name).click()
            await expect(phone.page.locator(".client")).to_have_count(1)
            await phone.client(name).click({"Ben": "Join", "Alice": "Start"}[name])
        await expect(phone.person("Ben").get_by_label("has news")).to_be_visible()
        await expect(phone.person("Cleo").get_by_label("has news")).to_be_hidden()
        await phone.person("Ben").click()
        ben = phone.client("Ben")
        await ben.click("Channels has news")
        await ben.root.get_by_role("button", name="↳ Twin Palms · table 1 (new)").click()
        await expect(ben.messages.last).to_contain_text(re.compile("@Ben.*Everybody's turn · bid"))
        await expect(phone.person("Ben").get_by_label("has news")).to_be_hidden()


async def test_a_window_as_large_as_a_phone_begins_with_the_same_people(here: CardRoom, desk: Screen) -> None:
    await desk.person("Alice").click()
    async with desk.page.expect_popup() as opened:
        await desk.page.get_by_role("button", name="As on a phone").click()
    phone = await opened.value
    await expect(phone.locator(".client .who")).to_have_text(["Ben"])
    assert await phone.evaluate("[innerWidth, innerHeight]") == [390, 844]
    await expect(phone.get_by_role("button", name="As on a phone")).to_be_hidden()


async def test_the_page_has_letters_that_the_fonts_of_the_machine_lack(here: CardRoom, desk: Screen) -> None:
    load = "document.fonts.load('16px Letters', '🃏').then(([font]) => font.status)"
    assert await desk.page.evaluate(load) == "loaded"


async def test_an_empty_channel_offers_first_what_begins_a_game(here: CardRoom, desk: Screen) -> None:
    offers = await desk.client("Alice").root.locator(".offer.first strong").all_text_contents()
    assert "/twin-palms start" in offers
    assert [offer for offer in offers if len(offer.split()) > 2] == []


async def test_a_command_with_an_option_that_it_lacks_is_not_sent(here: CardRoom, desk: Screen) -> None:
    alice = desk.client("Alice")
    for typed, wrong in (
        ("start tides:3", "start has no option “tides”. It has: mode,"),
        ("start mode:easy tides:3", "start has no option “tides”. It has: mode,"),
        ("start easy", "start has no option “easy”. It has: mode,"),
    ):
        await alice.line.fill(f"/twin-palms {typed}")
        await desk.page.keyboard.press("Escape")
        await alice.line.press("Enter")
        await expect(alice.root.get_by_role("alert")).to_contain_text(wrong)
    await expect(alice.messages).to_have_count(0)


async def test_a_reload_keeps_the_people_and_their_places(here: CardRoom, desk: Screen) -> None:
    alice, *_ = await open_table(desk)
    await deal([alice])
    await desk.person("Ben").click()
    await desk.page.reload()
    await expect(desk.page.locator(".client .who")).to_have_text(["Alice", "Cleo"])
    await expect(alice.root.get_by_role("heading", level=2)).to_contain_text("Twin Palms · table 1")
    await expect(alice.hand.get_by_role("img", name="Your hand")).to_be_visible()


async def test_the_page_reconnects_to_a_restarted_bot(browser: Browser, tmp_path: Path) -> None:
    """An old button works afterwards, and without a bot the page says so."""
    file = tmp_path / "house.sqlite3"
    async with Sandbox(rate_limits=False) as box:
        guild = box.guild("Palm Beach")
        guild.channel("card-room")
        for name in ("Alice", "Ben", "Cleo"):
            box.person(name, guild)
        async with screen(browser, box.url) as shown:
            said = shown.page.get_by_role("status").filter(has_text="bot")
            async with connected_bot(box, file):
                await expect(said).to_have_text("The bot is here.")
                alice, *_ = await open_table(shown)
            await expect(said).to_have_text("No bot is connected.")
            await alice.click("Rules")
            await expect(alice.public.last).to_contain_text("The application did not respond")
            async with connected_bot(box, file):
                await expect(said).to_have_text("The bot is here.")
                await deal([alice])


async def test_the_page_reconnects_to_a_restarted_sandbox(browser: Browser) -> None:
    """All ids are new, but people keep their names."""
    context = await browser.new_context()  # the browser logs an error of its own while the server is away
    page = await context.new_page()
    who, last = page.locator(".client .who"), page.locator(".message").last
    async with Sandbox() as old:
        port = int(old.url.rpartition(":")[2])
        await _meet(old, "Good evening")
        await page.goto(old.url)
        await page.get_by_role("button", name="Alice").click()
        await expect(who).to_have_text(["Ben"])
        await expect(last).to_contain_text("Good evening")
    await expect(page.get_by_role("banner")).to_contain_text("The sandbox has stopped")
    async with Sandbox(port=port) as new:
        new.person("Dana")
        await _meet(new, "Good morning")
        await expect(last).to_contain_text("Good morning")
        await expect(who).to_have_text(["Ben"])
    await context.close()


async def _meet(box: Sandbox, greeting: str) -> None:
    guild = box.guild("Palm Beach")
    room = guild.channel("card-room")
    alice, _ = box.person("Alice", guild), box.person("Ben", guild)
    await alice.say(room, greeting)
