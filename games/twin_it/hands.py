"""What a hand does that comes down on a face, in games of turns: a mistake, a tie, a set, or it waits.

A side has one hand lying at most, for its second one decides. The functions change the state and tell what happened.
"""

from games.contract import Event
from games.twin_it import sets
from games.twin_it.events import Erred, HandLaid, SetWon, Tied
from games.twin_it.state import ANYBODY, NOBODY, Hand, State


def lay(state: State, seat: int, face: int) -> list[Event]:
    """A hand of `seat` comes down on a face that shows and does the first that fits."""
    hand, own = Hand(face, state.now, state.acted), state.hand_of(state.side(seat))
    if own is not None and not _matches(state, seat, *own, face):
        return _err(state, seat, hand, *own)
    rivals = [
        (other, theirs) for other, theirs in _rivals(state, seat) if _contests(state, theirs, hand, own)
    ]
    if rivals and not _barred(state, seat, face):
        return _tie(state, seat, hand, own, rivals)
    if own is not None:
        return _win(state, seat, hand, *own)
    state.hands[seat] = (hand,)
    return [HandLaid(seat=seat, face=face, at=state.now)]


def _design(state: State, face: int) -> int:
    return state.design(state.showing[face])


def _barred(state: State, seat: int, face: int) -> bool:
    """Whether the face never matches for this seat."""
    return state.bars(state.side(seat), _design(state, face))


def _matches(state: State, seat: int, member: int, own: Hand, face: int) -> bool:
    """Whether the side's two hands are a match: in teams they must come from two members."""
    if state.options.mode == "teams" and member == seat:
        return False
    return _design(state, own.face) == _design(state, face) and not _barred(state, seat, face)


def _rivals(state: State, seat: int) -> list[tuple[int, Hand]]:
    """The hands of other sides that are not too old to tie and for whom the face they lie on can match."""
    return [
        (other, hand)
        for other, hands in enumerate(state.hands)
        for hand in hands
        if state.side(other) != state.side(seat)
        and state.now - hand.at <= state.options.tie_ms
        and not _barred(state, other, hand.face)
    ]


def _contests(state: State, theirs: Hand, hand: Hand, own: tuple[int, Hand] | None) -> bool:
    """Whether a rival's hand makes it a tie when `hand` comes down. On one face the earlier hand counts: where ours
    lay first theirs is nothing; where theirs lies first, it takes one of two from us, and nothing from one alone."""
    if _design(state, theirs.face) != _design(state, hand.face):
        return False
    if theirs.face == hand.face:
        return own is not None
    if own is not None and theirs.face == own[1].face:
        return theirs.order < own[1].order
    return True


def _tie(
    state: State, seat: int, hand: Hand, own: tuple[int, Hand] | None, rivals: list[tuple[int, Hand]]
) -> list[Event]:
    """Every card of the design that shows is turned over, but a won pair stays."""
    apart = state.now - max(theirs.at for _, theirs in rivals)
    tied = [*rivals, *([own] if own else []), (seat, hand)]
    design = _design(state, hand.face)
    cards = state.alike(design)
    gone = tuple(state.number[card] for card in cards)
    for other, _ in tied:
        state.hands[other] = ()
    for card in cards:
        state.turn_over(card)
    _anybody(state)
    hands = tuple(entry for other, lying in tied for entry in sets.laid(other, [lying]))
    return [Tied(design=design, apart=apart, hands=hands, gone=gone, faces=sets.faces(state, cards))]


def _win(state: State, seat: int, hand: Hand, member: int, own: Hand) -> list[Event]:
    """The match is a set of the side; a third copy that shows is turned over."""
    design, side = _design(state, hand.face), state.side(seat)
    cards = [state.showing[own.face], state.showing[hand.face]]
    thirds = [card for card in state.alike(design) if card not in cards]
    gone = (own.face, hand.face, *(state.number[card] for card in thirds))
    hands = sets.laid(member, [own]) + sets.laid(seat, [hand])
    hands += sets.others_on(state, member, (own.face, hand.face))
    won, from_side = sets.take(state, side, cards)
    state.show(won[0])
    shown = [won[0], *(card for other in range(state.seats) for card in state.uncover(other))]
    for card in thirds:
        state.turn_over(card)
    _next(state, seat)
    return [
        SetWon(
            seat=seat,
            side=side,
            design=design,
            size=len(won),
            at=state.now,
            hands=tuple(hands),
            gone=gone,
            faces=sets.faces(state, shown),
            turned=state.face(thirds[0]) if thirds else None,
            from_side=from_side,
        )
    ]


def _err(state: State, seat: int, hand: Hand, member: int, own: Hand) -> list[Event]:
    """A set goes back, the hands rest, and the one who erred flips."""
    side = state.side(seat)
    state.hands[member] = ()
    state.rests[seat] = state.now + state.options.hand_ms
    last = state.sets[side][-1:]
    given = state.design(last[0][0]) if last else None
    gone = state.number[last[0][0]] if last else None
    cards = sets.give_back(state, side, seat)
    shown = state.uncover(seat)
    _next(state, seat)
    return [
        Erred(
            seat=seat,
            hands=(*sets.laid(member, [own]), *sets.laid(seat, [hand])),
            until=state.rests[seat],
            given=given,
            size=len(cards),
            gone=gone,
            faces=sets.faces(state, shown),
        )
    ]


def _next(state: State, seat: int) -> None:
    """The turn goes on from `seat`; in teams from whoever flips first."""
    state.turn = state.flipper(seat)
    _anybody(state)


def _anybody(state: State) -> None:
    if state.options.mode == "teams" and state.turn != NOBODY:
        state.turn = ANYBODY
