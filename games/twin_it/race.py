"""Races of Twin It!: cooperative and timed. Everybody searches one spread of all cards at once, against time.

1. Start. When everybody is ready, a countdown runs; then the spread is uncovered and the race begins.
2. Race. Everybody may turn any card over, as often as they like, and claims two or three faces alike by naming them. A
   face that is named for a claim stays named until the claim is complete, the player lifts the hand, or the face goes.
3. End. The time is up.

A race that the bot was away from does not count, and another one is offered.
"""

from collections.abc import Iterator
from typing import Final

from games.contract import Event
from games.twin_it import refusals
from games.twin_it.actions import HAND, HOLD, LIFT, READY, TURN, on, parts
from games.twin_it.deck import CARDS, SIDES, deal
from games.twin_it.events import (
    Countdown,
    Erred,
    HandLaid,
    HandsLifted,
    Offered,
    Opened,
    Ready,
    SetWon,
    Turned,
)
from games.twin_it.options import duration
from games.twin_it.state import Hand, Race
from games.types import Action, Seat, with_seats

COUNTDOWN: Final = 5_000
"""Ms from the last player being ready to the start."""

why_not = refusals.in_race


def begin(state: Race, events: list[Event]) -> None:
    """Offer a race: the spread lies covered until everybody is ready."""
    state.table = list(range(CARDS))
    events.append(Offered(void=False))


def legal(state: Race, seat: Seat) -> list[Action]:
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


def awaited(state: Race) -> tuple[Seat, ...]:
    """Return the seats that are not ready."""
    return tuple(seat for seat, ready in with_seats(state.ready) if not ready)


def act(state: Race, seat: Seat, action: Action, events: list[Event]) -> None:
    """Get ready, lift the hands, turn a card over or name a face."""
    if action == READY:
        _get_ready(state, seat, events)
        return
    if action == LIFT:
        events.append(HandsLifted(state.hands[seat], lapsed=False))
        state.hands[seat] = ()
        return
    face, kind = parts(action)
    if kind == TURN:
        card = state.showing[face]
        state.turn_over(card)
        events.append(Turned(seat, face, state.face(card)))
    else:
        _name(state, seat, face, events, hold=kind == HOLD)


def _get_ready(state: Race, seat: Seat, events: list[Event]) -> None:
    """Note that `seat` is ready. The last seat starts the countdown."""
    state.ready[seat] = True
    events.append(Ready(seat, count=sum(state.ready), of=state.seats))
    if all(state.ready):
        state.opens = state.now + COUNTDOWN
        events.append(Countdown(state.opens))


def _name(state: Race, seat: Seat, face: int, events: list[Event], *, hold: bool) -> None:
    """Name a face for a claim. The second face completes the claim, or with `hold` the third."""
    claim = (*state.hands[seat], Hand(seat, face, state.now, state.acted))
    if hold or len(claim) == 1:
        state.hands[seat] = claim
        events.append(HandLaid(seat, face, state.now))
        return
    state.hands[seat] = ()
    cards = [state.showing[hand.face] for hand in claim]
    if len({state.design(card) for card in cards}) == 1:
        _win(state, claim, cards, events)
    else:
        state.rests[seat] = state.now + state.options.hand_ms
        events.append(Erred(seat, claim, state.rests[seat]))


def _win(state: Race, claim: tuple[Hand, ...], cards: list[int], events: list[Event]) -> None:
    """Make the claimed cards a set. A pair keeps showing a face: a third copy may be added to it."""
    seat, gone = claim[0].seat, tuple(hand.face for hand in claim)
    hands, side = (*claim, *state.hands_on(*gone)), state.side(seat)
    won, from_side = state.take(side, cards)
    pair = won[:1] if len(won) == 2 else ()
    for card in pair:
        state.lay(card)
    events.append(
        SetWon(
            seat=seat,
            side=side,
            design=state.design(won[0]),
            size=len(won),
            at=state.now,
            hands=hands,
            gone=gone,
            faces=state.faces_of(pair),
            turned=None,
            from_side=from_side,
        )
    )


def times(state: Race) -> Iterator[int]:
    """Yield when the spread is uncovered, or the race ends."""
    if state.opens:
        yield state.ends or state.opens


def tick(state: Race, events: list[Event]) -> None:
    """Uncover the spread and start the race, if it is time. The race has its full length even if it starts late."""
    if state.opens and not state.ends and state.opens <= state.now:
        state.ends = state.now + 1000 * state.options.seconds
        for card in state.table:
            state.show(card)
        events.append(Opened(state.ends, state.faces_of(state.table)))


def resume(state: Race, events: list[Event]) -> None:
    """Offer a new race, with a new deal, if one was interrupted. The numbers of faces continue."""
    if not state.opens:
        return
    state.deals += 1
    state.faces = deal(state.options.singles, state.seed, state.deals)
    state.known, state.up = bytearray(SIDES), bytearray(CARDS)
    state.table = list(range(CARDS))
    state.sets = [[] for _ in state.sets]
    state.showing, state.number = {}, [0] * CARDS
    state.hands = [()] * state.seats
    state.rests = [0] * state.seats
    state.ready = [False] * state.seats
    state.opens = state.ends = 0
    events.append(Offered(void=True))


def reason(state: Race) -> str:
    """Return why the match is over; "" while it is not."""
    if state.ends and state.ends <= state.now:
        return f"Time's up: {duration(state.options.seconds)}."
    return ""
