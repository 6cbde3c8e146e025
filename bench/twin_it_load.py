"""Measure answers while six people play Twin It!, each clicking three times a second, under Discord's rate limits."""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median, quantiles

from bench.process import palmhouse
from bench.report import say
from sandbox import Answer, Channel, Message, Person, Sandbox

PEOPLE = ("Alice", "Ben", "Cleo", "Dana", "Eve", "Fay")
PACE = 1 / 3
"""Seconds between two clicks of one person."""
IMPATIENT = 0.9
"""Share of clicks on the next card, in turn or not, while no two faces match. The other clicks go to a random face;
they are few, because a wrong hand must rest."""
JOINING = 0.5
"""Seconds before each of them joins. The bot draws the designs meanwhile."""
UPDATE = 7
"""Type of an interaction's answer that edits the message of the button."""
FACE = re.compile(r"(\d+): ([a-z ]+)")


@dataclass(frozen=True)
class Wait:
    """Milliseconds from a click to its answer, including the delay that waits for earlier clicks."""

    clicks: int
    p50_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True)
class TwinItLoad:
    """Waits by the effect of a click: it won a set, changed faces in another way, or neither."""

    won: Wait
    changed: Wait
    silent: Wait
    refused: int
    """Requests that Discord answered with 429."""
    calls_per_click: float
    edits_per_second: float


@dataclass
class Waits:
    """All waits so far, in ms by the effect of the click."""

    by_effect: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def wait(self, effect: str) -> Wait:
        """Summarize the clicks with one effect."""
        found = self.by_effect[effect]
        if len(found) < 2:
            return Wait(len(found), None, None)
        return Wait(len(found), round(median(found), 1), round(quantiles(found, n=100)[98], 1))


async def measure(folder: Path, seconds: float) -> TwinItLoad:
    """Play matches for that many seconds."""
    waits = Waits()
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Sandbox())
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in PEOPLE]
        await stack.enter_async_context(palmhouse(box, folder / "twin_it.sqlite3"))
        await box.ready(60)
        say(f"Six people click three times a second for {seconds:.0f} seconds.")
        left = seconds
        while left > 0:
            card = await _open(box, room, people)
            begin = time.perf_counter()
            await asyncio.gather(*(_play(card, person, begin + left, waits) for person in people))
            left -= time.perf_counter() - begin
        clicks = sum(map(len, waits.by_effect.values()))
        calls = [each for each in box.requests if each.template.startswith(("/channels", "/interactions"))]
        return TwinItLoad(
            waits.wait("won"),
            waits.wait("changed"),
            waits.wait("silent"),
            sum(each.status == 429 for each in box.requests),
            round(len(calls) / clicks, 2),
            round(sum(each.method == "PATCH" for each in calls) / seconds, 2),
        )


async def _open(box: Sandbox, room: Channel, people: list[Person]) -> Message:
    """Open and start a match that takes long, and return its card once the table is shown."""
    card = (await people[0].slash(room, "twin-it start", sets_to_win=9, singles=1)).message
    assert card is not None
    for person in people[1:]:
        await asyncio.sleep(JOINING)
        await person.click(card, "Join")
    await asyncio.sleep(JOINING)
    await people[0].click(card, "Start")
    await box.until(lambda: card.thread and any(map(_usable, card.thread.log.values())), 20)
    return card


async def _play(card: Message, person: Person, until: float, waits: Waits) -> None:
    """Click until the match is over: on a matching face, else on the next card or some face."""
    rng = Random(person.name)
    assert card.thread is not None
    await asyncio.sleep(rng.random() * PACE)
    clicks = []
    while time.perf_counter() < until and "🏁" not in card.text:
        if choice := _choice(card.thread, person, rng):
            clicks.append(asyncio.create_task(_click(person, *choice, waits)))
        await asyncio.sleep(PACE)
    await asyncio.gather(*clicks)


def _choice(place: Channel, person: Person, rng: Random) -> tuple[Message, str] | None:
    """Return a message with a button to click, and the button's custom id."""
    shown = {each: message for message in place.log.values() for each in _usable(message)}
    flip = next((each for each in shown if each.endswith(":flip")), None)
    if flip is None:
        return None
    hand = flip.removesuffix("flip") + "hand "
    faces = [(hand + number, name) for message in set(shown.values()) for number, name in _faces(message)]
    there = [face for face in faces if face[0] in shown]
    pair = next((pair for pair in combinations(there, 2) if pair[0][1] == pair[1][1]), ())
    if pair:
        chosen, _ = rng.choice(pair)
    elif f"{person.name} flips next" in shown[flip].text or rng.random() < IMPATIENT:
        chosen = flip
    else:
        chosen = rng.choice([*shown])
    return shown[chosen], chosen


def _usable(message: Message) -> list[str]:
    return [each["custom_id"] for each in message.buttons if each["custom_id"].startswith("twin-it.press:")]


def _faces(message: Message) -> Iterator[tuple[str, str]]:
    for picture in message.files:
        yield from FACE.findall(str(picture.get("description")).partition(". ")[0])


async def _click(person: Person, message: Message, custom_id: str, waits: Waits) -> None:
    begin = time.perf_counter()
    answer = await person.press(message, custom_id)
    waits.by_effect[_effect(person, answer)].append((time.perf_counter() - begin) * 1000)


def _effect(person: Person, answer: Answer) -> str:
    if answer.failed is not None:
        raise TimeoutError(f"{person.name} was not answered: {answer.failed}.")
    if answer.interaction.answer != UPDATE:
        return "silent"
    last = answer.text.splitlines()[-2:]
    return "won" if any(line.startswith(f"**{person.name} ") for line in last) else "changed"
