"""A match from its log, in this process or, as `python -m tests.contract.replay`, in another.

The program reads one match per line, as JSON of a `Log`, and prints the digest of each, one per line.
"""

import hashlib
import random
import sys

from pydantic import BaseModel

from games.contract import AnyGame
from tests.contract.matches import Match
from tests.contract.structure import structure
from tests.contract.subjects import SUBJECTS


class Log(BaseModel):
    """A match as it is stored: what `new` was given, and (seat, text of the action, time) in order. A tick has
    neither seat nor text."""

    slug: str
    options: str
    seats: int
    seed: int
    actions: list[tuple[int | None, str, int]]


def log(match: Match, seed: int) -> Log:
    """The log of `match`."""
    texts = [
        (done.seat, "" if done.seat is None else match.game.text(done.action), done.at) for done in match.log
    ]
    options = match.options.model_dump_json()
    return Log(slug=match.game.slug, options=options, seats=len(match.seats), seed=seed, actions=texts)


def prefixes(game: AnyGame, log: Log) -> list[str]:
    """The digest of state and events after `new` and after each entry, with noise in the global
    generator."""
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
        sys.stdout.write(digest(prefixes(SUBJECTS[entry.slug].game, entry)) + "\n")


if __name__ == "__main__":
    main()
