"""The rules of Palmer, a travellers' game named after Keef Palmer.

Three to six players, 52 cards. A dealer is drawn, then the deal moves left. Each deal has these phases, in order:

1. Deal. Everyone still in gets four cards face down, in a square of two rows. One more card is turned up and starts
   the Palmer pile; the rest is the stock. Players look at the bottom row of their own square, but not at the top row.
2. Turns, from the dealer's left. Take the top card of the pile, or draw from the stock, and put it, face up, in place
   of one of your face-down cards, which goes face up on the pile. Or turn over one of your face-down cards. A drawn
   card must be placed. Each turn fixes one more card face up, so everyone has exactly four turns.
3. Score. An ace counts 1, a number card its number, a jack or queen 10, a king 0; but two cards of one rank cancel
   each other. Players whose total reaches the limit are out.

The last player in wins. When nobody is left, the lowest total of those who went out last wins. After 100 deals the
lowest total of those still in wins.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from games import french
from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink
from games.elimination import left_of, placing_reason, placings
from games.ending import end
from games.palmer import actions, refusals
from games.palmer import view as views
from games.palmer.actions import (
    ACTIONS,
    ALL_UP,
    BEFORE_DRAWING,
    BOTTOM,
    DRAW,
    FACE_DOWN,
    PLACE,
    PLACES,
    TAKE,
    TURN_OVER,
    WAY,
    WHERE,
    WITH_DRAWN,
)
from games.palmer.events import (
    DealBegan,
    DealScored,
    Drew,
    Looked,
    Peeked,
    Replaced,
    Score,
    Turned,
)
from games.palmer.options import PalmerOptions
from games.palmer.state import NO_CARD, State
from games.palmer.view import View
from games.types import SEATS, Action, Seat, with_seats

PLAYERS: Final = range(3, 7)
DEALS: Final = 100
"""Limit of deals, after which the lowest total wins."""
VALUE: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 0)
"""The points of each rank, from the ace to the king."""
_POINTS: Final = {
    sum(1 << rank for rank in odd): sum(VALUE[rank] for rank in odd)
    for count in (0, 2, 4)
    for odd in combinations(range(len(VALUE)), count)
}
"""The points of four cards, by a bit for each rank that they have an odd number of times: pairs cancel."""


class Palmer(Game[PalmerOptions, State, View]):
    slug = "palmer"
    title = "Palmer"
    blurb = "Swap your four cards for low ones; you know only two, and pairs cancel"
    minutes = 15
    reference_title = "What counts"
    length_option = "limit"
    version = 1
    longest = DEALS * PLAYERS[-1] * len(PLACES) * 2
    round_name = "deal"
    card_names = french.NAME
    shuffles = {"dealer N": "lot", "deal N": "whole"}
    dealing = (
        "Cards are dealt from the end of the list: four to each player in the order of seats, then the first card "
        "of the pile. Later cards are drawn from there on."
    )
    Options = PalmerOptions

    def seats(self, _: PalmerOptions) -> range:
        return PLAYERS

    def new(self, options: PalmerOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        state = State(options, seats, seed, dealer=SEATS[drawn(seats, seed, "dealer")])
        _deal(state, events)
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat != state.turn:
            return ()
        return (BEFORE_DRAWING if state.drawn == NO_CARD else WITH_DRAWN)[state.up[seat]]

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        # The top of the pile may be another card by then.
        if state.turn in (None, seat):
            return ()
        return [action for action in BEFORE_DRAWING[state.up[seat]] if WAY[action] != TAKE]

    def awaited(self, state: State) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action == DRAW:
            state.drawn = state.stock.pop()
            if events is not None:
                events += [Drew(seat), Looked(state.drawn, to=seat)]
            return
        way, place = WAY[action], WHERE[action]
        if way != TURN_OVER:
            _replace(state, seat, place, events)
        elif events is not None:
            events.append(Turned(seat, place, state.squares[seat][place]))
        state.up[seat] |= 1 << place
        state.turn = left_of(seat, state.out)
        if state.up[state.turn] == ALL_UP:  # so everybody has had four turns
            _score(state, events)

    def fallback(self, state: State, seat: Seat) -> Action:
        # Turning a card over leaves the pile and the stock as they are. The top row, which the player does not know,
        # comes first. A card already drawn must be placed.
        return ACTIONS[(TURN_OVER if state.drawn == NO_CARD else PLACE) + FACE_DOWN[state.up[seat]][0]]

    def pack(self, _: PalmerOptions) -> Sequence[int]:
        return french.PACK

    why_not = staticmethod(refusals.why_not)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.TEXT.__getitem__)
    parse = staticmethod(actions.parse)


def points(square: Sequence[int]) -> int:
    """Return the points of four cards. Two of one rank cancel each other, so each rank counts once or not at all."""
    odd = 0
    for card in square:
        odd ^= 1 << french.RANK[card]
    return _POINTS[odd]


def _deal(state: State, events: Sink) -> None:
    """Begin the next deal; `dealer` is already set."""
    state.deal += 1
    state.stock = shuffled(french.PACK, state.seed, "deal", state.deal)
    for seat in SEATS[: state.seats]:
        state.squares[seat] = [] if state.out[seat] else [state.stock.pop() for _ in PLACES]
        state.up[seat] = ALL_UP if state.out[seat] else 0
    state.pile = [state.stock.pop()]
    state.turn = left_of(state.dealer, state.out)
    if events is not None:
        events.append(DealBegan(state.deal, state.dealer, state.turn, state.pile[0]))
        for seat, square in with_seats(state.squares):
            if square:
                left, right = (square[place] for place in BOTTOM)
                events.append(Peeked((left, right), to=seat))


def _replace(state: State, seat: Seat, place: int, events: Sink) -> None:
    """Put the drawn card, or else the top card of the pile, in place of a face-down card."""
    was_drawn = state.drawn != NO_CARD
    card = state.drawn if was_drawn else state.pile.pop()
    old = state.squares[seat][place]
    state.squares[seat][place] = card
    state.pile.append(old)
    state.drawn = NO_CARD
    if events is not None:
        events.append(Replaced(seat, place, card, old, was_drawn))


def _score(state: State, events: Sink) -> None:
    scores = []
    for seat, square in with_seats(state.squares):
        if square:
            counted = points(square)
            state.totals[seat] += counted
            scores.append(Score(seat, tuple(square), counted, state.totals[seat]))
    state.last = tuple(scores)
    gone = tuple(score.seat for score in scores if score.total >= state.options.limit)
    for seat in gone:
        state.out[seat] = state.deal
    if events is not None:
        events.append(DealScored(state.deal, state.last, gone))
    _end_deal(state, events)


def _end_deal(state: State, events: Sink) -> None:
    """Go on to the next deal or end the match."""
    still_in = state.out.count(0)
    if still_in > 1 and state.deal < DEALS:
        state.dealer = left_of(state.dealer, state.out)
        _deal(state, events)
        return
    state.turn = None
    places = placings(state.out, [-total for total in state.totals])
    reason = _reason(state, still_in) + placing_reason(state.out)
    end(state, Outcome(places, tuple(state.totals), reason), events)


def _reason(state: State, still_in: int) -> str:
    if still_in == 1:
        return f"Everybody else has {state.options.limit} points or more."
    if still_in == 0:
        return f"All remaining players reached {state.options.limit} in deal {state.deal}, so the lowest total wins."
    return f"The match ends after {DEALS} deals, so the lowest total wins."
