"""Reasons why Charms refuses an action, as sentences to the player."""

from games.charms.cards import ACTIONS, CARDS, FIRST_PAIR, FIRST_PLAY, SIGNS, signs
from games.charms.follow import first_reason, reason
from games.charms.state import State
from games.contract import Illegal


def refusal(state: State, seat: int, action: int) -> Illegal:
    """Return the reason why an action is not legal, and what is allowed instead."""
    if state.outcome is not None:
        return Illegal("The match is over. You can no longer bid or play.")
    if not 0 <= seat < state.seats:
        return Illegal(f"Only seats 1 to {state.seats} play at this table. You can watch.")
    if action not in ACTIONS:
        return Illegal("That is not a move in Charms. Bid 0 to 12 tricks, or play a card.")
    if state.bidding:
        return _bid_refusal(state, action)
    if action < FIRST_PLAY:
        return Illegal("The bids are final. Play a card on your turn.")
    if seat != state.turn:
        return Illegal(f"It is not your turn: seat {state.turn + 1} plays now. Then play goes to the left.")
    return _play_refusal(state, seat, action)


def _bid_refusal(state: State, action: int) -> Illegal:
    if action >= FIRST_PLAY:
        return Illegal("You cannot play a card until everyone has bid. Bid 0 to 12 tricks first.")
    return Illegal(
        f"It is not your turn: seat {state.turn + 1} bids now. At this table you bid in turn, once."
    )


def _play_refusal(state: State, seat: int, action: int) -> Illegal:
    if state.trick == 1 and action < FIRST_PAIR:
        return Illegal("In the first trick, play two cards: a suit and a number.")
    if state.trick > 1 and action >= FIRST_PAIR:
        return Illegal("You play two cards in the first trick only. Now play one card, a suit or a number.")
    holds = state.holds[seat]
    for kind in CARDS[action]:
        if not holds >> kind & 1:
            return Illegal(f"You do not hold {SIGNS[kind]}. Your hand: {signs(state.hands[seat])}.")
    if state.trick == 1:
        return Illegal(first_reason(holds, state.led))
    return Illegal(reason(holds, state.suits[seat], state.led))
