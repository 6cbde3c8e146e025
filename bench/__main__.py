"""Measure one subject and print the figures as a table, with `--json` for a program to read."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from types import ModuleType
from typing import Any, Final

from bench import (
    clicks,
    disk,
    engines,
    guilds,
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
    "pictures": pictures,
    "guilds": guilds,
    "stores": stores,
    "disk": disk,
    "strength": strength,
}
"""A module for each subject. It has `measure(lab, sizes)`, the amounts to measure as `Sizes`, and the least as TINY."""
DATA: Final = ROOT / "data"
"""Folder of the bot's own database, so that the measured disk is the one that counts."""


def main(arguments: Sequence[str] | None = None) -> None:
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


if __name__ == "__main__":
    main()
