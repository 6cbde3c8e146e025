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

MOST_LINES = 20
"""Maximum number of lines of a page. A longer one ends in the middle of its round or deal."""
MOST_LETTERS = 3_000
"""Maximum number of characters of a page: Discord takes 4,000 in a message, and emojis make texts longer."""
MOST_SHOWN = 3_600
"""Maximum number of characters of a page that a message shows. Only pages of real-time games are longer: never cut."""
MEASURE_EVERY = 8
"""Items after which the length of a page is measured again."""


@dataclass(frozen=True, slots=True)
class PublicItem:
    """One thing that happened in public: an event of the game, or a line of the table itself."""

    n: int
    """Number of its log entry."""
    players: tuple[Player, ...]
    """Those who sat at the table, by seat. The record keeps their names when a seat changes hands."""
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
    closed: bool = False
    """True when no items will be added."""

    def lines(self, game: AnyGame) -> list[str]:
        """Return the items as short lines of Markdown. The oldest are left out when a message cannot hold all."""
        shown = lines(self.items, game)
        lengths = accumulate(len(line) + 1 for line in reversed(shown))
        left_out = len(shown) - sum(length <= MOST_SHOWN for length in lengths)
        return [f"-# … {left_out} lines before these are left out.", *shown[left_out:]] if left_out else shown


class Pages:
    """The pages of a match whose messages may still change; earlier ones are dropped."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.kept: list[Page] = [Page(1)]
        self.public_number = 0
        """Number of the last item. Items of dropped pages count, too."""

    def add(self, items: Iterable[PublicItem]) -> None:
        """Add the items of one log entry."""
        before = len(self.live.items)
        for item in items:
            self.public_number += 1
            self.live.items.append(item)
            if item.event is not None and self._game.closes(item.event):
                self._end_page()
                before = 0
        count = len(self.live.items)
        if count // MEASURE_EVERY != before // MEASURE_EVERY and self._is_long(self.live):
            self._end_page()

    @property
    def live(self) -> Page:
        """The open page."""
        return self.kept[-1]

    def forget(self, page: Page) -> None:
        """Drop a page whose message will not change any more. The open page stays."""
        if page is not self.live:
            self.kept.remove(page)

    def begin_at(self, number: int) -> None:
        """Drop the items before item `number`: they are posted already."""
        items = [item for page in self.kept for item in page.items][number - 1 :]
        self.kept, self.public_number = [Page(number)], number - 1
        for _, entry in groupby(items, lambda item: item.n):
            self.add(entry)

    def first_after(self, n: int) -> int:
        """Return the number of the first item after log entry `n`."""
        return 1 + sum(item.n <= n for page in self.kept for item in page.items)

    def _end_page(self) -> None:
        self.live.closed = True
        self.kept.append(Page(self.public_number + 1))

    def _is_long(self, page: Page) -> bool:
        if self._game.real_time:
            return False  # everybody is clicking at that message
        shown = lines(page.items, self._game, _long_names)
        return len(shown) > MOST_LINES or sum(map(len, shown)) > MOST_LETTERS


def _long_names(players: Iterable[Player]) -> list[str]:
    """Return names for measuring: a page's length depends on the log alone, not on the players' names."""
    return [f"Somebody in seat {seat}" for seat, _ in enumerate(players)]


def lines(
    items: Iterable[PublicItem],
    game: AnyGame,
    named: Callable[[Iterable[Player]], Sequence[str]] = seat_names,
) -> list[str]:
    """Return the items as short lines of Markdown, in order, with the names of those who sat there at the time. `named`
    returns the names of players."""
    shown: list[str] = []
    for (is_event, players), run in groupby(items, lambda item: (item.event is not None, item.players)):
        if is_event:
            shown += game.record([item.event for item in run if item.event], named(players))
        else:
            shown += [item.line for item in run]
    return shown
