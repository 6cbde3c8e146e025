"""Facts about bids, and how they went, for games in which players bid how many tricks they will win."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.facts import FactKind
from games.tricks import Row

BID_KINDS: Final[Mapping[str, FactKind]] = {
    "bids": FactKind("bids", "sum", shown=False),
    "exact": FactKind("bids hit exactly", "sum", of="bids"),
    "exact_run": FactKind("exact bids in a row", "most"),
    # A run continues over two matches when it ends the first and starts the second.
    "exact_start": FactKind("exact bids in a row at the start of a match", "most", shown=False),
    "exact_end": FactKind("exact bids in a row at the end of a match", "most", shown=False),
    "tricks": FactKind("tricks won", "sum"),
}


def bid_facts(rows: Sequence[Row]) -> dict[str, int]:
    """Return the facts of `BID_KINDS`. `rows` are one seat's lines of all score sheets of a match, in order."""
    hits = [row.bid == row.tricks for row in rows]
    return {
        "bids": len(rows),
        "exact": sum(hits),
        "exact_run": max(_run(hits[first:]) for first in range(len(hits) + 1)),
        "exact_start": _run(hits),
        "exact_end": _run(hits[::-1]),
        "tricks": sum(row.tricks for row in rows),
    }


def bid_course(rows: Sequence[Row]) -> str:
    """Return an emoji for each of these lines: an exact bid, one trick off, more."""
    return "".join("🟩🟨🟥"[min(abs(row.bid - row.tricks), 2)] for row in rows)


def _run(hits: Sequence[bool]) -> int:
    """Return the number of hits before the first miss."""
    return [*hits, False].index(False)
