"""Private pages of faces. In a race every player pages through the spread alone and claims sets with buttons or typed
numbers. In a game with turns a page is what `My hand` shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from discord import ui

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.pages import lines
from bot.match.refusal import Refusal
from bot.match.table import Table
from bot.messages.answers import show
from bot.messages.game_ui import NOT_MINE, Form, hand_style
from bot.messages.panel import PRIMARY, SUCCESS, Item, Panel, Sheet, button, in_words, row, text
from bot.messages.router import Click, Kind, number
from bot.pictures.hand_style import USUAL_STYLE, HandStyle
from cogs.common.find import Interaction
from cogs.twin_it.layout import face_buttons, picture
from cogs.twin_it.near_miss import note_near_miss
from games import Illegal
from games.twin_it.actions import FLIP, HAND, LIFT, READY, TURN, claim, on
from games.twin_it.deck import CARDS
from games.twin_it.view import View
from games.twin_it.words import status, tally

ON_CLICK: Final = {"hand": HAND, "turn": TURN}
"""By its name in custom ids, the action of a click on a face."""
TYPED: Final = 3
"""Most faces in one claim."""
LARGE_PAGE: Final = 12
"""Faces on a page for players who want large cards."""
PAGE: Final = 20
"""Faces on any other page: as many as a message has room for."""
MOST_PAGES: Final = -(-CARDS // LARGE_PAGE)


@dataclass(frozen=True, slots=True)
class OpenPage:
    """The page that a player has open in a race, as custom ids carry it: "2/turn".

    `page` counts from 0. `on_click` is a key of ON_CLICK. The router's verb for it is `leaf`; live tables have buttons
    with this verb, so it stays.
    """

    page: int = 0
    on_click: str = "hand"

    def __str__(self) -> str:
        return f"{self.page}/{self.on_click}"

    @classmethod
    def read(cls, text: str) -> "OpenPage":
        """Return the page that `text` says. Raises Refusal for a forged text."""
        digits, _, on_click = text.partition("/")
        page = number(digits)
        if page is None or page >= MOST_PAGES or on_click not in ON_CLICK:
            raise Refusal(NOT_MINE)
        return cls(page, on_click)

    def on(self, step: int, pages: int) -> "OpenPage":
        """Return the page `step` pages further. After the last page comes the first one."""
        return replace(self, page=(self.page + step) % pages)

    def other(self) -> "OpenPage":
        """Return the same page with the other action for clicks."""
        return replace(self, on_click="hand" if self.on_click == "turn" else "turn")


def race_hand(view: View, players: Sequence[str], form: Form) -> list[Item]:
    """Return what `My hand` shows in a race: the state, and a button to be ready or to open the spread."""
    items = [text(status(view, players))]
    if READY in form.legal:
        items.append(row(button("I am ready", form.id("ready"), style=SUCCESS)))
    elif view.outcome is None:
        items.append(open_button(form.match))
    return items


def open_button(match: int) -> Item:
    """Return the button that opens a player's own pages."""
    return row(button("Open the spread", f"leaf:{match}:{OpenPage()}", style=PRIMARY))


