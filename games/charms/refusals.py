"""Why an action is refused: the sentences of Charms that name the rule."""

from games.charms.cards import ACTIONS, CARDS, FIRST_PAIR, FIRST_PLAY, SIGNS, signs
from games.charms.follow import first_reason, reason
from games.charms.state import State
from games.contract import Illegal


def refusal(state: State, seat: int, action: int) -> Illegal:
    """The reason why `legal` does not list the action."""
    if state.outcome is not None:
        return Illegal("The match is over; nobody bids or plays any more.")
    if not 0 <= seat < state.seats:
        return Illegal(f"Only the seats 1 to {state.seats} play at this table; you can watch.")
    if action not in ACTIONS:
        return Illegal("This is no action of Charms; bid 0 to 12 tricks, or play a card.")
    if state.bidding:
        return _bid_refusal(state, action)
    if action < FIRST_PLAY:
        return Illegal("The bids are made and stay as they are; play a card on your turn.")
    if seat != state.turn:
        return Illegal(f"It is not your turn: seat {state.turn + 1} plays now, then the seats to its left.")
    return _play_refusal(state, seat, action)


def _bid_refusal(state: State, action: int) -> Illegal:
    if action >= FIRST_PLAY:
        return Illegal("Cards are played once everyone has bid; first bid 0 to 12 tricks.")
    return Illegal(
        f"Bids are made in turn at this table, and seat {state.turn + 1} bids now; what is bid stays."
    )


def _play_refusal(state: State, seat: int, action: int) -> Illegal:
    if state.trick == 1 and action < FIRST_PAIR:
        return Illegal("In the first trick you play two cards, a suit and a number.")
    if state.trick > 1 and action >= FIRST_PAIR:
        return Illegal("Only in the first trick two cards are played; now play one, a suit or a number.")
    holds = state.holds[seat]
    for kind in CARDS[action]:
        if not holds >> kind & 1:
            return Illegal(f"You do not hold {SIGNS[kind]}; you have {signs(state.hands[seat])}.")
    if state.trick == 1:
        return Illegal(first_reason(holds, state.led))
    return Illegal(reason(holds, state.suits[seat], state.led))
