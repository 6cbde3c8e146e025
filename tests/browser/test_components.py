"""Components that any bot may send and a client must handle: pictures, files, forms, and commands without an answer."""

import io
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from sandbox import Guild, Person, Sandbox, TextChannel
from tests.browser.screen import Client, Screen, screen
from tests.sandbox.bots import Bot, Interaction, point_at, running
from tests.sandbox.conftest import alice, ben, guild, room
from tests.sandbox.test_inputs import HAND
from tests.sandbox.test_interactions import Panel

__all__ = ["alice", "ben", "guild", "room"]

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63648860f80f00028a01"
    "85f3d0a1880000000049454e44ae426082"
)
"""One pixel, as PNG."""


@pytest_asyncio.fixture(loop_scope="session")
async def box(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sandbox]:
    async with Sandbox(rate_limits=False) as box:
        point_at(box, monkeypatch)
        yield box


@pytest_asyncio.fixture(loop_scope="session")
async def bot(box: Sandbox, room: TextChannel) -> AsyncIterator[Bot]:
    async with running(box, Bot()) as bot:
        yield bot


@pytest_asyncio.fixture(loop_scope="session")
async def desk(browser: Browser, box: Sandbox, bot: Bot, alice: Person, ben: Person) -> AsyncIterator[Screen]:
    """A bot whose /do command does what the test says, and the page with two people."""
    async with screen(browser, box.url) as shown:
        yield shown


async def do(desk: Screen) -> Client:
    """Use /do as Alice, by clicking."""
    alice = desk.client("Alice")
    await alice.root.locator(".offer").filter(has_text="/do").click()
    return alice


async def test_pictures_can_be_enlarged_and_closed_again(desk: Screen, bot: Bot) -> None:
    """Tested with a gallery and an attachment, opened and closed by key; the focus returns."""

    async def act(it: Interaction) -> None:
        view = discord.ui.LayoutView()
        gallery: discord.ui.MediaGallery[discord.ui.LayoutView] = discord.ui.MediaGallery()
        gallery.add_item(media="attachment://hand.png", description="Seven of palms")
        view.add_item(gallery)
        await it.response.send_message(view=view, file=_file("hand.png"))
        await it.followup.send("Look", file=_file("sheet.png", "The scores"))

    bot.act = act
    alice = await do(desk)
    for name in ("Seven of palms", "The scores"):
        button = alice.button(name)
        await button.focus()
        await desk.page.keyboard.press("Enter")
        dialog = desk.page.get_by_role("dialog", name="Picture")
        await expect(dialog.get_by_role("img", name=name)).to_be_visible()
        await desk.page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()
        await expect(button).to_be_focused()


def _file(name: str, description: str | None = None) -> discord.File:
    return discord.File(io.BytesIO(PICTURE), name, description=description)


async def test_only_the_user_is_told_that_a_command_got_no_answer(
    desk: Screen, box: Sandbox, bot: Bot
) -> None:
    alice, ben = await do(desk), desk.client("Ben")
    await bot.inbox.get()
    await expect(alice.messages).to_contain_text(["Sending command…"])
    box.clock.advance(3)
    await expect(alice.messages).to_contain_text(["The application did not respond"])
    await expect(alice.messages).to_contain_text(["Only you can see this"])
    await expect(ben.messages).to_have_count(0)
    await alice.click("Dismiss message")
    await expect(alice.messages).to_have_count(0)


async def test_forms_and_menus_can_be_filled_in_by_clicking(desk: Screen, bot: Bot) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    alice = await do(desk)
    await alice.click("Press")
    await expect(alice.messages).to_contain_text(["pressed 1"])
    await alice.click("Form")
    form = desk.page.get_by_role("dialog", name="Your bid")
    await form.get_by_label("Tricks").fill("4")
    await form.get_by_role("button", name="Submit").click()
    await expect(alice.messages).to_contain_text(["bid 4"])
    await alice.root.get_by_text("Cards").click()
    for card in ("Card 0", "Card 2"):
        await alice.root.get_by_label(card).check()
    await expect(alice.root.get_by_label("Card 1")).to_be_disabled()
    await alice.click("Done")
    await expect(alice.hand).to_contain_text("c0 c2")


