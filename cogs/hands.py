"""A player's hand, and moves from it: the button `My hand`, the forms of every game, `/hand` and `/move`.

Each click draws the hand from committed state, so an old button shows the present hand. The picks of a form are in its
custom ids; nothing is stored between clicks.
"""

import asyncio
from collections import Counter

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Palmhouse
from bot.error_codes import UNREACHABLE
from bot.gateway.discord_time import posted_at
from bot.match.ahead import decide
from bot.match.announcements import names
from bot.match.names import LONGEST_TYPED
from bot.match.refusal import Refusal, naming
from bot.match.table import AWAY, Stale, Table, told_to
from bot.messages.admission import MAY_WAIT
from bot.messages.answers import Answer, Interaction, is_private, tell, with_letters_if_refused
from bot.messages.custom_ids import CustomId, number
from bot.messages.expected import EXPECTED
from bot.messages.game_ui import NOT_MINE, Picks
from bot.messages.late_pictures import files_in_time
from bot.messages.panel import SUCCESS, Modal, button, text, text_field
from bot.messages.router import Click, Kind
from cogs.common.ahead_menu import ASK
from cogs.common.hand_panel import form_of, hand_panel, has_hint, seat_at, view_of
from cogs.common.lookup import Typed, table_meant, tables_named
from cogs.common.moving import make_moves
from cogs.common.open_hand import held, keep_open, show_hand
from games import Illegal
from games.phrases import addressed
from games.texts import NOTHING
from games.types import Action, Seat

DM_WAIT = 2.0
"""Seconds for a direct message; the interaction itself must be answered within three."""
CLOSED = "Your direct messages are closed to me"
NOT_NOW = "Discord does not say whether my direct message has reached you"


