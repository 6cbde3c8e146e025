"""Facts that the contract suite needs about Palmer: see `tests.contract.subjects.Secrets`."""

from collections.abc import Sequence

from games.contract import Event, Options
from games.french import TEXT
from games.palmer.events import DealBegan, DealScored, Replaced, Turned
from games.palmer.options import PalmerOptions
from games.palmer.state import NO_CARD, State
from games.types import Seat, with_seats

TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = range(4)


def options() -> list[Options]:
    return [PalmerOptions(), PalmerOptions(limit=10), PalmerOptions(limit=33)]


def cards(state: State) -> list[int]:
    drawn = [] if state.drawn == NO_CARD else [state.drawn]
    return [card for square in state.squares for card in square] + state.pile + state.stock + drawn


def unseen(state: State, seat: Seat | None) -> dict[str, list[int]]:
    """Every face-down card is a place of its own, because everybody knows which one is replaced or turned over."""
    places = {f"stock {place}": [card] for place, card in enumerate(state.stock)}
    if state.drawn != NO_CARD and seat != state.turn:
        places["drawn"] = [state.drawn]
    for other, square in with_seats(state.squares):
        for place, card in enumerate(square):
            peeked = other == seat and place in (BOTTOM_LEFT, BOTTOM_RIGHT)
            if not peeked and not state.up[other] & 2**place:
                places[f"square {other} {place}"] = [card]
    return places


def put(state: State, places: dict[str, list[int]]) -> State:
    twin = state.copy()
    for name, (card,) in places.items():
        match name.split():
            case ["stock", place]:
                twin.stock[int(place)] = card
            case ["square", other, place]:
                twin.squares[int(other)][int(place)] = card
            case _:
                twin.drawn = card
    return twin


class Referee:
    """A score keeper who receives the public events and checks every one that follows from earlier ones."""

    def __init__(self, options: PalmerOptions, seats: int) -> None:
        self.limit = options.limit
        self.totals = [0] * seats
        self.squares: list[dict[int, int]] = []
        self.gone: list[int] = []
        self.pile: list[int] = []
        self.drawing = False

    def scores(self) -> tuple[int, ...]:
        return tuple(self.totals)

    def receive(self, event: Event) -> None:
        match event:
            case DealBegan():
                self.squares = [{} for _ in self.totals]
                self.pile = [event.card]
            case Turned():
                self.lay(event.seat, event.place, event.card)
            case Replaced():
                if not event.drawn:
                    assert event.card == self.pile.pop()
                self.pile.append(event.old)
                self.lay(event.seat, event.place, event.card)
            case DealScored():
                self.score(event)

    def lay(self, seat: Seat, place: int, card: int) -> None:
        assert place not in self.squares[seat], "what lies face up is fixed"
        assert seat not in self.gone
        self.squares[seat][place] = card
        assert max(map(len, self.squares)) - min(
            len(square) for other, square in with_seats(self.squares) if other not in self.gone
        ) in (0, 1), "everybody has as many turns"

    def score(self, event: DealScored) -> None:
        for seat, square in with_seats(self.squares):
            if seat not in self.gone:
                assert len(square) == 4, "everybody has had four turns"
                self.totals[seat] += counted([TEXT[card] for card in square.values()])
        assert [score.total for score in event.scores] == [
            total for seat, total in with_seats(self.totals) if seat not in self.gone
        ]
        assert event.out == tuple(
            seat for seat, total in with_seats(self.totals) if total >= self.limit and seat not in self.gone
        )
        self.gone += event.out


def counted(square: Sequence[str]) -> int:
    """Return the points of a square such as 7S QH QD KC: remove pairs until there are none, then add up."""
    ranks = [card[:-1] for card in square]
    for rank in sorted(set(ranks)):
        while ranks.count(rank) >= 2:
            ranks.remove(rank)
            ranks.remove(rank)
    return sum({"A": 1, "J": 10, "Q": 10, "K": 0}[rank] if rank in "AJQK" else int(rank) for rank in ranks)
