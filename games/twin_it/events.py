"""Events of a match of Twin It! All of them are public, and they suffice to recount a whole match.

Times are ms of Discord's clock. A face is named by its number, and each face that comes to show is given as a `Face`.
"""

from games.contract import Event, Outcome, event
from games.twin_it.options import Mode
from games.twin_it.state import Face, Hand, Turn
from games.types import Seat


@event
class Dealt(Event):
    """The piles were dealt. `piles` are their sizes by seat; `start` flips first. The designs of the forbidden cards
    never match for the seats in `barred`. `faces` are all faces that show."""

    piles: tuple[int, ...]
    start: Seat
    barred: tuple[Seat, ...]
    faces: tuple[Face, ...]


@event
class Flipped(Event):
    """`seat` turned the top card of its pile over onto the table at `at`. `gone` showed on the pile before. The first
    of `faces` shows on the table, the second, if there is one, on the pile."""

    seat: Seat
    gone: int
    faces: tuple[Face, ...]
    at: int


@event
class HandLaid(Event):
    """`seat` laid a hand on a face, and nothing was decided yet."""

    seat: Seat
    face: int
    at: int


@event
class HandsLifted(Event):
    """Hands were lifted by their owner, or, with `lapsed`, because their time was over. A hand on a face that goes is
    lifted without this event."""

    hands: tuple[Hand, ...]
    lapsed: bool


@event
class SetWon(Event):
    """`seat` won a set of `size` cards. `hands` are all hands on its faces, first the winner's two or three.

    `gone` are the faces that no longer show. `faces` have come to show: first the top of the set (but in a race a set
    of three leaves the spread), then new tops of piles. `turned` is the third visible card, which was turned over.
    `from_side` is the side that had the pair to which the third copy was added, possibly the winner's own; None when
    the set is new."""

    seat: Seat
    side: int
    design: int
    size: int
    at: int
    hands: tuple[Hand, ...]
    gone: tuple[int, ...]
    faces: tuple[Face, ...]
    turned: Face | None
    from_side: int | None


@event
class Tied(Event):
    """Hands of two sides lay on a match, and its cards were turned over in place.

    `hands` has the rivals' hands first; its last hand caused the tie, `apart` ms after theirs. `gone` are the faces
    that no longer show, `faces` the other sides of these cards, in the same order."""

    design: int
    apart: int
    hands: tuple[Hand, ...]
    gone: tuple[int, ...]
    faces: tuple[Face, ...]


@event
class Erred(Event):
    """`seat` laid hands on faces that are no match for it, and cannot lay any until `until`. A set went back under its
    pile: `given` is its design (None if there was none), `size` its number of cards, `gone` its top face. `faces` has
    the top of the pile if that came to show. `turn` is who flips next; None in a race. `alone`: one of a team laid both
    hands. `barred` are the forbidden cards of its side. `alike`: the faces are alike, and their design is forbidden;
    texts say that to the player alone, as rivals may still take them."""

    seat: Seat
    hands: tuple[Hand, ...]
    until: int
    given: int | None = None
    size: int = 0
    gone: int | None = None
    faces: tuple[Face, ...] = ()
    turn: Turn = None
    alone: bool = False
    barred: tuple[int, ...] = ()
    alike: bool = False


@event
class Turned(Event):
    """In a race, `seat` turned a card of the spread over; `gone` became `face`."""

    seat: Seat
    gone: int
    face: Face


@event
class Ready(Event):
    """`seat` is ready for the race; `count` seats of `of` are ready now."""

    seat: Seat
    count: int
    of: int


@event
class Countdown(Event):
    """Everybody is ready; the spread is uncovered at `opens`."""

    opens: int


@event
class Opened(Event):
    """The spread was uncovered; the race runs until `ends`."""

    ends: int
    faces: tuple[Face, ...]


@event
class Offered(Event):
    """A race is offered: the spread lies covered until everybody is ready. `void` is true when the race before does not
    count: the bot was away."""

    void: bool


@event
class Ended(Event):
    """The match is over. The scores are sets, or in a race points."""

    mode: Mode
    outcome: Outcome
