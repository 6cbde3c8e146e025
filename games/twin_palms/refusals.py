"""Refusals of Twin Palms: the rule that forbids an action, and what is allowed instead."""

from collections.abc import Sequence

from games.phrases import not_your_turn
from games.twin_palms.cards import ACTIONS, CARDS, FIRST_PLAY, card_text
from games.twin_palms.state import State
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Twin Palms. Bid 0 to 5 tricks, or play two cards."
    if action < FIRST_PLAY:
        return _not_bid(state)
    if state.bidding:
        return "You cannot play cards until everyone has bid. Bid 0 to 5 tricks first."
    if seat != state.turn:
        return not_your_turn(state.turn)
    return _not_play(state.hands[seat], action)


def _not_bid(state: State) -> str:
    if not state.bidding:
        return "The bids are final. Play two cards on your turn."
    return "There are no bets at this table. Bid 0 to 5 tricks, without half or max."


def _not_play(hand: Sequence[int], action: Action) -> str:
    held = " ".join(map(card_text, hand))
    for kind in CARDS[action]:
        if kind not in hand:
            return f"You do not hold {card_text(kind)}. Play two cards out of {held}."
    return f"You hold {card_text(CARDS[action][0])} only once. Play two cards out of {held}."
