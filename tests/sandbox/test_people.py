"""People do what their client allows, and see what it shows."""

import asyncio
from typing import Any

import discord
import pytest
from discord import app_commands

from sandbox import Guild, Impossible, Permission, Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot, Interaction, show


@pytest.fixture
async def commands(bot: Bot) -> Bot:
    """Return a bot with options of every type, and a command for moderators that exists on servers only."""
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
        taker: discord.Role | None = None,
    ) -> None:
        others = f"{rival and rival.name} {taker and taker.name}"
        await it.response.send_message(f"{mode} {rounds} {name} {private} {others}")

    @bot.tree.command(description="Tell")
    async def echo(it: Interaction, text: str, size: int = 0) -> None:
        await it.response.send_message(f"{len(text)} {size}")

    @bot.tree.command(description="End")
    @app_commands.default_permissions(manage_threads=True)
    @app_commands.guild_only()
    async def end(it: Interaction) -> None:
        await it.response.send_message("ended")

    bot.tree.add_command(tables)
    await bot.tree.sync()
    return bot


async def test_options_arrive_as_a_client_sends_them(
    commands: Bot, guild: Guild, room: TextChannel, alice: Person, ben: Person
) -> None:
    answer = await alice.slash(room, "table open_", mode="Easy going")
    assert answer.text == "easy 3 none False None None"
    dealers = guild.role("Dealers", Permission(0))
    more: dict[str, Any] = {"rounds": 9, "name": "vip", "private": True, "rival": ben, "taker": dealers}
    answer = await alice.slash(room, "/table open_", mode="easy", **more)
    assert answer.text == "easy 9 vip True Ben Dealers"


