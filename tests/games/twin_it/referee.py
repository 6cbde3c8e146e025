"""A second referee of Twin It!, who receives only the public events and counts differently from the engine: by the
faces that show under each number, and by a tally of each set."""

from collections import Counter
from dataclasses import dataclass, field

from games.contract import Event
from games.twin_it.deck import DESIGNS, copies
from games.twin_it.events import (
    Dealt,
    Ended,
    Erred,
    Flipped,
    HandLaid,
    HandsLifted,
    Offered,
    Opened,
    SetWon,
    Tied,
    Turned,
)
from games.twin_it.options import TwinItOptions
from games.twin_it.state import Face
from games.types import SEATS, Seat


@dataclass
class Tally:
    """A set that a side has won."""

    design: int
    size: int
    top: int | None
    """Number of its face; None for a set of three taken from a spread."""


@dataclass
class Referee:
    """The second referee. `visible`: faces that show, by number; `sets`: sets of each side, the last one last;
    `laid`: time since which a hand lies, by seat and number."""

    options: TwinItOptions
    seats: int
    visible: dict[int, Face] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    sets: dict[int, list[Tally]] = field(default_factory=dict)
    laid: dict[tuple[int, int], int] = field(default_factory=dict)
    barred: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.sets = {self.side(seat): [] for seat in SEATS[: self.seats]}

    def side(self, seat: Seat) -> int:
        match self.options.mode:
            case "teams":
                return seat % 2
            case "cooperative":
                return 0
        return seat

    def scores(self) -> tuple[int, ...]:
        worth = {
            side: sum(tally.size - 1 if self.options.against_time else 1 for tally in tallies)
            for side, tallies in self.sets.items()
        }
        return tuple(worth[self.side(seat)] for seat in SEATS[: self.seats])

    def receive(self, event: Event) -> None:  # noqa: C901 - one case for each kind of event
        match event:
            case Dealt():
                self.barred = event.barred
                self.show(*event.faces)
            case Flipped():
                self.hide(event.gone)
                self.show(*event.faces)
            case HandLaid():
                assert event.face in self.visible
                self.laid[event.seat, event.face] = event.at
            case HandsLifted():
                for hand in event.hands:
                    at = self.laid.pop((hand.seat, hand.face))
                    assert not event.lapsed or at >= 0
            case SetWon():
                self.win(event)
            case Tied():
                self.tie(event)
            case Erred():
                self.err(event)
            case Turned():
                self.hide(event.gone)
                self.show(event.face)
            case Opened():
                self.show(*event.faces)
            case Offered():
                self.visible, self.laid = {}, {}
                self.sets = {side: [] for side in self.sets}
            case Ended():
                assert event.outcome.scores == self.scores()

    def show(self, *faces: Face) -> None:
        for face in faces:
            assert face.number not in self.used, "a number belongs to one face for ever"
            assert face.design in range(DESIGNS)
            self.used.add(face.number)
            self.visible[face.number] = face
        shown = Counter(face.design for face in self.visible.values())
        shown.update({tally.design: tally.size - 1 for tallies in self.sets.values() for tally in tallies})
        most = copies(self.options.singles)
        assert all(count <= most[design] for design, count in shown.items()), "more copies than there are"

    def hide(self, *numbers: int) -> None:
        for number in numbers:
            del self.visible[number]
            self.laid = {key: at for key, at in self.laid.items() if key[1] != number}

    def matches(self, seat: Seat, *numbers: int) -> bool:
        designs = {self.visible[number].design for number in numbers}
        return len(designs) == 1 and not (seat in self.barred and designs & self.forbidden())

    def forbidden(self) -> set[int]:
        return {face.design for face in self.visible.values() if face.place == "barred"}

    def win(self, event: SetWon) -> None:
        touched = event.gone[: len(event.gone) - (event.turned is not None)]
        assert self.matches(event.seat, *touched)
        assert {self.visible[number].design for number in event.gone} == {event.design}
        robbed = [
            (side, tally) for side, tallies in self.sets.items() for tally in tallies if tally.top in touched
        ]
        assert [side for side, _ in robbed] == ([] if event.from_side is None else [event.from_side])
        assert event.size == len(touched) + sum(tally.size - 1 for _, tally in robbed)
        for side, tally in robbed:
            assert tally.size == 2, "a set of three is safe"
            self.sets[side].remove(tally)
        self.hide(*event.gone)
        tops = [face.number for face in event.faces if face.place == "set"]
        assert len(tops) == (0 if self.options.against_time and event.size == 3 else 1)
        self.show(*event.faces, *([event.turned] if event.turned else []))
        self.sets[event.side].append(Tally(event.design, event.size, next(iter(tops), None)))

    def tie(self, event: Tied) -> None:
        hands = event.hands
        assert len({self.side(hand.seat) for hand in hands}) > 1, "rivals tie"
        assert {self.visible[hand.face].design for hand in hands} == {event.design}
        assert len({hand.face for hand in hands}) > 1, "on one face nobody ties"
        last = hands[-1]
        rivals = [hand for hand in hands if self.side(hand.seat) != self.side(last.seat)]
        assert all(last.at - hand.at <= self.options.tie_ms for hand in rivals)
        assert event.apart == last.at - max(hand.at for hand in rivals)
        assert all(self.visible[number].place != "set" for number in event.gone), "a won pair stays"
        for hand in hands[:-1]:
            del self.laid[hand.seat, hand.face]
        self.hide(*event.gone)
        self.show(*event.faces)

    def err(self, event: Erred) -> None:
        numbers = [hand.face for hand in event.hands]
        seats = {hand.seat for hand in event.hands}
        alone = self.options.mode == "teams" and len(seats) == 1
        assert alone or not self.matches(event.seat, *numbers)
        for hand in event.hands[:-1]:
            del self.laid[hand.seat, hand.face]
        if event.given is not None:
            tally = self.sets[self.side(event.seat)].pop()
            assert (tally.design, tally.size, tally.top) == (event.given, event.size, event.gone)
            assert tally.top is not None
            self.hide(tally.top)
        else:
            assert self.options.against_time or not self.sets[self.side(event.seat)]
        self.show(*event.faces)
