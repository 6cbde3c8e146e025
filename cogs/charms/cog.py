"""Charms in Discord: pictures of the table, and a hand with buttons for legal plays only."""

from collections.abc import Sequence

from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import NOT_MINE, Form, MoveText, Picks
from bot.messages.panel import PRIMARY, SECONDARY, SUCCESS, Item, button, card_button, row, text
from bot.pictures.decks.charms import EMOJIS
from cogs.charms import picture
from cogs.common.game import GameCog
from games import GAMES
from games.charms.cards import BIDS, CARDS, SIGNS, SUIT_NAMES, SUITS, TRICKS
from games.charms.view import View
from games.charms.words import bound, secret_bid, task
from games.phrases import whose_turn
from games.types import Action

WIDE = 4
"""Buttons in a row: as many as a phone shows."""


class Charms(GameCog):
    """Picks of the form: the kind of the suit card in the first trick. Every other button is a move."""

    game = GAMES["charms"]
    drawings = EMOJIS
    rules_options = ("bidding",)
    rules_description = "How it is played, and what beats what"

    # Pictures

    looks = picture
    example_text = (
        "The coin is trump. Alice covers her coin with a key, so key is led.\n"
        "Ben shows a key, but holds neither a number nor another key: he may play anything, and plays a coin.\n"
        "Cleo has no key and covers her 6 with a 3. Ben alone shows the trump, so he takes the trick."
    )

    # The hand

    def hand(self, view: View, names: Sequence[str], form: Form) -> list[Item]:
        """Return the cards shown, the hand, and the form of the turn."""
        items = self.own_hand(view, names, form, _situation(view, names))
        if form.legal and view.phase == "bid":
            items += _bid_form(view, form)
        elif form.legal:
            items += _first_form(view, form) if view.trick == 1 else _play_form(view, form)
        return items

    def pick(self, view: View, form: Form, step: str, values: Sequence[str]) -> Picks | MoveText:  # noqa: ARG002
        """Return what a click on the form does."""
        name, _, value = step.partition("-")
        if name == "suit" and value in map(str, _suits(form)):
            return Picks(value)
        if name == "move":
            return MoveText(value)
        raise Refusal(NOT_MINE)


# The line above the hand


def _situation(view: View, names: Sequence[str]) -> str:
    if view.outcome is not None:
        return "The match is over."
    turn = whose_turn(view.awaited, names, view.seat, task(view))
    return _playing(view, turn) if view.phase == "play" else _bidding(view, names, turn)


def _playing(view: View, turn: str) -> str:
    assert view.seat is not None
    led = "" if view.led is None else f"led {SIGNS[view.led]}"
    own = f"you: {view.winners.count(view.seat)} of {view.bids[view.seat]}"
    parts = [turn, f"Trick {view.trick} of {TRICKS}", f"trump {SIGNS[view.trump]}", led, own]
    return " · ".join(filter(None, parts))


def _bidding(view: View, names: Sequence[str], turn: str) -> str:
    hand = f"Hand {view.hand_number} of {view.options.hands}"
    leads = "you lead" if view.leader == view.seat else f"{names[view.leader]} leads"
    return " · ".join(filter(None, [turn, hand, f"trump {SIGNS[view.trump]}", leads, _chosen(view)]))


def _chosen(view: View) -> str:
    return secret_bid(view) or ("" if view.bid is None else f"you bid {view.bid}")


def _rows(buttons: Sequence[Item]) -> list[Item]:
    return [row(*buttons[start : start + WIDE]) for start in range(0, len(buttons), WIDE)]


# Bidding


def _bid_form(view: View, form: Form) -> list[Item]:
    bids = [
        button(str(bid), _move(form, bid), style=PRIMARY if bid == view.bid else SECONDARY) for bid in BIDS
    ]
    return [text("Tricks you will win:"), *_rows(bids)]


def _move(form: Form, action: Action) -> CustomId:
    return form.id(f"move-{GAMES['charms'].text(action)}")


# The first trick: a suit, then a number


def _suits(form: Form) -> list[int]:
    """Return the suits that may be played with a number."""
    return sorted({CARDS[action][0] for action in form.legal if len(CARDS[action]) == 2})


def _first_form(view: View, form: Form) -> list[Item]:
    suits = _suits(form)
    picked = form.picks if len(suits) > 1 else str(suits[0])
    choices = [
        card_button(
            SIGNS[suit],
            SUIT_NAMES[suit],
            form.id(f"suit-{suit}"),
            form.emojis,
            style=PRIMARY if picked == str(suit) else SECONDARY,
        )
        for suit in suits
    ]
    items = [*_restriction(view), text("Your suit card:"), row(*choices)]
    pairs = [action for action in form.legal if str(CARDS[action][0]) == picked]
    if pairs:
        items += [text("With your number card:"), *_rows([_card(view, pair, form) for pair in pairs])]
    return items


# The later tricks


def _play_form(view: View, form: Form) -> list[Item]:
    return [*_restriction(view), *_rows([_card(view, action, form) for action in form.legal])]


def _card(view: View, action: Action, form: Form) -> Item:
    """Return a button for the last card of a play, with the number of copies in the hand: key ×2; 7."""
    kind = CARDS[action][-1]
    count = view.hand.count(kind)
    words = [SUIT_NAMES[kind] if kind in SUITS else "", f"×{count}" * (count > 1)]
    return card_button(
        SIGNS[kind], " ".join(filter(None, words)), _move(form, action), form.emojis, style=SUCCESS
    )


def _restriction(view: View) -> list[Item]:
    """Return a line that says why other cards of the hand are not offered; nothing if all are."""
    return [text(f"-# {sentence}")] if (sentence := bound(view)) else []
