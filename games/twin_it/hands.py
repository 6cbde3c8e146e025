"""Effects of a hand laid on a face in games of turns: a mistake, a tie, a set, or nothing yet.

A side has at most one hand on the faces: its second one decides. The functions change the state and return the events.
"""

from games.contract import Event
from games.twin_it import sets
from games.twin_it.events import Erred, HandLaid, SetWon, Tied
from games.twin_it.state import ANYBODY, Hand, State
from games.types import Seat, with_seats


def lay(state: State, seat: Seat, face: int) -> list[Event]:
    """Lay a hand of `seat` on a visible face. The first effect whose condition is met happens."""
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


def _barred(state: State, seat: Seat, face: int) -> bool:
    """Return whether the face is forbidden for this seat."""
    return state.bars(state.side(seat), _design(state, face))


def _matches(state: State, seat: Seat, member: Seat, own: Hand, face: int) -> bool:
    """Return whether the side's two hands are on a match. In teams they must come from two members."""
    if state.options.mode == "teams" and member == seat:
        return False
    return _design(state, own.face) == _design(state, face) and not _barred(state, seat, face)


def _rivals(state: State, seat: Seat) -> list[tuple[Seat, Hand]]:
    """Return (seat, hand) for hands of other sides that are recent enough for a tie and whose face may match for
    them."""
    return [
        (other, hand)
        for other, hands in with_seats(state.hands)
        for hand in hands
        if state.side(other) != state.side(seat)
        and state.now - hand.at <= state.options.tie_ms
        and not _barred(state, other, hand.face)
    ]


def _contests(state: State, theirs: Hand, hand: Hand, own: tuple[Seat, Hand] | None) -> bool:
    """Return whether a rival's hand `theirs` makes a tie with the new `hand`; `own` is the side's first hand, if
    any."""
    # Of two hands on the same face, only the earlier one counts. So a rival's later hand on our face does not matter; a
    # rival's earlier hand takes one of our two faces away. A single hand on the rival's own face makes no tie.
    if _design(state, theirs.face) != _design(state, hand.face):
        return False
    if theirs.face == hand.face:
        return own is not None
    if own is not None and theirs.face == own[1].face:
        return theirs.order < own[1].order
    return True


def _tie(
    state: State, seat: Seat, hand: Hand, own: tuple[Seat, Hand] | None, rivals: list[tuple[Seat, Hand]]
) -> list[Event]:
    """Turn over every visible card of the design, except a won pair."""
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
    return [Tied(design=design, apart=apart, hands=hands, gone=gone, faces=state.faces_of(cards))]


def _win(state: State, seat: Seat, hand: Hand, member: Seat, own: Hand) -> list[Event]:
    """Make the match a set of the side, and turn over a third visible copy."""
    design, side = _design(state, hand.face), state.side(seat)
    cards = [state.showing[own.face], state.showing[hand.face]]
    thirds = [card for card in state.alike(design) if card not in cards]
    gone = (own.face, hand.face, *(state.number[card] for card in thirds))
    hands = sets.laid(member, [own]) + sets.laid(seat, [hand])
    hands += sets.others_on(state, member, (own.face, hand.face))
    won, from_side = sets.take(state, side, cards)
    state.lay(won[0])
    shown = [won[0], *state.uncover()]
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
            faces=state.faces_of(shown),
            turned=state.face(thirds[0]) if thirds else None,
            from_side=from_side,
        )
    ]


def _err(state: State, seat: Seat, hand: Hand, member: Seat, own: Hand) -> list[Event]:
    """Return a set to the pile, block the player's hands for a while, and give the player the turn."""
    side = state.side(seat)
    state.hands[member] = ()
    state.rests[seat] = state.now + state.options.hand_ms
    last = state.sets[side][-1:]
    given = state.design(last[0][0]) if last else None
    gone = state.number[last[0][0]] if last else None
    cards = sets.give_back(state, side, seat)
    shown = state.uncover()
    _next(state, seat)
    return [
        Erred(
            seat=seat,
            hands=(*sets.laid(member, [own]), *sets.laid(seat, [hand])),
            until=state.rests[seat],
            given=given,
            size=len(cards),
            gone=gone,
            faces=state.faces_of(shown),
        )
    ]


def _next(state: State, seat: Seat) -> None:
    """Give the turn to `seat`; in teams, let any player with a pile flip next."""
    state.turn = state.flipper(seat)
    _anybody(state)


def _anybody(state: State) -> None:
    if state.options.mode == "teams" and state.turn is not None:
        state.turn = ANYBODY
