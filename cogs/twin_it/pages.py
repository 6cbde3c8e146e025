"""Private pages of the faces, in ephemeral messages.

In a race each player turns the pages of the spread alone, and claims by buttons or by typed numbers. In a turn-based
game the player's hand has the picture of the board; if Discord allows too few buttons for all faces, they have pages.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakValueDictionary

from bot.client import Palmhouse
from bot.gateway.discord_time import posted_at
from bot.match.announcements import names
from bot.match.pages import lines
from bot.match.refusal import AgainstTheRules, Refusal
from bot.match.table import Table, public_items
from bot.messages.answers import OWN, show
from bot.messages.custom_ids import CustomId, number
from bot.messages.game_ui import NOT_MINE, Form, hand_style
from bot.messages.panel import (
    PRIMARY,
    SECONDARY,
    SUCCESS,
    Item,
    Modal,
    Panel,
    button,
    hand_button,
    in_words,
    row,
    text,
    text_field,
)
from bot.messages.router import Click
from cogs.common.lookup import Interaction
from cogs.common.moving import make_moves
from cogs.common.open_hand import show_hand
from cogs.twin_it import verbs
from cogs.twin_it.layout import by_place, face_buttons, in_order, picture, whole_board
from cogs.twin_it.near_miss import note_near_miss
from games.twin_it.actions import FLIP, LIFT, READY, claim
from games.twin_it.actions import text as text_of
from games.twin_it.race_player import PAGES, PER_PAGE
from games.twin_it.rules import ALONE
from games.twin_it.state import Face
from games.twin_it.view import View
from games.twin_it.words import forbidden, status, tally

PER_HAND: Final = 20
"""Faces with buttons on one page of a hand: as many as Discord allows beside all else that a hand can have."""
ON_CLICK: Final = ("hand", "turn")
"""Moves that a click on a face can make, by the first word of their text."""
TYPED: Final = 3
"""Maximum number of faces in a claim."""
TO_CLAIM: Final = f"{ALONE} None? `Turn over` shows the other sides of cards."
TO_TURN: Final = "Press a number: that card turns over. `Lay hands` claims two alike again."


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page of the spread, as custom ids carry it: its number from 0, and the move that a click on a face makes."""

    page: int = 0
    on_click: str = "hand"

    def __str__(self) -> str:
        return f"{self.page}/{self.on_click}"

    @classmethod
    def read(cls, text: str) -> "OpenPage":
        """Return the page that `str` wrote. Raises Refusal for any other text."""
        digits, _, on_click = text.partition("/")
        page = number(digits)
        if page is None or page >= PAGES or on_click not in ON_CLICK:
            raise Refusal(NOT_MINE)
        return cls(page, on_click)

    def on(self, step: int) -> "OpenPage":
        """Return the page that is `step` pages further; the first follows the last."""
        return replace(self, page=(self.page + step) % PAGES)

    def other(self) -> "OpenPage":
        """Return a copy of the page on which a click makes the other move."""
        return replace(self, on_click="hand" if self.on_click == "turn" else "turn")


def race_hand(view: View, who: Sequence[str], form: Form) -> list[Item]:
    """Return the hand of a player in a race: a button to be ready, then one that opens the spread."""
    items = [text(status(view, who))]
    if READY in form.legal:
        items.append(row(button("I am ready", form.id("ready"), style=SUCCESS)))
    elif view.outcome is None:
        items.append(open_button(form.match))
    return items


def open_button(match: int) -> Item:
    """Return the button that opens the player's own pages."""
    return row(button("Open the spread", CustomId(verbs.PAGE, match, str(OpenPage())), style=PRIMARY))


def race_page(view: View, who: Sequence[str], match: int, here: OpenPage) -> list[Item]:
    """Return a page of the spread with a button for each face, and buttons to other pages."""
    if view.outcome is not None:
        return [text(status(view, who))]
    if not view.ends:
        way = button("Open the spread", CustomId(verbs.PAGE, match, str(here)), style=PRIMARY)
        return [text(status(view, who)), row(way, hand_button(match, OWN, style=SECONDARY))]
    faces, title = _on_page(view, here.page), f"Page {here.page + 1} of {PAGES}"
    return [
        _heading(view, who, here, title),
        picture(view, who, faces, title),
        *face_buttons(view, faces, lambda face: CustomId(verbs.FACE, match, f"{here}/{face}")),
        *_navigation(view, match, here),
    ]


def _on_page(view: View, number: int) -> list[Face | None]:
    return by_place(view, slice(number * PER_PAGE, (number + 1) * PER_PAGE))


