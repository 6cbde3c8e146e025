"""People do what a client lets them do, and see what a client shows them."""

import asyncio
from math import nan
from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox import Guild, Impossible, Permission, Person, Sandbox, TextChannel, slash
from tests.sandbox.bots import Bot, Interaction


@pytest.fixture
async def commands(bot: Bot) -> Bot:
    """A bot with options of every type, a server command, one for moderators and one for servers only."""
    tables = app_commands.Group(name="table", description="Tables")

    @tables.command(description="Open")
    @app_commands.choices(mode=[app_commands.Choice(name="Easy going", value="easy")])
    async def open_(
        it: Interaction,
        mode: str,
        rounds: app_commands.Range[int, 1, 9] = 3,
        name: app_commands.Range[str, 2, 5] = "none",
        private: bool = False,
        rival: discord.Member | None = None,
        place: discord.TextChannel | None = None,
    ) -> None:
        rivals = f"{rival and rival.name} {place and place.name}"
        await it.response.send_message(f"{mode} {rounds} {name} {private} {rivals}")

    @bot.tree.command(description="Tell")
    async def tell(it: Interaction, text: str, size: int = 0, share: float = 0.0) -> None:
        await it.response.send_message(f"{len(text)} {size} {share}")

    @bot.tree.command(description="End")
    @app_commands.default_permissions(manage_threads=True)
    @app_commands.guild_only()
    async def end(it: Interaction) -> None:
        await it.response.send_message("ended")

    @bot.tree.command(description="Here only", guild=bot.guilds[0])
    async def here(it: Interaction) -> None:
        await it.response.send_message("here")

    bot.tree.add_command(tables)
    await bot.tree.sync()
    await bot.tree.sync(guild=bot.guilds[0])
    return bot


async def test_options_are_given_as_a_client_sends_them(
    commands: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    answer = await alice.slash(room, "table open_", mode="Easy going")
    assert answer.text == "easy 3 none False None None"
    more: dict[str, Any] = {"rounds": 9, "name": "vip", "private": True, "rival": ben, "place": room}
    answer = await alice.slash(room, "/table open_", mode="easy", **more)
    assert answer.text == "easy 9 vip True Ben card-room"


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("nothing", {}),
        ("table", {}),
        ("table close", {}),
        ("table open_", {}),
        ("table open_", {"mode": "hard"}),
        ("table open_", {"mode": "easy", "rounds": 10}),
        ("table open_", {"mode": "easy", "rounds": "3"}),
        ("table open_", {"mode": "easy", "rounds": True}),
        ("table open_", {"mode": "easy", "name": "x"}),
        ("table open_", {"mode": "easy", "private": 1}),
        ("table open_", {"mode": "easy", "colour": 1}),
        ("table open_", {"mode": "easy", "rival": 12345}),
        ("tell", {"text": ""}),
        ("tell", {"text": "x" * 6001}),
        ("tell", {"text": "x", "size": 2**53}),
        ("tell", {"text": "x", "size": -(2**53)}),
        ("tell", {"text": "x", "share": 2.0**53}),
        ("tell", {"text": "x", "share": nan}),
        ("end", {}),
    ],
)
async def test_what_a_client_would_not_send_is_impossible(
    commands: Bot, room: TextChannel, alice: Person, command: str, options: dict[str, Any]
) -> None:
    with pytest.raises(Impossible):
        await alice.slash(room, command, **options)


async def test_the_longest_text_and_the_largest_numbers_are_sent(
    commands: Bot, room: TextChannel, alice: Person
) -> None:
    most = 2**53 - 1
    answer = await alice.slash(room, "tell", text="x" * 6000, size=-most, share=float(most))
    assert answer.text == f"6000 {-most} {float(most)}"


@pytest.mark.parametrize("wrong", ["rival", "place"])
async def test_an_option_takes_people_or_channels_as_it_says(
    commands: Bot, room: TextChannel, alice: Person, ben: Person, wrong: str
) -> None:
    given: dict[str, Any] = {"rival": ben, "place": room}
    given[wrong] = room if wrong == "rival" else ben
    with pytest.raises(Impossible):
        await alice.slash(room, "table open_", mode="easy", **given)


