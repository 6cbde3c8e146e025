"""Twin Palms, the engine. Source: "Twin Palms, The Card Game" by Kristi B. (Bink Ink, 2022), all four modes.

Everyone starts with 2 sand dollars, and a start player is drawn. Each round has these phases, in order:

1. Deal. The deck of the mode is shuffled, and everyone gets ten cards.
2. Bid and bet. Everyone chooses in secret how many tricks to win (0 to 5) and what to bet on it (nothing, half or max;
   max is the number of the round). A choice may be changed until everybody has chosen; then all are revealed.
3. Five tricks. First the leader, then each seat to the left plays two cards and states a number for each wild. Equal
   sets cancel. The best remaining set takes the trick, and its player leads the next one. If all sets cancel, the same
   seat leads again.
4. Score. An exact bid earns its points and the stake. A miss earns a point per trick (a missed 0 earns nothing) and
   loses the stake. Then the start player's token moves one seat to the left.

After the planned rounds most sand dollars win. While first place is tied, further rounds follow, at most 20.
"""

from collections.abc import Sequence
from typing import Final

from games.chance import drawn, shuffled
from games.contract import Event, Game, Outcome, Sink, ranked
from games.ending import end
from games.twin_palms import cards, refusals
from games.twin_palms import view as views
from games.twin_palms.cards import BIDS, BIDS_WITHOUT_BETS, CARDS, DECKS, FIRST_PLAY, STRENGTH
from games.twin_palms.events import (
    BidIn,
    BidsRevealed,
    Dealt,
    ExtraRound,
    Played,
    RoundBegan,
    RoundScored,
    ScoreRow,
    TrickTaken,
)
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import NO_BID, TRICKS, State, Trick
from games.twin_palms.view import View
from games.types import SEATS, Action, Seat, around, with_seats

FURTHER_ROUNDS: Final = 20
"""Limit of rounds after the planned ones; if the tie still stands, first place is shared."""


class TwinPalms(Game[TwinPalmsOptions, State, View]):
    slug = "twin-palms"
    title = "Twin Palms"
    blurb = "Say how many tricks you will win, then win exactly that many"
    minutes = 20
    version = 1
    longest = (12 + FURTHER_ROUNDS) * 5 * (1 + TRICKS)
    card_names = tuple(map(cards.name, cards.KINDS))
    shuffles = {"start N": "lot", "deal N": "whole"}
    dealing = (
        "Cards are dealt from the start of the list: the first ten go to the first seat, the next ten to the "
        "second, and so on."
    )
    Options = TwinPalmsOptions

    def seats(self, options: TwinPalmsOptions) -> range:
        return options.seats()

    def duration(self, options: TwinPalmsOptions) -> int:
        return self.minutes_of(options.rounds, 7) if options.rounds else self.minutes

    def new(self, options: TwinPalmsOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        start = SEATS[drawn(seats, seed, "start")]
        state = State(options, seats, seed, start, leader=start)
        _deal(state, events)
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat == state.turn:
            return cards.plays(state.hands[seat])
        if state.bidding:
            return BIDS if state.options.bets else BIDS_WITHOUT_BETS
        return ()

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        return () if state.turn in (None, seat) else cards.plays(state.hands[seat])

    def awaited(self, state: State) -> tuple[Seat, ...]:
        if state.turn is not None:
            return (state.turn,)
        if state.bidding:
            return tuple(seat for seat, bid in with_seats(state.bids) if bid == NO_BID)
        return ()

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action < FIRST_PLAY:
            _bid(state, seat, action, events)
        else:
            _play(state, seat, action, events)

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat, self.awaited(state))

    def fallback(self, state: State, seat: Seat) -> Action:
        # A bid of 1 stakes nothing; the weakest set disturbs nobody and needs no guess about the others.
        if state.bidding:
            return cards.parse("bid 1")
        return min(cards.plays(state.hands[seat]), key=STRENGTH[state.options.mode].__getitem__)

    def unit(self, _: TwinPalmsOptions) -> str:
        return "sand dollar"

    def pack(self, options: TwinPalmsOptions) -> Sequence[int]:
        return DECKS[options.mode]

    why_not = staticmethod(refusals.why_not)
    imagine = staticmethod(views.imagine)
    text = staticmethod(cards.TEXT.__getitem__)
    parse = staticmethod(cards.parse)


