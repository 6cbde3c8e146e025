"""Measure one subject and print the figures, with `--json` for a program to read.

`strength` plays the matches of one line-up, or of all line-ups when no game is named.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from bench import (
    boards,
    clicks,
    disk,
    engines,
    guilds,
    hands,
    layout,
    load,
    matches,
    memory_over_time,
    pictures,
    search,
    stores,
    strength,
    strength_suite,
    twin_it,
)
from bench.report import table
from games import GAMES

MEASURED: Final[Mapping[str, Callable[[], Any]]] = {
    "engines": engines.measure,
    "boards": lambda: asyncio.run(boards.measure()),
    "clicks": lambda: asyncio.run(clicks.measure()),
    "disk": lambda: asyncio.run(disk.measure()),
    "guilds": lambda: asyncio.run(guilds.measure()),
    "layout": lambda: asyncio.run(layout.measure()),
    "load": lambda: asyncio.run(load.measure()),
    "memory": lambda: asyncio.run(memory_over_time.measure()),
    "pictures": lambda: asyncio.run(pictures.measure()),
    "search": search.measure,
    "stores": lambda: asyncio.run(stores.measure()),
    "twin-it": lambda: asyncio.run(twin_it.measure()),
}


def main() -> None:
    """Measure, and print the figures. Progress goes to stderr."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subject", choices=[*MEASURED, "hands", "matches", "strength"])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--game", help="hands, matches and strength: the game, by its slug")
    parser.add_argument(
        "--line-up", help="strength: the players, first the one to measure: sharp,steady,steady"
    )
    parser.add_argument(
        "--matches",
        type=int,
        help=f"strength: number of matches, by default {strength_suite.USUAL}",
    )
    parser.add_argument(
        "--pause", type=float, help="hands and matches: seconds that people wait before each move"
    )
    parser.add_argument(
        "--moves", type=int, default=hands.MOST, help="hands: moves after which a match is broken off"
    )
    wanted = parser.parse_args()
    if wanted.subject == "strength" and wanted.game is None:
        strength_suite.run()
        return
    found = asdict(_measured(parser, wanted))
    print(json.dumps(found, indent=2) if wanted.json else table(found), file=sys.stdout)


def _measured(parser: argparse.ArgumentParser, wanted: argparse.Namespace) -> Any:
    games = [wanted.game] if wanted.game else [*GAMES]
    if wanted.subject == "strength":
        return _strength(parser, wanted)
    if wanted.subject == "matches":
        return asyncio.run(matches.measure(games, wanted.pause or 0.0))
    if wanted.subject == "hands":
        return asyncio.run(hands.measure(games, 1.0 if wanted.pause is None else wanted.pause, wanted.moves))
    return MEASURED[wanted.subject]()


def _strength(parser: argparse.ArgumentParser, wanted: argparse.Namespace) -> Any:
    matches = strength_suite.USUAL if wanted.matches is None else wanted.matches
    if wanted.line_up is None or matches < 1:
        parser.error("strength of one game needs --line-up, and at least one of --matches.")
    line_up = wanted.line_up.split(",")
    try:
        strength.check(wanted.game, line_up)
    except ValueError as error:
        parser.error(str(error))
    return strength.measure(wanted.game, line_up, matches)


if __name__ == "__main__":
    main()