async def test_a_choice_is_a_value_and_a_name_only_where_it_is_no_value(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Deal")
    @app_commands.choices(to=[app_commands.Choice(name=name, value=value) for name, value in ("12", "23")])
    async def deal(it: Interaction, to: str) -> None:
        await it.response.send_message(to)

    await bot.tree.sync()
    assert [(await alice.slash(room, "deal", to=given)).text for given in "123"] == ["2", "2", "3"]


async def test_nobody_writes_nothing(bot: Bot, room: TextChannel, alice: Person) -> None:
    for blank in ("", "  \n"):
        with pytest.raises(Impossible):
            await alice.say(room, blank)


async def test_in_an_archived_thread_there_are_buttons_but_no_commands(
    bot: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Pick")
    async def pick(it: Interaction, card: str) -> None: ...

    @pick.autocomplete("card")
    async def complete(it: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return []

    await bot.tree.sync()
    opened = (
        await bot.guilds[0]
        .text_channels[0]
        .create_thread(name="table", type=discord.ChannelType.public_thread)
    )
    (thread,) = guild.threads
    panel = discord.ui.View().add_item(discord.ui.Button(label="x", custom_id="x"))
    await opened.send("panel", view=panel)
    thread.archive()
    assert slash.offered(alice, thread) == []
    with pytest.raises(Impossible):
        await alice.slash(thread, "do")
    with pytest.raises(Impossible):
        await alice.autocomplete(thread, "pick", "card", "7")
    heard: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = heard.put  # type: ignore[attr-defined]
    await alice.click(thread.messages()[-1], "x", wait=False)
    assert (await heard.get()).channel_id == thread.id


async def test_commands_for_moderators_are_offered_to_moderators(
    commands: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    guild.grant(alice.user, Permission.MANAGE_THREADS)
    assert (await alice.slash(room, "end")).text == "ended"


@pytest.mark.parametrize("command", ["end", "here"])
async def test_commands_of_servers_do_not_exist_in_direct_messages(
    commands: Bot, guild: Guild, alice: Person, command: str
) -> None:
    guild.grant(alice.user, Permission.ADMINISTRATOR)
    with pytest.raises(Impossible):
        await alice.slash(alice.dms, command)


async def test_without_the_right_nobody_uses_commands_or_writes(
    commands: Bot, room: TextChannel, alice: Person
) -> None:
    room.deny(None, Permission.USE_APPLICATION_COMMANDS)
    room.deny(None, Permission.SEND_MESSAGES)
    with pytest.raises(Impossible):
        await alice.slash(room, "here")
    with pytest.raises(Impossible):
        await alice.say(room, "hello")


async def test_a_double_click_reaches_the_bot_twice(bot: Bot, room: TextChannel, alice: Person) -> None:
    heard: list[int] = []

    class Once(discord.ui.View):
        @discord.ui.button(label="Press")
        async def press(self, it: Interaction, button: discord.ui.Button["Once"]) -> None:
            heard.append(it.id)
            if not it.response.is_done() and len(heard) == 1:
                await it.response.edit_message(content="pressed")

    bot.act = lambda it: it.response.send_message("press", view=Once())
    shown = (await alice.slash(room, "do")).message
    assert shown
    await alice.click(shown, "Press", times=2)
    await alice.box.until(lambda: len(heard) == 2)
    assert heard[0] == heard[1]
    assert shown.text == "pressed"


async def test_a_removed_bot_is_not_reached_any_more(
    bot: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    bot.act = lambda it: it.response.send_message(
        "panel", view=discord.ui.View().add_item(discord.ui.Button(label="x"))
    )
    shown = (await alice.slash(room, "do")).message
    assert shown
    guild.remove(guild.world.bot)
    assert (await alice.click(shown, "x")).failed
    with pytest.raises(Impossible):
        await alice.slash(room, "do")


async def test_everything_holds_what_was_shown_and_nothing_else(
    box: Sandbox, bot: Bot, guild: Guild, room: TextChannel, alice: Person, ben: Person
) -> None:
    """Past states, labels, custom ids, values, forms; also of what is deleted, and of what only one could see."""

    class Form(discord.ui.Modal, title="in the title"):
        field: discord.ui.TextInput["Form"] = discord.ui.TextInput(
            label="in the label", default="in the field"
        )

    class View(discord.ui.View):
        @discord.ui.button(label="in the button", custom_id="in the custom id")
        async def press(self, it: Interaction, button: discord.ui.Button["View"]) -> None:
            await it.response.send_modal(Form())

    bot.act = lambda it: it.response.send_message("in the text", view=View(), ephemeral=True)
    shown = (await alice.slash(room, "do")).message
    assert shown
    await alice.click(shown, "in the button")
    sent = await bot.get_partial_messageable(room.id).send("before")
    await sent.edit(content="after")
    await sent.delete()
    room.delete()
    hers, his = set(alice.everything()), set(ben.everything())
    private = {f"in the {what}" for what in ("title", "label", "field", "button", "custom id", "text")}
    assert private <= hers
    assert not private & his
    assert {"before", "after"} <= hers & his
