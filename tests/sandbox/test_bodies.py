"""What the real client sends, held against Discord's own specification."""

import io
from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox import Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot, Interaction
from tests.sandbox.openapi import SPECIFICATION, validator_for

INLINE = "/interactions/{interaction_id}/{token}/callback"


class Everything(discord.ui.LayoutView):
    """One of each kind of component a message can have."""

    def __init__(self) -> None:
        super().__init__()
        thumbnail: discord.ui.Thumbnail[Any] = discord.ui.Thumbnail("attachment://a.png", description="a")
        self.add_item(discord.ui.Section("text", accessory=thumbnail))
        self.add_item(discord.ui.Separator())
        picture = discord.MediaGalleryItem("attachment://a.png", description="a")
        self.add_item(
            discord.ui.Container(discord.ui.MediaGallery(picture), discord.ui.File("attachment://a.png"))
        )
        button: discord.ui.Button[Any] = discord.ui.Button(label="Press", emoji="♥️", custom_id="press")
        self.add_item(discord.ui.ActionRow(button))
        options = [discord.SelectOption(label="One", value="1", description="first", emoji="🌴")]
        self.add_item(discord.ui.ActionRow(discord.ui.Select(placeholder="Cards", options=options)))
        self.add_item(discord.ui.ActionRow(discord.ui.UserSelect()))


class Form(discord.ui.Modal, title="Form"):
    shown: discord.ui.TextDisplay[Any] = discord.ui.TextDisplay("Bids")
    bid: discord.ui.Label[Any] = discord.ui.Label(text="Bid", component=discord.ui.TextInput())


async def play(box: Sandbox, bot: Bot, room: TextChannel, alice: Person) -> None:
    """Let the client send something to every route a game needs."""

    def file() -> discord.File:
        return discord.File(io.BytesIO(b"x"), "a.png", description="alt")

    async def act(it: Interaction) -> None:
        await it.response.send_message(view=Everything(), file=file())
        await it.followup.send("more", ephemeral=True)
        await it.edit_original_response(view=Everything(), attachments=[file()])

    bot.act = act
    shown = (await alice.slash(room, "do")).message
    assert shown
    await box.until(lambda: shown.edits)
    bot.act = lambda it: it.response.send_modal(Form())
    await alice.slash(room, "do")
    bot.act = lambda it: it.response.defer(ephemeral=True)
    await alice.slash(room, "do")
    channel = bot.get_channel(room.id)
    assert isinstance(channel, discord.TextChannel)
    sent = await channel.send("hello", embed=discord.Embed(title="Scores", colour=1), nonce="n")
    await sent.edit(content="changed")
    await sent.create_thread(name="from a message")
    thread = await channel.create_thread(name="without", type=discord.ChannelType.public_thread)
    await thread.edit(name="renamed", archived=True)
    await (await bot.fetch_user(alice.id)).send("hand")


@pytest.mark.skipif(not SPECIFICATION.exists(), reason="Discord's specification is not at hand")
async def test_every_body_of_the_client_obeys_discords_specification(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Start a table")
    @app_commands.choices(mode=[app_commands.Choice(name="Easy", value="easy")])
    async def start(it: Interaction, mode: str, rounds: app_commands.Range[int, 1, 9] = 1) -> None:
        await it.response.defer()

    await bot.tree.sync()
    await play(box, bot, room, alice)
    assert box.complaints == []
    wrong = []
    for sent in box.bodies:
        validator = validator_for(sent.method, sent.template)
        assert validator
        wrong += [
            f"{sent.method} {sent.template}: {each.message[:500]}"
            for each in validator.iter_errors(sent.body)
        ]
    assert wrong == []
    assert {INLINE, "/applications/{application_id}/commands"} <= {each.template for each in box.bodies}