class Hands(commands.Cog):
    """Hands, and the moves that players make from them."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("hand", held(self.my_hand))
        bot.router.add("form", held(self.form), Kind.BUTTON | Kind.SELECT)
        bot.router.add("type", self.type, at_once=True)
        bot.router.add("typed", held(self.typed), Kind.MODAL)
        bot.router.add("hint", held(self.hint))
        bot.router.add("ahead", held(self.ahead), Kind.SELECT)
        bot.router.add("do", held(self.do))

    # Commands

    @app_commands.command(name="hand", extras={MAY_WAIT: True})
    @app_commands.describe(table="Which table, when you sit at several")
    async def hand(self, interaction: discord.Interaction[Palmhouse], table: Typed | None = None) -> None:
        """Show your hand, to you alone"""
        await self._deliver(interaction, await table_meant(interaction, table))

    @app_commands.command(name="move", extras={MAY_WAIT: True})
    @app_commands.describe(
        action="What to do; pick it or type it", table="Which table, when you sit at several"
    )
    async def move(
        self, interaction: discord.Interaction[Palmhouse], action: Typed, table: Typed | None = None
    ) -> None:
        """Make a move by typing it; the answer is for you alone"""
        meant = await table_meant(interaction, table)
        note = await self._play(interaction, meant, action)
        await show_hand(interaction, meant, note=note)

    @move.autocomplete("action")
    async def actions(
        self, interaction: discord.Interaction[Palmhouse], typed: str
    ) -> list[app_commands.Choice[str]]:
        """Return the labels of the first 25 legal moves whose text or label has each word as often as it was typed."""
        try:
            table = await table_meant(interaction, interaction.namespace.table)
            seat = seat_at(table, interaction.user.id)
        except Refusal:
            return []
        game, wanted = table.state.game, Counter(typed.lower().split())
        legal, ui = table.state.legal(seat), self.bot.game_uis[game.slug]
        offered = ui.suggested(view_of(table, seat), legal) if legal else []
        moves = [(game.text(action), game.words.label(action)) for action in offered]
        fit = [pair for pair in moves if all(_has(word, n, *pair) for word, n in wanted.items())]
        return [app_commands.Choice(name=label[:100], value=move) for move, label in fit[:25]]

    hand.autocomplete("table")(tables_named)
    move.autocomplete("table")(tables_named)

    # Clicks

    async def my_hand(self, interaction: Interaction, click: Click) -> None:
        """Show the hand. Every message of a table has this button."""
        await self._deliver(interaction, await self.bot.tables.get(click.match))

    async def form(self, interaction: Interaction, click: Click) -> None:
        """Show the form with the new picks, or make the move that was chosen in it."""
        table = await self.bot.tables.get(click.match)
        seat = seat_at(table, interaction.user.id)
        asked, rest = _asked(table, click.rest)
        picks, _, step = rest.partition(":")
        try:
            if table.state.phase != "play" or asked not in (None, table.state.prompts[seat]):
                raise Stale
            ui, form = self.bot.game_uis[table.match.game], form_of(table, seat, picks)
            with naming(names(table.state)):
                chosen = ui.pick(view_of(table, seat), form, step, click.values)
            if isinstance(chosen, Picks):
                await self.bot.dailies.check_open(table)
                note, kept = "", chosen.text
            else:
                note, kept = await self._try(interaction, table, chosen.text, asked, picks)
        except Refusal as refusal:
            note, kept = str(refusal), ""
        await show_hand(interaction, table, picks=kept, note=note)

    async def type(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type a move into."""
        table = await self.bot.tables.get(click.match)
        seat = seat_at(table, interaction.user.id)
        if not table.state.legal(seat):
            raise Refusal(AWAY if seat in table.state.away else NOTHING)
        example = table.state.game.text(_example(table, seat))
        line = text_field(
            "Your move",
            LONGEST_TYPED,
            description="Any move that the rules allow now.",
            placeholder=f"for example: {example}",
        )
        prompt, picks = table.state.prompts[seat], _picks(table, seat, click.rest)
        await interaction.response.send_modal(
            Modal("Type a move", CustomId("typed", table.id, f"{prompt}:{picks}"), line)
        )

    async def typed(self, interaction: Interaction, click: Click) -> None:
        """Make the move that was typed. The modal may be from before a restart."""
        table = await self.bot.tables.get(click.match)
        seat_at(table, interaction.user.id)
        asked, picks = _asked(table, click.rest)
        note, kept = await self._try(interaction, table, " ".join(click.values), asked, picks)
        await show_hand(interaction, table, picks=kept, note=note)

    async def hint(self, interaction: Interaction, click: Click) -> None:
        """Show the move of the strongest computer, and its reason. Allowed at practice tables only."""
        table = await self.bot.tables.get(click.match)
        seat = seat_at(table, interaction.user.id)
        if not table.state.practice:
            raise Refusal("Hints are for practice tables only. `/practice` opens one for you alone.")
        if not has_hint(table, seat):
            raise Refusal(NOTHING)
        prompt = table.state.prompts[seat]
        advice = await self.bot.computers.hint(table, seat)
        if prompt != table.state.prompts[seat] and not table.state.game.real_time:
            # They have moved while the computer thought.
            await show_hand(interaction, table, note=str(Stale()))
            return
        game, picks = table.state.game, _picks(table, seat, click.rest)
        if advice.waits:
            await show_hand(interaction, table, picks=picks, hint=[text(f"💡 {advice.reason}")])
            return
        advice_text = text(f"💡 {game.words.label(advice.action)}. {advice.reason}")
        do = button("Do it", CustomId("do", table.id, f"{prompt}:{game.text(advice.action)}"), style=SUCCESS)
        await show_hand(interaction, table, picks=picks, hint=(advice_text, do))

    async def do(self, interaction: Interaction, click: Click) -> None:
        """Make the move of a hint, unless it answers an earlier prompt."""
        table = await self.bot.tables.get(click.match)
        seat = seat_at(table, interaction.user.id)
        asked, move = _asked(table, click.rest)
        try:
            _check_legal(table, seat, move)
            note = await self._play(interaction, table, move, asked)
        except Refusal as refusal:
            note = str(refusal)
        await show_hand(interaction, table, note=note)

    async def ahead(self, interaction: Interaction, click: Click) -> None:
        """Note what the caller plays when their turn comes, or that they want to be asked."""
        table = await self.bot.tables.get(click.match)
        seat_at(table, interaction.user.id)
        move, at, note = " ".join(click.values), posted_at(interaction.id), ""
        try:
            await decide(table, interaction.user.id, "" if move == ASK else move, at, click.rest)
        except Refusal as refusal:
            note = str(refusal)
        await show_hand(interaction, table, note=note)

    async def _try(
        self, interaction: Interaction, table: Table, move: str, prompt: int | None, picks: str
    ) -> tuple[str, str]:
        """Make a move for the caller. Return a note about it, and the picks that the form keeps: in real time, where
        they are for no single decision, and when the move was refused."""
        try:
            note = await self._play(interaction, table, move, prompt)
        except Stale as refusal:
            return str(refusal), ""
        except Refusal as refusal:
            return str(refusal), picks
        return note, picks if table.state.game.real_time else ""

    async def _play(
        self, interaction: Interaction, table: Table, move: str, prompt: int | None = None
    ) -> str:
        """Make a move for the caller, and return a note about it. Raises what `Table.play` raises."""
        await self.bot.dailies.check_open(table)
        made = await make_moves(interaction, table, [move], prompt)
        action, events = told_to(table.seat(interaction.user.id), made)
        return f"✅ {addressed(table.state.game.words.done(action, events), names(table.state))}"

    # Showing a hand

    async def _deliver(self, interaction: Interaction, table: Table) -> None:
        """Show the hand in the place that the player has chosen."""
        user = interaction.user
        wants_dm = not table.match.placeless and (await self.bot.store.preferences(user.id)).hand == "dm"
        if not wants_dm or interaction.guild_id is None or is_private(interaction):
            await show_hand(interaction, table)
            return
        panel = await hand_panel(self.bot, table, user.id)

        async def post() -> Answer:
            ready, files = await files_in_time(panel, self.bot.rasterizer)
            return Answer(await user.send(view=ready, files=files), ready is panel)

        def keep(sent: asyncio.Task[Answer]) -> None:
            if not sent.cancelled() and sent.exception() is None:
                keep_open(interaction, table, panel, sent.result())

        sending = asyncio.create_task(with_letters_if_refused(panel, post), name=f"direct-{interaction.id}")
        sending.add_done_callback(keep)  # also when it arrives late: it is the hand then
        try:
            async with asyncio.timeout(DM_WAIT):
                answer = await asyncio.shield(sending)
        except EXPECTED as error:
            reason = CLOSED if getattr(error, "code", 0) in UNREACHABLE else NOT_NOW
            await show_hand(interaction, table, note=f"{reason}, so here is your hand.")
        else:
            await tell(interaction, f"Your hand is in our direct messages: {answer.message.jump_url}")


