"""`make planted`: does the simulation find faults that are planted?

Each is put into a copy of the project, and rooms are run there until one breaks a law.
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
    command = ("-m", "tests.rooms", "--jobs", "1", "--seeds", wanted.seeds)
    return plant(FAULTS, wanted, Search(lambda _: command, FOUND))


if __name__ == "__main__":
    sys.exit(main())
