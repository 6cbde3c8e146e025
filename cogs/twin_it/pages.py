"""A race against time in Discord: everybody leafs alone through the spread, and claims by buttons or typed numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from discord import ui

from bot.answers import show
from bot.client import Palmhouse
from bot.face import NOT_MINE, Form
from bot.narration import names
from bot.panel import PRIMARY, SUCCESS, Item, Panel, Sheet, button, in_words, row, text
from bot.refusal import Refusal
from bot.router import Click, number
from bot.story import lines
from bot.table import Table
from cogs.common.find import Interaction
from cogs.twin_it.late import missed
from cogs.twin_it.layout import picture, rows
from games import Illegal
from games.twin_it.actions import HAND, LIFT, READY, TURN, claim, on
from games.twin_it.spread import PAGES, page
from games.twin_it.view import View
from games.twin_it.words import status, tally

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

    def other(self) -> "Leaf":
        """The same page for the other use of clicks."""
        return replace(self, deed="hand" if self.deed == "turn" else "turn")


def entrance(view: View, who: Sequence[str], form: Form) -> list[Item]:
    """What one's hand is in a race: being ready for it, and the way to the spread."""
    items = [text(status(view, who))]
    if READY in form.legal:
        items.append(row(button("I am ready", form.id("ready"), style=SUCCESS)))
    elif view.outcome is None:
        items.append(way_in(form.match))
    return items


def way_in(match: int) -> Item:
    """The button that opens one's own pages."""
    return row(button("Open the spread", f"leaf:{match}:{Leaf()}", style=PRIMARY))


def items(view: View, who: Sequence[str], match: int, leaf: Leaf) -> list[Item]:
    """One's own page of the spread with a button for each face, and the ways to other pages."""
    if view.outcome is not None:
        return [text(status(view, who))]
    if not view.ends:
        way = button("Open the spread", f"leaf:{match}:{leaf}", style=PRIMARY)
        return [text(status(view, who)), row(way, button("My hand", f"hand:{match}"))]
    spots, title = page(leaf.page), f"Page {leaf.page + 1} of {PAGES}"
    faces = rows(view, spots, f"face:{match}:{leaf}/")
    return [
        _heading(view, who, leaf, title),
        picture(view, who, spots, title),
        *faces,
        *_ways(view, match, leaf),
    ]


def _heading(view: View, who: Sequence[str], leaf: Leaf, title: str) -> Item:
    lying = [f"**Your hand lies on {hand.face}.**" for hand in view.hands[view.seat or 0]]
    does = f"A click on a number {'turns the card over' if leaf.deed == 'turn' else 'lays a hand on it'}."
    points = tally(view, who) if view.options.mode == "cooperative" else []  # else the picture has them
    return text(" ".join([f"{title}.", *points, status(view, who), *lying, does]))


def _ways(view: View, match: int, leaf: Leaf) -> Iterator[Item]:
    """To other pages, to the other use of clicks, to typing; and to lifting the hand that lies."""
    turns = leaf.deed == "turn"
    yield row(
        button("◀", f"leaf:{match}:{leaf.on(-1)}"),
        button("▶", f"leaf:{match}:{leaf.on(1)}"),
        button("Lay hands" if turns else "Turn over", f"leaf:{match}:{leaf.other()}"),
        button("Type", f"numbers:{match}:{leaf}", style=PRIMARY),
    )
    if view.hands[view.seat or 0]:
        yield row(button("Lift the hand", f"lift:{match}:{leaf}"))


class Pages:
    """The routes of these buttons."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        bot.router.add("leaf", self.leaf)
        bot.router.add("face", self.face)
        bot.router.add("numbers", self.numbers)
        bot.router.add("claim", self.claim)
        bot.router.add("lift", self.lift)

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
            text="Two or three faces alike, by their numbers",
            component=ui.TextInput(placeholder="12 87", max_length=40),
        )
        await interaction.response.send_modal(Sheet("Claim", f"claim:{click.match}:{click.rest}", line))

    async def lift(self, interaction: Interaction, click: Click) -> None:
        """The hand goes up again."""
        table = await self.bot.tables.get(click.match)
        await self._act(interaction, table, Leaf.read(click.rest), [LIFT])

    async def claim(self, interaction: Interaction, click: Click) -> None:
        """The line comes back."""
        table, leaf = await self.bot.tables.get(click.match), Leaf.read(click.rest)
        faces = _numbers(" ".join(click.values))
        if faces is None:
            await self._show(
                interaction, table, leaf, "Type the numbers of two or three faces, such as 12 87."
            )
            return
        lying = _view(table, interaction.user.id).hands[table.seat(interaction.user.id)]
        await self._act(interaction, table, leaf, claim(faces, lying=bool(lying)))

    async def _act(self, interaction: Interaction, table: Table, leaf: Leaf, actions: Sequence[int]) -> None:
        """Do them in one, and show the page with what became of it."""
        at = self.bot.time.heard(interaction.id)
        try:
            happened = await table.moves(interaction.user.id, actions, at)
            note = "\n".join(lines(happened, table.sitting.game, names(table.sitting)))
        except Illegal as refusal:
            late = [missed(table, interaction.user.id, action, at) for action in actions]
            note = " ".join(filter(None, [str(refusal), *dict.fromkeys(late)]))
            if any(late):
                self.bot.publisher.wake(table)
        except Refusal as refusal:
            note = str(refusal)
        await self._show(interaction, table, leaf, note)

    async def _show(self, interaction: Interaction, table: Table, leaf: Leaf, note: str = "") -> None:
        view = _view(table, interaction.user.id)
        shown = items(view, names(table.sitting), table.id, leaf)
        if not (await self.bot.store.preferences(interaction.user.id)).looks.pictures:
            shown = [in_words(item) for item in shown]
        await show(interaction, Panel(*([text(note)] if note else []), *shown))


def _numbers(typed: str) -> list[int] | None:
    """Two or three faces by their numbers, None for anything else."""
    found = [number(part) for part in typed.replace(",", " ").split()]
    faces = [face for face in found if face is not None]
    return faces if len(faces) == len(found) and 2 <= len(faces) <= TYPED else None


def _view(table: Table, user: int) -> View:
    """Refusal for who does not sit there, and before the match."""
    seat = table.seat(user)
    if table.sitting.state is None:
        table.must_be_dealt()
    view: View = table.sitting.game.view(table.sitting.state, seat)
    return view
