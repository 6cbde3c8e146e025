"""The rules of Liar's Dice, a traditional game, also known as Perudo or Dudo.

Two to six players, five dice each. The opener of the first round is drawn. Each round has these phases, in order:

1. Roll. Everyone still in rolls the dice under a cup, and looks at them alone.
2. Bids. The opener bids how many dice of one face there are under all cups; ones are wild and count as every face.
   Then, seat by seat to the left, bid higher or doubt. Higher is more dice of any face, or as many of a higher face; a
   bid on ones takes at least half the quantity, one away from ones at least twice the quantity and one more.
3. The call. All dice are shown. A doubted bid stands if at least as many dice match as were bid: then the doubter loses
   a die, else the bidder. With the option `calza` anyone but the bidder may call the bid exact at any time: the caller
   gains a die, five at most, or loses one. Whoever was wrong, or called calza, opens the next round.

With the option `palifico` the first round that a player opens with a single die has no wild ones, and only players with
a single die may change the face; not with two players left. The last player with dice wins. After 200 rounds the most
dice win.
"""

from collections.abc import Sequence
from typing import Final

from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink
from games.elimination import left_of, placing_reason, placings
from games.ending import end
from games.liars_dice import actions, refusals, typed
from games.liars_dice import view as views
from games.liars_dice.actions import (
    BID,
    CALZA,
    DICE,
    DOUBT,
    FACE,
    FACES,
    MOST_DICE,
    MOST_SEATS,
    ONE,
    QUANTITY,
    allowed,
    is_higher,
    matching,
)
from games.liars_dice.events import BidMade, Rolled, RoundBegan, RoundEnded
from games.liars_dice.options import LiarsDiceOptions
from games.liars_dice.state import State
from games.liars_dice.view import View
from games.types import SEATS, Action, Seat, with_seats

PLAYERS: Final = range(2, MOST_SEATS + 1)
ROUNDS: Final = 200
"""Limit of rounds, after which the most dice win."""


class LiarsDice(Game[LiarsDiceOptions, State, View]):
    slug = "liars-dice"
    title = "Liar's Dice"
    blurb = "Bid on dice that nobody can see, and doubt the bid before you"
    minutes = 15
    version = 1
    longest = ROUNDS * (MOST_DICE * len(FACES) + 1)
    card_names = tuple(map(str, range(7)))
    shuffles = {"opener N": "lot", "seat N die N round N": "whole"}
    dealing = (
        "Each die is a shuffled list of its six faces, named by the number of the seat and of the die, and then the "
        "round: it shows the first face of the list. The number of a seat is its place in `seats`, counted from 1."
    )
    Options = LiarsDiceOptions

    def seats(self, _: LiarsDiceOptions) -> range:
        return PLAYERS

    def new(self, options: LiarsDiceOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        state = State(options, seats, seed)
        _roll(state, SEATS[drawn(seats, seed, "opener")], events)
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if state.turn is None:
            return ()
        bid = bool(state.bids)
        calls = [CALZA] if bid and _may_call_calza(state, seat) else []
        if seat != state.turn:
            return calls
        return [*[DOUBT] * bid, *calls, *_bids(state, seat)]

    def topic(self, state: State, _: Seat) -> object:
        # Calza is the same action for every bid, and a player may call it between the bids of others.
        return state.round, len(state.bids)

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        if state.turn in (None, seat) or state.out[seat]:
            return ()
        standing, other = state.standing, state.turn
        while other != seat:  # each of those before raises at least to the next bid
            bids = allowed(standing, state.dice, other, palifico=state.palifico)
            if not bids:
                return ()
            standing, other = _least(bids, wild=not state.palifico), left_of(other, state.out)
        # There will be a bid to doubt. In a palifico round its face, the only one that may be bid, is not known yet.
        return [DOUBT, *(() if state.palifico else allowed(standing, state.dice, seat, palifico=False))]

    def awaited(self, state: State) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action < BID:
            _call(state, seat, action, events)
            return
        state.bids.append((seat, action))
        state.turn = left_of(seat, state.out)
        if events is not None:
            events.append(BidMade(seat, action))

    def fallback(self, state: State, seat: Seat) -> Action:
        # An absent player bids as low as possible, and doubts a bid on more dice than are to be expected.
        bids = _bids(state, seat)
        if state.bids and (not bids or QUANTITY[state.standing] > _expected(state)):
            return DOUBT
        return _least(bids, wild=not state.palifico)

    def unit(self, _: LiarsDiceOptions) -> str:
        return "die"

    def pack(self, _: LiarsDiceOptions) -> Sequence[int]:
        return FACES

    why_not = staticmethod(refusals.why_not)
    view = staticmethod(views.view)
    imagine = staticmethod(views.imagine)
    text = staticmethod(actions.TEXT.__getitem__)
    parse = staticmethod(typed.parse)


def _bids(state: State, seat: Seat) -> tuple[Action, ...]:
    return allowed(state.standing, state.dice, seat, palifico=state.palifico)


def _expected(state: State) -> int:
    """Return how many dice match the standing bid on average, rounded down."""
    return sum(state.dice) // (
        len(FACES) if state.palifico or FACE[state.standing] == ONE else len(FACES) // 2
    )


