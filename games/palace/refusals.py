"""Why an action is refused: the rule that forbids it, and what is allowed instead."""

from games.contract import not_your_turn
from games.palace import cards, words
from games.palace.cards import ACTIONS, BLINDS, FIRST_BLIND, FIRST_PLAY, RANKS, SHOWS, TAKE
from games.palace.state import GONE, State


def why_not(state: State, seat: int, action: int) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Palace. Play cards of one rank, or take the pile when none of yours goes on it."
    if action < FIRST_PLAY:
        return _show(state, seat, action)
    if state.choosing:
        return "Play begins when everyone has chosen. Choose three cards to lie face up, for example: show 7 10 A."
    if seat != state.turn:
        return not_your_turn(state.turn)
    if action in BLINDS:
        return _blind(state, seat, action - FIRST_BLIND)
    return _take(state, seat) if action == TAKE else _play(state, seat, action)


def _show(state: State, seat: int, action: int) -> str:
    if not state.choosing:
        return "The face-up cards are already revealed and stay as they are. Play cards on your turn."
    return f"You do not hold {cards.ranks(SHOWS[action])}. Choose three of {_ranks(state.hands[seat])}."


def _blind(state: State, seat: int, place: int) -> str:
    if any(state.hands[seat]):
        return "The face-down cards come last: play all cards of your hand first."
    if any(state.shown[seat]):
        return "The face-down cards come last: play your face-up cards first."
    return f"Your face-down card {place + 1} is already turned up. Choose {_places(state, seat)}."


def _take(state: State, seat: int) -> str:
    if not any(state.hands[seat]) and not any(state.shown[seat]):
        return f"Turn up a face-down card first; if it does not fit, you take the pile. Choose {_places(state, seat)}."
    if not state.pile:
        return "There is no pile to take. Start one with any card."
    return "You can play, so you must: the pile is taken only when none of your cards goes on it."


def _play(state: State, seat: int, action: int) -> str:
    kind, count = cards.play(action)
    zone, place = state.hands[seat], "in your hand"
    if not any(zone):
        zone, place = state.shown[seat], "face up before you"
    if not any(zone):
        return f"Face-down cards are played by their place, without looking. Choose {_places(state, seat)}."
    if zone[kind] < count:
        held = f"only {zone[kind]} of them" if zone[kind] else "none"
        wanted = cards.ranks([kind] * count)
        return f"You cannot play {wanted}: you have {held} {place}. You can choose from {_ranks(zone)}."
    takes = words.needed(state.top, state.options.allow_equal)
    return f"{RANKS[kind]} does not go on {RANKS[state.top]}. The pile takes {takes}."


def _ranks(held: list[int]) -> str:
    return cards.ranks(cards.expand(held))


def _places(state: State, seat: int) -> str:
    """blind 1 or blind 3."""
    return " or ".join(f"blind {place + 1}" for place, kind in enumerate(state.blind[seat]) if kind != GONE)
