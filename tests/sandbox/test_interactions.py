"""Interactions answered by the real client: every kind of answer, in time and too late, public and ephemeral."""

import asyncio
import io

import discord
import pytest

from sandbox import Answer, Impossible, Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot, Interaction, refusal, show


async def asked(bot: Bot, person: Person, room: TextChannel) -> tuple[Interaction, asyncio.Task[Answer]]:
    """Return the bot's side and the person's side of an interaction that has no answer yet."""
    task = asyncio.create_task(person.slash(room, "do"))
    return await bot.inbox.get(), task


class Panel(discord.ui.View):
    """A button that counts its clicks, a button that opens a modal, and a menu."""

    presses = 0

    @discord.ui.button(label="Press")
    async def press(self, interaction: Interaction, button: discord.ui.Button["Panel"]) -> None:
        self.presses += 1
        await interaction.response.edit_message(content=f"pressed {self.presses}", view=self)

    @discord.ui.button(label="Form")
    async def form(self, interaction: Interaction, button: discord.ui.Button["Panel"]) -> None:
        await interaction.response.send_modal(Bid())

    @discord.ui.button(label="Off", disabled=True)
    async def off(self, interaction: Interaction, button: discord.ui.Button["Panel"]) -> None:
        raise AssertionError("a disabled button was pressed")

    @discord.ui.select(
        placeholder="Cards",
        max_values=2,
        options=[discord.SelectOption(label=f"Card {n}", value=f"c{n}") for n in range(3)],
    )
    async def cards(self, interaction: Interaction, select: discord.ui.Select["Panel"]) -> None:
        await interaction.response.send_message(" ".join(select.values), ephemeral=True)


class Bid(discord.ui.Modal, title="Your bid"):
    tricks: discord.ui.Label["Bid"] = discord.ui.Label(
        text="Tricks", component=discord.ui.TextInput(max_length=2, default="1")
    )

    async def on_submit(self, interaction: Interaction) -> None:
        assert isinstance(self.tricks.component, discord.ui.TextInput)
        await interaction.response.edit_message(content=f"bid {self.tricks.component.value}")