def _deal(state: State, events: Sink) -> None:
    """Begin the next round; `start` is already set."""
    state.round += 1
    state.leader = state.start
    state.turn = None
    deck = shuffled(DECKS[state.options.mode], state.seed, "deal", state.round)
    state.hands = [sorted(deck[10 * seat : 10 * seat + 10]) for seat in SEATS[: state.seats]]
    state.bids = [NO_BID] * state.seats
    state.tricks = []
    state.won = [0] * state.seats
    if events is not None:
        events.append(RoundBegan(state.round, state.options.planned(state.seats), state.start))
        events += [Dealt(tuple(hand), to=seat) for seat, hand in with_seats(state.hands)]


def _bid(state: State, seat: Seat, action: Action, events: Sink) -> None:
    changed = state.bids[seat] != NO_BID
    state.bids[seat] = action
    missing = state.bids.count(NO_BID)
    if not missing:
        state.turn = state.start
    if events is None or changed:  # a changed choice stays secret
        return
    events.append(BidIn(seat, state.seats - missing, state.seats))
    if not missing:
        bids, bets = zip(*(divmod(bid, 3) for bid in state.bids), strict=True)
        events.append(BidsRevealed(bids, bets, state.stakes()))


def _play(state: State, seat: Seat, action: Action, events: Sink) -> None:
    low, high = CARDS[action]
    hand = state.hands[seat]
    hand.remove(low)
    hand.remove(high)
    state.trick.append(action)
    if events is not None:
        events.append(Played(seat, action, seat == state.leader))
    if len(state.trick) < state.seats:
        state.turn = SEATS[(seat + 1) % state.seats]
    else:
        _end_trick(state, events)


def _end_trick(state: State, events: Sink) -> None:
    strength = STRENGTH[state.options.mode]
    sets = [strength[play] for play in state.trick]
    leader = state.leader
    best = _best(sets)
    winner = None if best is None else SEATS[(leader + best) % state.seats]
    state.tricks.append(Trick(leader, tuple(state.trick), winner))
    state.trick = []
    if winner is not None:
        state.won[winner] += 1
        state.leader = winner
    state.turn = state.leader
    last = len(state.tricks) == TRICKS
    if events is not None:
        next_leader = None if last else state.leader
        events.append(TrickTaken(len(state.tricks), winner, _cancelled(sets, leader), next_leader))
    if last:
        _score(state, events)


def _best(sets: list[int]) -> int | None:
    """Return the place of the strongest set that no other set equals; None when all cancel."""
    for value in sorted(sets, reverse=True):
        if sets.count(value) == 1:
            return sets.index(value)
    return None


def _cancelled(sets: list[int], leader: Seat) -> tuple[tuple[Seat, ...], ...]:
    """Return the groups of seats with equal sets, the strongest set first."""
    if len(set(sets)) == len(sets):
        return ()
    tied = sorted({value for value in sets if sets.count(value) > 1}, reverse=True)
    seats = around(leader, len(sets))
    return tuple(
        tuple(sorted(seat for seat, value in zip(seats, sets, strict=True) if value == tie)) for tie in tied
    )


def _score(state: State, events: Sink) -> None:
    stakes = state.stakes()
    sheet = tuple(_row(state, seat, stakes[seat]) for seat in SEATS[: state.seats])
    state.dollars = [row.total for row in sheet]
    state.sheets.append(sheet)
    if events is not None:
        events.append(RoundScored(state.round, sheet))
    _end_round(state, events)


def _row(state: State, seat: Seat, stake: int) -> ScoreRow:
    bid, tricks = state.bids[seat] // 3, state.won[seat]
    earned = tricks if bid else 0
    points = state.options.exact_points[bid] + stake if tricks == bid else earned - stake
    return ScoreRow(bid, tricks, stake, points, state.dollars[seat] + points)


def _end_round(state: State, events: Sink) -> None:
    """Go on to the next round or end the match."""
    planned = state.options.planned(state.seats)
    best = max(state.dollars)
    tied = tuple(seat for seat, dollars in with_seats(state.dollars) if dollars == best)
    further = state.round - planned
    if further >= 0 and (len(tied) == 1 or further == FURTHER_ROUNDS):
        state.turn = None
        end(state, _outcome(state.dollars, planned, further, len(tied) > 1), events)
        return
    if further >= 0 and events is not None:
        events.append(ExtraRound(tied))
    state.start = SEATS[(state.start + 1) % state.seats]
    _deal(state, events)


def _outcome(dollars: list[int], planned: int, further: int, tied: bool) -> Outcome:
    rounds = f"{planned} round{'s' * (planned != 1)}"
    if tied:
        reason = f"First place is shared, because it was still tied after {further} further rounds."
    elif further:
        reason = f"Most sand dollars after {rounds} and {further} further to break the tie for first."
    else:
        reason = f"Most sand dollars after {rounds}."
    return Outcome(ranked(dollars), tuple(dollars), reason)
