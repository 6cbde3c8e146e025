"""Races (modes cooperative and timed): everybody searches one spread of all cards at once, against time.

When everybody is ready, a countdown runs; then the spread is uncovered and the race begins. A face that is named for a
claim stays named until the claim is complete, the player lifts the hand, or the face goes. The functions change the
state and return the events.
"""

from typing import Final

from games.contract import Event
from games.twin_it import sets
from games.twin_it.actions import HAND, HOLD, LIFT, READY, TURN, on
from games.twin_it.deck import CARDS, SIDES, deal
from games.twin_it.events import Countdown, Erred, HandLaid, Offered, Opened, Ready, SetWon, Turned
from games.twin_it.state import Hand, State
from games.types import Action, Seat

COUNTDOWN: Final = 5_000
"""Ms from the last player being ready to the start."""
PER_PAGE: Final = 12
"""Cards on one page of the spread: as many as a phone shows with all buttons. Each player has pages of their own."""
PAGES: Final = -(-CARDS // PER_PAGE)


def legal(state: State, seat: Seat) -> list[Action]:
    """Return every legal action of a seat, ascending."""
    if not state.ends:
        return [] if state.ready[seat] else [READY]
    named = {hand.face for hand in state.hands[seat]}
    own = state.side(seat)
    pairs = {state.number[cards[0]]: side for side, won in enumerate(state.sets) for cards in won}
    free = [face for face in state.showing if face not in named and pairs.get(face, own) == own]
    actions = [on(face, TURN) for face in state.showing if face not in pairs]
    if named:
        actions.append(LIFT)
    if not state.rests[seat]:
        actions += [on(face, HAND) for face in free]
    if len(named) == 1:
        actions += [on(face, HOLD) for face in free]
    return sorted(actions)


def offer(state: State, *, void: bool) -> list[Event]:
    """Deal a new spread, covered until everybody is ready. The numbers of faces continue."""
    state.faces = deal(state.options.singles, state.seed, state.deals)
    state.known = bytearray(SIDES)
    state.up = bytearray(CARDS)
    state.table = list(range(CARDS))
    state.sets = [[] for _ in state.sets]
    state.showing = {}
    state.number = [0] * CARDS
    state.hands = [()] * state.seats
    state.rests = [0] * state.seats
    state.ready = [False] * state.seats
    state.opens = state.ends = 0
    return [Offered(void=void)]


def ready(state: State, seat: Seat) -> list[Event]:
    """Note that `seat` is ready. The last seat starts the countdown."""
    state.ready[seat] = True
    events: list[Event] = [Ready(seat=seat, count=sum(state.ready), of=state.seats)]
    if all(state.ready):
        state.opens = state.now + COUNTDOWN
        events.append(Countdown(opens=state.opens))
    return events


def uncover(state: State) -> list[Event]:
    """Uncover the spread and start the race. The race has its full length even if it starts late."""
    state.ends = state.now + 1000 * state.options.seconds
    for card in state.table:
        state.show(card)
    return [Opened(ends=state.ends, faces=state.faces_of(state.table))]


def turn(state: State, seat: Seat, face: int) -> list[Event]:
    """Turn a card of the spread over."""
    card = state.showing[face]
    state.turn_over(card)
    return [Turned(seat=seat, gone=face, face=state.face(card))]


def lay(state: State, seat: Seat, face: int, *, hold: bool) -> list[Event]:
    """Name a face for a claim. The second face completes the claim, or with `hold` the third."""
    hands = (*state.hands[seat], Hand(face, state.now, state.acted))
    if hold or len(hands) == 1:
        state.hands[seat] = hands
        return [HandLaid(seat=seat, face=face, at=state.now)]
    cards = [state.showing[hand.face] for hand in hands]
    state.hands[seat] = ()
    if len({state.design(card) for card in cards}) == 1:
        return _win(state, seat, hands, cards)
    return _err(state, seat, hands)


def _win(state: State, seat: Seat, hands: tuple[Hand, ...], cards: list[int]) -> list[Event]:
    """Make the claimed cards a set. A pair keeps showing a face: a third copy may be added to it."""
    gone = tuple(hand.face for hand in hands)
    laid = sets.laid(seat, hands) + sets.others_on(state, seat, gone)
    side = state.side(seat)
    won, from_side = sets.take(state, side, cards)
    pair = won[:1] if len(won) == 2 else ()
    for card in pair:
        state.lay(card)
    return [
        SetWon(
            seat=seat,
            side=side,
            design=state.design(won[0]),
            size=len(won),
            at=state.now,
            hands=tuple(laid),
            gone=gone,
            faces=state.faces_of(pair),
            turned=None,
            from_side=from_side,
        )
    ]


def _err(state: State, seat: Seat, hands: tuple[Hand, ...]) -> list[Event]:
    """Take nothing, and block the player's hands for a while."""
    state.rests[seat] = state.now + state.options.hand_ms
    laid = tuple(sets.laid(seat, hands))
    return [Erred(seat=seat, hands=laid, until=state.rests[seat], given=None, size=0, gone=None, faces=())]


def points(cards: list[tuple[int, ...]]) -> int:
    """Return the points of sets: 1 for a pair, 2 for a set of three."""
    return sum(len(won) - 1 for won in cards)
