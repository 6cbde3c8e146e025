"""A bot under load: people act at a given rate, whether or not others have their answers yet."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count
from statistics import median, quantiles

from bench.report import say
from bench.usage import Usage, usage
from sandbox import Answer

KEEPS_UP = 0.95
"""Part of the wanted answers that a bot which keeps up gives."""
TOO_LATE = 1_000.0
"""P99 in ms from which a bot counts as overloaded."""

Act = Callable[[], AsyncIterator[Answer]]
"""One act of a person. It yields the answer, and ends when nothing is deferred any more."""


@dataclass(frozen=True)
class Step:
    """One rate. The sandbox is the process that measures, with the people. Waits for deferred answers end with the real
    ones."""

    answers_per_s: float
    p50_ms: float
    p99_ms: float
    deferred: int
    failed: int
    """Interactions without an answer."""
    cpu_ms: Mapping[str, float]
    """Processor time per answer in ms, by kind of process."""
    mib: Mapping[str, float]
    """Memory by kind of process, and that of `all` but the sandbox. Pages that several share count once."""


@dataclass(frozen=True)
class Rush:
    """Many act for the first time, all within a second."""

    acts: int
    first_p50_ms: float
    first_p99_ms: float
    """Wait for the first answer, which may be that the bot thinks."""
    p99_ms: float
    """Wait for the real answer."""
    deferred: int
    failed: int
    cpu_ms: Mapping[str, float]
    """Processor time per act in ms, by kind of process."""


@dataclass
class Waits:
    """Waits of one step, in ms."""

    first: list[float] = field(default_factory=list)
    """For the first answers."""
    real: list[float] = field(default_factory=list)
    """For the real answers, some of which were deferred."""
    deferred: int = 0
    failed: int = 0

    async def note(self, act: Act) -> None:
        """Act, and note how long the answer takes."""
        begin = time.perf_counter()
        async for answer in act():
            self.first.append((time.perf_counter() - begin) * 1000)
            self.failed += bool(answer.failed)
            self.deferred += answer.is_loading
        self.real.append((time.perf_counter() - begin) * 1000)


async def rising(
    rates: Sequence[int], seconds: float, pids: Sequence[int], acts: Callable[[], Act | None]
) -> dict[str, Step]:
    """Raise the rate until the bot with these processes does not keep up. `acts` returns the next act, if any.

    The first rate is not measured the first time: a bot that has just started draws everything for the first time."""
    await _step(rates[0], seconds, pids, acts)
    steps: dict[str, Step] = {}
    for rate in rates:
        step = await _step(rate, seconds, pids, acts)
        steps[f"{rate} per s"] = step
        say(f"{rate} a second: {asdict(step)}")
        if not _keeps_up(rate, step):
            break
    return steps


def _keeps_up(rate: int, step: Step) -> bool:
    return step.answers_per_s >= KEEPS_UP * rate and step.p99_ms < TOO_LATE and step.failed == 0


def kept_up(steps: Mapping[str, Step]) -> float:
    """Return the highest rate of answers with which a bot kept up."""
    return max(
        (step.answers_per_s for name, step in steps.items() if _keeps_up(_rate(name), step)), default=0.0
    )


def _rate(name: str) -> int:
    return int(name.split()[0])


async def _step(rate: int, seconds: float, pids: Sequence[int], acts: Callable[[], Act | None]) -> Step:
    """Act at a rate for some seconds, then wait for the last answers."""
    begin, before = time.perf_counter(), usage(pids)
    waits = await _acted(_times(begin, rate, seconds), acts)
    length, after = time.perf_counter() - begin, usage(pids)
    mib = {kind: round(each, 1) for kind, each in after.mib.items()}
    return Step(
        answers_per_s=round(len(waits.real) / length, 1),
        p50_ms=_p50(waits.real),
        p99_ms=_p99(waits.real),
        deferred=waits.deferred,
        failed=waits.failed,
        cpu_ms=_cpu_ms(before, after, len(waits.real)),
        mib={**mib, "all": round(sum(after.mib.values()), 1)},
    )


async def rushed(acts: Sequence[Act], pids: Sequence[int]) -> Rush:
    """Let all these acts happen within a second, evenly."""
    before, following = usage(pids), iter(acts)
    waits = await _acted(_times(time.perf_counter(), len(acts), 1), lambda: next(following, None))
    found = Rush(
        acts=len(waits.first),
        first_p50_ms=_p50(waits.first),
        first_p99_ms=_p99(waits.first),
        p99_ms=_p99(waits.real),
        deferred=waits.deferred,
        failed=waits.failed,
        cpu_ms=_cpu_ms(before, usage(pids), len(waits.first)),
    )
    say(f"A rush: {asdict(found)}")
    return found


async def _acted(times: Iterator[float], acts: Callable[[], Act | None]) -> Waits:
    """Act at these times. Return the answers."""
    waits, tasks = Waits(), set[asyncio.Task[None]]()
    for due in times:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if (act := acts()) is not None:
            tasks.add(asyncio.create_task(waits.note(act)))
    await asyncio.gather(*tasks)
    return waits


def _times(begin: float, rate: int, seconds: float) -> Iterator[float]:
    for number in count():
        if number / rate > seconds:
            return
        yield begin + number / rate


def _p50(waits: Sequence[float]) -> float:
    return round(median(waits), 1)


def _p99(waits: Sequence[float]) -> float:
    return round(quantiles(waits, n=100)[98], 1)


def _cpu_ms(before: Usage, after: Usage, answers: int) -> dict[str, float]:
    """Return the processor time per answer by kind of process."""
    return {
        kind: round((spent - before.cpu_s[kind]) * 1000 / answers, 2) for kind, spent in after.cpu_s.items()
    }
