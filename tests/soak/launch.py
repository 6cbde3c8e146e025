"""`python -m bot` with short waiting times: `python -m tests.soak.launch --sandbox URL`.

Deadlines pass within seconds of real time. So the clock of the sandbox need not be moved for them, and each jump of it
is a fault: the machine of the bot has slept.
"""

import sys
from functools import partial

from bot import start
from bot.__main__ import main
from bot.client import Palmhouse
from bot.match.openings import Openings
from bot.match.times import Times

TIMES = Times(
    live=9_000,
    relaxed=15_000,
    correspondence=24_000,
    lobby=30_000,
    alone=40_000,
    computer=(50, 200),
    reading=(200, 400),
)

if __name__ == "__main__":
    vars(start)["Palmhouse"] = partial(Palmhouse, times=TIMES, openings=Openings(most=1_000))
    sys.exit(main())
