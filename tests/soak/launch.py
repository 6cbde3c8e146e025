"""`python -m bot` with short waiting times: `python -m tests.soak.launch --sandbox URL`."""

import sys
from functools import partial

from bot.__main__ import main
from bot.cli import start
from bot.client import Palmhouse
from bot.match.openings import Openings
from tests.rooms.room import TIMES

if __name__ == "__main__":
    vars(start)["Palmhouse"] = partial(Palmhouse, times=TIMES, openings=Openings(most=1_000))
    sys.exit(main())
