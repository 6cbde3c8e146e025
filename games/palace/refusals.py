"""Reasons why Palace refuses an action, as sentences to the player."""

from games.palace import cards, words
from games.palace.cards import ACTIONS, BLINDS, FIRST_BLIND, FIRST_PLAY, RANKS, SHOWS, TAKE
from games.palace.state import GONE, State
from games.phrases import not_your_turn
from games.types import Action, Seat


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return (
            "That is not a move in Palace. Play cards of one rank, or take the pile when none of yours fits."
        )
    if action < FIRST_PLAY:
        return _show(state, seat, action)
    if state.choosing:
        return "You cannot play until everyone has chosen. Choose three cards to lie face up, for example show 7 10 A."
    if seat != state.turn:
        return not_your_turn(state.turn)
    if action in BLINDS:
        return _blind(state, seat, action - FIRST_BLIND)
    return _take(state, seat) if action == TAKE else _play(state, seat, action)


def _show(state: State, seat: Seat, action: Action) -> str:
    if not state.choosing:
        return "The face-up cards are final. Play cards on your turn."
    return f"You do not hold {cards.ranks(SHOWS[action])}. Choose three of {_ranks(state.hands[seat])}."


def _blind(state: State, seat: Seat, place: int) -> str:
    if any(state.hands[seat]):
        return "You play the face-down cards last. Play all cards of your hand first."
    if any(state.shown[seat]):
        return "You play the face-down cards last. Play your face-up cards first."
    return f"Your face-down card {place + 1} is already turned up. Choose {_places(state, seat)}."


def _take(state: State, seat: Seat) -> str:
    if not any(state.hands[seat]) and not any(state.shown[seat]):
        return f"Turn up a face-down card first. If it does not fit, you take the pile. Choose {_places(state, seat)}."
    if not state.pile:
        return "There is no pile to take. Start a new one with any card."
    return "You can play, so you must. You may take the pile only when none of your cards fits."


def _play(state: State, seat: Seat, action: Action) -> str:
    kind, count = cards.play(action)
    zone, place = state.hands[seat], "in your hand"
    if not any(zone):
        zone, place = state.shown[seat], "face up in front of you"
    if not any(zone):
        return f"Your cards are face down, so name the place of one, not its rank. Choose {_places(state, seat)}."
    if zone[kind] < count:
        held = f"only {zone[kind]} of them" if zone[kind] else "none"
        wanted = cards.ranks([kind] * count)
        return f"You cannot play {wanted}: you have {held} {place}. Choose from {_ranks(zone)}."
    takes = words.needed(state.top, state.options.allow_equal)
    return f"{RANKS[kind]} does not go on {RANKS[state.top]}. What fits: {takes}."


def _ranks(held: list[int]) -> str:
    return cards.ranks(cards.expand(held))


def _places(state: State, seat: Seat) -> str:
    """Return "blind 1 or blind 3"."""
    return " or ".join(f"blind {place + 1}" for place, kind in enumerate(state.blind[seat]) if kind != GONE)
