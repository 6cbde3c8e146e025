"""Why something is not allowed in Twin It!, and what is instead: the sentence the player reads."""

from games.twin_it.actions import FLIP, HAND, HOLD, LIFT, READY, TURN, parts
from games.twin_it.state import NOBODY, State


def why_not(state: State, seat: int, action: int) -> str:
    """The reason for refusing an action that is not legal."""
    if state.outcome is not None:
        return "The match is over; hands and cards stay as they are."
    if action < 0:
        return "This is no action of Twin It!"
    if action == READY:
        return _not_ready(state)
    if action == LIFT:
        return "None of your hands lies on a face."
    if state.options.against_time and not state.ends:
        return "The spread is still covered. It is uncovered soon after everybody has said `ready`."
    if action == FLIP:
        return _not_flip(state, seat)
    return _not_face(state, seat, *parts(action))


def _not_ready(state: State) -> str:
    if state.options.against_time:
        return "You have said that you are ready; nothing more is needed."
    return "Nobody has to be ready here: whoever's turn it is flips, and hands are free for all."


def _not_flip(state: State, seat: int) -> str:
    if state.options.against_time:
        return "There is no pile in this mode: turn a face of the spread over by its number, like `turn 12`."
    if state.turn == NOBODY:
        return "All piles are used up. Lay your hands on two faces that match, if you can find them."
    if not state.piles[seat]:
        return "You have no pile to flip from; your hands are free to lie on two faces that match."
    return "It is not your turn to flip. Your hands are free: lay them on two faces that match."


def _not_face(state: State, seat: int, face: int, deed: int) -> str:
    if face > state.last:
        return f"There has been no face {face} yet. Name one that shows, by its number."
    if face not in state.showing:
        return f"Face {face} shows no longer. That costs you nothing: name one that shows."
    if not state.options.against_time and deed != HAND:
        return "In this mode faces are not held or turned by number: lay your hands on two that match."
    if deed == TURN:
        return f"Face {face} is a set's; only cards of the spread are turned over."
    if state.rests[seat]:
        return "Your hands rest after a mistake. Wait a few seconds."
    return _not_hand(state, seat, face, deed)


def _not_hand(state: State, seat: int, face: int, deed: int) -> str:
    team = state.options.mode == "teams"
    if any(hand.face == face for other in _partners(state, seat) for hand in state.hands[other]):
        whose = "Your team's" if team else "Your"
        return f"{whose} hand lies on face {face} already; the other one belongs on a face that matches it."
    if deed == HOLD and state.won(state.showing[face]) in (None, state.side(seat)):
        return "A face is held when one is named already and a third is to follow: `hand 12`, `hold 87`, `hand 130`."
    return f"Face {face} is of another player's pair, and nobody is robbed in this mode."


def _partners(state: State, seat: int) -> range:
    """The seats whose hands count with those of `seat`."""
    if state.options.mode == "teams":
        return range(state.side(seat), state.seats, state.sides)
    return range(seat, seat + 1)
