"""A second referee of Palace: slow, with ranks instead of card numbers, and close to the rulebook's words. It
receives the public events and checks every one that follows from earlier ones."""

from games.contract import Event, Outcome
from games.ending import Ended
from games.palace.cards import RANKS
from games.palace.events import Began, BlindFailed, PileStarted, Played, ShowsRevealed, Took, WentOut
from games.palace.options import PalaceOptions
from games.types import SEATS, Seat, with_seats

ORDER = ["3", "4", "5", "6", "8", "9", "J", "Q", "K"]
WILD = {"A", "2", "7", "10"}


def fits(rank: str, pile: list[str], allow_equal: bool = False) -> bool:
    """Return whether a rank may be played on a pile (bottom to top)."""
    under_glass = [card for card in pile if card != "7"]
    if rank in WILD or not under_glass or under_glass[-1] in ("A", "2"):
        return True
    top = under_glass[-1]
    if top == "9":
        return rank in ("3", "4", "5", "6", "8")
    return ORDER.index(rank) > ORDER.index(top) or (allow_equal and rank == top)


class Referee:
    """A referee that knows how many cards each seat holds and has face down, and which cards lie face up."""

    def __init__(self, options: PalaceOptions, seats: int) -> None:
        self.options = options
        self.hand = [3] * seats
        self.down = [3] * seats
        self.up: list[list[str]] = [[] for _ in range(seats)]
        self.in_play = list(SEATS[:seats])
        """Seats still in, in the order of play to the left."""
        self.out: list[int] = []
        self.pile: list[str] = []
        self.stock = 104 - 9 * seats
        self.left = True
        """True while play goes to the left."""
        self.quiet = 0
        self.plays = 0

    def scores(self) -> tuple[int, ...]:
        return tuple(
            self.hand[seat] + len(self.up[seat]) + self.down[seat] for seat in SEATS[: len(self.hand)]
        )

    def receive(self, event: Event) -> None:
        match event:
            case Began():
                self.turn = SEATS[(event.dealer + 1) % len(self.hand)]
            case ShowsRevealed():
                self.up = [[RANKS[kind] for kind in three] for three in event.shown]
            case PileStarted():
                self.stock -= event.tens + 1
                self.pile = [RANKS[event.kind]]
                assert self.turn == event.next
            case Played():
                self.played(event)
            case Took():
                self.took(event)
            case BlindFailed():
                self.failed(event)
            case WentOut():
                assert self.out[event.place - 1 :] == [event.seat]
            case Ended():
                self.ended(event.outcome)

    def played(self, event: Played) -> None:
        rank = RANKS[event.kind]
        assert event.seat == self.turn
        assert fits(rank, self.pile, self.options.allow_equal)
        assert 1 <= event.count <= (1 if event.zone == "blind" else 4)
        self.plays, self.quiet = self.plays + 1, self.quiet + 1
        self.lay_from(event, rank)
        self.pile += [rank] * event.count
        four = len(self.pile) >= 4 and set(self.pile[-4:]) == {rank} and self.options.four_across_turns
        gone = rank == "10" or event.count == 4 or four
        assert event.gone == (len(self.pile) if gone else 0)
        if gone:
            self.pile = []
        fresh = min(self.stock, max(0, 3 - self.hand[event.seat]))
        assert event.drawn == fresh
        self.stock -= fresh
        self.hand[event.seat] += fresh
        if gone or fresh:
            self.quiet = 0
        self.pass_on(event, rank, gone)

    def lay_from(self, event: Played, rank: str) -> None:
        seat = event.seat
        if event.zone == "hand":
            self.hand[seat] -= event.count
            assert self.hand[seat] >= 0
            return
        assert self.stock == self.hand[seat] == 0
        self.quiet = 0
        if event.zone == "table":
            for _ in range(event.count):
                self.up[seat].remove(rank)
        else:
            assert self.up[seat] == []
            self.down[seat] -= 1

    def pass_on(self, event: Played, rank: str, gone: bool) -> None:
        out = self.scores()[event.seat] == 0
        over = out and (not self.options.play_for_places or len(self.in_play) == 2)
        turns = rank == "Q" and event.count in (1, 3) and not gone and len(self.in_play) > 2 and not over
        if turns:
            self.left = not self.left
        assert event.turned == ((1 if self.left else -1) if turns else 0)
        again = (gone or rank == "A") and not out
        passed = event.count if rank == "8" and not gone and not over else 0
        skipped: list[Seat] = []
        if not again and not over:
            *skipped, self.turn = self.after(event.seat, 1 + passed, out)
        if out:
            self.in_play.remove(event.seat)
            self.out.append(event.seat)
        assert list(event.skipped) == skipped
        assert event.next == (None if over else self.turn)

    def after(self, seat: Seat, steps: int, out: bool) -> list[Seat]:
        """Return the next `steps` seats in playing order, going round if needed; `seat` counts unless `out`."""
        place = self.in_play.index(seat)
        order = self.in_play[place + 1 :] + self.in_play[:place]
        order = order if self.left else order[::-1]
        order = order if out else [*order, seat]
        return (order * steps)[:steps]

    def took(self, event: Took) -> None:
        assert event.seat == self.turn
        assert event.pile
        assert [RANKS[kind] for kind in event.pile] == self.pile
        assert self.hand[event.seat] or self.up[event.seat]
        assert event.forced is not self.options.voluntary_pickup
        self.plays, self.quiet = self.plays + 1, self.quiet + 1
        self.pick_up(len(event.pile))

    def failed(self, event: BlindFailed) -> None:
        assert event.seat == self.turn
        assert [RANKS[kind] for kind in event.pile] == self.pile
        assert not fits(RANKS[event.kind], self.pile, self.options.allow_equal)
        assert self.hand[event.seat] == self.stock == len(self.up[event.seat]) == 0
        self.plays, self.quiet = self.plays + 1, 0
        self.down[event.seat] -= 1
        self.pick_up(len(event.pile) + 1)

    def pick_up(self, number: int) -> None:
        self.hand[self.turn] += number
        self.pile = []
        (self.turn,) = self.after(self.turn, 1, out=False)

    def ended(self, outcome: Outcome) -> None:
        left = self.scores()
        first_out = {seat: place for place, seat in enumerate(self.out, 1)}
        still = sorted(left[seat] for seat in self.in_play)
        for seat, placing in with_seats(outcome.placings):
            if seat in first_out:
                assert placing == first_out[seat]
            else:
                assert placing == 1 + len(self.out) + still.index(left[seat])
        decided = self.out and (not self.options.play_for_places or len(self.in_play) == 1)
        assert decided or self.quiet == 100 or self.plays == 4000