def page(number: int, looks: HandStyle, spots: int = CARDS) -> tuple[int, range, int]:
    """Return the page's number, its spots, and the number of pages. `spots` is the number of all spots.

    A number beyond the last page starts again from the first one: a player who switched to smaller cards has fewer
    pages, but may still have an old button."""
    size = LARGE_PAGE if looks.large else PAGE
    pages = max(1, -(-spots // size))
    number %= pages
    return number, range(number * size, min((number + 1) * size, max(spots, 1))), pages


def race_page(
    view: View, players: Sequence[str], match: int, opened: OpenPage, looks: HandStyle = USUAL_STYLE
) -> list[Item]:
    """Return a page of the spread in a race, with a button for each face and buttons for other pages."""
    if view.outcome is not None:
        return [text(status(view, players))]
    if not view.ends:
        opener = button("Open the spread", f"leaf:{match}:{opened}", style=PRIMARY)
        return [text(status(view, players)), row(opener, button("My hand", f"hand:{match}"))]
    number, spots, pages = page(opened.page, looks)
    opened, title = replace(opened, page=number), f"Page {number + 1} of {pages}"
    faces = face_buttons(view, spots, f"face:{match}:{opened}/")
    return [
        _heading(view, players, opened, title),
        picture(view, players, spots, title),
        *faces,
        *_navigation(view, match, opened, pages),
    ]


def hand(view: View, players: Sequence[str], form: Form) -> list[Item]:
    """Return a page of the faces in a game with turns, with a button for each. The form's picks are the page number."""
    last = max((face.spot for face in view.faces), default=0)
    number, spots, pages = page(_picked(form.picks), form.looks, last + 1)
    title = f"Page {number + 1} of {pages}" if pages > 1 else ""
    buttons = [
        *([button("◀", form.id(f"page {(number - 1) % pages}"))] if pages > 1 else []),
        *([button("▶", form.id(f"page {(number + 1) % pages}"))] if pages > 2 else []),
        *([button("Flip", form.id("flip"), style=SUCCESS)] if FLIP in form.legal else []),
        *([button("Lift the hand", form.id("lift"))] if LIFT in form.legal else []),
    ]
    return [
        text(" ".join([*filter(None, [f"{title}." * bool(title)]), status(view, players), *_own_hand(view)])),
        picture(view, players, spots, title),
        *(face_buttons(view, spots, form.id("hand ")) if form.legal else []),
        *([row(*buttons)] if buttons else []),
    ]


def _picked(picks: str) -> int:
    page = number(picks or "0")
    if page is None:
        raise Refusal(NOT_MINE)
    return page


def _own_hand(view: View) -> list[str]:
    return [f"**Your hand is on {hand.face}.**" for hand in view.hands[view.seat or 0]]


def _heading(view: View, players: Sequence[str], opened: OpenPage, title: str) -> Item:
    does = f"Press a number to {'turn that card over' if opened.on_click == 'turn' else 'lay a hand on it'}."
    # In other races the picture has the points.
    points = tally(view, players) if view.options.mode == "cooperative" else []
    return text(" ".join([f"{title}.", *points, status(view, players), *_own_hand(view), does]))


def _navigation(view: View, match: int, opened: OpenPage, pages: int) -> Iterator[Item]:
    """Yield rows of buttons: other pages, the other action for clicks, typing a claim, and lifting the own hand."""
    turns = opened.on_click == "turn"
    yield row(
        button("◀", f"leaf:{match}:{opened.on(-1, pages)}"),
        button("▶", f"leaf:{match}:{opened.on(1, pages)}"),
        button("Lay hands" if turns else "Turn over", f"leaf:{match}:{opened.other()}"),
        button("Type", f"numbers:{match}:{opened}", style=PRIMARY),
    )
    if view.hands[view.seat or 0]:
        yield row(button("Lift the hand", f"lift:{match}:{opened}"))


class Pages:
    """The routes of the buttons on these pages."""

    def __init__(self, bot: Palmhouse, game: str) -> None:
        self.bot = bot
        bot.router.add("leaf", self.turn_page, game=game)
        bot.router.add("face", self.face, game=game)
        bot.router.add("numbers", self.ask, game=game)
        bot.router.add("claim", self.claim, Kind.MODAL, game=game)
        bot.router.add("lift", self.lift, game=game)

    async def turn_page(self, interaction: Interaction, click: Click) -> None:
        """Show another page, or the same one with the other action for clicks."""
        table = await self.bot.tables.get(click.match)
        await self._show(interaction, table, OpenPage.read(click.rest))

    async def face(self, interaction: Interaction, click: Click) -> None:
        """Lay a hand on a face, or turn its card over."""
        table = await self.bot.tables.get(click.match)
        where, _, digits = click.rest.rpartition("/")
        opened, face = OpenPage.read(where), number(digits)
        if face is None:
            raise Refusal(NOT_MINE)
        await self._act(interaction, table, opened, [on(face, ON_CLICK[opened.on_click])])

    async def ask(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type a claim into."""
        line: Item = ui.Label(
            text="Two or three faces alike, by their numbers",
            component=ui.TextInput(placeholder="12 87", max_length=40),
        )
        await interaction.response.send_modal(Sheet("Claim", f"claim:{click.match}:{click.rest}", line))

    async def lift(self, interaction: Interaction, click: Click) -> None:
        """Lift the player's hand."""
        table = await self.bot.tables.get(click.match)
        await self._act(interaction, table, OpenPage.read(click.rest), [LIFT])

    async def claim(self, interaction: Interaction, click: Click) -> None:
        """Make the claim that was typed."""
        table, opened = await self.bot.tables.get(click.match), OpenPage.read(click.rest)
        faces = numbers(" ".join(click.values))
        if faces is None or not 2 <= len(faces) <= TYPED:
            await self._show(
                interaction, table, opened, "Type the numbers of two or three faces, such as 12 87."
            )
            return
        lying = view_of(table, interaction.user.id).hands[table.seat(interaction.user.id)]
        await self._act(interaction, table, opened, claim(faces, lying=bool(lying)))

    async def _act(
        self, interaction: Interaction, table: Table, opened: OpenPage, actions: Sequence[int]
    ) -> None:
        """Make these moves in one step, and show the page again with the result."""
        at = self.bot.time.heard(interaction.id)
        try:
            happened = await table.moves(interaction.user.id, actions, at)
            note = "\n".join(lines(happened, table.state.game, names(table.state)))
        except Illegal as refusal:
            late = [note_near_miss(table, interaction.user.id, action, at) for action in actions]
            note = " ".join(filter(None, [str(refusal), *dict.fromkeys(late)]))
            if any(late):
                self.bot.publisher.wake(table)
        except Refusal as refusal:
            note = str(refusal)
        await self._show(interaction, table, opened, note)

    async def _show(self, interaction: Interaction, table: Table, opened: OpenPage, note: str = "") -> None:
        view = view_of(table, interaction.user.id)
        looks = hand_style(await self.bot.store.preferences(interaction.user.id))
        shown = race_page(view, names(table.state), table.id, opened, looks)
        if not looks.pictures:
            shown = [in_words(item) for item in shown]
        await show(interaction, Panel(*([text(note)] if note else []), *shown))


def numbers(typed: str) -> list[int] | None:
    """Return the numbers of the faces that were typed, or None if anything else was typed."""
    found = [number(part) for part in typed.replace(",", " ").split()]
    faces = [face for face in found if face is not None]
    return faces if len(faces) == len(found) else None


def view_of(table: Table, user: int) -> View:
    """Return what a player sees. Raises Refusal for people who have no seat, and before the match has started."""
    seat = table.seat(user)
    if table.state.game_state is None:
        table.must_be_dealt()
    view: View = table.state.game.view(table.state.game_state, seat)
    return view
