"""Liar's Dice in Discord: a cup with a form for bids, and public buttons to doubt and to call calza."""

from collections.abc import Iterator, Sequence
from typing import Final

import discord

from bot.client import Palmhouse
from bot.match.announcements import names
from bot.match.pages import lines
from bot.match.refusal import Refusal
from bot.match.table import Stale, Table, public_items
from bot.messages.answers import defer
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import MOST_AHEAD, NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import DANGER, PRIMARY, SUCCESS, Item, button, row, select
from bot.messages.router import Click
from bot.pictures.scene import in_rows
from cogs.common.game import GameCog
from cogs.common.hand_panel import seat_at
from cogs.common.lookup import Interaction, here_only
from cogs.common.moving import deferrable, make_moves
from cogs.common.open_hand import show_hand
from cogs.liars_dice import picture
from games import GAMES
from games.liars_dice import words
from games.liars_dice.actions import BID, CALZA, DOUBT, FACE, FACES, ONE, QUANTITY, bid
from games.liars_dice.view import View
from games.phrases import addressed, counted, listed
from games.types import Action, Seat

PRESS: Final = "liars-dice.press"
"""Verb of the public buttons."""
MENU: Final = 25
"""Maximum number of options of a menu in Discord."""
IN_DIGITS: Final = 10
"""Quantity from which on the buttons of a bid have it as the pictures have it: 11×5."""
SIGNS: Final = " ⚀⚁⚂⚃⚄⚅"
"""Signs of the faces."""
CALLS: Final = {"doubt": DOUBT, "calza": CALZA}
NO_SEAT: Final = {
    "doubt": "You do not sit at this table: only its players can doubt.",
    "calza": "You do not sit at this table: only its players can call calza.",
}
"""Refusals of a call by a person without a seat."""
EXAMPLE_LINES: Final = (
    "Cleo bid four sixes, and Alice doubted: all dice were shown.\n"
    "Ones are wild, so two ones and three sixes make five. The bid stands.\n"
    "Alice loses a die and opens the next round."
)


class LiarsDice(GameCog):
    """Picks of the form: the quantity of the bid. A face then makes it. A call names the bid that it is about."""

    game = GAMES["liars-dice"]
    rules_options = ("calza", "palifico")
    rules_description = "How it is played, and which bid is higher"

    def __init__(self, bot: Palmhouse) -> None:
        super().__init__(bot)
        bot.router.add(PRESS, deferrable(self.press), at_once=True)

    # Pictures

    looks = picture
    example_text = EXAMPLE_LINES

    def controls(self, view: View, match: int) -> list[Item]:
        """Return buttons that call the last bid: the doubt for the next player, calza for everybody but the bidder."""
        if not view.bids:
            return []
        calls = ["doubt", *["calza"] * view.options.calza]
        return [row(*(_call(call, CustomId(PRESS, match, f"{call} {_phase(view)}")) for call in calls))]

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the cup below the bids, and the form of the turn."""
        items = self.own_hand(view, names, form, words.situation(view, names))
        return [*items, *_form(view, form)]

    def ahead(self, view: View, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the doubt and the bids; of many, those nearest to what is to be expected of all dice."""
        expected = sum(view.dice) / 3
        doubt, bids = actions[:1], actions[1:]
        found = sorted(bids, key=lambda bid: abs(QUANTITY[bid] * (1 + (FACE[bid] == ONE)) - expected))
        return [*doubt, *sorted(found[: MOST_AHEAD - 1])]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:
        """Return what a click on the form does."""
        if step == "quantity" and len(values) == 1 and values[0] in map(str, _quantities(form)):
            return Picks(values[0])
        name, _, rest = step.partition(" ")
        if name in CALLS:
            _check_phase(view, rest)
            return MoveText(name)
        quantities = _quantities(form)
        if name == "face" and rest in map(str, FACES) and quantities:
            return MoveText(self.game.text(bid(_quantity(form), int(rest))))
        raise Refusal(NOT_MINE)

    # Public buttons

    async def press(self, interaction: Interaction, click: Click) -> None:
        """Make the call of a public button, if the last bid is still the one that it was shown for."""
        table = here_only(interaction, await self.bot.tables.get(click.match))
        name, _, phase = click.rest.partition(" ")
        seat = seat_at(table, interaction.user.id, no_seat=NO_SEAT.get(name, NOT_MINE))
        try:
            await self._call(interaction, table, seat, name, phase)
        except Refusal as refusal:
            note = (isinstance(refusal, Stale) and self._who_was_faster(table, seat, name)) or str(refusal)
            await show_hand(interaction, table, note=note)

    def _who_was_faster(self, table: Table, seat: Seat, name: str) -> str:
        """Return who has raised the bid that a late call was about, or has ended its round; "" after the match."""
        if table.state.phase == "over":
            return ""
        state, who = table.state.game_state, names(table.state)
        view = self.game.view(state, seat)
        if view.bidder is not None and view.bidder != seat:
            raised = f"{who[view.bidder]} has raised to {words.bid(view.standing)} since."
            return f"{raised} Only this bid can be called now."
        return addressed(self.game.why_not(state, seat, CALLS[name]), who)

    async def _call(self, interaction: Interaction, table: Table, seat: Seat, name: str, phase: str) -> None:
        if name not in CALLS or table.state.game_state is None:
            raise Refusal(NOT_MINE)
        _check_phase(self.game.view(table.state.game_state, seat), phase)
        # Nothing is awaited between this check and reading the prompt, so a bid made meanwhile makes the call stale.
        prompt = table.state.prompts[seat]
        made = await make_moves(interaction, table, [name], prompt)
        card = self.bot.publisher.live.clicked(interaction, table)
        if card is not None and lines(public_items(made), self.game):
            await card.answer(interaction)
        else:
            await defer(interaction)


