"""Refusals of Thirty-One: the rule that forbids an action, and what is allowed instead."""

from games import french
from games.phrases import not_your_turn
from games.thirty_one.actions import ACTIONS, DISCARD
from games.thirty_one.state import HELD, State
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Thirty-One. Draw, take the top discard, knock, or drop a card."
    if state.out[seat]:
        return "You are out: you have no tokens left. You can watch the others."
    if seat != state.turn:
        return not_your_turn(state.turn)
    if len(state.hands[seat]) > HELD:
        return _not_discard(state, seat, action)
    if action >= DISCARD:
        return "Draw from the stock or take the top discard first, then drop a card."
    assert state.knocker is not None
    return (
        f"Seat {state.knocker + 1} has knocked, and only one player may knock in a deal. Draw, or take the top "
        "discard."
    )


def _not_discard(state: State, seat: Seat, action: Action) -> str:
    card, hand = action - DISCARD, state.hands[seat]
    held = french.signs(other for other in hand if other != state.taken)
    if action < DISCARD:
        return f"You have four cards. Drop one of {held}."
    if card not in hand:
        return f"You do not hold {french.SIGN[card]}. Drop one of {held}."
    return f"You have just taken {french.SIGN[card]} and must keep it this turn. Drop one of {held}."
