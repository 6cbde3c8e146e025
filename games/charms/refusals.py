"""Reasons why Charms refuses an action, as sentences to the player."""

from games.charms.cards import ACTIONS, CARDS, FIRST_PAIR, FIRST_PLAY, SIGNS, signs
from games.charms.follow import first_reason, reason
from games.charms.state import State
from games.phrases import not_your_turn
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Charms. Bid 0 to 12 tricks, or play a card."
    if state.bidding:
        return _bid_refusal(state, action)
    if action < FIRST_PLAY:
        return "The bids are final. Play a card on your turn."
    if seat != state.turn:
        return not_your_turn(state.turn)
    return _play_refusal(state, seat, action)


def _bid_refusal(state: State, action: Action) -> str:
    if action >= FIRST_PLAY:
        return "You cannot play a card until everyone has bid. Bid 0 to 12 tricks first."
    assert state.turn is not None
    return f"It is not your turn: seat {state.turn + 1} bids now. At this table you bid in turn, once."


def _play_refusal(state: State, seat: Seat, action: Action) -> str:
    if state.trick == 1 and action < FIRST_PAIR:
        return "In the first trick, play two cards: a suit and a number."
    if state.trick > 1 and action >= FIRST_PAIR:
        return "You play two cards in the first trick only. Now play one card, a suit or a number."
    holds = state.holds[seat]
    for kind in CARDS[action]:
        if not holds >> kind & 1:
            return f"You do not hold {SIGNS[kind]}. Your hand: {signs(state.hands[seat])}."
    if state.trick == 1:
        return first_reason(holds, state.led)
    return reason(holds, state.suits[seat], state.led)
