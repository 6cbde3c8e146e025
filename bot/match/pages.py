"""The public story of a table, cut into pages: a message each.

A page is a round or a deal of the game, or as much as one likes to read at once. The last page is open: its message is
the live table. All of it follows from the log alone, so that telling and recovering are the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from games import AnyGame, Event
from games.contract import Outcome

MOST_LINES = 20
"""Lines after which a page ends, where no round or deal does."""
MOST_LETTERS = 3_000
"""Characters after which it does: a message of Discord's takes 4,000, and emojis make texts longer."""
MOST_TOLD = 3_600
"""Characters of a page that are told, for pages that never end: those of a game of speed."""
MEASURE_EVERY = 8
"""Items after which a page is measured again."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that happened in public: an event of the game, or a line of the table's own."""

    n: int
    """The entry of the log that it belongs to."""
    event: Event | None = None
    line: str = ""
    """Its text, when it is no event of the game."""

    @property
    def is_result(self) -> bool:
        """True when it only says that the match is over and how: the last message says that."""
        return isinstance(getattr(self.event, "outcome", None), Outcome)


@dataclass(slots=True)
class Page:
    """A run of items that one message tells. `first` is the number of the first of them."""

    first: int
    items: list[Item] = field(default_factory=list)
    closed: bool = False
    """True when nothing more comes to it."""

    def lines(self, game: AnyGame, names: Sequence[str]) -> list[str]:
        """Return what happened, in order, as short lines of Markdown; of more than a message holds the last ones."""
        told = lines(self.items, game, names)
        lengths = accumulate(len(line) + 1 for line in reversed(told))
        left_out = len(told) - sum(length <= MOST_TOLD for length in lengths)
        return [f"-# … {left_out} lines before these are left out.", *told[left_out:]] if left_out else told


class Pages:
    """The pages of a match whose messages may still change; earlier ones are dropped."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self.pages: list[Page] = [Page(1)]
        self.told = 0
        """Number of items in all."""

    def add(self, items: Iterable[Item], seats: int) -> None:
        """Take up what one entry of the log has brought, at a table of that many seats."""
        before = len(self.live.items)
        for item in items:
            self.told += 1
            self.live.items.append(item)
            if item.event is not None and self._game.closes(item.event):
                self._turn()
                before = 0
        count = len(self.live.items)
        if count // MEASURE_EVERY != before // MEASURE_EVERY and self._is_long(self.live, seats):
            self._turn()

    @property
    def live(self) -> Page:
        """The page that is open."""
        return self.pages[-1]

    def forget(self, page: Page) -> None:
        """Drop a page whose message changes no more; the last one stays."""
        if page is not self.live:
            self.pages.remove(page)

    def begin_at(self, number: int, seats: int) -> None:
        """Tell only what comes from item `number` on: what was before is told already."""
        items = [item for page in self.pages for item in page.items][number - 1 :]
        self.pages, self.told = [Page(number)], number - 1
        for _, entry in groupby(items, lambda item: item.n):
            self.add(entry, seats)

    def first_after(self, n: int) -> int:
        """Return the number of the first item after entry `n` of the log."""
        return 1 + sum(item.n <= n for page in self.pages for item in page.items)

    def _turn(self) -> None:
        self.live.closed = True
        self.pages.append(Page(self.told + 1))

    def _is_long(self, page: Page, seats: int) -> bool:
        if self._game.real_time:
            return False  # its message is where everybody is clicking
        # A page's length depends on the log alone, not on what people are called.
        told = page.lines(self._game, [f"Somebody in seat {seat}" for seat in range(seats)])
        return len(told) > MOST_LINES or sum(map(len, told)) > MOST_LETTERS


def lines(items: Iterable[Item], game: AnyGame, names: Sequence[str]) -> list[str]:
    """Return what happened, in order, as short lines of Markdown."""
    told: list[str] = []
    for is_event, run in groupby(items, lambda item: item.event is not None):
        if is_event:
            told += game.record([item.event for item in run if item.event], names)
        else:
            told += [item.line for item in run]
    return told


def happened(n: int, events: Iterable[Event], lines: Iterable[str]) -> Iterator[Item]:
    """Return the items of one entry: what happened in the game, then what the table itself says."""
    yield from (Item(n, event) for event in events if event.to is None)
    yield from (Item(n, line=line) for line in lines if line)
