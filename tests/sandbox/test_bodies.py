"""Requests of the real client, and the answers to them, checked against Discord's specification."""

import io
import json
from collections.abc import Iterator
from typing import Any

import discord
import pytest
from discord import app_commands
from jsonschema import Draft202012Validator

from sandbox import Permission, Person, Sandbox, TextChannel
from sandbox.rest import Record
from tests.sandbox import openapi
from tests.sandbox.bots import Bot, Interaction
from tests.sandbox.openapi import SPECIFICATION, validator_for
from tests.sandbox.test_interactions import Panel

pytestmark = pytest.mark.skipif(not SPECIFICATION.exists(), reason="Discord's specification is not at hand.")


class Everything(discord.ui.LayoutView):
    """A message with one component of each kind."""

    def __init__(self) -> None:
        super().__init__()
        beside: discord.ui.Button[Any] = discord.ui.Button(label="Beside", custom_id="beside")
        self.add_item(discord.ui.Section("text", accessory=beside))
        picture = discord.MediaGalleryItem("attachment://a.png", description="a")
        file: discord.ui.File[Any] = discord.ui.File("attachment://a.png")
        self.add_item(discord.ui.Container(discord.ui.MediaGallery(picture), file))
        button: discord.ui.Button[Any] = discord.ui.Button(label="Press", custom_id="press")
        self.add_item(discord.ui.ActionRow(button))
        options = [discord.SelectOption(label="One", value="1", description="first")]
        self.add_item(discord.ui.ActionRow(discord.ui.Select(placeholder="Cards", options=options)))
        self.add_item(discord.ui.ActionRow(discord.ui.RoleSelect()))
        self.add_item(discord.ui.ActionRow(discord.ui.ChannelSelect()))


class Form(discord.ui.Modal, title="Form"):
    shown: discord.ui.TextDisplay[Any] = discord.ui.TextDisplay("Bids")
    bid: discord.ui.Label[Any] = discord.ui.Label(text="Bid", component=discord.ui.TextInput())

    async def on_submit(self, interaction: Interaction) -> None:
        await interaction.response.send_message("bid", ephemeral=True)


def file() -> discord.File:
    return discord.File(io.BytesIO(b"x"), "a.png", description="alt")


async def interact(box: Sandbox, bot: Bot, room: TextChannel, alice: Person) -> None:
    """Give every kind of answer to an interaction."""

    async def act(it: Interaction) -> None:
        await it.response.send_message(view=Everything(), file=file())
        await it.followup.send("more", ephemeral=True)
        await it.edit_original_response(view=Everything(), attachments=[file()])

    bot.act = act
    shown = (await alice.slash(room, "do")).message
    assert shown
    await box.until(lambda: shown.edits)
    bot.act = lambda it: it.response.send_modal(Form())
    opened = (await alice.slash(room, "do")).modal
    assert opened
    await alice.submit(opened, {"Bid": "1"})
    bot.act = lambda it: it.response.send_message(view=Panel())
    panel = (await alice.slash(room, "do")).message
    assert panel
    await alice.select(panel, "Cards", ["c0"])
    bot.act = lambda it: it.response.defer(ephemeral=True)
    await alice.slash(room, "do")


async def write(bot: Bot, room: TextChannel, alice: Person) -> None:
    """Create and read messages, pins, threads and direct messages."""
    room.guild.grant(room.world.bot, Permission.PIN_MESSAGES)
    channel = bot.get_channel(room.id)
    assert isinstance(channel, discord.TextChannel)
    sent = await channel.send("hello", file=file())
    await sent.edit(content="changed")
    await channel.create_thread(name="without a message")
    thread = await sent.create_thread(name="from a message")
    await thread.add_user(discord.Object(alice.id))
    await thread.edit(archived=True)
    await sent.pin()
    assert [each.id async for each in channel.pins()] == [sent.id]
    assert [each async for each in channel.history()]
    await sent.unpin()
    await (await bot.fetch_user(alice.id)).send("hand")
    assert [each async for each in channel.history()]
    await bot.fetch_channel(room.id)
    await bot.fetch_guild(channel.guild.id)
    await channel.guild.fetch_member(alice.id)
    assert len(await channel.guild.fetch_roles()) == len(room.guild.roles)
    await bot.http.request(discord.http.Route("GET", "/applications/@me"))


def answered(record: Record) -> Iterator[str]:
    """Yield the errors in the sandbox's answer to a request. A status that Discord does not use is an error too."""
    operation = openapi._paths()[openapi._nameless(record.template)]
    method, status = record.method.lower(), str(record.status)
    expected = openapi._document()["paths"][operation][method]["responses"].get(status)
    if expected is None:
        yield f"there is no status {status}"
    elif record.answer:
        path = f"#/paths/{openapi._escaped(operation)}/{method}/responses/{status}/content"
        schema = {"$ref": f"{openapi._URI}{path}/application~1json/schema"}
        errors = Draft202012Validator(schema, registry=openapi._registry()).iter_errors(
            json.loads(record.answer)
        )
        yield from (f"{list(each.absolute_path)}: {each.message:.500}" for each in errors)


async def test_every_request_body_and_every_answer_obeys_discords_specification(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Start a table")
    @app_commands.choices(mode=[app_commands.Choice(name="Easy", value="easy")])
    async def start(it: Interaction, mode: str, rounds: app_commands.Range[int, 1, 9] = 1) -> None:
        await it.response.defer()

    await bot.tree.sync()
    await interact(box, bot, room, alice)
    await write(bot, room, alice)
    assert box.complaints == []
    wrong = []
    for sent in box.bodies:
        validator = validator_for(sent.method, sent.template)
        assert validator
        errors = validator.iter_errors(sent.body)
        wrong += [f"{sent.method} {sent.template}: {each.message[:500]}" for each in errors]
    assert wrong == []
    asked = {each.template for each in box.bodies}
    assert {"/interactions/{interaction_id}/{token}/callback", "/channels/{channel_id}/threads"} <= asked
    wrong = [f"{each.method} {each.template}: {what}" for each in box.requests for what in answered(each)]
    assert wrong == []
    assert len({each.template for each in box.requests if each.answer}) > 15
