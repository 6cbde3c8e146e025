"""Facts that the contract suite needs about Twin Palms: see `tests.contract.subjects.Secrets`."""

from collections import Counter

from games.contract import Event, Options
from games.twin_palms import GAME
from games.twin_palms.cards import BIDS, CARDS, DECKS
from games.twin_palms.events import BidsRevealed, Played, RoundBegan, TrickTaken
from games.twin_palms.options import TwinPalmsOptions
from games.twin_palms.state import State
from games.types import SEATS, Seat, with_seats
from tests.games.twin_palms.ranking import Set, best, set_of

DEALT = 10


def options() -> list[Options]:
    return [
        TwinPalmsOptions(),
        TwinPalmsOptions(mode="easy", rounds=1),
        TwinPalmsOptions(mode="normal", bets=False, exact_points=(0, 0, 0, 0, 0, 0), rounds=2),
        TwinPalmsOptions(mode="advanced", half_bet_rounding="down", exact_points=(20, 1, 0, 7, 19, 20)),
        TwinPalmsOptions(mode="extreme", rounds=3),
    ]


def cards(state: State) -> list[int]:
    return [card for hand in state.hands for card in hand] + _face_up(state) + _undealt(state)


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    hands = {f"hand {other}": list(hand) for other, hand in with_seats(state.hands) if other != seat}
    return hands | {"undealt": _undealt(state)}


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for other in SEATS[: state.seats]:
        if f"hand {other}" in places:
            twin.hands[other] = sorted(places[f"hand {other}"])
    return twin


def choices(state: State, seat: Seat | None) -> list[State]:
    """Before the reveal, raise every other bid by one step (with bets) or three steps (without)."""
    twins = []
    for other, bid in with_seats(state.bids):
        if other != seat and bid >= 0 and min(state.bids) < 0:
            twin = state.copy()
            twin.bids[other] = BIDS[(bid + (1 if state.options.bets else 3)) % 18]
            twins.append(twin)
    return twins


class Referee:
    """A score keeper who receives the public events and checks every one that follows from earlier ones."""

    def __init__(self, options: TwinPalmsOptions, seats: int) -> None:
        self.options = options
        self.dollars = [2] * seats
        self.won = [0] * seats
        self.plays: dict[Seat, Set] = {}

    def scores(self) -> tuple[int, ...]:
        return tuple(self.dollars)

    def receive(self, event: Event) -> None:
        match event:
            case RoundBegan():
                self.round, self.leader, self.won = event.round, event.start, [0] * len(self.dollars)
            case BidsRevealed():
                self.revealed = event
                assert event.stakes == tuple(map(self.stake, self.dollars, event.bets))
            case Played():
                assert event.leads == (not self.plays)
                assert event.seat == (self.leader + len(self.plays)) % len(self.dollars)
                self.plays[event.seat] = set_of(GAME.text(event.action))
            case TrickTaken():
                self.take(event)

    def stake(self, held: int, bet: int) -> int:
        up, down = -(-self.round // 2), self.round // 2
        half = up if self.options.half_bet_rounding == "up" else down
        return min(held, [0, half, self.round][bet])

    def take(self, event: TrickTaken) -> None:
        winner = best(self.options.mode, self.plays)
        assert event.winner == winner
        self.plays = {}
        if winner is not None:
            self.won[winner] += 1
            self.leader = winner
        if event.trick == 5:
            self.dollars = [held + self.points(seat) for seat, held in with_seats(self.dollars)]

    def points(self, seat: Seat) -> int:
        tricks, bid, stake = self.won[seat], self.revealed.bids[seat], self.revealed.stakes[seat]
        if tricks == bid:
            return self.options.exact_points[bid] + stake
        return -stake if bid == 0 else tricks - stake


def _face_up(state: State) -> list[int]:
    """Return the cards played in this round."""
    plays = [play for trick in state.tricks for play in trick.plays] + state.trick
    return [card for play in plays for card in CARDS[play]]


def _undealt(state: State) -> list[int]:
    """Return the rest of the deck, out of play and seen by nobody."""
    dealt = Counter(card for hand in state.hands for card in hand) + Counter(_face_up(state))
    left = Counter(DECKS[state.options.mode])
    left.subtract(dealt)
    assert min(left.values()) >= 0, "a card is there more often than in the deck"
    assert dealt.total() == DEALT * state.seats, "everybody was dealt ten cards, and none has gone"
    return sorted(left.elements())
