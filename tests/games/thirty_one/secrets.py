"""Facts that the contract suite needs about Thirty-One: see `tests.contract.subjects.Secrets`."""

from collections.abc import Sequence
from fractions import Fraction

from games.contract import Event, Options
from games.french import TEXT
from games.thirty_one.events import DealBegan, Discarded, HadThirtyOne, HandsShown, Knocked, Took
from games.thirty_one.options import ThirtyOneOptions
from games.thirty_one.state import State
from games.types import Seat, with_seats


def options() -> list[Options]:
    return [
        ThirtyOneOptions(),
        ThirtyOneOptions(tokens=1),
        ThirtyOneOptions(tokens=2, any_suit=True, three_of_a_kind=True),
        ThirtyOneOptions(tokens=10, three_of_a_kind=True),
    ]


def cards(state: State) -> list[int]:
    return [card for hand in state.hands for card in hand] + state.discards + state.stock


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    """Only cards that left the deal's first stock directly into a hand, or are still in it, are unseen. Cards of a
    later stock were discards before, so everybody has seen them."""
    places = {f"stock {place}": [card] for place, card in enumerate(state.stock) if not state.batch[card]}
    for other, hand in with_seats(state.hands):
        if other != seat:
            places[f"hand {other}"] = [
                card for card in hand if not state.batch[card] and card not in state.known[other]
            ]
    return places


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for name, lying in places.items():
        where, number = name.split()
        if where == "stock":
            twin.stock[int(number)] = lying[0]
        else:
            before = unseen(state, None)[name]
            kept = [card for card in state.hands[int(number)] if card not in before]
            twin.hands[int(number)] = sorted(kept + lying)
    return twin


class Referee:
    """A banker who receives the public events, checks the payments, and checks that hands shown are made of possible
    cards."""

    def __init__(self, options: ThirtyOneOptions, seats: int) -> None:
        self.options = options
        self.tokens = [options.tokens] * seats
        self.held: list[set[int]] = []
        self.knocker: int | None = None

    def scores(self) -> tuple[int, ...]:
        return tuple(self.tokens)

    def receive(self, event: Event) -> None:
        match event:
            case DealBegan():
                self.held, self.knocker, self.discards = [set() for _ in self.tokens], None, [event.card]
            case Took():
                assert event.card == self.discards.pop()
                self.held[event.seat].add(event.card)
            case Discarded():
                self.held[event.seat].discard(event.card)
                self.discards.append(event.card)
            case Knocked():
                assert self.knocker is None
                self.knocker = event.seat
            case HadThirtyOne():
                self.shown(event)
                assert all(values(self.options, hand.cards) == 31 for hand in event.shown)
                self.pay(
                    event, [int(seat not in {hand.seat for hand in event.shown}) for seat in self.seats()]
                )
            case HandsShown():
                self.shown(event)
                assert event.knocker == self.knocker
                assert [hand.seat for hand in event.shown] == [
                    seat for seat in self.seats() if self.tokens[seat]
                ]
                self.pay(
                    event, self.due({hand.seat: values(self.options, hand.cards) for hand in event.shown})
                )

    def seats(self) -> range:
        return range(len(self.tokens))

    def shown(self, event: HadThirtyOne | HandsShown) -> None:
        for hand in event.shown:
            assert self.held[hand.seat] <= set(hand.cards)
            assert Fraction(hand.worth, 2) == values(self.options, hand.cards)

    def due(self, hands: dict[int, Fraction]) -> list[int]:
        """Return what each seat owes, computed rule by rule."""
        due = [0] * len(self.tokens)
        if len(set(hands.values())) == 1:
            return due
        lowest = [seat for seat in hands if all(hands[seat] <= other for other in hands.values())]
        for seat in lowest:
            if seat != self.knocker or lowest == [seat]:
                due[seat] = 1
        if self.knocker is not None and any(other > hands[self.knocker] for other in hands.values()):
            due[self.knocker] += 1
        return due

    def pay(self, event: HadThirtyOne | HandsShown, due: Sequence[int]) -> None:
        paid = [min(owed, held) for owed, held in zip(due, self.tokens, strict=True)]
        assert list(event.payments) == paid
        assert event.out == tuple(seat for seat in self.seats() if 0 < self.tokens[seat] == paid[seat])
        self.tokens = [held - token for held, token in zip(self.tokens, paid, strict=True)]


def values(options: ThirtyOneOptions, hand: Sequence[int]) -> Fraction:
    """Return the worth of three cards, computed independently of the engine as the best of all ways to count them."""
    texts = [TEXT[card] for card in hand]
    ways = [Fraction(total) for total in (_any(texts) if options.any_suit else _suits(texts))]
    if options.three_of_a_kind and len({text[:-1] for text in texts}) == 1:
        ways.append(Fraction(61, 2))
    return max(ways)


def _suits(texts: Sequence[str]) -> list[int]:
    return [sum(_value(text) for text in texts if text[-1] == suit) for suit in "CDHS"]


def _any(texts: Sequence[str]) -> list[int]:
    """Return the possible totals up to 31, with each ace as 11 or 1."""
    totals = [0]
    for text in texts:
        ways = [1, 11] if text[0] == "A" else [_value(text)]
        totals = [total + way for total in totals for way in ways]
    return [total for total in totals if total <= 31]


def _value(text: str) -> int:
    rank = text[:-1]
    return 11 if rank == "A" else 10 if rank in "JQK" else int(rank)
