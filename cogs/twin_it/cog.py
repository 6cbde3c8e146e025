"""Twin It! in Discord: its options, and the public board with its buttons."""

from collections.abc import Container, Sequence
from dataclasses import replace

import discord

from bot.client import Palmhouse
from bot.gateway.discord_time import posted_at
from bot.match.announcements import names
from bot.match.pages import lines
from bot.match.refusal import AgainstTheRules, Refusal, naming
from bot.match.table import Made, Table, public_items
from bot.messages.answers import defer, tell
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import Form, MoveText, NoPictures, Picks
from bot.messages.panel import SUCCESS, Item, Modal, button, row, select, text, text_field
from bot.messages.router import Click, Kind
from cogs.common.game import GameCog
from cogs.common.lookup import Interaction, here_only
from cogs.common.moving import deferrable, make_moves
from cogs.common.open_hand import held
from cogs.twin_it import pages, showcase, verbs
from cogs.twin_it.layout import (
    face_buttons,
    lacks_buttons,
    on_board,
    overview,
    sprites,
    table_scene,
    whole_board,
)
from cogs.twin_it.near_miss import note_near_miss
from cogs.twin_it.pages import PageButtons, open_button, race_hand
from games import GAMES, Event
from games.twin_it.actions import FIRST, FLIP, LIFT, claim, on, parts
from games.twin_it.actions import text as text_of
from games.twin_it.designs import NAMES
from games.twin_it.events import Dealt, Erred, Flipped, SetWon, Tied
from games.twin_it.options import TwinItOptions
from games.twin_it.state import Face
from games.twin_it.view import View
from games.twin_it.words import forbidden, status, tally, teams, touched, unspoken
from games.types import Seat

NAMED = "Two numbers alike, or one of them"
"""Label in the modal of `Type a number`."""
NAMED_IN_TEAM = "A number; your partner lays the other hand"
"""That label where two of a team lay one hand each."""
TO_TYPE = "-# A face without a button? `Type a number`."
MENU = 25
"""Maximum number of options of a menu in Discord."""


class _Looks(NoPictures):
    """The table as a replay shows it; the board and the hands show the faces themselves."""

    table = staticmethod(table_scene)


