"""A bot under load: people act at a given rate, whether or not others have their answers yet."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
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

Act = Callable[[], Awaitable[Answer]]
"""One act of a person. It returns the answer."""


@dataclass(frozen=True)
class Step:
    """One rate. The sandbox is the process that measures, with the people."""

    answers_per_s: float
    p50_ms: float
    p99_ms: float
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
    p50_ms: float
    p99_ms: float
    failed: int
    cpu_ms: Mapping[str, float]
    """Processor time per act in ms, by kind of process."""


@dataclass
class Waits:
    """Answers of one step."""

    ms: list[float] = field(default_factory=list)
    failed: int = 0

    async def note(self, answering: Awaitable[Answer]) -> None:
        """Wait for an answer, and note how long it takes."""
        begin = time.perf_counter()
        answer = await answering
        self.ms.append((time.perf_counter() - begin) * 1000)
        self.failed += bool(answer.failed)

    @property
    def p50(self) -> float:
        """The median in ms."""
        return round(median(self.ms), 1)

    @property
    def p99(self) -> float:
        """The 99th percentile in ms."""
        return round(quantiles(self.ms, n=100)[98], 1)


async def rising(
    rates: Sequence[int], seconds: float, pids: Sequence[int], acts: Callable[[], Act | None]
) -> dict[str, Step]:
    """Raise the rate until the bot with these processes does not keep up. `acts` returns the next act, if any."""
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
        answers_per_s=round(len(waits.ms) / length, 1),
        p50_ms=waits.p50,
        p99_ms=waits.p99,
        failed=waits.failed,
        cpu_ms=_cpu_ms(before, after, len(waits.ms)),
        mib={**mib, "all": round(sum(after.mib.values()), 1)},
    )


async def rushed(acts: Sequence[Act], pids: Sequence[int]) -> Rush:
    """Let all these acts happen within a second, evenly."""
    before, following = usage(pids), iter(acts)
    waits = await _acted(_times(time.perf_counter(), len(acts), 1), lambda: next(following, None))
    found = Rush(
        len(waits.ms), waits.p50, waits.p99, waits.failed, _cpu_ms(before, usage(pids), len(waits.ms))
    )
    say(f"A rush: {asdict(found)}")
    return found


async def _acted(times: Iterator[float], acts: Callable[[], Act | None]) -> Waits:
    """Act at these times. Return the answers."""
    waits, tasks = Waits(), set[asyncio.Task[None]]()
    for due in times:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if (act := acts()) is not None:
            tasks.add(asyncio.create_task(waits.note(act())))
    await asyncio.gather(*tasks)
    return waits


def _times(begin: float, rate: int, seconds: float) -> Iterator[float]:
    for number in count():
        if number / rate > seconds:
            return
        yield begin + number / rate


def _cpu_ms(before: Usage, after: Usage, answers: int) -> dict[str, float]:
    """Return the processor time per answer by kind of process."""
    return {
        kind: round((spent - before.cpu_s[kind]) * 1000 / answers, 2) for kind, spent in after.cpu_s.items()
    }
