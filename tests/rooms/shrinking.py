"""A shorter time, fewer faults and fewer people with which a room still breaks its law."""

import time
from collections.abc import Iterable, Iterator, Set
from contextlib import closing
from dataclasses import replace
from itertools import takewhile

from tests.rooms.forks import outcomes
from tests.rooms.plan import Plan
from tests.rooms.seeded import Outcome

LONGEST = 90.0
"""Seconds after which no more rooms are tried."""
SHORTER = (0.25, 0.5, 0.75)
"""Parts of the time that are tried first."""


def shrunk(outcome: Outcome, jobs: int) -> Outcome:
    """Return the outcome of the smallest room found in which the same law is broken. It may be the same one."""
    end, needed = time.monotonic() + LONGEST, set[str]()
    plan = outcome.plan
    shorter = (replace(plan, seconds=part * plan.seconds) for part in SHORTER)
    outcome = _first(shorter, outcome, jobs, end, needed) or outcome
    size = max(1, len(outcome.items) // 2)
    while size and time.monotonic() < end:
        found = _first(_smaller(outcome, size, needed), outcome, jobs, end, needed)
        if found is None:
            size //= 2
            needed.clear()
        outcome = found or outcome
    return outcome


def _first(plans: Iterable[Plan], like: Outcome, jobs: int, end: float, needed: set[str]) -> Outcome | None:
    """Return the first of some rooms in which the same law is broken. Note what those lack in which none is."""
    laws = {_law(each) for each in like.violations}
    in_time = takewhile(lambda _: time.monotonic() < end, plans)
    with closing(outcomes(in_time, jobs)) as tried:
        for each in tried:
            if laws & {_law(one) for one in each.violations}:
                return each
            needed |= each.plan.dropped - like.plan.dropped
    return None


def _law(violation: str) -> str:
    return violation.partition(":")[0].partition(",")[0]


def _smaller(outcome: Outcome, size: int, needed: Set[str]) -> Iterator[Plan]:
    """Yield the plan without `size` of its faults and people, each of them once, but for those that are needed."""
    items = [each for each in outcome.items if each not in needed]
    for at in range(0, len(items), size):
        yield replace(outcome.plan, dropped=outcome.plan.dropped | {*items[at : at + size]})
