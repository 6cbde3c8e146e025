"""Refusals of Hand and Foot: the rule that forbids an action, and what is allowed instead."""

from typing import Final

from games.hand_and_foot.actions import (
    ACTIONS,
    AGREE,
    ASK,
    DISCARD,
    DRAW,
    FULL,
    LEAST,
    MELD,
    TAKE,
    Way,
    laid_points,
    melded,
)
from games.hand_and_foot.cards import NAME, RANKS, SIGN, TWO, WILD
from games.hand_and_foot.melding import TAKEN, Hand, takeable, top_rank
from games.hand_and_foot.state import ASKING, DRAWING, UNASKED, State, partner
from games.phrases import listed, not_your_turn, plural
from games.types import Action, Seat

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven")
"""Numbers of cards in words."""


def why_not(state: State, seat: Seat, action: Action) -> str:
    """Return the rule that forbids an action, and what is allowed instead."""
    if action not in ACTIONS:
        return "That is not a move in Hand and Foot. Draw or take the pile, meld, and discard a card."
    if state.phase == ASKING:
        return _while_asking(state, seat)
    if seat != state.turn:
        return not_your_turn(state.turn)
    if AGREE <= action < DISCARD:
        return "Nobody has asked you to agree. Make your own turn."
    if any(state.aside) and action < MELD:
        return _unfinished(state, seat)
    if state.phase == DRAWING:
        return _before_draw(state, seat, action)
    if action in (DRAW, TAKE):
        return "You have drawn or taken cards in this turn. Meld, or discard a card to end it."
    if action == ASK:
        return _ask(state, seat)
    return _discard(state, seat, action - DISCARD) if action < MELD else _meld(state, seat, action)


def _while_asking(state: State, seat: Seat) -> str:
    if seat == state.partner:
        return "Your partner asks to go out. Answer first: agree or refuse."
    if seat == state.turn:
        return "You have asked your partner. Wait for the answer, then play on."
    asks, asked = state.turn, state.partner
    assert asks is not None
    assert asked is not None
    return f"Seat {asks + 1} has asked seat {asked + 1} whether to go out. Only the partner answers: wait for it."


def _unfinished(state: State, seat: Seat) -> str:
    hand = Hand(state, seat)
    if not hand.is_short:
        return "The cards laid aside are enough for the first meld. Take the pile now."
    then = ", then take the pile" if state.phase == DRAWING else ""
    return f"You have laid {hand.points} of {hand.minimum} points for the first meld. Lay more groups{then}."


def _before_draw(state: State, seat: Seat, action: Action) -> str:
    if action == TAKE:
        return _take(state, seat)
    if action >= MELD and not Hand(state, seat).has_opened and takeable(state, seat) is not None:
        return _meld(state, seat, action)
    return "Draw two cards or take the pile first. Then meld, and discard a card."


def _take(state: State, seat: Seat) -> str:
    rank = top_rank(state.discards)
    if not state.discards:
        return "The discard pile is empty. Draw two cards."
    if rank is None:
        top = SIGN[state.discards[-1]]
        return (
            f"{top} lies on top: nobody can take the pile under a wild card or a black three. Draw two cards."
        )
    name = RANKS[rank]
    if takeable(state, seat) is None:
        open_meld = len(state.melds[state.side(seat)][rank])
        if open_meld > FULL - TAKEN:
            return (
                f"Taking the pile melds three cards at once, and your open meld of {name}s has room for only "
                f"{FULL - open_meld}. Draw two cards."
            )
        return f"To take the pile, you need two natural {name}s in your hand for the {name} on top. Draw two cards."
    hand = Hand(state, seat)
    if hand.is_short:
        then = (
            "Lay other groups aside first." if hand.can_open() else "Your hand has too few. Draw two cards."
        )
        return f"With this pile you would meld {hand.points} of {hand.minimum} points. {then}"
    return f"This would leave you no card to keep. {_needed(state, seat)} Draw two cards."


def _ask(state: State, seat: Seat) -> str:
    if partner(seat, state.seats) is None:
        return (
            "You play alone, so you ask nobody. You go out with the last card of your foot, once you have a clean and "
            "a dirty pile."
        )
    if state.consent != UNASKED:
        return "You have asked in this turn. Meld or discard, and ask again in your next turn."
    if state.feet[seat]:
        return "You can ask to go out once you have taken up your foot. Meld or discard a card."
    return "Your side needs a clean and a dirty pile before you can ask to go out. Meld or discard a card."


def _discard(state: State, seat: Seat, card: int) -> str:
    if card not in state.hands[seat]:
        return f"You do not hold {SIGN[card]}. Discard a card of your hand."
    return "To go out, your last card must complete a pile. Lay it on a meld."


def _needed(state: State, seat: Seat) -> str:
    """Return what going out needs."""
    if partner(seat, state.seats) is None:
        return "To go out, you need a clean and a dirty pile."
    return "To go out, your side needs a clean and a dirty pile, and your partner must agree first."


def _meld(state: State, seat: Seat, action: Action) -> str:
    rank, way = melded(action)
    hand = Hand(state, seat)
    lacking = [
        _named(number, kind)
        for kind, number in ((rank, way.naturals), (TWO, way.twos), (WILD, way.jokers))
        if number > hand.held[kind]
    ]
    if lacking:
        spare = " beside the two for the pile" * (rank == hand.top and state.phase == DRAWING)
        return f"You do not hold {listed(lacking)}{spare}. Lay fewer cards."
    if not hand.laid[rank].plus(way).is_meld:
        return _no_meld(hand, rank, way)
    if hand.is_short:
        return (
            f"A first meld needs {hand.minimum} points, and you could not reach them after this, with "
            f"{hand.points + laid_points(rank, way)} laid. Lay other cards, or none."
        )
    return (
        f"You must keep a card after the discard, so leave at least two in your hand. {_needed(state, seat)}"
    )


def _named(number: int, rank: int) -> str:
    """Return "a 2", "two kings" or "an ace"."""
    name = NAME[4 * rank].partition(" of ")[0]
    if number == 1:
        return f"{'an' if name in ('8', 'ace') else 'a'} {name}"
    return f"{NUMBERS[number]} {plural(name)}"


def _no_meld(hand: Hand, rank: int, way: Way) -> str:
    after, name = hand.laid[rank].plus(way), RANKS[rank]
    if after.naturals + after.wilds > FULL:
        room = FULL - hand.laid[rank].naturals - hand.laid[rank].wilds
        return f"A meld ends with {FULL} cards, and this one of {name}s has room for {room}. Lay fewer cards."
    if after.naturals + after.wilds < LEAST:
        return f"A meld of {name}s needs at least {LEAST} cards. Lay more, or none."
    more = f"add {_named(1, rank)}, or lay" if hand.held[rank] > way.naturals else "lay"
    return f"A meld needs fewer wild cards than natural ones: {more} fewer wild cards."
