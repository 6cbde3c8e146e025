"""What is about to happen at a table: entries of its log that have no number yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.match.state import TableState
from bot.store import Entry


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry that has no number yet."""

    kind: str
    seat: int | None = None
    user: int | None = None
    body: str = ""

    def entry(self, n: int, at: int) -> Entry:
        """The same as number `n` of a log."""
        return Entry(n, self.kind, self.seat, self.user, self.body, at)


def ticks(state: TableState, until: int) -> Iterator[Entry]:
    """Yield what has happened by itself until a time in ms, each when the one before it has been applied."""
    while (due := state.due()) is not None and due <= until:
        yield NewEntry("tick").entry(state.n + 1, max(due, state.at))


def entries(state: TableState, at: int, drafts: Sequence[NewEntry]) -> Iterator[Entry]:
    """Yield the drafts as entries at `at`, or as late as the last one, each when the one before it has been applied."""
    for draft in drafts:
        yield draft.entry(state.n + 1, max(at, state.at))
