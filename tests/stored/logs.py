"""Stored logs: in the folder of each release one match of each game, which the same rules must replay."""

import json
import lzma
from dataclasses import astuple, dataclass
from pathlib import Path
from random import Random
from typing import Final

from bench.disk import play
from bot.match.log import read
from bot.match.state import TableState
from bot.store import LogRow, Match
from games import GAMES, AnyGame

AT: Final = 1_795_000_000_000
SUFFIX: Final = ".json.xz"


@dataclass(frozen=True)
class Stored:
    """A finished match."""

    match: Match
    log: list[LogRow]
    placings: list[int]
    scores: list[int]


def stored_logs(folder: Path) -> list[Stored]:
    """Return the stored matches of a release, by the slugs of their games."""
    return [_load(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def _load(path: Path) -> Stored:
    found = json.loads(lzma.decompress(path.read_bytes()))
    log = [LogRow(n, *entry) for n, entry in enumerate(found["log"], start=1)]
    slug = path.name.removesuffix(SUFFIX)
    match = match_of(slug, found["options"], found["seed"], found["rules"])
    return Stored(match, log, found["placings"], found["scores"])


def match_of(slug: str, options: str, seed: str, rules: int = 1) -> Match:
    """Return the row of a match that is over."""
    return Match(1, slug, rules, options, seed, 1, 2, 3, "over", AT, AT, AT, 4, 5, 6, None, 1, None)


def replayed(game: AnyGame, match: Match, log: list[LogRow]) -> tuple[list[int], list[int]]:
    """Return the placings and the scores to which a log leads."""
    state = TableState.of(match, game)
    for row in log:
        state.apply(read(row))
    outcome = game.outcome(state.game_state)
    assert outcome is not None
    return [*outcome.placings], [*outcome.scores]


def make_logs(folder: Path) -> None:
    """Play a match of each game, and write it into the folder."""
    for slug, game in GAMES.items():
        seed = f"palmhouse-deal-1:{Random(slug).randbytes(32).hex()}"
        options = game.Options().model_dump_json()
        match = match_of(slug, options, seed, game.version)
        log = [*play(match, game, Random(slug), AT)]
        placings, scores = replayed(game, match, log)
        found = {
            "rules": game.version,
            "options": options,
            "seed": seed,
            "placings": placings,
            "scores": scores,
        }
        content = json.dumps(found | {"log": [astuple(entry)[1:] for entry in log]}, ensure_ascii=False)
        (folder / f"{slug}{SUFFIX}").write_bytes(lzma.compress(content.encode(), preset=9))
