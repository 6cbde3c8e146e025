"""Palmer in Discord: pictures of the squares, and a hand with a button for each card of the square."""

from collections.abc import Sequence

import discord

from bot.match.refusal import Refusal
from bot.messages.game_ui import NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import PRIMARY, SECONDARY, SUCCESS, Item, button, card_button, row, text
from bot.pictures.decks.french import EMOJIS
from cogs.common.game import GameCog
from cogs.palmer import picture
from games import GAMES
from games.french import CARD, SIGN
from games.palmer.actions import ACTIONS, BOTTOM, PLACE, PLACE_NAMES, PLACES, TAKE, TURN_OVER
from games.palmer.rulebook import BLIND, EXAMPLE
from games.palmer.view import View
from games.palmer.words import FACE_DOWN, heading, place, status

QUEEN = CARD[EXAMPLE[0]]
WAYS = {"take": TAKE, "turn": TURN_OVER}
"""First action of each kind of turn, by its picks. The card of the square is chosen next."""
EXAMPLE_LINES = (
    f"{SIGN[QUEEN]} lies on the pile, and Alice knows that {SIGN[CARD[EXAMPLE[2]]]} lies in her bottom row.\n"
    f"She takes {SIGN[QUEEN]} for her top left card: the two queens cancel each other and count 0.\n"
    f"{SIGN[QUEEN]} now stays face up. The card it replaced, {SIGN[CARD[BLIND]]}, goes on the pile."
)


class Palmer(GameCog):
    """Picks of the form: the kind of turn, "take" or "turn". A card of the square then makes the move."""

    game = GAMES["palmer"]
    drawings = EMOJIS
    rules_description = "How it is played, and what the cards count"

    # Pictures

    looks = picture
    example_text = EXAMPLE_LINES

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the square with the cards that its player knows, and the form of the turn."""
        items = self.own_hand(view, names, form, _turn(view, names))
        return [*items, *(_form(view, form) if form.legal else ())]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return what a click on the form does."""
        name, _, value = step.partition("-")
        if step == "draw":
            return MoveText("draw")
        if name == "way" and value in WAYS:
            return Picks(value)
        if name == "card" and value in map(str, PLACES) and (view.placing or form.picks in WAYS):
            return MoveText(
                self.game.text(ACTIONS[(PLACE if view.placing else WAYS[form.picks]) + int(value)])
            )
        raise Refusal(NOT_MINE)


def _turn(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    if view.seat is not None and view.out[view.seat]:
        return f"{status(view, names)} · you are out with {view.totals[view.seat]} points"
    return f"{status(view, names)} · {heading(view)}"


def _form(view: View, form: Form) -> list[Item]:
    items: list[Item] = []
    top = SIGN[view.pile[-1]]
    if not view.placing:
        items.append(
            row(
                card_button(top, "take it", form.id("way-take"), form.emojis, style=_style(form, "take")),
                button("Draw", form.id("draw")),
                button("Turn over", form.id("way-turn"), style=_style(form, "turn")),
            )
        )
    if view.placing or form.picks in WAYS:
        card = view.pile[-1] if view.drawn is None else view.drawn
        items.append(
            text("Turn over:" if form.picks == "turn" and not view.placing else f"{SIGN[card]} replaces:")
        )
        items += [row(*(_card(view, form, where) for where in some)) for some in (PLACES[:2], BOTTOM)]
    return items


def _style(form: Form, way: str) -> discord.ButtonStyle:
    return PRIMARY if form.picks == way else SECONDARY


def _card(view: View, form: Form, where: int) -> Item:
    """Return the button of a card in the square. It has no emoji, as two buttons must fit side by side on a phone."""
    assert view.seat is not None
    fixed = bool(view.up[view.seat] >> where & 1)
    sign = place(view, view.seat, where)
    known = sign.removesuffix(FACE_DOWN) or FACE_DOWN
    title = f"{PLACE_NAMES[where].capitalize()}: {known}"
    return button(title, form.id(f"card-{where}"), style=SUCCESS, disabled=fixed)