def _phase(view: View) -> str:
    """Return the round and the number of the last bid, which say what a call is about."""
    return f"{view.round} {len(view.bids)}"


def _check_phase(view: View, phase: str) -> None:
    """Raise Stale for a call that is about another bid than the last one."""
    if phase != _phase(view):
        raise Stale


def _call(name: str, custom_id: CustomId) -> Item:
    return button(name.capitalize(), custom_id, style=DANGER if name == "doubt" else PRIMARY)


# The form


def _form(view: View, form: Form) -> Iterator[Item]:
    if quantities := _quantities(form):
        yield row(_menu(form, quantities))
        for some in in_rows(FACES, 3):
            yield row(*(_face(form, face) for face in some))
    calls = [name for name, action in CALLS.items() if action in form.legal]
    if calls:
        yield row(*(_call(name, form.id(f"{name} {_phase(view)}")) for name in calls))


def _quantities(form: Form) -> list[int]:
    """Return the lowest quantities that may be bid, as many as a menu has."""
    return sorted({QUANTITY[action] for action in form.legal if action >= BID})[:MENU]


def _quantity(form: Form) -> int:
    """Return the quantity that is chosen. Before a choice it is the lowest one that may be bid of most faces."""
    quantities = _quantities(form)
    if form.picks in map(str, quantities):
        return int(form.picks)
    return max(quantities, key=lambda quantity: (len(_faces(form, quantity)), -quantity))


def _faces(form: Form, quantity: int) -> list[int]:
    """Return the faces of which this quantity may be bid."""
    return [FACE[action] for action in form.legal if QUANTITY[action] == quantity]


def _menu(form: Form, quantities: Sequence[int]) -> Item:
    chosen = _quantity(form)
    options = [
        discord.SelectOption(
            label=counted(quantity, "die"),
            value=str(quantity),
            description=_described(_faces(form, quantity)),
            default=quantity == chosen,
        )
        for quantity in quantities
    ]
    return select("How many?", form.id("quantity"), options)


def _described(faces: Sequence[int]) -> str:
    """Return "any face" or, for example, "face 1 or 6", short enough for the line of a phone."""
    if len(faces) == len(FACES):
        return "any face"
    return f"face {listed(map(str, faces), 'or')}"


def _face(form: Form, face: int) -> Item:
    quantity = _quantity(form)
    # Three in a row of a phone: in words, larger quantities would need more rows, and push the bid out of sight.
    what = f"{quantity}×{face}" if quantity >= IN_DIGITS else f"{quantity} {words.face_name(face, quantity)}"
    label = f"{SIGNS[face]} {what}"
    allowed = face in _faces(form, quantity)
    return button(label, form.id(f"face {face}"), style=SUCCESS, disabled=not allowed)
