"""A player's hand, and moves from it: the button `My hand`, the forms of every game, `/hand` and `/move`.

Each click draws the hand from committed state, so an old button shows the present hand. The picks of a form are in its
custom ids; nothing is stored between clicks.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table
from bot.messages.answers import OWN, Interaction, is_private, send, show, tell, with_letters_if_refused
from bot.messages.custom_ids import CustomId, number
from bot.messages.emojis import LETTERS
from bot.messages.game_ui import MOST_PICKS, NOT_MINE, Form, Picks, hand_style, move_text
from bot.messages.panel import PRIMARY, SUCCESS, Item, Modal, Panel, button, row, text
from bot.messages.router import Click, Kind
from cogs.common.lookup import table_meant, tables_named
from games import Illegal

WATCHING = "You are watching this table, so you have no hand here."
LEFT = "You have left this match. While your seat is free, a button below the table gives it back to you."
NOTHING = "You have nothing to decide right now."
DM_WAIT = 2.0
"""Seconds for a direct message; the interaction itself must be answered within three."""


class Hands(commands.Cog):
    """Hands, and the moves that players make from them."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("hand", self.my_hand)
        bot.router.add("form", self.form, Kind.BUTTON | Kind.SELECT)
        bot.router.add("type", self.type)
        bot.router.add("typed", self.typed, Kind.MODAL)
        bot.router.add("hint", self.hint)
        bot.router.add("do", self.do)

    # Commands

    @app_commands.command(name="hand")
    @app_commands.describe(table="Which table, when you sit at several")
    async def hand(self, interaction: discord.Interaction[Palmhouse], table: str | None = None) -> None:
        """Show your hand, to you alone"""
        await self._deliver(interaction, await table_meant(interaction, table))

    @app_commands.command(name="move")
    @app_commands.describe(
        action="What to do; pick it or type it", table="Which table, when you sit at several"
    )
    async def move(
        self, interaction: discord.Interaction[Palmhouse], action: str, table: str | None = None
    ) -> None:
        """Make a move by typing it; the answer is for you alone"""
        meant = await table_meant(interaction, table)
        note = await self._play(interaction, meant, action)
        await send(interaction, await self._panel(meant, interaction.user.id, note=note))

    @move.autocomplete("action")
    async def actions(
        self, interaction: discord.Interaction[Palmhouse], typed: str
    ) -> list[app_commands.Choice[str]]:
        """Return the first 25 legal moves whose text or label contains each word typed."""
        try:
            table = await table_meant(interaction, interaction.namespace.table)
            seat = _seat(table, interaction.user.id)
        except Refusal:
            return []
        game, wanted = table.state.game, typed.lower().split()
        moves = [(game.text(action), game.label(action)) for action in table.state.legal(seat)]
        named = [(move, f"{move} · {label}"[:100]) for move, label in moves]
        fit = [pair for pair in named if all(word in pair[1].lower() for word in wanted)]
        return [app_commands.Choice(name=name, value=move) for move, name in fit[:25]]

    hand.autocomplete("table")(tables_named)
    move.autocomplete("table")(tables_named)

    # Clicks

    async def my_hand(self, interaction: Interaction, click: Click) -> None:
        """Show the hand. Every message of a table has this button."""
        await self._deliver(interaction, await self.bot.tables.get(click.match))

    async def form(self, interaction: Interaction, click: Click) -> None:
        """Show the form with the new picks, or make the move that was chosen in it."""
        table = await self.bot.tables.get(click.match)
        seat = _seat(table, interaction.user.id)
        prompt, picks, step = Form.read(click.rest)
        try:
            asked = _question(table, prompt)
            if table.state.phase != "play" or asked not in (None, table.state.prompts[seat]):
                raise Stale
            ui, form = self.bot.game_uis[table.match.game], _form(table, seat, picks)
            chosen = ui.pick(_view(table, seat), form, step, click.values)
            if isinstance(chosen, Picks):
                panel = await self._panel(table, interaction.user.id, picks=chosen.text)
            else:
                note = await self._play(interaction, table, chosen.text, asked)
                panel = await self._panel(table, interaction.user.id, note=note)
        except (Refusal, Illegal) as refusal:
            panel = await self._panel(table, interaction.user.id, note=str(refusal))
        await show(interaction, panel)

    async def type(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type a move into."""
        table = await self.bot.tables.get(click.match)
        seat = _seat(table, interaction.user.id)
        if not table.state.legal(seat):
            raise Refusal(NOTHING)
        example = table.state.game.text(table.state.game.fallback(table.state.game_state, seat))
        line: Item = ui.Label(
            text="Your move",
            description="Any move that the rules allow now.",
            component=ui.TextInput(placeholder=f"for example: {example}", max_length=100),
        )
        prompt = table.state.prompts[seat]
        await interaction.response.send_modal(
            Modal("Type a move", CustomId("typed", table.id, str(prompt)), line)
        )

    async def typed(self, interaction: Interaction, click: Click) -> None:
        """Make the move that was typed. The modal may be from before a restart."""
        table = await self.bot.tables.get(click.match)
        _seat(table, interaction.user.id)
        prompt = number(click.rest)
        if prompt is None or len(click.values) != 1:
            raise Refusal(NOT_MINE)
        try:
            note = await self._play(interaction, table, click.values[0], _question(table, prompt))
        except (Refusal, Illegal) as refusal:
            note = str(refusal)
        await show(interaction, await self._panel(table, interaction.user.id, note=note))

    async def hint(self, interaction: Interaction, click: Click) -> None:
        """Show the move of the strongest computer, and its reason. Allowed at practice tables only."""
        table = await self.bot.tables.get(click.match)
        seat = _seat(table, interaction.user.id)
        if not table.state.practice:
            raise Refusal("Hints are for practice tables only. `/practice` opens one for you alone.")
        if not table.state.legal(seat):
            raise Refusal(NOTHING)
        prompt = table.state.prompts[seat]
        advice = await self.bot.computers.hint(table, seat)
        advice_text = text(f"💡 {table.state.game.label(advice.action)}. {advice.reason}")
        move = table.state.game.text(advice.action)
        do = row(button("Do it", CustomId("do", table.id, f"{prompt}:{move}"), style=SUCCESS))
        await show(interaction, await self._panel(table, interaction.user.id, hint=(advice_text, do)))

    async def do(self, interaction: Interaction, click: Click) -> None:
        """Make the move of a hint, unless it answers an earlier prompt."""
        table = await self.bot.tables.get(click.match)
        seat = _seat(table, interaction.user.id)
        digits, _, written = click.rest.partition(":")
        prompt = number(digits)
        if prompt is None:
            raise Refusal(NOT_MINE)
        try:
            move = _legal_move(table, seat, written)
            note = await self._play(interaction, table, move, _question(table, prompt))
        except (Refusal, Illegal) as refusal:
            note = str(refusal)
        await show(interaction, await self._panel(table, interaction.user.id, note=note))

    async def _play(
        self, interaction: Interaction, table: Table, move: str, prompt: int | None = None
    ) -> str:
        """Make a move for the caller, and return a note about it. Raises what `Table.move` raises."""
        await table.move(interaction.user.id, move, self.bot.time.learn_from(interaction.id), prompt)
        game = table.state.game
        return f"✅ {game.label(game.parse(move))}"

    # Showing a hand

    async def _deliver(self, interaction: Interaction, table: Table) -> None:
        """Show the hand in the place that the player has chosen."""
        panel = await self._panel(table, interaction.user.id)
        wants_dm = (await self.bot.store.preferences(interaction.user.id)).hand == "dm"
        if not wants_dm or interaction.guild_id is None or is_private(interaction):
            await show(interaction, panel)
            return

        async def post() -> discord.Message:
            return await interaction.user.send(view=panel, files=await panel.files(answer=True))

        try:
            async with asyncio.timeout(DM_WAIT):
                message = await with_letters_if_refused(panel, post)
        except (discord.HTTPException, TimeoutError):
            note = "Your direct messages are closed to me, so here is your hand."
            await show(interaction, await self._panel(table, interaction.user.id, note=note))
        else:
            await tell(interaction, f"Your hand is in our direct messages: {message.jump_url}")

    async def _panel(
        self, table: Table, user: int, *, picks: str = "", note: str = "", hint: Sequence[Item] = ()
    ) -> Panel:
        """Build the present hand of `user`, with a note above it and a hint below."""
        style = hand_style(await self.bot.store.preferences(user))
        state, seat = table.state, _seat(table, user)
        lines = [
            f"-# {state.game.title} · table {table.id}",
            note,
            self.bot.publisher.venue.troubles.get(table.id, ""),
        ]
        items: list[Item] = [text("\n".join(filter(None, lines)))]
        if state.game_state is None:
            items.append(text("The match has not begun yet: the host starts it."))
            return Panel(*items)
        ui = self.bot.game_uis[table.match.game]
        emojis = ui.emojis if style.pictures else LETTERS
        form = replace(_form(table, seat, picks), style=style, emojis=emojis)
        items += ui.hand(_view(table, seat), names(state), form)
        buttons = [button("My hand", CustomId("hand", table.id, OWN), style=PRIMARY)]
        if seat in state.away:
            items.append(text("🤖 A computer plays for you."))
            buttons.append(button("I'm back", CustomId("back", table.id), style=SUCCESS))
        elif state.legal(seat):
            buttons.append(button("Type a move", CustomId("type", table.id)))
        buttons.append(button("What beats what", CustomId("reference", table.id)))
        if state.practice and state.legal(seat):
            buttons.append(button("Hint", CustomId("hint", table.id)))
        return Panel(*items, *hint, row(*buttons)).illustrate(emojis)


def _view(table: Table, seat: int) -> object:
    return table.state.game.view(table.state.game_state, seat)


def _form(table: Table, seat: int, picks: str) -> Form:
    if len(picks) > MOST_PICKS or ":" in picks:
        raise Refusal(NOT_MINE)
    may = [] if table.state.strength_at(seat) else table.state.legal(seat)
    return Form(table.id, table.state.prompts[seat], may, picks)


def _legal_move(table: Table, seat: int, written: str) -> str:
    """Return the text of the move that a custom id names. Raises Stale when it is not legal any more."""
    game, legal = table.state.game, table.state.legal(seat)
    try:
        move = move_text(game, legal, written)
        if game.parse(move) not in legal:
            raise Stale
    except Illegal:
        raise Refusal(NOT_MINE) from None
    return move


def _seat(table: Table, user: int) -> int:
    seat = table.state.seat_of(user)
    if seat is None:
        raise Refusal(WATCHING)
    if table.is_open and seat in table.state.gone:
        raise Refusal(LEFT)
    return seat


def _question(table: Table, prompt: int) -> int | None:
    """Return the prompt number that a move must answer; None in real time.

    There prompts change all the time, and each move names its face.
    """
    return None if table.state.game.real_time else prompt


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Hands(bot))
