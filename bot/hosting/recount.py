"""`python -m bot recount`: compute results, facts, ratings and milestones again from the logs."""

import sys
from collections.abc import Callable, Sequence
from typing import Final

from bot.match.log import read
from bot.match.results import counted, finished
from bot.match.tables import game_of
from bot.standings.ratings import RatedMatch
from bot.store import Finished, LogRow, Match, Recounted, Result, Store, StoreFailed
from games import phrases

NAMED: Final = 20
"""Maximum number of matches that the report names."""


async def recount(store: Store) -> str:
    """Recount all finished matches, with a progress bar on stderr. Return a report: what differed."""
    return report(await store.recount(redo, progress_bar()))


def redo(match: Match, log: Sequence[LogRow], results: Sequence[Result]) -> Finished:
    """Return the results of a match from its log.

    A match that cannot be replayed (it began under older rules, or has no log) keeps its results. Raises StoreFailed
    for a damaged log.
    """
    game = game_of(match)
    if game is not None and log:
        try:
            return finished(match, game, map(read, log))
        except Exception as error:
            # Its text may have somebody's cards.
            said = f"The log of match {match.id}, which is over, does not replay ({type(error).__name__})."
            raise StoreFailed(said) from error
    if match.rated is None:
        return Finished(results)
    return counted(results, RatedMatch.from_json(match.rated))


def progress_bar(width: int = 30, of: str = "matches") -> Callable[[int, int], None]:
    """Return a function that shows progress on stderr: a bar on a terminal, else a line every tenth. `of` is what is
    counted."""
    shown = -1

    def show(done: int, total: int) -> None:
        nonlocal shown
        tenth = 10 * done // total if total else 10
        if sys.stderr.isatty():
            full = width * done // total if total else width
            bar = "█" * full + "░" * (width - full)
            sys.stderr.write(f"\r{bar} {done:,} of {total:,} {of}" + "\n" * (done == total))
            sys.stderr.flush()
        elif tenth != shown:
            shown = tenth
            sys.stderr.write(f"{done:,} of {total:,} {of}\n")

    return show


def report(found: Recounted) -> str:
    """Return what differed, for the person who runs the bot."""
    done = f"Recounted {phrases.counted(found.matches, 'match')}"
    if not (found.results or found.ratings or found.progress):
        return f"{done}: everything was as stored."
    return f"{done}, and corrected {corrections(found)}."


def corrections(found: Recounted) -> str:
    """Return what differed, as the end of a sentence."""
    parts = [
        f"{what} of {len(matches):,}: {_named(matches)}"
        for what, matches in (("results", found.results), ("ratings", found.ratings))
        if matches
    ]
    if found.progress:
        parts.append(f"milestones of {len(found.progress):,} people")
    return "; ".join(parts)


def _named(matches: Sequence[int]) -> str:
    shown = ", ".join(map(str, matches[:NAMED]))
    return (
        f"matches {shown} …"
        if len(matches) > NAMED
        else f"match {shown}"
        if len(matches) == 1
        else f"matches {shown}"
    )