async def test_what_a_client_would_not_send_is_impossible(
    commands: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    easy: dict[str, Any] = {"mode": "easy"}
    wrong: dict[str, list[dict[str, Any]]] = {
        "nothing": [{}],
        "table": [{}],
        "table close": [{}],
        "table open_": [
            {},
            {"mode": "hard"},
            *(easy | {"rounds": rounds} for rounds in (10, "3", True)),
            easy | {"name": "x"},
            easy | {"private": 1},
            easy | {"colour": 1},
            *(easy | {"rival": rival} for rival in (12345, room)),
            *(easy | {"taker": taker} for taker in (ben, room)),
        ],
        "echo": [
            {"text": ""},
            {"text": "x" * 6001},
            *({"text": "x", "size": size} for size in (2**53, -(2**53))),
        ],
    }
    for command, each in wrong.items():
        for options in each:
            with pytest.raises(Impossible):
                await alice.slash(room, command, **options)


async def test_the_longest_text_and_the_largest_numbers_are_sent(
    commands: Bot, room: TextChannel, alice: Person
) -> None:
    most = 2**53 - 1
    answer = await alice.slash(room, "echo", text="x" * 6000, size=-most)
    assert answer.text == f"6000 {-most}"


async def test_a_choice_that_is_a_value_is_not_taken_for_a_name(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Deal")
    @app_commands.choices(to=[app_commands.Choice(name=name, value=value) for name, value in ("12", "23")])
    async def deal(it: Interaction, to: str) -> None:
        await it.response.send_message(to)

    await bot.tree.sync()
    assert [(await alice.slash(room, "deal", to=given)).text for given in "123"] == ["2", "2", "3"]


async def test_an_empty_message_cannot_be_written(bot: Bot, room: TextChannel, alice: Person) -> None:
    for blank in ("", "  \n"):
        with pytest.raises(Impossible):
            await alice.say(room, blank)


async def test_an_archived_thread_allows_buttons_but_no_commands(
    bot: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Pick")
    async def pick(it: Interaction, card: str) -> None: ...

    @pick.autocomplete("card")
    async def complete(it: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return []

    await bot.tree.sync()
    sent = await bot.guilds[0].text_channels[0].send("x")
    opened = await sent.create_thread(name="table")
    (thread,) = guild.threads
    panel = discord.ui.View().add_item(discord.ui.Button(label="x", custom_id="x"))
    await opened.send("panel", view=panel)
    thread.archive()
    assert alice.offered(thread) == []
    with pytest.raises(Impossible):
        await alice.slash(thread, "do")
    with pytest.raises(Impossible):
        await alice.autocomplete(thread, "pick", "card", "7")
    received: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = received.put  # type: ignore[attr-defined]
    await alice.click(thread.messages()[-1], "x", wait=False)
    assert (await received.get()).channel_id == thread.id


async def test_a_nickname_belongs_to_one_server(
    commands: Bot, guild: Guild, room: TextChannel, alice: Person, ben: Person
) -> None:
    commands.act = lambda it: it.response.send_message(it.user.display_name)
    alice.rename(guild, "The Ace")
    assert (await alice.slash(room, "do")).text == "The Ace"
    assert (await alice.slash(alice.dms, "do")).text == "Alice"
    alice.rename(guild, None)
    assert (await alice.slash(room, "do")).text == "Alice"
    for nick in ("", " ", "x" * 33):
        with pytest.raises(Impossible):
            alice.rename(guild, nick)


async def test_commands_for_moderators_are_offered_to_moderators_on_servers_only(
    commands: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    with pytest.raises(Impossible):
        await alice.slash(room, "end")
    guild.grant(alice.user, Permission.MANAGE_THREADS)
    assert (await alice.slash(room, "end")).text == "ended"
    guild.grant(alice.user, Permission.ADMINISTRATOR)
    with pytest.raises(Impossible):
        await alice.slash(alice.dms, "end")


async def test_commands_and_messages_need_permissions(
    commands: Bot, room: TextChannel, alice: Person
) -> None:
    room.deny(None, Permission.USE_APPLICATION_COMMANDS)
    room.deny(None, Permission.SEND_MESSAGES)
    with pytest.raises(Impossible):
        await alice.slash(room, "do")
    with pytest.raises(Impossible):
        await alice.say(room, "hello")


async def test_a_double_click_reaches_the_bot_twice(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    received: list[int] = []

    class Once(discord.ui.View):
        @discord.ui.button(label="Press")
        async def press(self, it: Interaction, button: discord.ui.Button["Once"]) -> None:
            received.append(it.id)
            if not it.response.is_done() and len(received) == 1:
                await it.response.edit_message(content="pressed")

    shown = await show(bot, alice, room, "press", view=Once())
    await alice.click(shown, "Press", times=2)
    await box.until(lambda: len(received) == 2)
    assert received[0] == received[1]
    assert shown.text == "pressed"


async def test_nothing_in_a_deleted_channel_can_be_used(bot: Bot, room: TextChannel, alice: Person) -> None:
    class View(discord.ui.View):
        @discord.ui.button(label="Press")
        async def press(self, it: Interaction, button: discord.ui.Button["View"]) -> None:
            raise AssertionError("it was pressed")

    shown = await show(bot, alice, room, "press", view=View(), ephemeral=True)
    room.delete()
    with pytest.raises(Impossible, match="deleted"):
        await alice.click(shown, "Press")
    with pytest.raises(Impossible, match="deleted"):
        await alice.slash(room, "do")


async def test_interactions_do_not_reach_a_removed_bot(
    bot: Bot, guild: Guild, room: TextChannel, alice: Person
) -> None:
    shown = await show(
        bot, alice, room, "panel", view=discord.ui.View().add_item(discord.ui.Button(label="x"))
    )
    guild.remove(guild.world.bot)
    assert (await alice.click(shown, "x")).failed
    with pytest.raises(Impossible):
        await alice.slash(room, "do")


async def test_everything_yields_all_that_was_shown_and_nothing_else(
    box: Sandbox, bot: Bot, guild: Guild, room: TextChannel, alice: Person, ben: Person
) -> None:
    """Past states, labels, custom ids, values, modals, deleted messages and ephemeral messages are included."""

    class Form(discord.ui.Modal, title="in the title"):
        field: discord.ui.Label["Form"] = discord.ui.Label(
            text="in the label", component=discord.ui.TextInput(default="in the field")
        )

    class View(discord.ui.View):
        @discord.ui.button(label="in the button", custom_id="in the custom id")
        async def press(self, it: Interaction, button: discord.ui.Button["View"]) -> None:
            await it.response.send_modal(Form())

    shown = await show(bot, alice, room, "in the text", view=View(), ephemeral=True)
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
