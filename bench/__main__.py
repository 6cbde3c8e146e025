"""`python -m bench engines`, `clicks` and `pictures`, each with `--json` for a program to read."""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict

from bench import clicks, engines, pictures
from bench.report import table


def _measured(subject: str) -> engines.Engines | clicks.Clicks | pictures.Pictures:
    match subject:
        case "engines":
            return engines.measure()
        case "clicks":
            return asyncio.run(clicks.measure())
        case _:
            return asyncio.run(pictures.measure())


def main() -> None:
    """Measure, and print what was found. Progress goes to stderr."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subject", choices=["engines", "clicks", "pictures"])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    wanted = parser.parse_args()
    figures = asdict(_measured(wanted.subject))
    print(json.dumps(figures, indent=2) if wanted.json else table(figures), file=sys.stdout)


if __name__ == "__main__":
    main()
