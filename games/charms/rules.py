"""The rules of Charms. Source: "Charms" by Taiki Shinzawa (Lewmill Industries).

Three or four players, 64 cards, each of which has a suit or a number. A dealer is drawn, then the deal moves left.
Each hand has these phases, in order:

1. Deal. Everyone gets 13 cards. From the dealer's left, a hand with fewer than three suit cards or fewer than three
   number cards is shown, shuffled into the rest and dealt again, until it is good. Then cards of the rest are turned
   until a suit card shows: the trump. If no good hand is possible or no suit card is left, the same dealer deals again.
2. Bids of 0 to 12 tricks: either in secret and revealed together, or in public and in turn from the dealer's left.
3. The first trick, led by the seat to the dealer's left. Everyone plays a suit card and a number card side by side. The
   leader's suit is led; players who hold it must play it.
4. Tricks 2 to 12, led by the winner of the last trick. Everyone plays one card over their own card of the same sort.
   The suit that the leader then shows is led; the others follow it (see `follow`).
   Every trick is won by the highest number with the trump; without any trump, by the highest number with the led suit;
   of equals, by the later in turn.
5. Score. A bid missed by 0, 1, 2, 3 or more tricks costs 0, 1, 3, 5 points.

After the last hand the fewest points win; of equals, the most exact bids.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final

from games.chance import drawn, shuffled
from games.charms import cards, imagination, refusals
from games.charms import view as views
from games.charms.cards import (
    BASE,
    BIDS,
    CARDS,
    DEALT,
    DECK,
    FIRST_PLAY,
    GOOD,
    NO_SUIT,
    NUMBER,
    NUMBER_CARDS,
    NUMBER_SHOWN,
    PAIRS,
    PLAYS,
    SUIT_SHOWN,
    SUITS,
    TRICKS,
)
from games.charms.events import (
    BidIn,
    BidMade,
    BidsRevealed,
    Dealt,
    DealVoid,
    HandBegan,
    HandScored,
    Played,
    Redealt,
    ScoreRow,
    TrickTaken,
    TrumpTurned,
)
from games.charms.follow import ASKED
from games.charms.options import CharmsOptions
from games.charms.state import NO_BID, NO_NUMBER, State
from games.charms.view import View
from games.contract import Event, Game, Outcome, Sink, ranked
from games.ending import end
from games.types import SEATS, Action, Seat, around, with_seats

PLAYERS: Final = range(3, 5)
PENALTY: Final = (0, 1, 3, *[5] * (TRICKS - 2))
"""The points by the number of tricks off the bid."""

_ORDER: Final = {seats: [around(leader, seats) for leader in SEATS[:seats]] for seats in PLAYERS}
"""The seats in turn order, by number of seats and leader."""


class Charms(Game[CharmsOptions, State, View]):
    slug = "charms"
    title = "Charms"
    blurb = "Change your suit or your number each trick; win exactly what you bid"
    minutes = 25
    length_option = "hands"
    version = 1
    longest = 12 * PLAYERS[-1] * (1 + TRICKS)
    round_name = "hand"
    card_names = cards.NAMES
    shuffles = {"dealer N": "lot", "deal N": "whole", "new hands of deal N N": "part"}
    dealing = (
        "Cards are dealt from the start of the list: the first 13 go to the first seat, the next 13 to the "
        "second, and so on. Then trump is turned. A new hand comes from a list `new hands of deal`."
    )
    Options = CharmsOptions

    def seats(self, _: CharmsOptions) -> range:
        return PLAYERS

    def new(self, options: CharmsOptions, seats: int, seed: int | str) -> tuple[State, list[Event]]:
        self.check_seats(options, seats)
        events: list[Event] = []
        state = State(options, seats, seed, dealer=SEATS[drawn(seats, seed, "dealer")])
        _begin_hand(state, events)
        return state, events

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        if seat != state.turn:
            return BIDS if state.hiding else ()
        if not state.trick:
            return BIDS
        holds = state.holds[seat]
        playable = holds & ASKED[state.suits[seat]][state.led] or holds
        return PLAYS[playable] if state.trick > 1 else PAIRS[playable | holds & NUMBER_CARDS]

    def ahead(self, state: State, seat: Seat) -> Sequence[Action]:
        if state.turn in (None, seat):
            return ()
        if not state.trick:
            return BIDS if state.bids[seat] == NO_BID else ()
        holds = state.holds[seat]
        order = _ORDER[state.seats][state.leader]
        if order.index(seat) < order.index(state.turn):  # it has played, so the next trick is meant
            return PLAYS[holds] if state.trick < TRICKS else ()
        asked = {ASKED[state.suits[seat]][led] for led in (SUITS if state.led == NO_SUIT else (state.led,))}
        playable = reduce(or_, (holds & each or holds for each in asked))
        return PLAYS[playable] if state.trick > 1 else PAIRS[playable | holds & NUMBER_CARDS]

    def awaited(self, state: State) -> tuple[Seat, ...]:
        if state.turn is not None:
            return (state.turn,)
        if state.hiding:
            return tuple(seat for seat, bid in with_seats(state.bids) if bid == NO_BID)
        return ()

    def step(self, state: State, seat: Seat, action: Action, events: Sink = None) -> None:
        if action >= FIRST_PLAY:
            _play(state, seat, CARDS[action], events)
        elif state.turn is None:
            _bid_hidden(state, seat, action, events)
        else:
            _bid_openly(state, seat, action, events)

    def view(self, state: State, seat: Seat | None) -> View:
        return views.view(state, seat, self.awaited(state))

    def fallback(self, state: State, seat: Seat) -> Action:
        # An equal share of the tricks is as good a guess as any; the weakest play disturbs nobody.
        if state.bidding:
            return BIDS[TRICKS // state.seats]
        return min(self.legal(state, seat), key=lambda action: strength_after(state, seat, action))

    def pack(self, _: CharmsOptions) -> Sequence[int]:
        return DECK

    why_not = staticmethod(refusals.why_not)
    imagine = staticmethod(imagination.imagine)
    text = staticmethod(cards.TEXT.__getitem__)
    parse = staticmethod(cards.parse)


# The deal


def _begin_hand(state: State, events: Sink) -> None:
    """Deal the next hand and begin the bids; `dealer` is already set."""
    state.hand += 1
    state.leader = SEATS[(state.dealer + 1) % state.seats]
    state.trick = 0
    state.led = NO_SUIT
    state.bids = [NO_BID] * state.seats
    state.suits = [NO_SUIT] * state.seats
    state.numbers = [NO_NUMBER] * state.seats
    state.played = [()] * state.seats
    state.lacks = [0] * state.seats
    state.winners = []
    if events is not None:
        events.append(HandBegan(state.hand, state.options.hands, state.dealer, state.leader))
    while (void := _deal(state)) is not None:
        state.voids += 1
        if events is not None:
            events += [*state.redealt, void]
    state.turn = state.leader if state.options.bidding == "open" else None
    if events is not None:
        events += [*state.redealt, TrumpTurned(tuple(state.turned))]
        events += [Dealt(tuple(hand), to=seat) for seat, hand in with_seats(state.hands)]


def _deal(state: State) -> DealVoid | None:
    """Deal until all hands are good, and turn the trump. Return the reason if the deal is void."""
    deck = shuffled(DECK, state.seed, "deal", state.hand + state.voids)
    starts = range(0, DEALT * state.seats, DEALT)
    hands, rest = [sorted(deck[start : start + DEALT]) for start in starts], deck[DEALT * state.seats :]
    state.redealt = []
    for seat in _ORDER[state.seats][state.leader]:
        while not good(hands[seat]):
            shown, pool = tuple(hands[seat]), sorted(hands[seat] + rest)
            if not good(pool):
                return DealVoid(state.dealer, seat, shown)
            state.redealt.append(Redealt(seat, shown))
            pool = _reshuffled(state, pool)
            hands[seat], rest = sorted(pool[:DEALT]), pool[DEALT:]
    state.give(hands)
    return _turn_trump(state, rest)


def good(cards: Sequence[int]) -> bool:
    """Return whether a hand has enough suit cards and number cards. `cards` ascend, so suits come first."""
    return cards[GOOD - 1] < NO_SUIT <= cards[-GOOD]


def _reshuffled(state: State, pool: list[int]) -> list[int]:
    deal = state.hand + state.voids
    return shuffled(pool, state.seed, f"new hands of deal {deal}", len(state.redealt))


def _turn_trump(state: State, rest: list[int]) -> DealVoid | None:
    """Turn cards of the rest until a suit card shows. Return the reason if none does and the deal is void."""
    for turned, kind in enumerate(rest, 1):
        if kind in SUITS:
            state.trump = kind
            state.turned, state.rest = rest[:turned], sorted(rest[turned:])
            return None
    return DealVoid(state.dealer, None, tuple(rest))


# Bids and tricks


def _bid_hidden(state: State, seat: Seat, bid: int, events: Sink) -> None:
    changed = state.bids[seat] != NO_BID
    state.bids[seat] = bid
    missing = state.bids.count(NO_BID)
    if not missing:
        _begin_tricks(state)
    if events is None or changed:  # a changed choice stays secret
        return
    events.append(BidIn(seat, state.seats - missing, state.seats))
    if not missing:
        events.append(BidsRevealed(tuple(state.bids)))


def _bid_openly(state: State, seat: Seat, bid: int, events: Sink) -> None:
    state.bids[seat] = bid
    if events is not None:
        events.append(BidMade(seat, bid))
    if NO_BID in state.bids:
        state.turn = SEATS[(seat + 1) % state.seats]
    else:
        _begin_tricks(state)


def _begin_tricks(state: State) -> None:
    state.trick = 1
    state.turn = state.leader


def _play(state: State, seat: Seat, played: tuple[int, ...], events: Sink) -> None:
    asked = ASKED[state.suits[seat]][state.led]
    if not asked >> played[0] & 1:  # everybody who holds one of those must play it
        state.lacks[seat] |= asked
    hand = state.hands[seat]
    for kind in played:
        hand.remove(kind)
        if kind not in hand:
            state.holds[seat] ^= 1 << kind
        if kind < NO_SUIT:
            state.suits[seat] = kind
        else:
            state.numbers[seat] = NUMBER[kind]
    state.played[seat] += played
    leader = state.leader
    if seat == leader:
        state.led = state.suits[seat]
    if events is not None:
        events.append(Played(seat, played, state.suits[seat], state.numbers[seat], seat == leader))
    state.turn = following = SEATS[(seat + 1) % state.seats]
    if following == leader:
        _end_trick(state, events)


def _end_trick(state: State, events: Sink) -> None:
    winner, best = state.leader, 0
    base, suits, numbers = BASE[state.trump][state.led], state.suits, state.numbers
    for seat in _ORDER[state.seats][state.leader]:
        strength = base[suits[seat]] + numbers[seat]
        if strength >= best:
            winner, best = seat, strength
    state.winners.append(winner)
    state.leader = state.turn = winner
    state.led = NO_SUIT
    if events is not None:
        events.append(TrickTaken(state.trick, winner))
    if state.trick < TRICKS:
        state.trick += 1
    else:
        _score(state, events)


def strength_after(state: State, seat: Seat, action: Action) -> int:
    """Return the strength of the seat in the current trick after this action."""
    suit = SUIT_SHOWN[action]
    if suit == NO_SUIT:
        suit = state.suits[seat]
    led = suit if state.led == NO_SUIT else state.led
    number = NUMBER_SHOWN[action] or state.numbers[seat]
    return BASE[state.trump][led][suit] + number


# The score


def _score(state: State, events: Sink) -> None:
    sheet = tuple(_row(state, seat) for seat in SEATS[: state.seats])
    state.points = [row.total for row in sheet]
    state.sheets.append(sheet)
    if events is not None:
        events.append(HandScored(state.hand, sheet))
    if state.hand < state.options.hands:
        state.dealer = SEATS[(state.dealer + 1) % state.seats]
        _begin_hand(state, events)
    else:
        _end(state, events)


def _row(state: State, seat: Seat) -> ScoreRow:
    bid, tricks = state.bids[seat], state.winners.count(seat)
    points = PENALTY[abs(bid - tricks)]
    return ScoreRow(bid, tricks, points, state.points[seat] + points)


def _end(state: State, events: Sink) -> None:
    state.turn = None
    state.trick = 0
    exact = [sum(sheet[seat].points == 0 for sheet in state.sheets) for seat in SEATS[: state.seats]]
    merits = [(-points, bids) for points, bids in zip(state.points, exact, strict=True)]
    end(state, Outcome(ranked(merits), tuple(state.points), _ending(state, merits)), events)


def _ending(state: State, merits: Sequence[tuple[int, int]]) -> str:
    """Return why the winner is first."""
    fewest = min(state.points)
    after = f"after {state.hand} hand{'s' * (state.hand != 1)}"
    if state.points.count(fewest) == 1:
        return f"Fewest points {after}."
    if merits.count(max(merits)) == 1:
        return f"Fewest points {after}, and of equals the most exact bids."
    return f"Fewest points {after}; the exact bids are equal too, so first place is shared."