class Games(discord.ui.Modal, title="Games"):
    games: discord.ui.Label[Any] = discord.ui.Label(
        text="Which ones",
        component=discord.ui.Select(
            options=[discord.SelectOption(label=name) for name in ("Palace", "Palmer", "Charms")],
            min_values=2,
            max_values=2,
        ),
    )

    async def on_submit(self, interaction: Interaction) -> None:
        assert isinstance(self.games.component, discord.ui.Select)
        await interaction.response.send_message(" and ".join(self.games.component.values))


async def test_in_a_form_as_many_options_can_be_chosen_as_a_menu_allows(desk: Screen, bot: Bot) -> None:
    bot.act = lambda it: it.response.send_modal(Games())
    alice = await do(desk)
    form = desk.page.get_by_role("dialog", name="Games")
    await expect(form.get_by_role("group", name="Which ones")).to_be_visible()
    await form.get_by_label("Charms").check()
    await form.get_by_role("button", name="Submit").click()
    await expect(form).to_be_visible()
    await form.get_by_label("Palace").check()
    await expect(form.get_by_label("Palmer")).to_be_disabled()
    await form.get_by_role("button", name="Submit").click()
    await expect(alice.messages.last).to_contain_text("Palace and Charms")


async def test_a_menu_of_channels_offers_those_that_can_be_chosen(desk: Screen, bot: Bot) -> None:
    async def act(it: discord.Interaction) -> None:
        assert isinstance(it.channel, discord.TextChannel)
        thread = await it.channel.create_thread(name="thread", type=discord.ChannelType.private_thread)
        await thread.add_user(it.user)
        view = discord.ui.View()
        view.add_item(discord.ui.ChannelSelect(placeholder="Anywhere"))
        view.add_item(discord.ui.ChannelSelect(placeholder="There", channel_types=[discord.ChannelType.text]))
        await it.response.send_message("panel", view=view)

    bot.act = act
    alice = await do(desk)
    for menu, offered in {"Anywhere": ["card-room", "thread"], "There": ["card-room"]}.items():
        await expect(alice.root.get_by_label(menu).get_by_role("option")).to_have_text(offered)


async def test_a_press_counts_although_its_message_is_edited_meanwhile(desk: Screen, bot: Bot) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    alice, ben = await do(desk), desk.client("Ben")
    await alice.button("Press").hover()
    await desk.page.mouse.down()
    await ben.button("Press").dispatch_event("click")
    await expect(ben.messages).to_contain_text(["pressed 1"])
    await desk.page.mouse.up()
    await expect(alice.messages).to_contain_text(["pressed 2"])


class Cards(discord.ui.Select[Any]):
    async def callback(self, interaction: Interaction) -> None:
        await interaction.response.send_message(f"chosen: {self.values[0]}")


async def test_application_emojis_appear_in_text_on_buttons_and_in_menus(desk: Screen, bot: Bot) -> None:
    """A screen reader reads their names where they stand alone and ignores them beside a label. One option is chosen
    by a press."""
    emoji = await bot.create_application_emoji(name="palm_7", image=PICTURE)
    view = discord.ui.LayoutView()
    cards = Cards(options=[discord.SelectOption(label=card, emoji=emoji) for card in ("P7", "P8")])
    view.add_item(discord.ui.TextDisplay(f"Ben plays {emoji}."))
    view.add_item(discord.ui.ActionRow(discord.ui.Button(label="Play P7", emoji=emoji)))
    view.add_item(discord.ui.ActionRow(cards))
    bot.act = lambda it: it.response.send_message(view=view)
    alice = await do(desk)
    message = alice.messages.filter(has_text="Ben plays")
    await expect(message.get_by_role("img", name=":palm_7:")).to_be_visible()
    await expect(alice.button("Play P7").locator("img.emoji")).to_be_visible()
    await message.get_by_text("Make a selection").click()
    await expect(alice.button("P8").locator("img.emoji")).to_be_visible()
    await alice.click("P8")
    await expect(alice.messages.last).to_contain_text("chosen: P8")


