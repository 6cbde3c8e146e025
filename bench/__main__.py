"""`python -m bench engines` and `python -m bench clicks`, each with `--json` for a program to read."""

import argparse
import asyncio
import json
import sys
from dataclasses import asdict

from bench import clicks, engines
from bench.report import table


def main() -> None:
    """Measure, and print what was found. Progress goes to stderr."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subject", choices=["engines", "clicks"])
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    wanted = parser.parse_args()
    figures: engines.Engines | clicks.Clicks
    figures = engines.measure() if wanted.subject == "engines" else asyncio.run(clicks.measure())
    found = asdict(figures)
    print(json.dumps(found, indent=2) if wanted.json else table(found), file=sys.stdout)


if __name__ == "__main__":
    main()
