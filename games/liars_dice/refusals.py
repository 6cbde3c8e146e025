"""Refusals of Liar's Dice: the rule that forbids an action, and what is allowed instead."""

from games.liars_dice import words
from games.liars_dice.actions import (
    ACTIONS,
    ANY_FACE,
    CALZA,
    DOUBT,
    FACE,
    NO_BID,
    ONE,
    QUANTITY,
    allowed,
    fixed_face,
    lowest,
)
from games.liars_dice.state import State
from games.phrases import listed, not_your_turn
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Liar's Dice. Bid a quantity of a face, or doubt the bid before you."
    if state.out[seat]:
        return f"You are out: you lost your last die in round {state.out[seat]}. You can watch the others."
    if action == CALZA:
        return _not_calza(state, seat)
    if action == DOUBT and not state.bids:
        return _nothing_to(state, seat, "doubt")
    if seat != state.turn:
        calza = state.options.calza and bool(state.bids) and seat != state.bids[-1][0]
        return f"{not_your_turn(state.turn)}{' Out of turn you can only call calza.' * calza}"
    return f"{_not_bid(state, seat, action)} {_instead(state, seat)}"


def _not_calza(state: State, seat: Seat) -> str:
    if not state.options.calza:
        return "This table plays without calza. On your turn you can bid higher or doubt."
    if state.bids:
        return "The last bid is your own, so only the others can call it exact. Wait for the next bid."
    return _nothing_to(state, seat, "call exact")


def _nothing_to(state: State, seat: Seat, call: str) -> str:
    """Return that there is no bid to call, and what to do now."""
    now = "Open the round with a bid." if seat == state.turn else "Wait for the first bid."
    return f"There is nothing to {call}: {_no_bid_yet(state, seat)} {now}"


def _no_bid_yet(state: State, seat: Seat) -> str:
    """Return that nobody has bid, and how the last round ended: a caller may have come too late."""
    if state.last is None:
        return "nobody has bid yet."
    called = "called calza" if state.last.calza else "doubted"
    own = state.last.caller == seat
    who = f"you have {called} already" if own else f"seat {state.last.caller + 1} {called} first"
    return f"{who}, so round {state.last.round} is over, and nobody has bid in round {state.round} yet."


def _not_bid(state: State, seat: Seat, action: Action) -> str:
    dice = sum(state.dice)
    if QUANTITY[action] > dice:
        return f"Only {dice} dice are in play."
    if state.standing == NO_BID:
        return "Ones are wild, so a round cannot open with a bid on them."
    made, standing = words.bid(action).capitalize(), words.bid(state.standing)
    if action == state.standing:
        return f"{made} is the standing bid itself."
    if fixed_face(state.standing, state.dice[seat], palifico=state.palifico) not in (ANY_FACE, FACE[action]):
        return "In a palifico round only players with a single die may change the face."
    one_is_of_ones = (FACE[action] == ONE) != (FACE[state.standing] == ONE)
    reason = ": a one is worth about two of a face" * (one_is_of_ones and not state.palifico)
    return f"{made} is not higher than {standing}{reason}."


def _instead(state: State, seat: Seat) -> str:
    """Return the lowest bids that are allowed, and the calls."""
    if state.standing == NO_BID:
        return f"Bid one die or more of any face{'' if state.palifico else ' but ones'}."
    bids = allowed(state.standing, state.dice, seat, palifico=state.palifico)
    least = [words.bid(action) for action in lowest(bids).values()]
    if not least:
        return f"No higher bid is left, so you must doubt{' or call calza' * state.options.calza}."
    return f"Bid at least {_or(least)}, or doubt{' or call calza' * state.options.calza}."


def _or(bids: list[str]) -> str:
    return listed(bids).replace(" and ", " or ")