class TwinIt(GameCog):
    """In turn-based games the public board has the buttons. In a race each player has private pages (see `pages`), and
    the board only shows faces, points and time."""

    game = GAMES["twin-it"]
    # None names the barred seat: who gets which seat is drawn at the start only.
    start_options = ("mode", "sets_to_win", "seconds", "singles", "hand_seconds", "tie_ms", "handicap")
    rules_options = ("mode",)

    def __init__(self, bot: Palmhouse) -> None:
        super().__init__(bot)
        pages = PageButtons(bot)
        for verb, route, takes in (
            (verbs.PRESS, deferrable(self.press), Kind.BUTTON),
            (verbs.NAME, self.name, Kind.BUTTON),
            (verbs.NAMED, deferrable(self.named), Kind.MODAL),
            (verbs.PAGE, deferrable(held(pages.turn)), Kind.BUTTON),
            (verbs.FACE, deferrable(pages.face), Kind.BUTTON),
            (verbs.LIFT, deferrable(pages.lift), Kind.BUTTON),
            (verbs.NUMBERS, pages.ask, Kind.BUTTON),
            (verbs.CLAIM, deferrable(pages.claim), Kind.MODAL),
        ):
            bot.router.add(verb, route, takes, at_once=True)

    # How it looks

    looks = _Looks()
    rehearsal = staticmethod(sprites)

    def board(self, view: View, names: Sequence[str], own: int | None = None) -> list[Item]:  # noqa: ARG002
        """Return a picture of all faces, the teams, and what is forbidden for whom; in a race also the points and the
        time. Whose turn it is, the table says."""
        said = [
            *(f"-# {line}" for line in [*teams(view, names), *forbidden(view, names)]),
            *tally(view, names),
            *[status(view, names)] * (not view.awaited),
            *[TO_TYPE] * lacks_buttons(view),
        ]
        draw = overview if view.options.against_time else whole_board
        return [*[draw(view, names)] * bool(view.faces), *[text("\n".join(said))] * bool(said)]

    def told(self, event: Event, noted: Container[Seat]) -> Event | None:
        """Return what the board tells of this event in words: of a late player one figure, so without the hands of
        those about whom there is a note; None for a card that was flipped. New faces are in the picture, and may have
        gone from it by now; for whom some are forbidden stands below it."""
        if isinstance(event, SetWon):
            hands = tuple(hand for hand in event.hands if hand.seat not in noted)
            return replace(event, hands=hands, gone=touched(event), faces=(), turned=None)
        if isinstance(event, Erred | Tied):
            return replace(event, faces=())
        if isinstance(event, Dealt):
            return replace(event, barred=())
        return None if isinstance(event, Flipped) else event

    def controls(self, view: View, match: int) -> list[Item]:
        """Return buttons for some faces, for the numbers of the others and for the next card; in a race a button to be
        ready, then one that opens the player's pages."""
        if view.options.against_time:
            return [open_button(match) if view.opens else row(_press(match, "I am ready", "ready"))]
        buttons = [] if view.turn is None else [_press(match, "Flip", "flip")]
        if lacks_buttons(view):
            buttons.append(button("Type a number", CustomId(verbs.NAME, match)))
        return [
            *face_buttons(view, on_board(view), lambda face: CustomId(verbs.PRESS, match, f"hand {face}")),
            *([row(*buttons)] if buttons else []),
        ]

    banner = staticmethod(showcase.banner)
    example = staticmethod(showcase.example)

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return a page of the faces; in a race the button that opens the player's pages. Without pictures return all
        faces in words, and menus of their names."""
        if view.options.against_time:
            return race_hand(view, names, form)
        if form.style.pictures:
            return pages.hand(view, names, form)
        plain = {
            FLIP: button("Flip", form.id("flip"), style=SUCCESS),
            LIFT: button("Lift the hand", form.id("lift")),
        }
        buttons = [plain[action] for action in form.legal if action in plain]
        shown = {face.number: face for face in view.faces}
        faces = [shown[parts(action)[0]] for action in form.legal if action >= FIRST]
        return [
            text(self.game.words.describe(view, names)),
            *([row(*buttons)] if buttons else []),
            *(_menu(faces[start : start + MENU], form) for start in range(0, len(faces), MENU)),
        ]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return what a click does: it turns to another page, or makes the move that the step or a menu names."""
        if step.startswith("page "):
            return Picks(step.removeprefix("page "))
        return MoveText(values[0] if len(values) == 1 else step)

    # What the board's buttons do

    async def press(self, interaction: Interaction, click: Click) -> None:
        """Make the move of a button on the board.

        A click that makes something happen is answered by an edit of the board. Any other is answered in silence: the
        board's next edit shows the hand, or that the face has gone and by how many ms the click was late.
        """
        table = here_only(interaction, await self.bot.tables.get(click.match))
        try:
            made = await make_moves(interaction, table, [click.rest])
        except AgainstTheRules:
            if not _has_gone(table, click.rest):
                raise
            await defer(interaction)
            if note_near_miss(table, interaction.user.id, click.rest, posted_at(interaction.id)):
                self.bot.publisher.wake(table)
            return
        card = self.bot.publisher.live.clicked(interaction, table)
        if card is not None and lines(public_items(made), self.game):
            await card.answer(interaction)
        else:
            await defer(interaction)
        await _tell_unspoken(interaction, made)

    async def name(self, interaction: Interaction, click: Click) -> None:
        """Open a modal to type the numbers of one or two faces into, for faces without buttons."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        label, example = (NAMED_IN_TEAM, "12") if _in_team(table) else (NAMED, "12 87")
        line = text_field(label, 20, placeholder=example)
        await interaction.response.send_modal(
            Modal("Press by typing", CustomId(verbs.NAMED, click.match), line)
        )

    async def named(self, interaction: Interaction, click: Click) -> None:
        """Lay a hand on each face whose number was typed; the board shows the result."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        faces, in_team = pages.numbers(" ".join(click.values)), _in_team(table)
        # Two of one player would be a mistake that costs the team a set.
        if in_team and (faces is None or len(faces) != 1):
            raise Refusal("Type one number: your partner lays the other hand.")
        if faces is None or len(faces) not in (1, 2):
            raise Refusal("Type the number of a face, or of two faces alike, such as 12 87.")
        lying = pages.view_of(table, interaction.user.id).hands[table.seat(interaction.user.id)]
        moves = [text_of(action) for action in claim(faces, lying=bool(lying))]
        made = await make_moves(interaction, table, moves)
        await defer(interaction)
        await _tell_unspoken(interaction, made)


async def _tell_unspoken(interaction: Interaction, made: Sequence[Made]) -> None:
    """Tell the player alone what the board does not say of their mistake."""
    for said in filter(None, (unspoken(event) for each in made for event in each.events)):
        await tell(interaction, f"{said}.")


def _press(match: int, label: str, action: str) -> Item:
    return button(label, CustomId(verbs.PRESS, match, action), style=SUCCESS)


def _in_team(table: Table) -> bool:
    options = table.state.options
    return isinstance(options, TwinItOptions) and options.mode == "teams"


def _menu(faces: Sequence[Face], form: Form) -> Item:
    """Return a menu of up to MENU faces, by number and name, that lays a hand on one of them."""
    options = [
        discord.SelectOption(label=f"{face.number} · {NAMES[face.design]}", value=text_of(on(face.number)))
        for face in faces
    ]
    span = f"{faces[0].number} to {faces[-1].number}"
    return row(select(f"Lay a hand on a face, {span}", form.id(f"faces {faces[0].number}"), options))


def _has_gone(table: Table, move: str) -> bool:
    """Return whether the face of a move is gone: somebody else was faster."""
    with naming(names(table.state)):  # raised for a forged move
        action = table.state.game.parse(move)
    face = parts(action)[0]
    return (
        action >= FIRST and face <= table.state.game_state.last and face not in table.state.game_state.showing
    )
