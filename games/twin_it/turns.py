"""Games of turns of Twin It!: classic, forbidden and teams.

1. Deal. All cards are dealt into visible piles. In forbidden mode, and in teams with a handicap, three cards lie
   beside a pile and bar their designs for its side.
2. Turns. In turn, players flip the top card of their pile over onto the table.
3. Hands, at any time: a player who sees two identical faces lays a hand on each (see `hands`).
4. End. A side has won enough sets; or the piles are used up, and no faces match or nobody finds the match.
"""

from collections.abc import Iterator
from itertools import cycle
from typing import Final

from games.chance import drawn
from games.contract import Event
from games.phrases import counted
from games.twin_it import hands, refusals
from games.twin_it.actions import FLIP, LIFT, on, parts
from games.twin_it.deck import CARDS
from games.twin_it.events import Dealt, Flipped, HandsLifted
from games.twin_it.state import ANYBODY, Turns
from games.types import SEATS, Action, Seat, around

PATIENCE: Final = 30_000
"""Ms without a card turned or taken, after which a match without piles is over."""
BARRED: Final = 3
"""Number of cards that bar their designs for a side."""

why_not = refusals.in_turns


def begin(state: Turns, events: list[Event]) -> None:
    """Lay out the cards that bar, then deal the others one by one, beginning with the first player."""
    start = state.turn = SEATS[drawn(state.seats, state.seed, "start")]
    _bar(state)
    dealt = [card for card in range(CARDS) if card not in state.barred]
    for seat, card in zip(cycle(around(start, state.seats)), dealt, strict=False):
        state.piles[seat].append(card)
    for card in state.barred:
        state.lay(card)
    faces = state.faces_of([*state.barred, *state.uncover()])
    barred = tuple(seat for seat in SEATS[: state.seats] if state.side(seat) == state.barred_side)
    events.append(Dealt(tuple(map(len, state.piles)), start, barred, faces))


def _bar(state: Turns) -> None:
    """Choose the side that is barred, if any, and its cards: the first three of the deck with different faces."""
    options = state.options
    if options.mode == "forbidden":
        anybody = drawn(state.seats, state.seed, "barred")
        state.barred_side = anybody if options.barred is None else options.barred
    elif options.mode == "teams" and options.handicap and state.seats % 2:
        state.barred_side = 0  # there is one more even seat than odd ones
    else:
        return
    for card in range(CARDS):
        if len(state.barred) < BARRED and not state.bars(state.barred_side, state.design(card)):
            state.barred.append(card)


def legal(state: Turns, seat: Seat) -> list[Action]:
    """Return every legal action of a seat, ascending."""
    found = [FLIP] if seat in awaited(state) else []
    if state.hands[seat]:
        found.append(LIFT)
    if not state.rests[seat]:
        own = state.hand_of(seat)
        taken = own.face if own else 0
        found += [on(face) for face in state.showing if face != taken]
    return found


def awaited(state: Turns) -> tuple[Seat, ...]:
    """Return the seats that may flip."""
    if state.turn == ANYBODY:
        return tuple(seat for seat in SEATS[: state.seats] if state.piles[seat])
    return () if state.turn is None else (state.turn,)


def act(state: Turns, seat: Seat, action: Action, events: list[Event]) -> None:
    """Flip, lift the hand or lay one."""
    if action == FLIP:
        _flip(state, seat, events)
    elif action == LIFT:
        events.append(HandsLifted(state.hands[seat], lapsed=False))
        state.hands[seat] = ()
    else:
        hands.lay(state, seat, parts(action)[0], events)


def _flip(state: Turns, seat: Seat, events: list[Event]) -> None:
    """Flip the top card of a pile onto the table, and show the next card of the pile."""
    card = state.piles[seat].pop()
    gone = state.take_up(card)
    state.up[card] ^= 1
    state.lay(card)
    state.stirred = state.now
    faces = state.faces_of([card, *state.uncover()])
    state.turn = state.flipper(SEATS[(seat + 1) % state.seats])
    events.append(Flipped(seat, gone, faces, state.now))


def times(state: Turns) -> Iterator[int]:
    """Yield when a hand lifts, and when nobody has found the last match."""
    yield from (hand.at + state.options.hand_ms for lying in state.hands for hand in lying)
    if state.turn is None:
        yield state.stirred + PATIENCE


def tick(state: Turns, events: list[Event]) -> None:
    """Lift the hands whose time is up."""
    lying = [hand for hands in state.hands for hand in hands]
    if lapsed := tuple(hand for hand in lying if hand.at + state.options.hand_ms <= state.now):
        events.append(HandsLifted(lapsed, lapsed=True))
    for hand in lapsed:
        state.hands[hand.seat] = ()


def resume(state: Turns, events: list[Event]) -> None:  # noqa: ARG001 - a race has events
    """Start the last search for a match again."""
    state.stirred = state.now


def reason(state: Turns) -> str:
    """Return why the match is over; "" while it is not."""
    enough = state.options.sets_to_win
    if max(map(len, state.sets)) >= enough:
        return f"{counted(enough, 'set')} {'wins' if enough == 1 else 'win'} the match."
    if state.turn is None and not state.any_match():
        return "The piles are used up, and no two faces match."
    if state.turn is None and state.stirred + PATIENCE <= state.now:
        return "The piles are used up, and nobody found a match for 30 seconds."
    return ""
