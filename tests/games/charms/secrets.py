"""Facts that the contract suite needs about Charms: see `tests.contract.subjects.Secrets`."""

from games.charms.cards import NUMBER_CARDS, SUIT_CARDS, TEXTS, kinds
from games.charms.events import (
    BidMade,
    BidsRevealed,
    HandBegan,
    HandScored,
    Played,
    Redealt,
    TrickTaken,
    TrumpTurned,
)
from games.charms.options import CharmsOptions
from games.charms.state import State
from games.contract import Event, Options
from games.types import SEATS, Seat, with_seats
from tests.games.charms.slow_rules import is_suit, may_begin, may_play, taker


def options() -> list[Options]:
    return [
        CharmsOptions(),
        CharmsOptions(hands=1),
        CharmsOptions(hands=1, bidding="open"),
        CharmsOptions(hands=2, bidding="open"),
        CharmsOptions(hands=12),
    ]


def cards(state: State) -> list[int]:
    piles = [*state.hands, *state.played, state.turned, state.rest]
    return [card for pile in piles for card in pile]


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    """Return the hidden cards that every seat must consider movable: see `_free`."""
    piles = {f"hand {other}": hand for other, hand in with_seats(state.hands) if other != seat}
    piles["rest"] = state.rest
    free = _free(state)
    return {name: [card for card in pile if free >> card & 1] for name, pile in piles.items()}


def _free(state: State) -> int:
    """Return the kinds of cards that may be redistributed among all hidden places.

    These kinds stay where they are: a kind that somebody is known to lack, and a kind shown in a bad hand, because
    it must be where that hand's cards went. A hand that was not shown was good. Until all cards of those good hands
    have been played, suit cards are exchanged only for suit cards, or number cards only for number cards, depending
    on the trick.
    """
    free = SUIT_CARDS | NUMBER_CARDS
    for lacked in state.lacks:
        free &= ~lacked
    for bad in state.redealt:
        free &= ~kinds(bad.cards)
    suits = [sum(is_suit(TEXTS[card]) for card in pile) for pile in state.played]
    if any(count < 3 or len(pile) - count < 3 for count, pile in zip(suits, state.played, strict=True)):
        free &= SUIT_CARDS if (state.hand + state.trick) % 2 else NUMBER_CARDS
    return free


def put(state: State, places: dict[str, list[int]]) -> State:
    twin, free = state.copy(), _free(state)
    hands = [
        sorted([card for card in hand if not free >> card & 1] + places[f"hand {seat}"])
        if f"hand {seat}" in places
        else hand[:]
        for seat, hand in with_seats(state.hands)
    ]
    twin.give(hands)
    twin.rest = sorted([card for card in state.rest if not free >> card & 1] + places["rest"])
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    """Before the reveal, raise every other bid by one."""
    twins = []
    for other, bid in with_seats(state.bids):
        if other != seat and bid >= 0 and state.options.bidding == "hidden" and min(state.bids) < 0:
            twin = state.copy()
            twin.bids[other] = (bid + 1) % 13
            twins.append(twin)
    return twins


class Referee:
    """A score keeper who receives the public events and checks every one that follows from earlier ones. After a
    hand all its cards have been seen, so it checks then whether everybody followed."""

    def __init__(self, options: CharmsOptions, seats: int) -> None:
        self.options = options
        self.points = [0] * seats
        self.hands = self.dealer = self.leader = 0
        self.bids: list[int] = []

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    def receive(self, event: Event) -> None:
        match event:
            case HandBegan():
                self.begin(event)
            case Redealt():
                assert sum(is_suit(TEXTS[card]) for card in event.cards) not in range(3, 11)
            case TrumpTurned():
                *before, last = (TEXTS[card] for card in event.cards)
                assert is_suit(last)
                assert not any(map(is_suit, before))
                self.trump = last
            case BidsRevealed():
                assert self.options.bidding == "hidden"
                self.bids = list(event.bids)
            case BidMade():
                assert self.options.bidding == "open"
                assert event.seat == (self.leader + len(self.bids)) % len(self.points)
                self.bids.append(event.bid)
            case Played():
                self.play(event)
            case TrickTaken():
                self.take(event)
            case HandScored():
                self.score(event)

    def begin(self, event: HandBegan) -> None:
        seats = len(self.points)
        assert self.hands == 0 or event.dealer == (self.dealer + 1) % seats
        self.hands += 1
        assert (event.hand, event.hands) == (self.hands, self.options.hands)
        self.dealer, self.leader = event.dealer, (event.dealer + 1) % seats
        assert event.leader == self.leader
        self.bids = []
        self.won = [0] * seats
        self.shows = [("", "")] * seats
        self.trick: list[int] = []
        self.log: list[tuple[int, tuple[str, ...], str, str | None]] = []

    def play(self, event: Played) -> None:
        seats = len(self.points)
        assert event.seat == (self.leader + len(self.trick)) % seats
        played = tuple(TEXTS[card] for card in event.cards)
        suit, number = self.shows[event.seat]
        led = self.shows[self.leader][0] if self.trick else None
        self.log.append((event.seat, played, suit, led))
        for card in played:
            suit, number = (card, number) if is_suit(card) else (suit, card)
        self.shows[event.seat] = suit, number
        assert (TEXTS[event.suit], str(event.number)) == (suit, number)
        assert event.leads == (not self.trick)
        self.trick.append(event.seat)

    def take(self, event: TrickTaken) -> None:
        shown = [(seat, *self.shows[seat]) for seat in self.trick]
        winner = taker(shown, self.trump, self.shows[self.leader][0])
        assert event.winner == winner
        self.won[winner] += 1
        assert event.trick == sum(self.won)
        self.leader, self.trick = winner, []

    def score(self, event: HandScored) -> None:
        self.check_following()
        if self.options.bidding == "open":  # in the order of bidding, from the dealer's left
            first = (self.dealer + 1) % len(self.points)
            self.bids = [self.bids[(seat - first) % len(self.points)] for seat in SEATS[: len(self.points)]]
        assert sum(self.won) == 12
        for seat, (bid, won) in with_seats(zip(self.bids, self.won, strict=True)):
            off = max(bid, won) - min(bid, won)
            self.points[seat] += {0: 0, 1: 1, 2: 3}.get(off, 5)
            assert (event.rows[seat].bid, event.rows[seat].tricks) == (bid, won)
        assert [row.total for row in event.rows] == self.points

    def check_following(self) -> None:
        hands: list[list[str]] = [[] for _ in self.points]
        for seat, played, shows, led in reversed(self.log):
            hands[seat] += played
            if len(played) == 2:
                assert may_begin(*played, hands[seat], led)
            else:
                assert may_play(played[0], hands[seat], shows, led)
        for hand in hands:
            assert len(hand) == 13
            assert 3 <= sum(map(is_suit, hand)) <= 10
