"""Replay matches from their logs, in this process or, with `python -m tests.contract.replay`, in another one.

The program reads one match per line (a `Log` as JSON) and prints one digest per line.
"""

import hashlib
import random
import sys

from pydantic import BaseModel

from games.contract import AnyGame
from games.types import Seat
from tests.contract.matches import Match
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS


class Log(BaseModel):
    """A match as it is stored: the arguments of `new`, and (seat, text of the action, time) in order. A tick has
    seat None and an empty text."""

    slug: str
    options: str
    seats: int
    seed: int
    actions: list[tuple[Seat | None, str, int]]


def log(match: Match, seed: int) -> Log:
    """Return the log of `match`."""
    texts = [
        (entry.seat, "" if entry.seat is None else match.game.text(entry.action), entry.at)
        for entry in match.log
    ]
    options = match.options.model_dump_json()
    return Log(slug=match.game.slug, options=options, seats=len(match.seats), seed=seed, actions=texts)


def prefix_digests(game: AnyGame, log: Log) -> list[str]:
    """Return the digest of state and events after `new` and after each entry. The global random generator is
    reseeded between entries: an engine that used it would give other digests."""
    state, events = game.new(game.Options.model_validate_json(log.options), log.seats, log.seed)
    found = [digest(state, events)]
    for seat, text, at in log.actions:
        random.seed(found[-1] + str(id(state)))
        events = game.tick(state, at) if seat is None else game.apply(state, seat, game.parse(text), at)
        found.append(digest(state, events))
    return found


def digest(*things: object) -> str:
    return hashlib.sha256(structure(things).encode()).hexdigest()


def main() -> None:
    for line in sys.stdin:
        entry = Log.model_validate_json(line)
        sys.stdout.write(digest(prefix_digests(SUBJECTS[entry.slug].game, entry)) + "\n")


if __name__ == "__main__":
    main()
