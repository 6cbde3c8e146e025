"""Choices in selects and entries in modals, by tests and by the page."""

from typing import Any

import aiohttp
import discord
import pytest

from sandbox import Guild, Impossible, Message, Modal, Permission, Person, TextChannel
from tests.sandbox.bots import Bot, Interaction, show

HAND = ("3", "4", "6", "8", "K", "2")
"""A hand of cards. Each option's value is a place in the hand, so that some labels are also values of other cards."""


class Menus(discord.ui.View):
    """One select of each kind. The answer to a choice is what the bot received."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        cards = [discord.SelectOption(label=card, value=str(place)) for place, card in enumerate(HAND)]
        text = [discord.ChannelType.text]
        self.add(discord.ui.Select(placeholder="Cards", options=cards, min_values=3, max_values=3))
        self.add(discord.ui.RoleSelect(placeholder="Roles", max_values=2))
        self.add(discord.ui.ChannelSelect(placeholder="Channels", channel_types=text))

    def add(self, menu: Any) -> None:
        async def reply(interaction: Interaction) -> None:
            await interaction.response.send_message(" ".join(map(str, menu.values)), ephemeral=True)

        menu.callback = reply
        self.add_item(menu)


class Form(discord.ui.Modal, title="Choose"):
    """A modal with two selects."""

    needed: discord.ui.Label[Any] = discord.ui.Label(
        text="Two or three",
        component=discord.ui.Select(
            custom_id="needed",
            min_values=2,
            max_values=3,
            options=[discord.SelectOption(label=card, value=card) for card in "abcd"],
        ),
    )
    free: discord.ui.Label[Any] = discord.ui.Label(
        text="None or any",
        component=discord.ui.Select(
            custom_id="free",
            required=False,
            max_values=2,
            options=[discord.SelectOption(label=card, value=card) for card in "ab"],
        ),
    )

    async def on_submit(self, interaction: Interaction) -> None:
        needed, free = self.needed.component, self.free.component
        assert isinstance(needed, discord.ui.Select)
        assert isinstance(free, discord.ui.Select)
        await interaction.response.send_message(f"{needed.values} {free.values}")


@pytest.fixture
async def menus(bot: Bot, room: TextChannel, alice: Person) -> Message:
    return await show(bot, alice, room, "menus", view=Menus())


@pytest.fixture
async def form(bot: Bot, room: TextChannel, alice: Person) -> Modal:
    bot.act = lambda it: it.response.send_modal(Form())
    opened = (await alice.slash(room, "do")).modal
    assert opened
    return opened


async def choose(
    http: aiohttp.ClientSession, person: Person, message: Message, values: list[str]
) -> tuple[int, Any]:
    """Choose in the menu of cards as the page does."""
    (cards,) = (each for each in message.selects if each.get("placeholder") == "Cards")
    body = {"message": str(message.id), "custom_id": cards["custom_id"], "values": values}
    async with http.post(f"/sandbox/people/{person.id}/select", json=body) as answer:
        return answer.status, await answer.json()


async def test_a_pick_that_is_a_value_is_not_taken_for_a_label(menus: Message, alice: Person) -> None:
    for picks, sent in (("345", "3 4 5"), ("012", "0 1 2"), ("8K5", "3 4 5")):
        assert (await alice.select(menus, "Cards", [*picks])).text == sent


async def test_the_page_can_choose_by_value_only(
    menus: Message, alice: Person, http: aiohttp.ClientSession
) -> None:
    status, answer = await choose(http, alice, menus, ["3", "4", "5"])
    assert (status, alice.sees(menus.channel)[-1].text) == (200, "3 4 5"), answer
    status, answer = await choose(http, alice, menus, ["8", "K", "5"])
    assert (status, "There is no '8'" in answer["message"]) == (400, True)


async def test_an_option_cannot_be_chosen_twice(menus: Message, guild: Guild, alice: Person) -> None:
    for picks in ("001", "000"):
        with pytest.raises(Impossible):
            await alice.select(menus, "Cards", [*picks])
    with pytest.raises(Impossible):
        await alice.select(menus, "Roles", [guild.role("Dealers", Permission(0))] * 2)


async def test_a_select_accepts_its_kinds_of_things(
    menus: Message, guild: Guild, room: TextChannel, alice: Person
) -> None:
    role = guild.role("Dealers", Permission(0))
    for menu, pick in (("Roles", role), ("Channels", room), ("Channels", str(room.id))):
        answer = await alice.select(menus, menu, [pick])
        assert getattr(pick, "name", "card-room") in answer.text


async def test_a_select_refuses_other_kinds_of_things(
    bot: Bot, menus: Message, guild: Guild, room: TextChannel, alice: Person, ben: Person
) -> None:
    await bot.guilds[0].text_channels[0].create_thread(name="table")
    role, (thread,) = guild.role("Dealers", Permission(0)), guild.threads
    for menu, wrong in (("Roles", (ben, room)), ("Channels", (ben, role, thread, "card-room"))):
        for thing in wrong:
            with pytest.raises(Impossible):
                await alice.select(menus, menu, [thing])


async def test_choices_in_a_modal_are_submitted(form: Modal, alice: Person) -> None:
    answer = await alice.submit(form, {"Two or three": ["a", "d"], "None or any": []})
    assert answer.text == "['a', 'd'] []"


async def test_too_few_too_many_or_unknown_choices_in_a_modal_are_refused(form: Modal, alice: Person) -> None:
    for needed in ("", "a", "abcd", "aa", "ae"):
        with pytest.raises(Impossible):
            await alice.submit(form, {"needed": [*needed]})
    for entries in ({}, {"needed": ["a", "b"], "free": ["a", "a"]}):
        with pytest.raises(Impossible):
            await alice.submit(form, entries)
