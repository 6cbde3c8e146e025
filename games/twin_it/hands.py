"""Effects of a hand laid on a face in games of turns: a mistake, a tie, a set, or nothing yet.

A side has at most one hand on the faces: its second one decides. The functions change the state and append the events.
"""

from games.contract import Event
from games.twin_it.events import Erred, HandLaid, SetWon, Tied
from games.twin_it.state import ANYBODY, Hand, Turns
from games.types import Seat


def lay(state: Turns, seat: Seat, face: int, events: list[Event]) -> None:
    """Lay a hand of `seat` on a visible face. The first effect whose condition is met happens."""
    hand, own = Hand(seat, face, state.now, state.acted), state.hand_of(seat)
    rivals = [theirs for theirs in _rivals(state, seat) if _contests(state, theirs, hand, own)]
    if own is not None and not _match(state, own, hand):
        _err(state, own, hand, events)
    elif rivals and not _barred(state, hand):
        _tie(state, rivals, [own, hand] if own else [hand], events)
    elif own is not None:
        _win(state, own, hand, events)
    else:
        state.hands[seat] = (hand,)
        events.append(HandLaid(seat=seat, face=face, at=state.now))


def _design(state: Turns, hand: Hand) -> int:
    return state.design(state.showing[hand.face])


def _barred(state: Turns, hand: Hand) -> bool:
    """Return whether the face is forbidden for the hand's side."""
    return state.bars(state.side(hand.seat), _design(state, hand))


def _match(state: Turns, own: Hand, hand: Hand) -> bool:
    """Return whether the side's two hands are on a match. In teams they must come from two members."""
    if state.options.mode == "teams" and own.seat == hand.seat:
        return False
    return _design(state, own) == _design(state, hand) and not _barred(state, hand)


def _rivals(state: Turns, seat: Seat) -> list[Hand]:
    """Return the hands of other sides that are recent enough for a tie and whose face may match for them."""
    return [
        hand
        for hands in state.hands
        for hand in hands
        if state.side(hand.seat) != state.side(seat)
        and state.now - hand.at <= state.options.tie_ms
        and not _barred(state, hand)
    ]


def _contests(state: Turns, theirs: Hand, hand: Hand, own: Hand | None) -> bool:
    """Return whether a rival's hand `theirs` makes a tie with the new `hand`; `own` is the side's first hand, if
    any."""
    # Of two hands on the same face, only the earlier one counts. So a rival's later hand on our face does not matter; a
    # rival's earlier hand takes one of our two faces away. A single hand on the rival's own face makes no tie.
    if _design(state, theirs) != _design(state, hand):
        return False
    if theirs.face == hand.face:
        return own is not None
    if own is not None and theirs.face == own.face:
        return theirs.order < own.order
    return True


def _tie(state: Turns, rivals: list[Hand], ours: list[Hand], events: list[Event]) -> None:
    """Turn over every visible card of the design, except a won pair."""
    design, tied = _design(state, ours[-1]), (*rivals, *ours)
    cards = state.alike(design)
    for hand in tied:
        state.hands[hand.seat] = ()
    gone = tuple(map(state.turn_over, cards))
    state.stirred = state.now
    _anybody(state)
    apart = state.now - max(theirs.at for theirs in rivals)
    events.append(Tied(design=design, apart=apart, hands=tied, gone=gone, faces=state.faces_of(cards)))


def _win(state: Turns, own: Hand, hand: Hand, events: list[Event]) -> None:
    """Make the match a set of the side, and turn over a third visible copy."""
    design, side = _design(state, hand), state.side(hand.seat)
    cards = [state.showing[own.face], state.showing[hand.face]]
    thirds = [card for card in state.alike(design) if card not in cards]
    state.hands[own.seat] = ()
    hands = (own, hand, *state.hands_on(own.face, hand.face))
    for pile in state.piles:
        if pile and pile[-1] in cards:
            pile.pop()
    state.barred = [card for card in state.barred if card not in cards]
    won, from_side = state.take(side, cards)
    state.lay(won[0])
    shown = [won[0], *state.uncover()]
    gone = (own.face, hand.face, *map(state.turn_over, thirds))
    state.stirred = state.now
    _next(state, hand.seat)
    events.append(
        SetWon(
            seat=hand.seat,
            side=side,
            design=design,
            size=len(won),
            at=state.now,
            hands=hands,
            gone=gone,
            faces=state.faces_of(shown),
            turned=state.face(thirds[0]) if thirds else None,
            from_side=from_side,
        )
    )


def _err(state: Turns, own: Hand, hand: Hand, events: list[Event]) -> None:
    """Return a set to the pile, block the player's hands for a while, and give the player the turn."""
    alike = _barred(state, hand) and _design(state, own) == _design(state, hand)
    barred = state.barred if state.side(hand.seat) == state.barred_side else ()
    numbers = tuple(state.number[card] for card in barred)
    state.hands[own.seat] = ()
    until = state.rests[hand.seat] = state.now + state.options.hand_ms
    given, size, gone = _give_back(state, hand.seat)
    faces = state.faces_of(state.uncover())
    _next(state, hand.seat)
    alone = state.options.mode == "teams" and own.seat == hand.seat
    events.append(
        Erred(hand.seat, (own, hand), until, given, size, gone, faces, state.turn, alone, numbers, alike)
    )


def _give_back(state: Turns, seat: Seat) -> tuple[int | None, int, int | None]:
    """Put the set that the side won or enlarged last under the pile of `seat`, same side up. Return its design, its
    number of cards and the number of its face; (None, 0, None) if there is no set."""
    won = state.sets[state.side(seat)]
    if not won:
        return None, 0, None
    cards = won.pop()
    gone = state.take_up(cards[0])
    state.piles[seat][:0] = reversed(cards)
    return state.design(cards[0]), len(cards), gone


def _next(state: Turns, seat: Seat) -> None:
    """Give the turn to `seat`; in teams, let any player with a pile flip next."""
    state.turn = state.flipper(seat)
    _anybody(state)


def _anybody(state: Turns) -> None:
    if state.options.mode == "teams" and state.turn is not None:
        state.turn = ANYBODY
