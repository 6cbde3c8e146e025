"""The public record of a table, cut into pages. Each page is a message.

A page is a round or a deal of the game; a long one is cut. The last page is open: its message is the live table. Pages
are computed from the log, so recovery after a restart needs no code of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from bot.match.names import seat_names
from bot.match.state import Player
from games import AnyGame, Event
from games.contract import Outcome
from games.phrases import counted
from games.types import with_seats

MOST_LINES = 20
"""Number of lines from which a page ends with the next line, in the middle of its round or deal."""
MOST_LETTERS = 3_000
"""Number of characters from which a page ends: Discord takes 4,000 in a message, and emojis make texts longer."""
MOST_SHOWN = 3_600
"""Maximum number of characters of a page that a message shows. A page that gets longer ends within a line; only those
of real-time games are never cut."""
LEFT_OUT = 40
"""Maximum number of characters of the line that says how many others are not shown."""
MEASURE_EVERY = 8
"""Items after which the length of a page is measured again."""


@dataclass(frozen=True, slots=True)
class PublicItem:
    """One thing that happened in public: an event of the game, or a line of the table itself."""

    n: int
    """Number of its log entry."""
    players: tuple[Player, ...]
    """`TableState.seated` at the time. The record keeps the names when a seat changes hands."""
    event: Event | None = None
    line: str = ""
    """The text, when it is no event of the game."""

    @property
    def is_result(self) -> bool:
        """True for the event that says how the match ended. The last message of the table says it, too."""
        return isinstance(getattr(self.event, "outcome", None), Outcome)


@dataclass(slots=True)
class Page:
    """The items that one message shows. `first` is the number of the first of them, from 1."""

    first: int
    items: list[PublicItem] = field(default_factory=list)
    full: bool = False
    """True when it is so long that it ends before the next line."""
    closed: bool = False
    """True when no items will be added."""

    def lines(self, game: AnyGame, most: int = MOST_SHOWN) -> list[str]:
        """Return the items as short lines of Markdown, of at most `most` characters. The oldest are left out when there
        are more, and another line says how many."""
        shown = lines(self.items, game)
        lengths = accumulate(len(line) + 1 for line in reversed(shown))
        left_out = len(shown) - sum(length <= most for length in lengths)
        note = f"-# … left out: {counted(left_out, 'earlier line')}"
        return [note, *shown[left_out:]] if left_out else shown


class Pages:
    """The pages of a match whose messages may still change; earlier ones are dropped."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.kept: list[Page] = [Page(1)]
        self.lead: list[PublicItem] = []
        """The items of the page before, if the open page goes on with its round or deal."""
        self.public_number = 0
        """Number of the last item. Items of dropped pages count, too."""

    def add(self, items: Iterable[PublicItem]) -> None:
        """Add the items of one log entry."""
        entry = [*items]
        if self.live.full and self._may_end_before(entry):
            self._end_page()
        before = len(self.live.items)
        for item in entry:
            self.public_number += 1
            self.live.items.append(item)
            if self._closes(item):
                self._end_page()
                before = 0
        count = len(self.live.items)
        if count // MEASURE_EVERY != before // MEASURE_EVERY:
            self.live.full = self.live.full or self._is_long(self.live)

    @property
    def live(self) -> Page:
        """The open page."""
        return self.kept[-1]

    @property
    def recent(self) -> list[PublicItem]:
        """The items of the kept pages; before them, if only the open page is kept, those in `lead`."""
        kept = [item for page in self.kept for item in page.items]
        return kept if len(self.kept) > 1 else self.lead + kept

    def forget(self, page: Page) -> None:
        """Drop a page whose message will not change any more. The open page stays."""
        if page is not self.live:
            self.kept.remove(page)

    def begin_at(self, *posted: int) -> None:
        """Let pages begin at these items, as their messages do. Drop the items before the first of them."""
        items = [item for page in self.kept for item in page.items]
        # A newer version of the bot may cut pages elsewhere.
        first, *later = [number for number in posted if number <= len(items) + 1]
        self.kept, self.public_number = [Page(first)], first - 1
        for number in later:
            self.live.items += items[self.public_number : number - 1]
            self.public_number = number - 1
            self._end_page()
        for _, entry in groupby(items[self.public_number :], lambda item: item.n):
            self.add(entry)

    def _end_page(self) -> None:
        ended = self.live
        ended.closed = True
        self.lead = [] if self._closes(ended.items[-1]) else ended.items
        self.kept.append(Page(self.public_number + 1))

    def _closes(self, item: PublicItem) -> bool:
        return item.event is not None and self._game.record.closes(item.event)

    def _is_long(self, page: Page) -> bool:
        if self._game.real_time:
            return False  # everybody is clicking at that message
        shown = lines(page.items, self._game, _long_names)
        return len(shown) > MOST_LINES or sum(map(len, shown)) > MOST_LETTERS

    def _may_end_before(self, entry: Sequence[PublicItem]) -> bool:
        """Return whether the full page may end before these items."""
        events, new = _events(self.live.items), _events(entry)
        if not new:
            # Lines of the table itself may stand within a turn.
            return bool(entry) and self._is_too_long(self.live)
        # Not where they share a line with the last event of the page, as the moves of one turn do.
        names = _long_names(entry[0].players)
        apart = self._game.record.lines(events, names) + self._game.record.lines(new, names)
        return self._game.record.lines(events + new, names) == apart or self._is_too_long(self.live)

    def _is_too_long(self, page: Page) -> bool:
        return sum(map(len, lines(page.items, self._game, _long_names))) > MOST_SHOWN


def _events(items: Iterable[PublicItem]) -> list[Event]:
    return [item.event for item in items if item.event]


def _long_names(players: Iterable[Player]) -> list[str]:
    """Return names for measuring: pages must not depend on the names of players."""
    return [f"Somebody in seat {seat}" for seat, _ in with_seats(players)]


def lines(
    items: Iterable[PublicItem],
    game: AnyGame,
    named: Callable[[Iterable[Player]], Sequence[str]] = seat_names,
) -> list[str]:
    """Return the items as short lines of Markdown, in order, with the names of the players at the time, as `named`
    returns them."""
    shown: list[str] = []
    for (is_event, players), run in groupby(items, lambda item: (item.event is not None, item.players)):
        if is_event:
            shown += game.record.lines(_events(run), named(players))
        else:
            shown += [item.line for item in run]
    return shown