class Three(discord.ui.Select[Any]):
    async def callback(self, interaction: Interaction) -> None:
        await interaction.response.send_message(" ".join(HAND[int(place)] for place in self.values))


async def test_the_ticked_cards_are_the_ones_submitted(desk: Screen, bot: Bot) -> None:
    """Also where one card's label is another card's value."""
    cards = [discord.SelectOption(label=card, value=str(place)) for place, card in enumerate(HAND)]
    view = discord.ui.View().add_item(Three(placeholder="Cards", options=cards, min_values=3, max_values=3))
    bot.act = lambda it: it.response.send_message("hand", view=view)
    alice = await do(desk)
    await alice.root.get_by_text("Cards").click()
    for card in ("8", "K", "2"):
        await alice.root.get_by_label(card, exact=True).check()
    await alice.click("Done")
    await expect(alice.messages.last).to_contain_text("8 K 2")


async def test_nicknames_replace_names_where_people_have_them(
    desk: Screen, bot: Bot, guild: Guild, alice: Person
) -> None:
    """On their messages, where they are mentioned, and beside their commands."""
    bot.act = lambda it: it.response.send_message(f"{alice.mention} deals")
    client = await do(desk)
    await expect(client.messages.last).to_contain_text("@Alice deals")
    alice.rename(guild, "The Ace")
    await expect(client.messages.last).to_contain_text("@The Ace deals")
    await expect(client.messages.last).to_contain_text("The Ace used /do")
    await client.line.fill("Good evening")
    await client.line.press("Enter")
    await expect(client.messages.last.locator(".author")).to_have_text("The Ace")


async def test_a_reader_further_up_is_told_of_new_messages_below(desk: Screen, bot: Bot) -> None:
    bot.act = lambda it: it.response.send_message("\n".join(f"line {n}" for n in range(100)))
    alice, ben = await do(desk), desk.client("Ben")
    await expect(alice.messages).to_contain_text(["line 99"])
    await alice.root.get_by_text("Alice used").scroll_into_view_if_needed()
    await ben.line.fill("Are you there?")
    await ben.line.press("Enter")
    await alice.click("↓ New messages")
    await expect(alice.messages.last).to_be_in_viewport()
    await expect(alice.button("↓ New messages")).to_be_hidden()


@pytest.mark.parametrize("name", ["The table", "#garden"])
async def test_a_link_to_a_message_opens_its_channel(
    desk: Screen, bot: Bot, guild: Guild, ben: Person, name: str
) -> None:
    garden = guild.channel("garden")
    message = await ben.say(garden, "Here it is")
    link = f"https://discord.com/channels/{guild.id}/{garden.id}/{message.id}"
    bot.act = lambda it: it.response.send_message(f"[The table]({link}) or {link}")
    alice = await do(desk)
    await alice.messages.last.get_by_role("button", name=name).click()
    await expect(alice.root.get_by_role("heading", level=2)).to_contain_text("garden")
    await expect(alice.messages.last).to_contain_text("Here it is")


async def test_a_link_to_direct_messages_opens_them(desk: Screen, bot: Bot) -> None:
    async def act(it: discord.Interaction) -> None:
        message = await it.user.send("Here it is")
        await it.response.send_message(message.jump_url, ephemeral=True)

    bot.act = act
    alice = await do(desk)
    await alice.messages.last.get_by_role("button", name="The bot").click()
    await expect(alice.messages.last).to_contain_text("Here it is")
