"""`make simulate`: card rooms in virtual time, one for each seed, until a law is broken.

Then it prints what was seen, the command that repeats it, and one that shows it with as few faults and people as were
found to be enough. The status is 1 then.
"""

import argparse
import signal
import sys
import time
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

from games import GAMES
from tests.rooms.forks import outcomes
from tests.rooms.plan import Plan, numbered, spelled
from tests.rooms.seeded import Outcome, plan_of
from tests.rooms.shrinking import shrunk

MOST_SHOWN = 10
"""Number of violations that are printed."""
SHOWN_EVERY = 10.0
"""Seconds between two lines with the figures where there is no terminal."""


def main() -> int:
    """Run the rooms, and return the exit status."""
    wanted = arguments_of()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # else the processes of rooms would go on
    figures, failed = Figures(), False
    for outcome in outcomes(_plans(wanted), wanted.jobs, wanted.trace):
        figures.count(outcome)
        if wanted.verbose:
            counts = {what: n for what, n in outcome.counts.items() if ":" not in what}
            print(f"{outcome.plan.seed} {outcome.digest} {outcome.virtual:.1f} s {counts}")
        if outcome.violations:
            failed = True
            _report(outcome)
            if not wanted.all:
                if not wanted.drop:
                    _report_shrunk(outcome, wanted.jobs)
                break
    print(f"\n{figures}")
    if wanted.verbose:
        print(figures.events())
    return int(failed)


def arguments_of(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is wanted, by default of the command line. Ends the program where that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m tests.rooms", description=__doc__)
    parser.add_argument(
        "--seeds",
        type=_seeds,
        default="1-100",
        help="numbers of rooms, such as 1-100 or 3,7 (default: 1-100)",
    )
    parser.add_argument("--minutes", type=_minutes, default=0.0, help="time with people and faults of each")
    parser.add_argument("--game", type=_game, default="", help="the only game that is played")
    parser.add_argument(
        "--processes",
        type=_count,
        default=0,
        help="number that share the shards (default: two in some rooms)",
    )
    parser.add_argument("--storm", action="store_true", help="cut the power again and again in each room")
    parser.add_argument(
        "--drop", type=_names, default="", help="faults and people that are left out, such as f1-7,p3"
    )
    parser.add_argument("--jobs", type=_count, default=2, help="number of rooms at a time (default: 2)")
    parser.add_argument("--trace", type=Path, help="folder for all requests and answers of each room")
    parser.add_argument("--all", action="store_true", help="go on after a room in which a law is broken")
    parser.add_argument(
        "--verbose", action="store_true", help="print a line for each room, and what was met how often"
    )
    return parser.parse_args(given)


def _seeds(text: str) -> tuple[int, ...]:
    if not text:
        raise ArgumentTypeError("At least one room is needed.")
    return tuple(map(_count, _names(text)))


def _names(text: str) -> tuple[str, ...]:
    try:
        return numbered(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is no number from 1 on.")
    return int(text)


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < inf:
        raise ArgumentTypeError(f"{text!r} is no number of minutes above 0.")
    return minutes


def _game(text: str) -> str:
    if text and text not in GAMES:
        raise ArgumentTypeError(f"There is no game {text!r}. There are {', '.join(sorted(GAMES))}.")
    return text


def _plans(wanted: argparse.Namespace) -> Iterator[Plan]:
    for seed in wanted.seeds:
        yield plan_of(
            seed,
            seconds=wanted.minutes * 60,
            game=wanted.game,
            storm=wanted.storm,
            processes=wanted.processes,
            dropped=frozenset(wanted.drop),
        )


class Figures:
    """What was run so far, shown on stderr."""

    def __init__(self) -> None:
        self._rooms = 0
        self._virtual = 0.0
        self._counts = Counter[str]()
        self._began = self._shown = time.monotonic()

    def count(self, outcome: Outcome) -> None:
        """Count a room, and show the figures now and then."""
        self._rooms += 1
        self._virtual += outcome.virtual
        self._counts.update(outcome.counts)
        if sys.stderr.isatty():
            print(f"\r{self}  ", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._shown > SHOWN_EVERY:
            self._shown = time.monotonic()
            print(self, file=sys.stderr, flush=True)

    def events(self) -> str:
        """Return how often each errand was run and each kind of entry was met, a line for each."""
        found = sorted((what, n) for what, n in self._counts.items() if ":" in what)
        return "\n".join(f"{n:8,} {what}" for what, n in found)

    def __str__(self) -> str:
        of = self._counts
        took = time.monotonic() - self._began
        return (
            f"{self._rooms:,} rooms ({self._virtual / 3600:.1f} hours of them in {took:,.0f} s): "
            f"{of['matches']:,} matches, {of['moves']:,} moves, {of['kills']:,} kills, "
            f"{of['power cuts']:,} power cuts, {of['faults']:,} faults"
        )


def _report(outcome: Outcome) -> None:
    print(f"\nIn room {outcome.plan.seed} a law was broken:")
    for each in outcome.violations[:MOST_SHOWN]:
        print(f"  {each:.2000}")
    if len(outcome.violations) > MOST_SHOWN:
        print(f"  and {len(outcome.violations) - MOST_SHOWN} more")
    print(f"To repeat it: {_command(outcome.plan)}", flush=True)


def _report_shrunk(outcome: Outcome, jobs: int) -> None:
    print("Looking for fewer faults and people that are enough …", flush=True)
    small = shrunk(outcome, jobs)
    if small is outcome:
        print("Nothing was found that can be left out.")
    else:
        print(f"\nIt is broken, too, with {len(small.happened)} faults and {small.people} people:")
        print(f"  {small.violations[0]:.2000}")
        print("\n".join(f"  {each}" for each in small.happened))
        print(f"To repeat that: {_command(small.plan)}")


def _command(plan: Plan) -> str:
    drawn = plan_of(plan.seed, processes=plan.processes)
    usual = plan_of(plan.seed, storm=plan.storm and not drawn.storm)
    minutes = "" if plan.seconds == drawn.seconds else f" MINUTES={plan.seconds / 60:g}"
    game = f" GAME={plan.game}" if plan.game else ""
    drop = f" DROP={spelled(plan.dropped)}" if plan.dropped else ""
    storm = " STORM=1" if plan.storm and not drawn.storm else ""
    processes = "" if plan.processes == usual.processes else f" PROCESSES={plan.processes}"
    return f"make simulate SEEDS={plan.seed}{minutes}{game}{storm}{processes}{drop}"


if __name__ == "__main__":
    sys.exit(main())
