"""The legal actions of Hand and Foot."""

from collections.abc import Sequence
from typing import Final

from games.hand_and_foot.actions import (
    AGREE,
    ASK,
    DISCARD,
    DRAW,
    FULL,
    MELD,
    REFUSE,
    TAKE,
    Way,
    laid_points,
    meld,
    melded,
)
from games.hand_and_foot.cards import MELDABLE, POINTS, RANK, RED_THREES
from games.hand_and_foot.melding import BELOW, TAKEN, Hand
from games.hand_and_foot.state import (
    AGREED,
    ASKING,
    DRAWING,
    NOBODY,
    UNASKED,
    State,
    is_clean,
    partner,
)

ANSWERS: Final = (AGREE, REFUSE)


def legal(state: State, seat: int) -> Sequence[int]:
    """Return every action that `seat` may take now."""
    if state.phase == ASKING:
        return ANSWERS if seat == partner(state.turn, state.seats) else ()
    if seat != state.turn:
        return ()
    return _beginning(state, seat) if state.phase == DRAWING else _playing(state, seat)


def _beginning(state: State, seat: int) -> list[int]:
    """Return the actions before the draw. With cards laid aside, the pile must be taken once they suffice."""
    hand = Hand(state, seat)
    found = [] if any(state.aside) else [DRAW]
    if hand.top == NOBODY:
        return found
    if hand.is_short:
        return found + (_melds_aside(hand) if hand.can_open() else [])
    return [*found, TAKE] if keeps_enough_by_taking(state, seat) else found


def _playing(state: State, seat: int) -> list[int]:
    """Return the actions after the draw. With cards laid aside, the first meld must be completed."""
    hand = Hand(state, seat)
    if any(state.aside):
        return _melds_aside(hand)
    found = [ASK] if may_ask(state, seat, hand) else []
    if len(state.hands[seat]) > 1 or state.feet[seat] or may_go_out(state, seat):
        found += [DISCARD + card for card in dict.fromkeys(state.hands[seat]) if card not in RED_THREES]
    if hand.is_short:
        return found + (_melds_aside(hand) if hand.can_open() else [])
    return found + _melds(state, seat, hand)


def _melds(state: State, seat: int, hand: Hand) -> list[int]:
    """Return the ways to lay cards that leave the player enough of them."""
    ways = [(rank, way) for rank in MELDABLE for way in hand.ways(rank)]
    if not state.feet[seat]:
        ways = [(rank, way) for rank, way in ways if keeps_enough(state, seat, rank, way)]
    return [meld(rank, way) for rank, way in ways]


def _melds_aside(hand: Hand) -> list[int]:
    """Return the ways to lay cards aside after which the first meld can reach its minimum."""
    return [meld(rank, way) for rank in MELDABLE for way in hand.ways(rank) if hand.reaches(rank, way)]


def may_ask(state: State, seat: int, hand: Hand) -> bool:
    """Return whether `seat` may ask its partner: once a turn, when its side has the piles, or can have them with one
    more meld."""
    if partner(seat, state.seats) == NOBODY or state.consent != UNASKED or state.feet[seat]:
        return False
    return has_piles(state, seat) or any(
        has_piles(state, seat, rank, way) for rank in MELDABLE for way in hand.ways(rank)
    )


def has_piles(state: State, seat: int, rank: int = NOBODY, way: Way | None = None) -> bool:
    """Return whether the side of `seat` has a clean and a dirty pile, after laying cards on a rank in this way."""
    side = state.side(seat)
    kinds = {is_clean(pile) for pile in state.piles[side]}
    if way is not None:
        before = state.melds[side][rank]
        if len(before) + way.cards == FULL:
            kinds.add(not way.wilds and (not before or is_clean(before)))
    return len(kinds) == 2


def may_go_out(state: State, seat: int, rank: int = NOBODY, way: Way | None = None) -> bool:
    """Return whether `seat` may go out, after laying cards on a rank in this way."""
    alone = partner(seat, state.seats) == NOBODY
    return (alone or state.consent == AGREED) and has_piles(state, seat, rank, way)


def keeps_enough(state: State, seat: int, rank: int, way: Way) -> bool:
    """Return whether laying cards of the foot leaves one to discard and one to keep, or the player may go out."""
    left = len(state.hands[seat]) - way.cards
    return left > 1 or may_go_out(state, seat, rank, way)


def keeps_enough_by_taking(state: State, seat: int) -> bool:
    """Return the same for taking the discard pile."""
    left = len(state.hands[seat]) - (TAKEN - 1) + min(BELOW, len(state.discards) - 1)
    if left > 1 or state.feet[seat]:
        return True
    return may_go_out(state, seat, RANK[state.discards[-1]], Way(TAKEN, 0, 0))


def fallback(state: State, seat: int) -> int:
    """Return what an absent player does: refuse, draw, and discard a card of little use. A first meld that was begun is
    completed with the most points at once."""
    found = legal(state, seat)
    if state.phase == ASKING:
        return REFUSE
    if found[0] in (DRAW, TAKE):
        return found[0]
    discards = [action for action in found if DISCARD <= action < MELD]
    if discards:
        return min(discards, key=lambda action: _use(state.hands[seat], action - DISCARD))
    return max(found, key=lambda action: laid_points(*melded(action)))


def _use(hand: Sequence[int], card: int) -> tuple[int, int]:
    """Return the number of cards of this rank and their points; little use first, wild cards last."""
    equal = sum([RANK[card] == RANK[other] for other in hand])
    return (len(hand) if RANK[card] > MELDABLE[-1] else equal * (RANK[card] in MELDABLE)), POINTS[card]
