"""The legal actions of Hand and Foot."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.hand_and_foot.actions import (
    AGREE,
    ASK,
    DISCARD,
    DISCARDS,
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
from games.hand_and_foot.cards import IS_WILD, MELDABLE, POINTS, RANK, RED_THREES, TWO, WILD
from games.hand_and_foot.melding import MOST_TAKEN, TAKEN, Hand, Laid, chosen, summed
from games.hand_and_foot.state import (
    AGREED,
    ASKING,
    DRAWING,
    UNASKED,
    State,
    is_clean,
    partner,
)
from games.types import Action, Seat

ANSWERS: Final = (AGREE, REFUSE)


def legal(state: State, seat: Seat) -> Sequence[Action]:
    """Return every action that `seat` may take now."""
    if state.phase == ASKING:
        return ANSWERS if seat == state.partner else ()
    if seat != state.turn:
        return ()
    return _beginning(state, seat) if state.phase == DRAWING else _playing(state, seat)


def _beginning(state: State, seat: Seat) -> list[Action]:
    """Return the actions before the draw. With cards laid aside, the pile must be taken once they suffice."""
    hand = Hand(state, seat)
    found = [] if any(state.aside) else [DRAW]
    if hand.top is None:
        return found
    if hand.is_short:
        return found + (_melds_aside(hand) if hand.can_open() else [])
    return [*found, TAKE] if keeps_enough_by_taking(state, seat) else found


def _playing(state: State, seat: Seat) -> list[Action]:
    """Return the actions after the draw. With cards laid aside, the first meld must be completed."""
    hand = Hand(state, seat)
    if any(state.aside):
        return _melds_aside(hand)
    found = [ASK] if may_ask(state, seat, hand) else []
    if may_discard(state, seat):
        found += [DISCARDS[card] for card in dict.fromkeys(state.hands[seat]) if card not in RED_THREES]
    if hand.is_short:
        return found + (_melds_aside(hand) if hand.can_open() else [])
    return found + _melds(state, seat, hand)


def _melds(state: State, seat: Seat, hand: Hand) -> list[Action]:
    """Return the ways to lay cards that leave the player enough of them."""
    ways = [(rank, way) for rank in MELDABLE for way in hand.ways(rank)]
    if not state.feet[seat]:
        ways = [(rank, way) for rank, way in ways if keeps_enough(state, seat, state.hands[seat], rank, way)]
    return [meld(rank, way) for rank, way in ways]


def _melds_aside(hand: Hand) -> list[Action]:
    """Return the ways to lay cards aside after which the first meld can reach its minimum."""
    return [meld(rank, way) for rank in MELDABLE for way in hand.ways(rank) if hand.reaches(rank, way)]


def may_discard(state: State, seat: Seat) -> bool:
    """Return whether `seat` keeps a card after its discard, takes up its foot, or may go out."""
    if len(state.hands[seat]) > 1 or state.feet[seat]:
        return True
    return has_leave(state, seat) and has_piles(state, seat)


def may_ask(state: State, seat: Seat, hand: Hand) -> bool:
    """Return whether `seat` may ask its partner: once a turn, when its side has the piles, or can have them with one
    more meld, or with one and the last card."""
    if partner(seat, state.seats) is None or state.consent != UNASKED or state.feet[seat]:
        return False
    return has_piles(state, seat) or any(
        can_have_piles(state, seat, state.hands[seat], rank, way)
        for rank in MELDABLE
        for way in hand.ways(rank)
    )


def has_piles(state: State, seat: Seat, *laid: tuple[int, Way]) -> bool:
    """Return whether the side of `seat` has a clean and a dirty pile, after laying cards on these ranks."""
    side = state.side(seat)
    kinds = {is_clean(pile) for pile in state.piles[side]}
    after: dict[int, Laid] = {}
    for rank, way in laid:
        after[rank] = (after.get(rank) or summed(state.melds[side][rank])).plus(way)
    kinds |= {not meld.wilds for meld in after.values() if sum(meld) == FULL}
    return len(kinds) == 2


def can_have_piles(state: State, seat: Seat, hand: Sequence[int], rank: int, way: Way) -> bool:
    """Return whether the side of `seat` has both piles after laying cards of a hand in this way, and also the last card
    of the hand if only one is left."""
    if has_piles(state, seat, (rank, way)):
        return True
    if len(hand) - way.cards != 1:
        return False
    (last,) = (Counter(hand) - Counter(chosen(hand, rank, way))).elements()
    return any(has_piles(state, seat, (rank, way), alone) for alone in _ways_alone(last))


def _ways_alone(card: int) -> list[tuple[int, Way]]:
    """Return the ranks on which one card may be laid, with the way to do it."""
    if IS_WILD[card]:
        way = Way(0, int(RANK[card] == TWO), int(RANK[card] == WILD))
        return [(rank, way) for rank in MELDABLE]
    return [(RANK[card], Way(1, 0, 0))] if RANK[card] in MELDABLE else []


def has_leave(state: State, seat: Seat) -> bool:
    """Return whether `seat` plays alone, or its partner agrees to going out."""
    return partner(seat, state.seats) is None or state.consent == AGREED


def keeps_enough(state: State, seat: Seat, hand: Sequence[int], rank: int, way: Way) -> bool:
    """Return whether laying cards of the foot leaves one to discard and one to keep, or lets the player go out."""
    if len(hand) - way.cards > 1:
        return True
    return has_leave(state, seat) and can_have_piles(state, seat, hand, rank, way)


def keeps_enough_by_taking(state: State, seat: Seat) -> bool:
    """Return whether the seat keeps enough cards after taking the discard pile."""
    hand = [*state.hands[seat], *state.discards[-MOST_TAKEN:]]
    rank = RANK[state.discards[-1]]
    return bool(state.feet[seat]) or keeps_enough(state, seat, hand, rank, Way(TAKEN, 0, 0))


def fallback(state: State, seat: Seat) -> Action:
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
