"""A referee who knows the rules from their text alone, sees the public events, and keeps the score by hand."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games.contract import Event
from games.ending import Ended
from games.hand_and_foot.cards import TEXT
from games.hand_and_foot.events import (
    Asked,
    DealBegan,
    DealScored,
    Discarded,
    Drew,
    FootTaken,
    LaidReds,
    Melded,
    PileMade,
    SideScore,
    Took,
)
from games.hand_and_foot.options import HandAndFootOptions
from games.types import SEATS, Seat, with_seats

WILD = ("2", "JOKER")
NATURAL = ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def rank(card: int) -> str:
    text = TEXT[card]
    return text if text == "JOKER" else text[:-1]


def is_red_three(card: int) -> bool:
    return TEXT[card] in ("3D", "3H")


def worth(cards: Iterable[int]) -> int:
    table = {"JOKER": 50, "A": 20, "2": 20, "3": 5, "4": 5, "5": 5, "6": 5, "7": 5}
    return sum(table.get(rank(card), 10) for card in cards)


class Referee:
    """The table as a watcher sees it: numbers of cards in hand, melds, piles and discards."""

    def __init__(self, options: HandAndFootOptions, seats: int) -> None:
        self.last_deal = options.deals
        self.seats = seats
        pairs = seats in (4, 6)
        self.team = [seat % (seats // 2) if pairs else seat for seat in SEATS[:seats]]
        self.totals = [0] * seats
        self.deals = 0
        self.dealer: int | None = None
        self.over = False

    def scores(self) -> tuple[int, ...]:
        return tuple(self.totals)

    def receive(self, event: Event) -> None:
        getattr(self, f"on_{type(event).__name__}")(event)

    def on_DealBegan(self, event: DealBegan) -> None:  # noqa: N802
        self.deals += 1
        assert event.deal == self.deals <= self.last_deal
        assert self.dealer is None or event.dealer == (self.dealer + 1) % self.seats
        assert event.start == (event.dealer + 1) % self.seats
        assert event.minimum == {1: 50, 2: 90, 3: 120, 4: 150}[self.deals]
        self.dealer, self.turn, self.minimum = event.dealer, event.start, event.minimum
        self.stock = 54 * (self.seats + 1) - 22 * self.seats
        self.held = [11] * self.seats
        self.feet = [11] * self.seats
        self.known: list[Counter[int]] = [Counter() for _ in range(self.seats)]
        self.reds = [0] * self.seats
        self.discards: list[int] = []
        self.melds: dict[tuple[int, str], list[int]] = {}
        self.piles: list[tuple[int, str, bool]] = []
        self.melded = [0] * self.seats
        self.opened: set[int] = set()
        self.has_drawn = self.has_asked = False
        self.taken: int | None = None
        self.below: tuple[int, ...] = ()
        self.finished: list[tuple[int, str]] = []

    def on_LaidReds(self, event: LaidReds) -> None:  # noqa: N802
        assert all(map(is_red_three, event.cards))
        self.reds[event.seat] += len(event.cards)
        self.stock -= len(event.cards)
        if self.stock < 0:  # the deal ends, and these three were not replaced
            self.stock += len(event.cards)
            self.held[event.seat] -= len(event.cards)

    def on_Drew(self, event: Drew) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert not self.has_drawn
        self.has_drawn = True
        self.stock -= 2
        assert self.stock >= 0
        self.held[event.seat] += 2

    def on_Took(self, event: Took) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert not self.has_drawn
        taken = [event.top, *reversed(event.below)]
        assert taken == self.discards[::-1][:7]
        assert rank(event.top) in NATURAL
        del self.discards[-len(taken) :]
        self.has_drawn, self.taken, self.below = True, event.top, event.below
        self.held[event.seat] += len(taken)

    def on_Melded(self, event: Melded) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert self.has_drawn
        side, laid = self.team[event.seat], [card for group in event.groups for card in group]
        assert (event.first > 0) == (side not in self.opened)
        if event.first:
            assert event.first == worth(laid) >= self.minimum
            self.opened.add(side)
        if self.taken is not None:
            same = [card for card in laid if rank(card) == rank(self.taken)]
            assert self.taken in laid
            assert len(same) >= 3
            self.taken = None
        for number, group in zip(event.ranks, event.groups, strict=True):
            self._lay(side, TEXT[4 * number][:-1], group)
        self._leave(event.seat, laid)
        # What was laid with the top discard was in the hand before: the discards below it are still there.
        self.known[event.seat] += Counter(self.below)
        self.below = ()
        self.melded[event.seat] += worth(laid)

    def _lay(self, side: int, name: str, group: Sequence[int]) -> None:
        assert {rank(card) for card in group} <= {name, *WILD}
        assert name in NATURAL
        meld = self.melds.setdefault((side, name), [])
        meld += group
        wilds = sum(rank(card) in WILD for card in meld)
        assert 3 <= len(meld) <= 7
        assert wilds < len(meld) - wilds
        if len(meld) == 7:
            self.finished.append((side, name))

    def on_PileMade(self, event: PileMade) -> None:  # noqa: N802
        side = self.team[event.seat]
        name = TEXT[4 * event.rank][:-1]
        self.finished.remove((side, name))
        pile = self.melds.pop((side, name))
        assert len(pile) == 7
        assert event.clean == (not any(rank(card) in WILD for card in pile))
        self.piles.append((side, name, event.clean))

    def _leave(self, seat: Seat, cards: Sequence[int]) -> None:
        self.held[seat] -= len(cards)
        assert self.held[seat] >= 0
        self.known[seat] -= Counter(cards)

    def on_FootTaken(self, event: FootTaken) -> None:  # noqa: N802
        assert self.held[event.seat] == 0
        assert self.feet[event.seat] == 11
        self.held[event.seat], self.feet[event.seat] = 11, 0

    def on_Asked(self, event: Asked) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert not self.has_asked
        assert self.seats in (4, 6)
        assert not self.feet[event.seat]
        assert self.team[event.partner] == self.team[event.seat]
        self.has_asked = True

    def on_Discarded(self, event: Discarded) -> None:  # noqa: N802
        assert event.seat == self.turn
        assert self.has_drawn
        assert self.taken is None
        assert not is_red_three(event.card)
        self._leave(event.seat, [event.card])
        self.discards.append(event.card)
        self.turn = SEATS[(event.seat + 1) % self.seats]
        self.has_drawn = self.has_asked = False

    def on_DealScored(self, event: DealScored) -> None:  # noqa: N802
        assert not self.finished
        if event.out is None:
            assert self.stock < 11
        else:
            self._out(event.out)
        for seat, held in with_seats(event.held):
            assert len(held) == self.held[seat] + self.feet[seat]
            assert not self.known[seat] - Counter(held)
        for score in event.scores:
            self._score(event, score)
        assert sorted(seat for score in event.scores for seat in score.seats) == [*range(self.seats)]

    def _out(self, seat: Seat) -> None:
        assert self.held[seat] == self.feet[seat] == 0
        assert {clean for side, _, clean in self.piles if side == self.team[seat]} == {True, False}
        assert self.has_asked or self.seats not in (4, 6) or self.turn != seat

    def _score(self, event: DealScored, score: SideScore) -> None:
        side = self.team[score.seats[0]]
        seats = [seat for seat in SEATS[: self.seats] if self.team[seat] == side]
        assert list(score.seats) == seats
        clean = [made for made in self.piles if made[0] == side and made[2]]
        dirty = [made for made in self.piles if made[0] == side and not made[2]]
        gained = 500 * len(clean) + 300 * len(dirty) + sum(self.melded[seat] for seat in seats)
        gained += 100 * sum(self.reds[seat] for seat in seats) + 100 * (event.out in seats)
        held = [card for seat in seats for card in event.held[seat]]
        lost = worth(card for card in held if not is_red_three(card)) + 100 * sum(map(is_red_three, held))
        assert (score.clean, score.dirty) == (len(clean), len(dirty))
        assert score.points == gained - lost
        for seat in seats:
            self.totals[seat] += gained - lost
            assert score.total == self.totals[seat]

    def on_Ended(self, event: Ended) -> None:  # noqa: N802
        assert self.deals == self.last_deal
        assert not self.over
        self.over = True
        assert list(event.outcome.scores) == self.totals
        places = [1 + sum(other > own for other in self.totals) for own in self.totals]
        assert list(event.outcome.placings) == places
