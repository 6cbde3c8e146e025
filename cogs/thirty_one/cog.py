"""Thirty-One in Discord: its commands, the table with tokens and known cards, and a hand that says what it is worth."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.panel import DANGER, PRIMARY, SUCCESS, Item, button, row
from bot.pictures.decks.french import EMOJIS
from bot.pictures.scene import Hand
from bot.refusal import Refusal
from cogs.common.game import GameCog
from cogs.thirty_one import picture
from games import GAMES
from games.french import PACK, SIGN
from games.thirty_one.actions import DISCARD, DRAW, KNOCK, TAKE
from games.thirty_one.values import worth
from games.thirty_one.view import View
from games.thirty_one.words import heading, knocked, points, status

CHOICES = {"draw": DRAW, "take": TAKE, "knock": KNOCK}


class ThirtyOne(GameCog, group_name="thirty-one"):
    """Every button of the form is a move; nothing is picked before."""

    game = GAMES["thirty-one"]
    drawings = EMOJIS

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(
        tokens="Tokens everyone begins with (default: 3)",
        any_suit="All three cards count together, whatever their suits (default: no)",
        three_of_a_kind="Three of a rank are worth 30½ (default: no)",
    )
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        tokens: app_commands.Range[int, 1, 10] = 3,
        any_suit: bool = False,
        three_of_a_kind: bool = False,
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(interaction, tokens=tokens, any_suit=any_suit, three_of_a_kind=three_of_a_kind)

    @app_commands.command(name="rules")
    @app_commands.describe(
        any_suit="With this variant, in which all three cards count together",
        three_of_a_kind="With this variant, in which three of a rank are worth 30½",
    )
    async def rules(
        self,
        interaction: discord.Interaction[Palmhouse],
        any_suit: bool = False,
        three_of_a_kind: bool = False,
    ) -> None:
        """How it is played, and who pays"""
        await self.explain(interaction, any_suit=any_suit, three_of_a_kind=three_of_a_kind)

    # Pictures

    table_scene = staticmethod(picture.table)
    sheet = staticmethod(picture.sheet)

    def hand_scene(self, view: View, form: Form) -> Hand:
        """See `picture`."""
        return picture.hand(view, form.looks)

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """The own hand, and the form of the turn."""
        lines = [heading(view), status(view, names), knocked(view, names), _out(view)]
        items = self.own_hand(view, names, form, "\n".join(filter(None, lines)))
        return [*items, *(_form(view, form) if form.legal else ())]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:  # noqa: ARG002
        """One tap on the form."""
        name, _, value = step.partition("-")
        if step in CHOICES:
            return CHOICES[step]
        if name == "discard" and value in map(str, PACK):
            return DISCARD + int(value)
        raise Refusal(NOT_MINE)


def _out(view: View) -> str:
    return "You are out." if view.seat is not None and view.out[view.seat] else ""


def _form(view: View, form: Form) -> list[Item]:
    if view.discarding:
        return [row(*(_discard(view, form, card) for card in view.hand))]
    buttons = [button("Draw", form.id("draw"), style=SUCCESS)]
    top = SIGN[view.discards[-1]]
    buttons.append(button(f"Take {top}", form.id("take"), style=PRIMARY, emoji=form.emojis.get(top)))
    if KNOCK in form.legal:
        title = f"Knock with {points(worth(view.hand, view.options))}"
        buttons.append(button(title, form.id("knock"), style=DANGER))
    return [row(*buttons)]


def _discard(view: View, form: Form, card: int) -> Item:
    """A card to discard, and what is left then; the discard just taken must stay."""
    left = [other for other in view.hand if other != card]
    taken = card == view.taken
    title = f"{SIGN[card]}, " + ("just taken" if taken else f"keep {points(worth(left, view.options))}")
    return button(title, form.id(f"discard-{card}"), disabled=taken, emoji=form.emojis.get(SIGN[card]))


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(ThirtyOne(bot))