def _has(word: str, times: int, *texts: str) -> bool:
    """Return whether one of the texts has a word at least so often."""
    return any(each.lower().count(word) >= times for each in texts)


def _check_legal(table: Table, seat: Seat, move: str) -> None:
    """Raise Stale when the move that a custom id names is not legal any more."""
    try:
        if table.state.game.parse(move) not in table.state.legal(seat):
            raise Stale
    except Illegal:
        raise Refusal(NOT_MINE) from None


def _example(table: Table, seat: Seat) -> Action:
    """Return a legal action of the seat; a harmless one if the table waits for it."""
    state = table.state
    return state.game.fallback(state.game_state, seat) if seat in state.awaited() else state.legal(seat)[0]


def _picks(table: Table, seat: Seat, rest: str) -> str:
    """Return the picks of the form beside a button, which has "prompt:picks"; "" when the form was for a decision that
    is over."""
    asked, picks = _asked(table, rest)
    return picks if asked in (None, table.state.prompts[seat]) else ""


def _asked(table: Table, rest: str) -> tuple[int | None, str]:
    """Return the prompt number of a custom id, which a move must answer, and what follows it. The number is None in
    real time, and -1, which no prompt has, in a forged custom id."""
    digits, _, after = rest.partition(":")
    prompt = number(digits)
    # In real time prompts change all the time, and each move names its face.
    return None if table.state.game.real_time else -1 if prompt is None else prompt, after
