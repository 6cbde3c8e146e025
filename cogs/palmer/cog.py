"""Palmer in Discord: its commands, the squares as they lie on the table, and a hand whose buttons are the square."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.panel import PRIMARY, SECONDARY, SUCCESS, Item, button, row, text
from bot.pictures.decks.french import EMOJIS
from bot.pictures.scene import Hand
from bot.refusal import Refusal
from cogs.common.game import GameCog
from cogs.palmer import picture
from games import GAMES
from games.french import SIGN
from games.palmer.actions import BOTTOM, DRAW, PLACE, PLACE_NAMES, PLACES, TAKE, TURN
from games.palmer.view import View
from games.palmer.words import heading, place, status

WAYS = {"take": TAKE, "turn": TURN}
"""What is picked before a card of the square is."""


class Palmer(GameCog, group_name="palmer"):
    """Picks in the forms: the way of the turn, "take" or "turn". A card of the square is then the move itself."""

    game = GAMES["palmer"]
    drawings = EMOJIS

    @app_commands.command(name="start")
    @app_commands.guild_only
    @app_commands.describe(limit="With so many points a player is out (default: 50)")
    async def start(
        self,
        interaction: discord.Interaction[Palmhouse],
        limit: app_commands.Range[int, 10, 200] = 50,
    ) -> None:
        """Open a table in this channel; others join by a button"""
        await self.open(interaction, limit=limit)

    @app_commands.command(name="rules")
    async def rules(self, interaction: discord.Interaction[Palmhouse]) -> None:
        """How it is played, and what counts what"""
        await self.explain(interaction)

    # Pictures

    table_scene = staticmethod(picture.table)
    sheet = staticmethod(picture.sheet)

    def hand_scene(self, view: View, form: Form) -> Hand:
        """See `picture`."""
        return picture.hand(view, form.looks)

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """The own square with what this seat knows of it, and the form of the turn."""
        items = self.own_hand(view, names, form, _turn(view, names))
        return [*items, *(_form(view, form) if form.legal else ())]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> str | int:  # noqa: ARG002
        """One tap on the form."""
        name, _, value = step.partition("-")
        if step == "draw":
            return DRAW
        if name == "way" and value in WAYS:
            return value
        if name == "card" and value in map(str, PLACES) and (view.placing or form.picks in WAYS):
            return (PLACE if view.placing else WAYS[form.picks]) + int(value)
        raise Refusal(NOT_MINE)


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    if view.seat is not None and view.out[view.seat]:
        return f"You are out with {view.totals[view.seat]} points."
    return f"{heading(view)}. {status(view, names)}"


def _form(view: View, form: Form) -> list[Item]:
    items: list[Item] = []
    top = SIGN[view.pile[-1]]
    if not view.placing:
        items.append(
            row(
                _way(f"Take {top}", "take", form, form.emojis.get(top)),
                button("Draw", form.id("draw"), style=SUCCESS),
                _way("Turn over", "turn", form),
            )
        )
    asked = {"take": f"{top} replaces:", "turn": "Turn over:"}.get(form.picks, "Your square:")
    if view.drawn is not None:
        asked = f"{SIGN[view.drawn]} replaces:"
    items.append(text(asked))
    items += [row(*(_card(view, form, where) for where in some)) for some in (PLACES[:2], BOTTOM)]
    return items


def _way(title: str, way: str, form: Form, emoji: discord.PartialEmoji | None = None) -> Item:
    style = PRIMARY if form.picks == way else SECONDARY
    return button(title, form.id(f"way-{way}"), style=style, emoji=emoji)


def _card(view: View, form: Form, where: int) -> Item:
    """A card of the own square, where it lies. No emoji: two such buttons must fit side by side on a phone."""
    assert view.seat is not None
    ready = view.placing or form.picks in WAYS
    fixed = view.up[view.seat] >> where & 1
    title = f"{PLACE_NAMES[where].capitalize()}: {place(view, view.seat, where)}"
    return button(title, form.id(f"card-{where}"), style=SUCCESS, disabled=bool(fixed) or not ready)


async def setup(bot: Palmhouse) -> None:
    """Called by discord.py."""
    await bot.add_cog(Palmer(bot))