def hand(view: View, who: Sequence[str], form: Form) -> list[Item]:
    """Return the board of a turn-based game, with a button for each face. The picks are the number of their page."""
    faces = in_order(view)
    pages = max(1, -(-len(faces) // PER_HAND))
    number = min(_picked(form.picks), pages - 1)  # the faces of the page may be gone
    here = faces[number * PER_HAND : (number + 1) * PER_HAND]
    title = f"Buttons: page {number + 1} of {pages}" if pages > 1 and form.legal else ""
    said = " · ".join(filter(None, [status(view, who), *_own_hand(view), title]))
    return [
        text("\n".join([said, *(f"-# {line}" for line in forbidden(view, who))])),
        whole_board(view, who),
        *(face_buttons(view, here, lambda face: form.id(f"hand {face}")) if form.legal else []),
        *(_ways(form, number, pages) if form.legal else []),
    ]


def _ways(form: Form, number: int, pages: int) -> Iterator[Item]:
    """Yield a row of buttons, if there are any: to the pages before and after this one, and moves without a face."""
    turns = [
        button("◀", form.id(f"page {number - 1}"), disabled=number == 0),
        button("▶", form.id(f"page {number + 1}"), disabled=number == pages - 1),
    ]
    ways = [
        *(turns if pages > 1 else []),
        *([button("Flip", form.id("flip"), style=SUCCESS)] if FLIP in form.legal else []),
        *([button("Lift the hand", form.id("lift"))] if LIFT in form.legal else []),
    ]
    if ways:
        yield row(*ways)


def _picked(picks: str) -> int:
    page = number(picks or "0")
    if page is None:
        raise Refusal(NOT_MINE)
    return page


def _own_hand(view: View) -> list[str]:
    return [f"**Your hand is on {hand.face}.**" for hand in view.hands[view.seat or 0]]


def _heading(view: View, who: Sequence[str], here: OpenPage, title: str) -> Item:
    does = TO_TURN if here.on_click == "turn" else TO_CLAIM
    points = tally(view, who) if view.options.mode == "cooperative" else []  # else the picture has them
    return text(" ".join([f"{title}.", *points, status(view, who), *_own_hand(view), does]))


def _navigation(view: View, match: int, here: OpenPage) -> Iterator[Item]:
    """Yield rows of buttons: other pages, the other move of clicks, typing, and lifting the player's hand."""
    turns = here.on_click == "turn"
    yield row(
        button("◀", CustomId(verbs.PAGE, match, str(here.on(-1)))),
        button("▶", CustomId(verbs.PAGE, match, str(here.on(1)))),
        button("Lay hands" if turns else "Turn over", CustomId(verbs.PAGE, match, str(here.other()))),
        button("Type", CustomId(verbs.NUMBERS, match, f"{here}/{OWN}"), style=PRIMARY),
    )
    if view.hands[view.seat or 0]:
        yield row(button("Lift the hand", CustomId(verbs.LIFT, match, str(here))))


class PageButtons:
    """Routes of the buttons on private pages."""

    def __init__(self, bot: Palmhouse) -> None:
        self.bot = bot
        self._showing = WeakValueDictionary[int, asyncio.Lock]()
        """By user: the lock that is held while a page is answered."""

    async def turn(self, interaction: Interaction, click: Click) -> None:
        """Show another page, or switch the move that a click on this one makes."""
        table = await self.bot.tables.get(click.match)
        await self._show(interaction, table, OpenPage.read(click.rest))

    async def face(self, interaction: Interaction, click: Click) -> None:
        """Lay a hand on a face, or turn its card over."""
        table = await self.bot.tables.get(click.match)
        where, _, digits = click.rest.rpartition("/")
        here, face = OpenPage.read(where), number(digits)
        if face is None:
            raise Refusal(NOT_MINE)
        await self._act(interaction, table, here, [f"{here.on_click} {face}"])

    async def ask(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type a claim into."""
        here = OpenPage.read(click.rest.removesuffix(f"/{OWN}"))
        line = text_field("Two or three faces alike, by their numbers", 40, placeholder="12 87")
        await interaction.response.send_modal(
            Modal("Claim", CustomId(verbs.CLAIM, click.match, str(here)), line)
        )

    async def lift(self, interaction: Interaction, click: Click) -> None:
        """Lift the player's hand."""
        table = await self.bot.tables.get(click.match)
        await self._act(interaction, table, OpenPage.read(click.rest), ["lift"])

    async def claim(self, interaction: Interaction, click: Click) -> None:
        """Claim the faces whose numbers were typed."""
        table, here = await self.bot.tables.get(click.match), OpenPage.read(click.rest)
        faces = numbers(" ".join(click.values))
        if faces is None or not 2 <= len(faces) <= TYPED:
            await self._show(
                interaction, table, here, "Type the numbers of two or three faces, such as 12 87."
            )
            return
        lying = view_of(table, interaction.user.id).hands[table.seat(interaction.user.id)]
        moves = [text_of(action) for action in claim(faces, lying=bool(lying))]
        await self._act(interaction, table, here, moves)

    async def _act(
        self, interaction: Interaction, table: Table, here: OpenPage, moves: Sequence[str]
    ) -> None:
        """Make all moves at once, and show the page with their result."""
        try:
            made = await make_moves(interaction, table, moves)
            note = "\n".join(lines(public_items(made), table.state.game))
        except AgainstTheRules as refusal:
            at = posted_at(interaction.id)
            late = [note_near_miss(table, interaction.user.id, move, at) for move in moves]
            note = " ".join(filter(None, [str(refusal), *dict.fromkeys(late)]))
            if any(late):
                self.bot.publisher.wake(table)
        except Refusal as refusal:
            note = str(refusal)
        await self._show(interaction, table, here, note)

    async def _show(self, interaction: Interaction, table: Table, here: OpenPage, note: str = "") -> None:
        # One by one: an older view must not come after a newer one.
        async with self._showing.setdefault(interaction.user.id, asyncio.Lock()):
            if not table.is_open:  # the view does not say that it was closed, or won by staying longer
                await show_hand(interaction, table, note=note)
                return
            style = hand_style(await self.bot.store.preferences(interaction.user.id))
            view = view_of(table, interaction.user.id)
            shown = race_page(view, names(table.state), table.id, here)
            if not style.pictures:
                shown = [in_words(item) for item in shown]
            await show(interaction, Panel(*([text(note)] if note else []), *shown))


def numbers(typed: str) -> list[int] | None:
    """Return the numbers of faces that were typed; None for any other text."""
    found = [number(part) for part in typed.replace(",", " ").split()]
    faces = [face for face in found if face is not None]
    return faces if len(faces) == len(found) else None


def view_of(table: Table, user: int) -> View:
    """Return the view of `user`. Raises Refusal for a person without a seat, and before the match."""
    seat = table.seat(user)
    if table.state.game_state is None:
        table.must_be_dealt()
    view: View = table.state.game.view(table.state.game_state, seat)
    return view
