"""`make planted`: does the simulation find faults that are planted?

Each is put into a copy of the project, and rooms are run there until one breaks a law that holds in the same room
without the fault.
"""

import re
import sys

from tests.planting import Search, arguments, plant
from tests.rooms.planted_faults import FAULTS

FOUND = re.compile(r"^In (room \d+) a law was broken:\n  (.*)\n", re.MULTILINE)
SEEDS = "1-300"


def main() -> int:
    """Plant the faults, and return 1 when one was not found."""
    parser = arguments(__doc__)
    parser.add_argument("--seeds", default=SEEDS, help=f"numbers of rooms (default: {SEEDS})")
    wanted = parser.parse_args()
    search = Search(
        lambda _: _rooms(wanted.seeds), FOUND, again=lambda match: _rooms(match[1].removeprefix("room "))
    )
    return plant(FAULTS, wanted, search)


def _rooms(seeds: str) -> tuple[str, ...]:
    return ("-m", "tests.rooms", "--jobs", "1", "--all", "--seeds", seeds)


if __name__ == "__main__":
    sys.exit(main())
