"""A shorter time, fewer faults and fewer people with which a room still breaks its law."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tests.rooms.forks import outcomes
from tests.rooms.plan import Plan
from tests.rooms.seeded import Outcome

TRIES = 60
"""Number of rooms that are tried."""
SHORTER = (0.25, 0.5, 0.75)
"""Parts of the time that are tried first."""


def shrunk(outcome: Outcome, jobs: int) -> Outcome:
    """Return the outcome of the smallest room found in which the same law is broken. It may be the same one."""
    plan = outcome.plan
    shorter = (replace(plan, seconds=part * plan.seconds) for part in SHORTER)
    outcome = _first(shorter, outcome, jobs) or outcome
    tries, size = TRIES, max(1, len(outcome.items) // 2)
    while size and tries > 0:
        plans = [*_smaller(outcome, size)][:tries]
        tries -= len(plans)
        found = _first(plans, outcome, jobs)
        outcome = found or outcome
        size = min(size, max(1, len(outcome.items) // 2)) if found else size // 2
    return outcome


def _first(plans: Iterable[Plan], like: Outcome, jobs: int) -> Outcome | None:
    """Return the first of some rooms in which the same law is broken."""
    laws = {_law(each) for each in like.violations}
    found = (each for each in outcomes(plans, jobs) if laws & {_law(one) for one in each.violations})
    return next(found, None)


def _law(violation: str) -> str:
    return violation.partition(":")[0].partition(",")[0]


def _smaller(outcome: Outcome, size: int) -> Iterator[Plan]:
    """Yield the plan without `size` of its faults and people, each of them once."""
    items = outcome.items
    for at in range(0, len(items), size):
        yield replace(outcome.plan, dropped=outcome.plan.dropped | {*items[at : at + size]})
