"""Playouts of a deal of Thirty-One in which everybody follows the same rules of thumb.

A card is a bit here, and a hand is three bits. Their sum is a key under which the worth of the hand is looked up; this
is much faster than adding points. Half points are as in `values`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, TypeAlias

from games.chance import shuffled
from games.elimination import left_of
from games.thirty_one.actions import DISCARD, DRAW, KNOCK, TAKE
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.rules import TURNS, payments
from games.thirty_one.state import State
from games.thirty_one.values import BEST, POINTS, worth
from games.thirty_one.view import View
from games.types import SEATS, Action, Seat, with_seats

Hand: TypeAlias = tuple[int, ...]
"""Three cards, or four for the player who must discard."""

KNOCK_AT_FIRST_TURN: Final = 2 * 24
"""Half points needed to knock on the first turn."""
KNOCK_STEP: Final = 2 * 2
"""Half points added to the knock threshold per turn, as hands improve."""
KNOCK_AT_MOST: Final = 2 * 29
"""Upper limit of the knock threshold, in half points."""
WORTH_TAKING: Final = 2 * 3
"""Half points that the top discard must add to be taken; a card from the stock adds about as much."""
STEP: Final = 64
"""Factor in a merit, which is STEP * half points of the hand + points of all its cards."""
NEAR: Final = 2 * 5
"""Largest lag in half points behind the action that looks best, at which an action is still searched."""


def turns_had(view: View) -> int:
    """Return how many turns a player who is in will have had in this deal when they act next."""
    turns, seat = view.turns, view.turn
    while seat is not None and seat != view.seat:
        turns, seat = turns + 1, left_of(seat, view.out)
    return turns // view.out.count(0)


def asked(turns: int) -> int:
    """Return the half points that a player needs to knock after `turns` turns in this deal."""
    return min(KNOCK_AT_FIRST_TURN + KNOCK_STEP * turns, KNOCK_AT_MOST)


def is_low(worth: int, turns: int) -> bool:
    """Return whether a hand is so low that no computer considers a knock with it."""
    return worth < asked(turns) - NEAR


def bit(card: int) -> int:
    return 1 << card


def card_of(bit: int) -> int:
    return bit.bit_length() - 1


def hand_of(cards: Iterable[int]) -> Hand:
    """Return cards as bits."""
    return tuple(map(bit, cards))


class Merits(dict[int, int]):
    """Merit of a hand by the sum of its bits: first its worth, then its points in any suit. Computed on first use."""

    def __init__(self, options: ThirtyOneOptions) -> None:
        super().__init__()
        self.options = options

    def __missing__(self, hand: int) -> int:
        low, high = hand & -hand, bit(card_of(hand))
        cards = [card_of(one) for one in (low, hand ^ low ^ high, high)]
        self[hand] = merit = worth(cards, self.options) * STEP + sum([POINTS[card] for card in cards])
        return merit


merits: Final = cache(Merits)
"""Function that returns the merits under given options."""

Exchange: TypeAlias = tuple[int, Hand, int]
"""Result of an exchange: the merit of the hand, its cards, and the discard."""


def taking(merit: Merits, hand: Hand, card: int) -> Exchange:
    """Return the best exchange that puts `card` into the hand."""
    a, b, c = hand
    without_a, without_b, without_c = merit[b | c | card], merit[a | c | card], merit[a | b | card]
    if without_a >= without_b and without_a >= without_c:
        return without_a, (b, c, card), a
    if without_b >= without_c:
        return without_b, (a, c, card), b
    return without_c, (a, b, card), c


def drawing(merit: Merits, hand: Hand, card: int) -> Exchange:
    """Return the best exchange after drawing `card`, which may be the discard itself."""
    a, b, c = hand
    now, found = merit[a | b | c], taking(merit, hand, card)
    return found if found[0] > now else (now, hand, card)


def turning(merit: Merits, hand: Hand, top: int, knocking: int | None) -> Action:
    """Return the action by rules of thumb: KNOCK, TAKE or DRAW.

    A hand of at least `knocking` half points knocks; with None it may not."""
    a, b, c = hand
    now = merit[a | b | c] // STEP
    if knocking is not None and now >= knocking:
        return KNOCK
    return TAKE if taking(merit, hand, top)[0] // STEP >= now + WORTH_TAKING else DRAW


class Deal:
    """Position in a deal with all cards known. Lists are by seat; players who are out have empty hands."""

    __slots__ = (
        "best",
        "discards",
        "following",
        "hands",
        "knocker",
        "merit",
        "players",
        "stock",
        "turn",
        "turns",
    )

    def __init__(self, state: State) -> None:
        self.merit = merits(state.options)
        self.hands = [hand_of(hand) for hand in state.hands]
        self.stock = list(map(bit, state.stock))
        self.discards = list(map(bit, state.discards))
        assert state.turn is not None
        self.turn = state.turn
        self.turns = state.turns
        self.knocker = state.knocker
        self.best: Seat | None = None
        """Seat that has made 31."""
        self.players = state.out.count(0)
        self.following = [left_of(seat, state.out) for seat in SEATS[: state.seats]]

    def copy(self) -> "Deal":
        new = Deal.__new__(Deal)
        new.merit = self.merit
        new.hands = self.hands[:]
        new.stock = self.stock[:]
        new.discards = self.discards[:]
        new.turn = self.turn
        new.turns = self.turns
        new.knocker = self.knocker
        new.best = self.best
        new.players = self.players
        new.following = self.following
        return new

    def play_out(self) -> None:
        """Play until the hands are shown. Everybody follows the rules of thumb."""
        while self.best is None and self.turn != self.knocker:
            if self.knocker is not None:
                knocking = None
            elif self.turns < TURNS * self.players:
                knocking = asked(self.turns // self.players)
            else:
                return
            self.act(turning(self.merit, self.hands[self.turn], self.discards[-1], knocking))

    def act(self, action: Action) -> None:
        """Do a whole turn: knock, discard, or draw or take and then discard by the rules of thumb."""
        hand = self.hands[self.turn]
        if action == KNOCK:
            self.knocker = self.turn
        elif action == DRAW:
            self._exchange(drawing(self.merit, hand, self._drawn()))
        elif action == TAKE:
            self._exchange(taking(self.merit, hand, self.discards.pop()))
        else:
            discard = bit(action - DISCARD)
            kept = tuple([card for card in hand if card != discard])
            self._exchange((self.merit[sum(kept)], kept, discard))
        self.turns += 1
        self.turn = self.following[self.turn]

    def _exchange(self, exchange: Exchange) -> None:
        merit, self.hands[self.turn], discard = exchange
        self.discards.append(discard)
        if merit >= 2 * BEST * STEP:
            self.best = self.turn

    def _drawn(self) -> int:
        if not self.stock:
            *under, top = self.discards
            self.stock, self.discards = shuffled(under, self.turns, "playout"), [top]
        return self.stock.pop()

    def worth(self, seat: Seat) -> int:
        """Return the worth of a hand in half points."""
        return self.merit[sum(self.hands[seat])] // STEP

    def payments(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """Return the tokens that each seat pays at the end of the deal."""
        if self.best is not None:
            return tuple([int(bool(hand) and seat != self.best) for seat, hand in with_seats(self.hands)])
        worths = [(seat, self.worth(seat)) for seat, hand in with_seats(self.hands) if hand]
        return payments(worths, self.knocker, tokens)
