"""Thirty-One in Discord: pictures of the table, and a hand with its worth."""

from collections.abc import Sequence

from bot.match.refusal import Refusal
from bot.messages.game_ui import NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import DANGER, PRIMARY, SUCCESS, Item, button, card_button, row, shown, text
from bot.pictures.decks.french import EMOJIS
from bot.pictures.drawing import picture_of
from cogs.common.game import GameCog
from cogs.thirty_one import picture
from games import GAMES, Options
from games.french import PACK, SIGN
from games.thirty_one.actions import DISCARDS, KNOCK
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.playout import asked, is_low, turns_had
from games.thirty_one.values import worth
from games.thirty_one.view import View
from games.thirty_one.words import points, situation
from games.types import Action

MOVES = {"draw": "draw", "take": "take", "sure": "knock"}
"""Moves by the step of their button."""
EXAMPLE_LINES = (
    "Alice knocked with 21 in ♠. Ben and Cleo each had one more turn, then all hands were shown.\n"
    "Ben and Cleo have 17, the lowest: each pays a token.\n"
    "Nobody has more than the knocker, so Alice pays nothing."
)
EXAMPLE_ANY_SUIT = (
    "Alice knocked with 25. Ben and Cleo each had one more turn, then all hands were shown.\n"
    "Ben has 19, the lowest, and pays a token.\n"
    "Cleo has more than the knocker, so Alice pays one too."
)
RASH = "knock"
"""Picks of a form that asks to confirm a knock."""


class ThirtyOne(GameCog):
    """Every button of the form is a move, except that a rash knock must be confirmed."""

    game = GAMES["thirty-one"]
    drawings = EMOJIS
    rules_options = ("any_suit", "three_of_a_kind")
    rules_description = "How it is played, and who pays"

    # Pictures

    looks = picture

    def example(self, options: Options) -> list[Item]:
        """Return the score sheet of the example and its explanation."""
        assert isinstance(options, ThirtyOneOptions)
        lines = EXAMPLE_ANY_SUIT if options.any_suit else EXAMPLE_LINES
        return [shown(picture_of(picture.example(options))), text(lines)]

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the hand below the table, and the form of the turn."""
        items = self.own_hand(view, names, form, situation(view, names))
        return [*items, *(_form(view, form) if form.legal else ())]

    def ahead(self, view: View, actions: Sequence[Action]) -> Sequence[Action]:
        """Return the actions without a rash knock, as nobody would be asked to confirm it."""
        return [action for action in actions if action != KNOCK or not _is_rash(view)]

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return what a click on the form does."""
        name, _, value = step.partition("-")
        if step == "knock":
            return Picks(RASH) if KNOCK in form.legal and _is_rash(view) else MoveText("knock")
        if step == "later":
            return Picks("")
        if step in MOVES:
            return MoveText(MOVES[step])
        if name == "discard" and value in map(str, PACK):
            return MoveText(self.game.text(DISCARDS[int(value)]))
        raise Refusal(NOT_MINE)


def _form(view: View, form: Form) -> list[Item]:
    if view.discarding:
        return [row(*(_drop(view, form, card) for card in view.hand))]
    if form.picks == RASH and KNOCK in form.legal:
        return [text(_question(view)), row(*_answers(form))]
    buttons = [button("Draw", form.id("draw"), style=SUCCESS)]
    top = SIGN[view.discards[-1]]
    buttons.append(card_button(top, "take it", form.id("take"), form.emojis, style=PRIMARY))
    if KNOCK in form.legal:
        title = f"Knock with {points(worth(view.hand, view.options))}"
        buttons.append(button(title, form.id("knock"), style=DANGER))
    return [row(*buttons)]


def _is_rash(view: View) -> bool:
    """Return whether a knock must be confirmed: in the first turn, or if the hand is low for that turn."""
    turns = turns_had(view)
    return not turns or is_low(worth(view.hand, view.options), turns)


def _question(view: View) -> str:
    own, good = worth(view.hand, view.options), asked(turns_had(view))
    low = f" A good knock now is {points(good)} or more." if own < good else ""
    return (
        f"**Knock with {points(own)}?** Everybody else has one more turn; if anybody then has more, you pay a token."
        f"{low}"
    )


def _answers(form: Form) -> list[Item]:
    return [button("Knock", form.id("sure"), style=DANGER), button("Not yet", form.id("later"))]


def _drop(view: View, form: Form, card: int) -> Item:
    """Return the button that drops a card, with the worth of the rest. The discard just taken may not be dropped."""
    left = [other for other in view.hand if other != card]
    taken = card == view.taken
    words = "just taken" if taken else f"drop, keep {points(worth(left, view.options))} points"
    return card_button(SIGN[card], words, form.id(f"discard-{card}"), form.emojis, disabled=taken)