def _may_call_calza(state: State, seat: Seat) -> bool:
    return state.options.calza and not state.out[seat] and seat != state.bids[-1][0]


def _least(bids: Sequence[Action], *, wild: bool) -> Action:
    """Return the bid over which all others are raises."""
    least = bids[0]
    for bid in bids[1:]:
        if is_higher(least, bid, wild=wild):
            least = bid
    return least


def _roll(state: State, opener: Seat, events: Sink) -> None:
    """Begin the next round; `dice` is already set."""
    state.round += 1
    state.turn = opener
    state.bids = []
    state.palifico = _is_palifico(state, opener)
    if state.palifico:
        state.had[opener] = state.round
    state.cups = [
        sorted(_die(state, seat, number) for number in range(dice)) for seat, dice in with_seats(state.dice)
    ]
    if events is not None:
        events.append(RoundBegan(state.round, opener, state.palifico, tuple(state.dice)))
        events += [Rolled(tuple(cup), to=seat) for seat, cup in with_seats(state.cups) if cup]


def _is_palifico(state: State, opener: Seat) -> bool:
    single = state.dice[opener] == 1 and not state.had[opener]
    return state.options.palifico and single and state.out.count(0) > 2


def _die(state: State, seat: Seat, number: int) -> int:
    return shuffled(FACES, state.seed, f"seat {seat + 1} die {number + 1} round", state.round)[0]


def _call(state: State, caller: Seat, action: Action, events: Sink) -> None:
    """Show all dice, and let the one who was wrong lose a die or the exact caller gain one."""
    bidder, bid = state.bids[-1]
    wild = not state.palifico
    found = sum(matching(cup, FACE[bid], wild=wild) for cup in state.cups)
    calza = action == CALZA
    right = found == QUANTITY[bid] if calza else found < QUANTITY[bid]
    hit = bidder if right and not calza else caller
    state.dice[hit] = min(state.dice[hit] + 1, DICE) if right and calza else state.dice[hit] - 1
    if not state.dice[hit]:
        state.out[hit] = state.round
    cups = tuple(map(tuple, state.cups))
    state.last = RoundEnded(
        state.round, caller, calza, bidder, bid, wild, cups, found, right, hit, tuple(state.dice)
    )
    if events is not None:
        events.append(state.last)
    _end_round(state, events)


def _end_round(state: State, events: Sink) -> None:
    """Go on to the next round, which the seat that was hit opens, or end the match."""
    assert state.last is not None
    left = state.out.count(0)
    if left > 1 and state.round < ROUNDS:
        hit = state.last.hit
        _roll(state, left_of(hit, state.out) if state.out[hit] else hit, events)
        return
    state.turn = None
    state.bids = []
    state.palifico = False
    state.cups = [[] for _ in state.cups]
    reason = "Only the winner has dice left."
    if left > 1:
        reason = f"After {ROUNDS} rounds the match ends, and the most dice win."
    reason += placing_reason(state.out)
    end(state, Outcome(placings(state.out, state.dice), tuple(state.dice), reason), events)
