"""A bot under load: people act at a given rate, whether or not others have their answers yet."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from bench.process import usage
from bench.report import Figures, rounded, say, wait
from sandbox import Answer

KEEPS_UP: Final = 0.95
"""Part of the wanted answers that a bot which keeps up gives."""
TOO_LATE: Final = 1_000.0
"""P99 in ms from which a bot counts as overloaded."""

Act: TypeAlias = Callable[[], AsyncIterator[Answer]]
"""One act of a person. It yields the answer, and ends when nothing is deferred any more."""
Acts: TypeAlias = Callable[[], Act | None]
"""Function that returns the next act, if any."""


@dataclass
class Waits:
    """Waits of one step, in ms."""

    first: list[float] = field(default_factory=list)
    """For the first answers."""
    real: list[float] = field(default_factory=list)
    """For the real answers, some of which were deferred."""
    deferred: int = 0
    failed: int = 0
    """Interactions without an answer."""

    async def note(self, act: Act) -> None:
        """Act, and note how long the answer takes."""
        begin = time.perf_counter()
        async for answer in act():
            self.first.append((time.perf_counter() - begin) * 1000)
            self.failed += bool(answer.failed)
            self.deferred += answer.is_loading
        self.real.append((time.perf_counter() - begin) * 1000)


async def rising(rates: Sequence[int], seconds: float, pids: Sequence[int], acts: Acts) -> Figures:
    """Raise the rate until the bot with these processes does not keep up.

    The first rate is not measured the first time: a bot that has just started draws everything for the first time."""
    await acted(rates[0], seconds, pids, acts)
    steps, best = {}, 0.0
    for rate in rates:
        step = steps[f"{rate} per s"] = await acted(rate, seconds, pids, acts)
        say(f"{rate} a second: {step}")
        if step["answers_per_s"] < KEEPS_UP * rate or step["p99_ms"] >= TOO_LATE or step["failed"]:
            break
        best = step["answers_per_s"]
    return {"kept_up_per_s": best, "steps": steps}


async def acted(rate: int, seconds: float, pids: Sequence[int], acts: Acts) -> Figures:
    """Act at a rate for some seconds, then wait for the last answers. Return figures about all answers."""
    begin, before = time.perf_counter(), usage(pids)
    waits, tasks = Waits(), set[asyncio.Task[None]]()
    for number in range(int(rate * seconds) + 1):
        await asyncio.sleep(max(0.0, begin + number / rate - time.perf_counter()))
        if (act := acts()) is not None:
            tasks.add(asyncio.create_task(waits.note(act)))
    await asyncio.gather(*tasks)
    after, answers = usage(pids), len(waits.real)
    found = {
        "answers_per_s": answers / (time.perf_counter() - begin),
        **wait(waits.real),
        **wait(waits.first, "first_"),
        "deferred": waits.deferred,
        "failed": waits.failed,
        **{f"{kind}_cpu_ms": spent for kind, spent in after.cpu_ms(before, answers).items()},
        "mib": sum(after.mib.values()),
    }
    return dict(rounded(found))
