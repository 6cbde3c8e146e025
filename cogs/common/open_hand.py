"""Showing a hand that follows its table (`bot.messages.open_hands`)."""

from collections.abc import Sequence

import discord

from bot.match.table import Table
from bot.messages.answers import Answer, Interaction, send, show
from bot.messages.open_hands import Opening, Token
from bot.messages.panel import Item, Panel
from bot.messages.router import Click, Route
from cogs.common.hand_panel import hand_panel


def held(route: Route) -> Route:
    """Return a route during which nothing else edits the clicked hand."""

    async def answer(interaction: Interaction, click: Click) -> None:
        hands = interaction.client.publisher.hands
        async with hands.answering(interaction.message):
            await route(interaction, click)

    return answer


async def show_hand(
    interaction: Interaction,
    table: Table,
    *,
    picks: str = "",
    note: str = "",
    hint: Sequence[Item] = (),
) -> None:
    """Show the caller their hand, with a note above it and a hint (a text and a button) below. In a hand that was
    clicked, it takes its place."""
    prompt, n = _prompt(table, interaction.user.id), table.state.n
    panel = await hand_panel(
        interaction.client, table, interaction.user.id, picks=picks, note=note, hint=hint
    )
    put = send if interaction.message is None else show
    answer = await put(interaction, panel, follows=not table.match.placeless)
    if answer is not None and not table.match.placeless:
        keep_open(interaction, table, panel, answer, prompt, n, picks=picks, note=note, hint=hint)


def keep_open(
    interaction: Interaction,
    table: Table,
    panel: Panel,
    answer: Answer,
    prompt: int | None = None,
    n: int | None = None,
    *,
    picks: str = "",
    note: str = "",
    hint: Sequence[Item] = (),
) -> None:
    """Let a hand that the caller was shown follow its table, if this process runs that. `prompt`: the decision that it
    asked for when drawn, after `n` entries of the log; None when that is not known."""
    bot, user, match = interaction.client, interaction.user.id, table.id
    if not bot.tables.owns(table.match.guild):
        return  # only the process that runs it learns of each change

    async def draw(keeps_note: bool) -> tuple[Panel, bool]:
        now = await bot.tables.get(match)
        is_same = prompt is not None and now.is_open and _prompt(now, user) == prompt
        said = note if keeps_note or (is_same and note.startswith("✅")) else ""
        kept = picks if is_same or now.state.game.real_time else ""
        panel = await hand_panel(bot, now, user, picks=kept, note=said, hint=hint if keeps_note else ())
        return panel.with_mentions(bot.command_ids), not now.is_open

    place, number = answer.message.channel, answer.message.id
    message: Token | discord.PartialMessage
    if answer.message.flags.ephemeral:
        message = Token(interaction.followup, number, is_original=not answer.is_followup)
    else:
        message = bot.get_partial_messageable(place.id).get_partial_message(number)
    is_current = table.is_open and not table.is_behind and table.state.n == n
    opening = Opening((match, user), interaction.id, message, draw, bool(note or hint), is_current)
    bot.publisher.hands.opened(opening, panel, answer)


def _prompt(table: Table, user: int) -> int | None:
    """Return the number of a person's decision; None when they have no seat or nothing was asked yet."""
    seat, prompts = table.state.seat_of(user), table.state.prompts
    return prompts[seat] if seat is not None and prompts else None
