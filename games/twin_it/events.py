"""What happens in a match of Twin It! All of it is public, as the cards are. Times are ms of Discord's clock; a face
is named by its number, and every face that comes to show is told whole, so a referee can follow from these alone."""

from typing import NamedTuple

from games.contract import Event, Outcome, event
from games.twin_it.options import Mode
from games.twin_it.state import Face


class Laid(NamedTuple):
    """A hand that lay on a face when something was decided."""

    seat: int
    face: int
    at: int


@event
class Dealt(Event):
    """Piles are dealt. `piles` are their sizes by seat, `start` flips first; the designs of the barred cards never
    match for the seats in `barred`. `faces` show."""

    piles: tuple[int, ...]
    start: int
    barred: tuple[int, ...]
    faces: tuple[Face, ...]


@event
class Flipped(Event):
    """`seat` has turned the top card of the own pile over onto the table. `gone` showed on the pile; of `faces` the
    first shows on the table, the second, if there is one, on the pile."""

    seat: int
    gone: int
    faces: tuple[Face, ...]


@event
class HandLaid(Event):
    """A hand lies on a face and waits."""

    seat: int
    face: int
    at: int


@event
class HandsLifted(Event):
    """Hands are up again, each (seat, face): their owner lifted them, or, with `lapsed`, their time was over. Hands
    on a face that goes lift without a word."""

    hands: tuple[tuple[int, int], ...]
    lapsed: bool


@event
class SetWon(Event):
    """`seat` has a set of `size` cards. `hands` are all that lay on its faces, the winner's last two or three first;
    so the others tell by how much they were late.

    `gone` show no longer, `faces` came to show: the top of the set first, except against time for a set of three,
    which leaves the spread; then piles' new tops. `turned` is the third visible card, turned over.
    `from_side` had the pair that the third copy was added to, be it the winner's own."""

    seat: int
    side: int
    design: int
    size: int
    at: int
    hands: tuple[Laid, ...]
    gone: tuple[int, ...]
    faces: tuple[Face, ...]
    turned: Face | None
    from_side: int | None


@event
class Tied(Event):
    """Hands of two sides lay on a match: the cards are turned over in place. `hands` has the rivals' first and the one
    that came down last, `apart` ms after theirs. `gone` show no longer; `faces` are the other sides, in that order."""

    design: int
    apart: int
    hands: tuple[Laid, ...]
    gone: tuple[int, ...]
    faces: tuple[Face, ...]


@event
class Erred(Event):
    """`seat` laid hands on what is no match and rests until `until`. `given` is the design of the set that goes back
    under its pile, None if there was none, `size` how many cards that was; `gone` was its top.
    `faces` has the pile's top if that came to show."""

    seat: int
    hands: tuple[Laid, ...]
    until: int
    given: int | None
    size: int
    gone: int | None
    faces: tuple[Face, ...]


@event
class Turned(Event):
    """Against time: `seat` turned a card of the spread over; `gone` became `face`."""

    seat: int
    gone: int
    face: Face


@event
class Ready(Event):
    """`seat` is ready for the spread; `count` of `of` are."""

    seat: int
    count: int
    of: int


@event
class Countdown(Event):
    """Everybody is ready: the spread is uncovered at `opens`."""

    opens: int


@event
class Opened(Event):
    """The spread is uncovered and the time runs until `ends`."""

    ends: int
    faces: tuple[Face, ...]


@event
class Offered(Event):
    """Against time: a spread lies covered and waits for everybody to be ready. `void` when the house was away during
    the race before, which then does not count."""

    void: bool


@event
class Ended(Event):
    """The match is over; the scores are sets, or against time points."""

    mode: Mode
    outcome: Outcome