async def test_only_one_person_sees_an_ephemeral_answer_until_it_is_dismissed(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    shown = await show(bot, alice, room, "secret", ephemeral=True)
    assert [each.text for each in alice.sees(room)] == ["secret"]
    assert ben.sees(room) == []
    assert "secret" in alice.everything()
    assert "secret" not in ben.everything()
    alice.dismiss(shown)
    assert alice.sees(room) == []


@pytest.mark.parametrize("ephemeral", [True, False])
async def test_a_deferred_answer_keeps_its_visibility(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person, ben: Person, ephemeral: bool
) -> None:
    """The flag of the followup that replaces the placeholder is ignored."""

    async def act(it: Interaction) -> None:
        await it.response.defer(ephemeral=ephemeral)
        await it.followup.send("later", ephemeral=not ephemeral)

    bot.act = act
    answer = await alice.slash(room, "do")
    await box.until(lambda: answer.text == "later")
    assert answer.ephemeral == ephemeral
    assert ("later" in ben.everything()) != ephemeral
    assert answer.followups == []
    assert answer.message
    assert answer.message.edited is None


async def test_a_followup_after_a_deleted_placeholder_is_a_separate_message(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    interaction, task = await asked(bot, alice, room)
    await interaction.response.defer(ephemeral=True)
    answer = await task
    await interaction.delete_original_response()
    await interaction.followup.send("later")
    assert [each.text for each in ben.sees(room)] == ["later"]
    assert len(answer.followups) == 1
    assert await refusal(interaction.edit_original_response(content="x")) == (404, 10008)


async def test_followups_are_separate_messages(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    async def act(it: Interaction) -> None:
        await it.response.send_message("first")
        second = await it.followup.send("second", ephemeral=True, wait=True)
        await second.edit(content="third")
        await it.edit_original_response(content="changed")

    bot.act = act
    answer = await alice.slash(room, "do")
    await box.until(lambda: answer.text == "changed")
    assert [(each.text, each.ephemeral) for each in answer.followups] == [("third", True)]
    assert [each.text for each in ben.sees(room)] == ["changed"]
    assert {"first", "changed"} <= set(ben.everything())


async def test_original_responses_and_followups_can_be_fetched_and_deleted(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    interaction, task = await asked(bot, alice, room)
    await interaction.response.send_message("first")
    await task
    assert (await interaction.original_response()).content == "first"
    await interaction.delete_original_response()
    assert alice.sees(room) == []
    assert await refusal(interaction.edit_original_response(content="x")) == (404, 10008)


async def test_buttons_and_the_modals_they_open_update_their_message(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel())
    await alice.click(shown, "Press")
    await ben.click(shown, "Press")
    assert (shown.text, shown.edits) == ("pressed 2", 2)
    opened = await ben.click(shown, "Form")
    assert opened.modal
    assert opened.modal.text == "Your bid\nTricks"
    await ben.submit(opened.modal, {"Tricks": "12"})
    assert shown.text == "bid 12"


async def test_a_message_names_the_interactions_that_led_to_it(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    """It names the message of the button, the interaction that opened the modal, and the answer before a followup."""

    class Chain(discord.ui.View):
        @discord.ui.button(label="Form")
        async def form(self, it: Interaction, button: discord.ui.Button["Chain"]) -> None:
            await it.response.send_modal(Told())

    class Told(discord.ui.Modal, title="Tell"):
        field: discord.ui.Label["Told"] = discord.ui.Label(
            text="Text", component=discord.ui.TextInput(default="x")
        )

        async def on_submit(self, it: Interaction) -> None:
            await it.response.send_message("first")
            await it.followup.send("second")

    shown = await show(bot, alice, room, "panel", view=Chain())
    opened = await alice.click(shown, "Form")
    assert opened.modal
    answer = await alice.submit(opened.modal, {})
    await box.until(lambda: answer.followups)
    sent = [await bot.get_partial_messageable(room.id).fetch_message(m.id) for m in room.messages()]
    panel, first, second = (message.interaction_metadata for message in sent)
    assert panel
    assert first
    assert second
    assert (panel.interacted_message_id, panel.modal_interaction) == (None, None)
    assert first.modal_interaction
    assert first.modal_interaction.id == opened.interaction.id
    assert first.modal_interaction.interacted_message_id == shown.id
    assert second.original_response_message_id == sent[1].id


async def test_a_modal_keeps_default_values_and_checks_limits(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel())
    opened = await alice.click(shown, "Form")
    assert opened.modal
    for entries in ({"Tricks": "123"}, {"Tricks": ""}, {"Cards": "1"}):
        with pytest.raises(Impossible):
            await alice.submit(opened.modal, entries)
    await alice.submit(opened.modal, {})
    assert shown.text == "bid 1"


async def test_selects_send_values_and_check_limits(bot: Bot, room: TextChannel, alice: Person) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel())
    answer = await alice.select(shown, "Cards", ["Card 1", "c2"])
    assert (answer.text, answer.ephemeral) == ("c1 c2", True)
    for picks in ([], ["c0", "c1", "c2"], ["c9"]):
        with pytest.raises(Impossible):
            await alice.select(shown, "Cards", picks)


async def test_a_deleted_message_cannot_be_updated(bot: Bot, room: TextChannel, alice: Person) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel())
    pressed: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = pressed.put  # type: ignore[attr-defined]
    await alice.press(shown, "gone", wait=False)
    await bot.get_partial_messageable(room.id).get_partial_message(shown.id).delete()
    late = await pressed.get()
    assert await refusal(late.response.edit_message(content="x")) == (404, 10008)


async def test_disabled_missing_and_invisible_components_cannot_be_used(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel(), ephemeral=True)
    for person, button in ((alice, "Off"), (alice, "Nowhere"), (ben, "Press")):
        with pytest.raises(Impossible):
            await person.click(shown, button)


async def test_any_custom_id_can_be_forged(bot: Bot, room: TextChannel, alice: Person) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel(timeout=None))
    received: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = received.put  # type: ignore[attr-defined]
    task = asyncio.create_task(alice.press(shown, "another:id"))
    forged = await received.get()
    assert forged.data
    assert forged.data["custom_id"] == "another:id"  # type: ignore[typeddict-item]
    await forged.response.defer()
    assert (await task).interaction.answer == 6


async def test_layout_views_are_edited_in_place_and_show_files(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    class Layout(discord.ui.LayoutView):
        def __init__(self) -> None:
            super().__init__()
            row: discord.ui.ActionRow[Layout] = discord.ui.ActionRow()
            button: discord.ui.Button[Layout] = discord.ui.Button(label="Go")
            button.callback = self.go  # type: ignore[assignment, method-assign]
            row.add_item(button)
            picture = discord.MediaGalleryItem("attachment://card.png", description="a card")
            gallery: discord.ui.MediaGallery[Layout] = discord.ui.MediaGallery(picture)
            self.add_item(discord.ui.Container(discord.ui.TextDisplay("board"), gallery, row))

        async def go(self, it: Interaction) -> None:
            done = discord.ui.LayoutView()
            done.add_item(discord.ui.TextDisplay("done"))
            await it.response.edit_message(view=done, attachments=[])

    file = discord.File(io.BytesIO(b"png"), "card.png", description="a card")
    shown = await show(bot, alice, room, view=Layout(), file=file)
    assert [(each["filename"], each["description"]) for each in shown.files] == [("card.png", "a card")]
    fetched = await bot.get_partial_messageable(room.id).fetch_message(shown.id)
    (box,) = fetched.components
    assert isinstance(box, discord.Container)
    gallery = box.children[1]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert await bot.http.get_from_cdn(gallery.items[0].media.url) == b"png"
    await alice.click(shown, "Go")
    assert (shown.text, shown.files) == ("done", [])


async def test_a_file_component_keeps_its_name_after_the_attachment_is_removed(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    layout = discord.ui.LayoutView().add_item(discord.ui.File("attachment://rules.txt"))

    async def act(it: Interaction) -> None:
        await it.response.send_message(view=layout, file=discord.File(io.BytesIO(b"x"), "rules.txt"))
        await it.edit_original_response(attachments=[])

    bot.act = act
    shown = (await alice.slash(room, "do")).message
    assert shown
    await box.until(lambda: shown.edits)
    assert ([each["name"] for each in shown.components], shown.files) == (["rules.txt"], [])


async def test_autocomplete_offers_choices_for_the_typed_text(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    @bot.tree.command(description="Move")
    async def move(interaction: Interaction, action: str, size: int = 1) -> None:
        await interaction.response.send_message(f"{action} {size}", ephemeral=True)

    @move.autocomplete("action")
    async def complete(interaction: Interaction, current: str) -> list[discord.app_commands.Choice[str]]:
        return [discord.app_commands.Choice(name=f"{current}!", value=current * interaction.namespace.size)]

    await bot.tree.sync()
    assert await alice.autocomplete(room, "move", "action", "pl", size=2) == [
        {"name": "pl!", "value": "plpl"}
    ]
    assert (await alice.slash(room, "move", action="anything")).text == "anything 1"


async def test_an_answer_after_three_seconds_is_too_late(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    interaction, task = await asked(bot, alice, room)
    box.clock.advance(3.1)
    assert (await task).failed == "The application did not respond"
    assert await refusal(interaction.response.send_message("late")) == (404, 10062)
    assert await refusal(interaction.followup.send("late")) == (404, 10015)


async def test_tokens_expire_after_15_minutes_but_messages_stay_editable(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    interaction, task = await asked(bot, alice, room)
    await interaction.response.send_message("public")
    shown = (await task).message
    assert shown
    box.clock.advance(15 * 60)
    assert await refusal(interaction.edit_original_response(content="x")) == (401, 50027)
    assert await refusal(interaction.followup.send("x")) == (401, 50027)
    await bot.get_partial_messageable(room.id).get_partial_message(shown.id).edit(content="edited")
    assert shown.text == "edited"


async def test_a_click_on_an_old_ephemeral_message_can_still_edit_it(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    shown = await show(bot, alice, room, "panel", view=Panel(timeout=None), ephemeral=True)
    box.clock.advance(16 * 60)
    await alice.click(shown, "Press")
    assert (shown.text, shown.ephemeral) == ("pressed 1", True)


async def test_people_do_not_wait_if_no_bot_is_connected(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    await bot.close()
    await box.until(lambda: not box.gateway.connected)
    assert (await alice.slash(room, "do")).failed == "The application did not respond"


async def test_interactions_in_direct_messages_have_a_user_and_no_guild(bot: Bot, alice: Person) -> None:
    bot.act = lambda it: it.response.send_message(f"{it.user.name} {it.guild_id}", ephemeral=True)
    assert (await alice.slash(alice.dms, "do")).text == "Alice None"
