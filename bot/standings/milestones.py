"""Milestones: a few things that a person achieves once. Pure.

Only rated matches count, and nobody achieves anything in a match that a caretaker played for them. Running values are
kept from match to match, so a new match is evaluated without reading the earlier ones.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from bot.standings.ratings import RatedMatch
from bot.store import ProgressRow, Result
from games.advice import STRENGTHS

Counts: TypeAlias = Mapping[str, int]
"""Values by key. A missing one is 0."""

BIDS: Final = 10
"""Number of exact bids in a row."""
FEWEST_BIDS: Final = 5
"""Smallest number of bids in a match that can be a milestone by being all exact."""
WINS: Final = 100
WINS_IN_A_ROW: Final = 5
GAMES_WON: Final = 6
"""Number of games with a win. A fixed number: a new game takes no milestone away."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Milestones of a person, and the running values from which the next ones follow."""

    counts: Counts = field(default_factory=dict)
    earned: Mapping[str, int] = field(default_factory=dict)
    """By the code of each milestone: the match that earned it."""


@dataclass(frozen=True, slots=True)
class Feat:
    """All that a milestone is decided by."""

    counts: Counts
    """Running values, with this match."""
    game: str
    won: bool
    facts: Counts
    """Facts of this match (see `games.contract.Facts`)."""

    def count(self, key: str) -> int:
        """Return a running value."""
        return self.counts.get(key, 0)

    def fact(self, key: str) -> int:
        """Return a fact of this match; 0 when it is missing."""
        return self.facts.get(key, 0)


@dataclass(frozen=True, slots=True)
class Milestone:
    """One thing to achieve."""

    title: str
    """Noun phrase for use after a name and a colon: "first win"."""
    is_reached: Callable[[Feat], bool]


def _won_without(game: str, fact: str) -> Callable[[Feat], bool]:
    """Return the rule that a match of a game was won and a fact of it is 0."""
    return lambda feat: feat.game == game and feat.won and feat.facts.get(fact) == 0


MILESTONES: Final[Mapping[str, Milestone]] = {
    "win": Milestone("first win", lambda feat: feat.won),
    "row": Milestone("five wins in a row", lambda feat: feat.count("row") >= WINS_IN_A_ROW),
    "hundred": Milestone("100 wins", lambda feat: feat.count("wins") >= WINS),
    "games": Milestone("a win in six games", lambda feat: _kinds(feat.counts, "won:") >= GAMES_WON),
    "strengths": Milestone(
        "ahead of computers of every strength",
        lambda feat: _kinds(feat.counts, "beaten:") == len(STRENGTHS),
    ),
    "bids": Milestone("ten bids in a row hit", lambda feat: feat.count("bids") >= BIDS),
    "all-bids": Milestone(
        "every bid of a match hit", lambda feat: feat.fact("exact") == feat.fact("bids") >= FEWEST_BIDS
    ),
    "palace": Milestone(
        "a match of Palace without taking the pile",
        lambda feat: feat.game == "palace" and feat.facts.get("piles_taken") == 0,
    ),
    "palmer": Milestone(
        "a deal of Palmer with 0 points", lambda feat: feat.game == "palmer" and feat.fact("deals_zero") > 0
    ),
    "thirty-one": Milestone(
        "a match of Thirty-One won without a payment", _won_without("thirty-one", "tokens_paid")
    ),
    "twin-it": Milestone(
        "a match of Twin It! won without a mistake",
        # In a team the other player may have found all sets.
        lambda feat: (
            _won_without("twin-it", "mistakes")(feat) and feat.fact("sets") + feat.fact("race_sets") > 0
        ),
    ),
}
"""Milestones by their codes, in the order in which they are listed. A code never changes: it is stored."""


def earn(
    before: Mapping[int, ProgressRow], results: Sequence[Result], rated: RatedMatch
) -> list[ProgressRow]:
    """Return the progress of everybody in `results` after a match, from that before it, by user."""
    rows = []
    for result in results:
        progress = advance(progress_of(before.get(result.user)), result, rated)
        rows.append(ProgressRow(result.user, _json(progress.counts), _json(progress.earned)))
    return rows


def advance(progress: Progress, result: Result, rated: RatedMatch) -> Progress:
    """Return a person's progress after a match."""
    seat, facts = rated.people[result.seat], json.loads(result.facts)
    won = result.placing == 1 and not seat.replaced
    counts = {**progress.counts, **_runs(progress.counts, result.game, won, {} if seat.replaced else facts)}
    if seat.replaced:
        return replace(progress, counts=counts)
    if won:
        counts |= {"wins": counts.get("wins", 0) + 1, f"won:{result.game}": 1}
    beaten = (other.strength for other in rated.seats if other.strength and other.placing > seat.placing)
    counts |= {f"beaten:{strength}": 1 for strength in beaten}
    feat = Feat(counts, result.game, won, facts)
    new = [
        code
        for code, milestone in MILESTONES.items()
        if code not in progress.earned and milestone.is_reached(feat)
    ]
    return Progress(counts, {**progress.earned, **dict.fromkeys(new, result.match)})


def progress_of(row: ProgressRow | None) -> Progress:
    """Return the progress in a row of the store; that of a new person for None."""
    return Progress(json.loads(row.counts), json.loads(row.earned)) if row else Progress()


def titles(progress: Progress, match: int | None = None) -> Iterator[str]:
    """Yield the titles of the milestones, with `match` only of those that it earned."""
    for code, milestone in MILESTONES.items():
        if code in progress.earned and match in (None, progress.earned[code]):
            yield milestone.title


def _runs(before: Counts, game: str, won: bool, facts: Counts) -> dict[str, int]:
    """Return the new values of everything that counts in a row.

    "row" counts wins. "bids" is the longest run of exact bids, "bids:" with a game the run at the end of the last match
    there, which the next match continues.
    """
    runs = {"row": before.get("row", 0) + 1 if won else 0}
    run = f"bids:{game}"
    if "bids" not in facts:
        return runs | ({run: 0} if run in before else {})
    continued = before.get(run, 0) + facts.get("exact_start", 0)
    whole = facts.get("exact_start", 0) == facts["bids"]
    longest = max(before.get("bids", 0), continued, facts.get("exact_run", 0))
    return runs | {"bids": longest, run: continued if whole else facts.get("exact_end", 0)}


def _kinds(counts: Counts, prefix: str) -> int:
    return sum(key.startswith(prefix) for key in counts)


def _json(values: Mapping[str, int]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"))
