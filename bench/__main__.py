"""Measure one subject and print the figures as a table, with `--json` for a program to read."""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from bench import (
    clicks,
    disk,
    engines,
    guilds,
    hands,
    layout,
    load,
    matches,
    memory,
    pictures,
    start,
    stores,
    strength,
)
from bench.process import ROOT, Lab
from bench.report import Figures, machine, middle, rounded, table
from games import GAMES

SUBJECTS: Final[Mapping[str, ModuleType]] = {
    "engines": engines,
    "clicks": clicks,
    "start": start,
    "memory": memory,
    "load": load,
    "matches": matches,
    "hands": hands,
    "layout": layout,
    "pictures": pictures,
    "guilds": guilds,
    "stores": stores,
    "disk": disk,
    "strength": strength,
}
"""A module for each subject. It has `measure(lab, sizes)`, the amounts to measure as `Sizes`, and the least as TINY."""
DATA: Final = ROOT / "data"
"""Folder of the bot's own database, so that the measured disk is the one that counts."""


def main(given: Sequence[str] | None = None) -> None:
    """Measure, and print the figures. Progress goes to stderr."""
    parser = _parser()
    wanted = vars(parser.parse_args(arguments))
    module, repeat, as_json = SUBJECTS[wanted.pop("subject")], wanted.pop("repeat"), wanted.pop("json")
    usual = module.TINY if wanted.pop("tiny") else module.Sizes()
    about = machine()
    try:
        runs = [measured(module, replace(usual, **wanted)) for _ in range(repeat)]
    except ValueError as error:
        parser.error(str(error))
    found = {"machine": about, **rounded(middle(runs))}
    print(json.dumps(found, indent=2) if as_json else table(found))


def measured(module: ModuleType, sizes: Any) -> Figures:
    """Measure a subject once. Its files are in a folder that is removed at the end."""
    DATA.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=DATA) as name:
        found: Figures = asyncio.run(module.measure(Lab(DATA / name), sizes))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    subjects = parser.add_subparsers(dest="subject", required=True, metavar="SUBJECT")
    for name, module in SUBJECTS.items():
        said = str(module.__doc__)
        subject = subjects.add_parser(
            name,
            help=said.partition("\n")[0],
            description=said,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        subject.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        subject.add_argument("--repeat", type=int, default=1, help="runs, of which the medians are printed")
        subject.add_argument(
            "--tiny", action="store_true", help="the least amounts: only to see that it works"
        )
        for field in fields(module.Sizes):
            _add(subject, field.name, field.default)
    return parser


def _add(subject: argparse.ArgumentParser, name: str, usual: Any) -> None:
    """Add an option for an amount. A tuple is given as several values."""
    several = isinstance(usual, tuple)
    choices = [*GAMES] if name == "games" else None
    subject.add_argument(
        f"--{name.replace('_', '-')}",
        type=type(usual[0] if several else usual),
        nargs="+" if several else None,
        choices=choices,
        metavar="GAME" if choices else None,
        default=argparse.SUPPRESS,
        help="by default all" if choices else f"by default {' '.join(map(str, usual)) if several else usual}",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--game", help="hands, matches, ratings and strength: the game, by its slug")
    parser.add_argument(
        "--line-up", help="strength: the players, first the one to measure: sharp,steady,steady"
    )
    parser.add_argument(
        "--matches",
        type=int,
        help=f"strength and ratings: number of matches, by default {strength_suite.USUAL} and {ratings.MATCHES}",
    )
    parser.add_argument(
        "--pause", type=float, help="hands and matches: seconds that people wait before each move"
    )
    parser.add_argument(
        "--moves", type=int, default=hands.MOST, help="hands: moves after which a match is broken off"
    )
    wanted = parser.parse_args(given)
    if wanted.paths and wanted.subject != "style":
        parser.error("only style takes paths.")
    if wanted.subject == "strength" and wanted.game is None:
        strength_suite.run()
        return
    if wanted.subject == "style":
        _style(parser, wanted)
        return
    found = asdict(_measured(parser, wanted))
    print(json.dumps(found, indent=2) if wanted.json else table(found), file=sys.stdout)


def _measured(parser: argparse.ArgumentParser, wanted: argparse.Namespace) -> Any:
    games = [wanted.game] if wanted.game else [*GAMES]
    if wanted.subject == "strength":
        return _strength(parser, wanted)
    if wanted.subject == "ratings":
        return _ratings(parser, wanted)
    if wanted.subject == "matches":
        return asyncio.run(matches.measure(games, wanted.pause or 0.0))
    if wanted.subject == "hands":
        return asyncio.run(hands.measure(games, 1.0 if wanted.pause is None else wanted.pause, wanted.moves))
    return MEASURED[wanted.subject]()


def _style(parser: argparse.ArgumentParser, wanted: argparse.Namespace) -> None:
    try:
        found = style.measure(wanted.paths or [Path()])
    except ValueError as error:
        parser.error(str(error))
    print(json.dumps(style.plain(found), indent=2) if wanted.json else style.as_text(found))


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


def _ratings(parser: argparse.ArgumentParser, wanted: argparse.Namespace) -> Any:
    matches = ratings.MATCHES if wanted.matches is None else wanted.matches
    try:
        return ratings.measure(wanted.game, matches)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
