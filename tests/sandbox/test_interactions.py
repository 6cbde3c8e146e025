"""Interactions, answered by the real client: every kind of answer, in time and too late, seen by whom."""

import asyncio
import io

import discord
import pytest

from sandbox import Answer, Impossible, Person, Sandbox, TextChannel
from tests.sandbox.bots import Bot, Interaction, refusal


async def asked(bot: Bot, person: Person, room: TextChannel) -> tuple[Interaction, asyncio.Task[Answer]]:
    """The bot's side and the person's side of an interaction that is not answered yet."""
    task = asyncio.create_task(person.slash(room, "do"))
    return await bot.inbox.get(), task


class Panel(discord.ui.View):
    """A counter: each press updates it; also a form and a menu."""

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
    tricks: discord.ui.TextInput["Bid"] = discord.ui.TextInput(label="Tricks", max_length=2, default="1")

    async def on_submit(self, interaction: Interaction) -> None:
        await interaction.response.edit_message(content=f"bid {self.tricks.value}")


async def test_a_command_is_answered_by_a_message_all_see(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    bot.act = lambda it: it.response.send_message("hello")
    answer = await alice.slash(room, "do")
    assert answer.text == "hello"
    assert [each.text for each in ben.sees(room)] == ["hello"]


async def test_an_ephemeral_answer_is_seen_by_one_person_and_reached_by_no_channel_route(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    bot.act = lambda it: it.response.send_message("secret", ephemeral=True)
    answer = await alice.slash(room, "do")
    assert [each.text for each in alice.sees(room)] == ["secret"]
    assert ben.sees(room) == []
    assert "secret" in alice.everything()
    assert "secret" not in ben.everything()
    assert answer.message
    partial = bot.get_partial_messageable(room.id).get_partial_message(answer.message.id)
    assert await refusal(partial.edit(content="x")) == (404, 10008)
    assert await refusal(partial.delete()) == (404, 10008)
    assert await refusal(partial.fetch()) == (404, 10008)


async def test_a_dismissed_ephemeral_message_is_gone_for_good(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    bot.act = lambda it: it.response.send_message("secret", ephemeral=True)
    answer = await alice.slash(room, "do")
    assert answer.message
    alice.dismiss(answer.message)
    assert alice.sees(room) == []


@pytest.mark.parametrize("ephemeral", [True, False])
async def test_a_deferred_answer_keeps_the_visibility_it_was_deferred_with(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person, ben: Person, ephemeral: bool
) -> None:
    """Whatever flag the followup that fills the placeholder has."""

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


async def test_a_followup_after_a_deleted_placeholder_is_a_message_of_its_own(
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


async def test_followups_are_messages_of_their_own(
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


async def test_buttons_update_their_message_and_open_forms_that_update_it(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    shown = (await alice.slash(room, "do")).message
    assert shown
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
    """The message of a pressed button, what opened a form, and of a follow-up the answer before it."""

    class Chain(discord.ui.View):
        @discord.ui.button(label="Form")
        async def form(self, it: Interaction, button: discord.ui.Button["Chain"]) -> None:
            await it.response.send_modal(Told())

    class Told(discord.ui.Modal, title="Tell"):
        field: discord.ui.TextInput["Told"] = discord.ui.TextInput(label="Text", default="x")

        async def on_submit(self, it: Interaction) -> None:
            await it.response.send_message("first")
            await it.followup.send("second")

    bot.act = lambda it: it.response.send_message("panel", view=Chain())
    shown = (await alice.slash(room, "do")).message
    assert shown
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


async def test_a_form_keeps_what_was_prefilled_and_its_limits(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    shown = (await alice.slash(room, "do")).message
    assert shown
    opened = await alice.click(shown, "Form")
    assert opened.modal
    for entries in ({"Tricks": "123"}, {"Tricks": ""}, {"Cards": "1"}):
        with pytest.raises(Impossible):
            await alice.submit(opened.modal, entries)
    await alice.submit(opened.modal, {})
    assert shown.text == "bid 1"


async def test_selects_send_values_and_refuse_what_a_client_would(
    bot: Bot, room: TextChannel, alice: Person
) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    shown = (await alice.slash(room, "do")).message
    assert shown
    answer = await alice.select(shown, "Cards", ["Card 1", "c2"])
    assert (answer.text, answer.ephemeral) == ("c1 c2", True)
    for picks in ([], ["c0", "c1", "c2"], ["c9"]):
        with pytest.raises(Impossible):
            await alice.select(shown, "Cards", picks)


async def test_a_deleted_message_cannot_be_updated(bot: Bot, room: TextChannel, alice: Person) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel())
    shown = (await alice.slash(room, "do")).message
    assert shown
    pressed: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = pressed.put  # type: ignore[attr-defined]
    await alice.press(shown, "gone", wait=False)
    await bot.get_partial_messageable(room.id).get_partial_message(shown.id).delete()
    late = await pressed.get()
    assert await refusal(late.response.edit_message(content="x")) == (404, 10008)


async def test_nobody_presses_what_is_disabled_absent_or_invisible(
    bot: Bot, room: TextChannel, alice: Person, ben: Person
) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel(), ephemeral=True)
    shown = (await alice.slash(room, "do")).message
    assert shown
    for person, button in ((alice, "Off"), (alice, "Nowhere"), (ben, "Press")):
        with pytest.raises(Impossible):
            await person.click(shown, button)


async def test_any_custom_id_can_be_forged(bot: Bot, room: TextChannel, alice: Person) -> None:
    bot.act = lambda it: it.response.send_message("panel", view=Panel(timeout=None))
    shown = (await alice.slash(room, "do")).message
    assert shown
    heard: asyncio.Queue[Interaction] = asyncio.Queue()
    bot.on_interaction = heard.put  # type: ignore[attr-defined]
    task = asyncio.create_task(alice.press(shown, "another:id"))
    forged = await heard.get()
    assert forged.data
    assert forged.data["custom_id"] == "another:id"  # type: ignore[typeddict-item]
    await forged.response.defer()
    assert (await task).interaction.answer == 6


async def test_layout_views_work_in_place_and_show_files(bot: Bot, room: TextChannel, alice: Person) -> None:
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
    bot.act = lambda it: it.response.send_message(view=Layout(), file=file)
    shown = (await alice.slash(room, "do")).message
    assert shown
    assert [(each["filename"], each["description"]) for each in shown.files] == [("card.png", "a card")]
    fetched = await bot.get_partial_messageable(room.id).fetch_message(shown.id)
    assert await fetched.attachments[0].read() == b"png"
    await alice.click(shown, "Go")
    assert (shown.text, shown.files) == ("done", [])


async def test_a_shown_file_stays_named_when_an_edit_drops_the_attachment(
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


async def test_autocomplete_offers_choices_for_what_was_typed(
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


async def test_the_second_first_answer_is_refused(bot: Bot, room: TextChannel, alice: Person) -> None:
    """Twice delivered, as after a resume: the first answer counts."""
    task = asyncio.create_task(alice.interact(2, room, {"id": "1", "name": "do", "type": 1}, times=2))
    first, second = await bot.inbox.get(), await bot.inbox.get()
    await first.response.send_message("one")
    assert await refusal(second.response.send_message("two")) == (400, 40060)
    assert (await task).text == "one"


async def test_tokens_die_after_fifteen_minutes_but_public_messages_stay_editable(
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
    bot.act = lambda it: it.response.send_message("panel", view=Panel(timeout=None), ephemeral=True)
    shown = (await alice.slash(room, "do")).message
    assert shown
    box.clock.advance(16 * 60)
    await alice.click(shown, "Press")
    assert (shown.text, shown.ephemeral) == ("pressed 1", True)


async def test_nobody_waits_for_a_bot_that_is_not_there(
    box: Sandbox, bot: Bot, room: TextChannel, alice: Person
) -> None:
    await bot.close()
    await box.until(lambda: not box.gateway.connected)
    assert (await alice.slash(room, "do")).failed == "The application did not respond"


async def test_interactions_in_direct_messages_have_a_user_and_no_guild(bot: Bot, alice: Person) -> None:
    bot.act = lambda it: it.response.send_message(f"{it.user.name} {it.guild_id}", ephemeral=True)
    assert (await alice.slash(alice.dms, "do")).text == "Alice None"
