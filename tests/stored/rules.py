"""Stored logs, one match for each version of each game's rules: golden logs that the present code must replay.

    python -m tests.stored.rules

plays and stores what is missing for the present versions. A stored log is never written again: people have matches of
that version, so when it replays differently, either the code is wrong or the game needs a new version. Only a log of a
version that nobody has played yet may be deleted, and stored again.
"""

import json
import lzma
import sys
from dataclasses import astuple, dataclass
from pathlib import Path
from random import Random
from typing import Final

from bench.disk import play
from bot.match.log import read
from bot.match.state import TableState
from bot.store import LogRow, Match
from games import GAMES, AnyGame

FOLDER: Final = Path(__file__).parent / "rules"
AT: Final = 1_795_000_000_000


@dataclass(frozen=True)
class Stored:
    """A finished match."""

    match: Match
    log: list[LogRow]
    placings: list[int]
    scores: list[int]


def versions() -> list[tuple[str, int]]:
    """Return (slug, version) of all stored logs."""
    names = (path.name.removesuffix(".json.xz").rpartition("-") for path in sorted(FOLDER.glob("*.json.xz")))
    return [(slug, int(version)) for slug, _, version in names]


def load(slug: str, version: int) -> Stored:
    """Return the stored match of a game under a version of its rules."""
    found = json.loads(lzma.decompress(_path(slug, version).read_bytes()))
    log = [LogRow(n, *entry) for n, entry in enumerate(found["log"], start=1)]
    match = match_of(slug, found["options"], found["seed"], version)
    return Stored(match, log, found["placings"], found["scores"])


def match_of(slug: str, options: str, seed: str, version: int = 1) -> Match:
    """Return the row of a match that is over."""
    return Match(1, slug, version, options, seed, 1, 2, 3, "over", AT, AT, AT, 4, 5, 6, None, 1, None)


def replayed(game: AnyGame, match: Match, log: list[LogRow]) -> tuple[list[int], list[int]]:
    """Return the placings and the scores to which a log leads."""
    state = TableState.of(match, game)
    for row in log:
        state.apply(read(row))
    outcome = game.outcome(state.game_state)
    assert outcome is not None
    return [*outcome.placings], [*outcome.scores]


def _path(slug: str, version: int) -> Path:
    return FOLDER / f"{slug}-{version}.json.xz"


def _keep(game: AnyGame) -> None:
    """Play a match and store it."""
    seed = f"palmhouse-deal-1:{Random(game.slug).randbytes(32).hex()}"
    options = game.Options().model_dump_json()
    match = match_of(game.slug, options, seed, game.version)
    log = [*play(match, game, Random(game.slug), AT)]
    placings, scores = replayed(game, match, log)
    found = {"options": options, "seed": seed, "placings": placings, "scores": scores}
    content = json.dumps(found | {"log": [astuple(entry)[1:] for entry in log]}, ensure_ascii=False)
    _path(game.slug, game.version).write_bytes(lzma.compress(content.encode(), preset=9))


def main() -> None:
    for slug, game in GAMES.items():
        if (slug, game.version) not in versions():
            _keep(game)
            sys.stdout.write(f"{slug}, rules {game.version}: stored\n")


if __name__ == "__main__":
    main()
