"""What is about to happen at a table: entries of its log that have no number yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.sitting import Sitting
from bot.store import Entry


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that has no number yet."""

    kind: str
    seat: int | None = None
    user: int | None = None
    body: str = ""

    def entry(self, n: int, at: int) -> Entry:
        """The same as number `n` of a log."""
        return Entry(n, self.kind, self.seat, self.user, self.body, at)


def entries(sitting: Sitting, at: int, drafts: Sequence[Draft]) -> Iterator[Entry]:
    """The drafts as entries at `at`, or as late as the last one; before them what has happened by itself until then.

    Each is made when the one before it has been applied. What fell due while the house was away does not happen.
    """
    if not any(draft.kind == "resume" for draft in drafts):
        while (due := sitting.due()) is not None and due <= at:
            yield Draft("tick").entry(sitting.n + 1, max(due, sitting.at))
    for draft in drafts:
        yield draft.entry(sitting.n + 1, max(at, sitting.at))
