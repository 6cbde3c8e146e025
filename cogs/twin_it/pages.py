"""A race against time in Discord: everybody leafs alone through the spread, and claims by buttons or typed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from discord import ui

from bot.answers import show
from bot.client import Palmhouse
from bot.face import NOT_MINE
from bot.narration import names
from bot.panel import PRIMARY, SUCCESS, Item, Panel, Sheet, button, row, text
from bot.refusal import Refusal
from bot.router import Click, number
from bot.table import Table
from cogs.common.find import Interaction
from cogs.twin_it.layout import PAGES, page, picture, rows
from games import Illegal
from games.twin_it.actions import HAND, TURN, claim, on
from games.twin_it.view import View
from games.twin_it.words import status

DEEDS: Final = {"hand": HAND, "turn": TURN}
"""What a click on a face does there."""
TYPED: Final = 3
"""Faces that a claim names at most."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where somebody is in the spread, as custom ids carry it: the page from 0, and what a click on a face does."""

    page: int = 0
    deed: str = "hand"

    def __str__(self) -> str:
        return f"{self.page}/{self.deed}"

    @classmethod
    def read(cls, text: str) -> "Leaf":
        """Raises Refusal for what is none."""
        digits, _, deed = text.partition("/")
        page = number(digits)
        if page is None or page >= PAGES or deed not in DEEDS:
            raise Refusal(NOT_MINE)
        return cls(page, deed)

    def on(self, step: int) -> "Leaf":
        """So many pages further, round and round."""
        return replace(self, page=(self.page + step) % PAGES)


def ready(match: int) -> Item:
    """The button with which a race begins."""
    return row(button("I am ready", f"press:{match}:ready", style=SUCCESS))


def items(view: View, who: Sequence[str], match: int, leaf: Leaf) -> list[Item]:
    """One's own page of the spread with a button for each face, and the ways to other pages."""
    if view.outcome is not None:
        return [text(status(view, who))]
    if not view.ends:
        opening = row(button("Open the spread", f"leaf:{match}:{leaf}", style=PRIMARY))
        return [text(status(view, who)), opening if view.opens else ready(match)]
    spots, title = page(leaf.page), f"Page {leaf.page + 1} of {PAGES}"
    turns = leaf.deed == "turn"
    other = replace(leaf, deed="hand" if turns else "turn")
    ways = row(
        button("◀", f"leaf:{match}:{leaf.on(-1)}"),
        button("▶", f"leaf:{match}:{leaf.on(1)}"),
        button("Lay hands" if turns else "Turn over", f"leaf:{match}:{other}"),
        button("Type", f"numbers:{match}:{leaf}", style=PRIMARY),
    )
    does = "turns the card over" if turns else "lays a hand on it"
    heading = text(f"{title}. {status(view, who)} A click on a number {does}.")
    return [heading, picture(view, who, spots, title), *rows(view, spots, f"face:{match}:{leaf}/"), ways]


class Pages:
    """The routes of these buttons."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("leaf", self.leaf)
        bot.router.add("face", self.face)
        bot.router.add("numbers", self.numbers)
        bot.router.add("claim", self.claim)

    async def leaf(self, interaction: Interaction, click: Click) -> None:
        """To another page, or to another use of clicks."""
        table = await self.bot.tables.get(click.match)
        await self._show(interaction, table, Leaf.read(click.rest))

    async def face(self, interaction: Interaction, click: Click) -> None:
        """A hand on a face, or over it goes."""
        table = await self.bot.tables.get(click.match)
        where, _, digits = click.rest.rpartition("/")
        leaf, face = Leaf.read(where), number(digits)
        if face is None:
            raise Refusal(NOT_MINE)
        await self._act(interaction, table, leaf, [on(face, DEEDS[leaf.deed])])

    async def numbers(self, interaction: Interaction, click: Click) -> None:
        """The button that opens a line to type a claim into."""
        line: Item = ui.Label(
            text="The numbers of two or three faces that are alike",
            component=ui.TextInput(placeholder="12 87", max_length=40),
        )
        await interaction.response.send_modal(Sheet("Claim", f"claim:{click.match}:{click.rest}", line))

    async def claim(self, interaction: Interaction, click: Click) -> None:
        """The line comes back."""
        table, leaf = await self.bot.tables.get(click.match), Leaf.read(click.rest)
        typed = [number(part) for part in " ".join(click.values).replace(",", " ").split()]
        faces = [face for face in typed if face is not None]
        if len(faces) != len(typed) or not 2 <= len(faces) <= TYPED:
            raise Refusal("Type the numbers of two or three faces, such as 12 87.")
        lying = bool(_view(table, interaction.user.id).hands[table.seat(interaction.user.id)])
        await self._act(interaction, table, leaf, claim(faces, lying=lying))

    async def _act(self, interaction: Interaction, table: Table, leaf: Leaf, actions: Sequence[int]) -> None:
        """Do them one after the other, and show the page with what became of the last."""
        at = self.bot.time.heard(interaction.id)
        note = ""
        try:
            for action in actions:
                note = (await table.move(interaction.user.id, action, at)).aside
        except Illegal as illegal:
            note = str(illegal)
        await self._show(interaction, table, leaf, note)

    async def _show(self, interaction: Interaction, table: Table, leaf: Leaf, note: str = "") -> None:
        view = _view(table, interaction.user.id)
        above = [text(note)] if note else []
        await show(interaction, Panel(*above, *items(view, names(table.sitting), table.id, leaf)))


def _view(table: Table, user: int) -> View:
    table.must_be_dealt()
    view: View = table.sitting.game.view(table.sitting.state, table.seat(user))
    return view
