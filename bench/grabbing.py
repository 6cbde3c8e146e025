"""Six people at a table of Twin It!, each clicking three times a second, with Discord's rate limits in force."""

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
"""How often who sees no match clicks for the next card, in turn or not, and not on some face: hands that lie wrong
rest."""
JOINING = 0.5
"""Seconds that each of them takes to join, few enough; the bot draws the designs meanwhile."""
UPDATE = 7
"""The answer that changes the board."""
FACE = re.compile(r"(\d+): ([a-z ]+)")


@dataclass(frozen=True)
class Wait:
    """Milliseconds from a click to its answer, those of the hold for earlier clicks included."""

    clicks: int
    p50_ms: float | None
    p99_ms: float | None


@dataclass(frozen=True)
class Grabbing:
    """By what a click did: it won a set, changed faces in another way, or neither. `refused` are answers of 429."""

    won: Wait
    changed: Wait
    silent: Wait
    refused: int
    calls_per_click: float
    edits_per_second: float


@dataclass
class Watch:
    """What was measured so far, in ms."""

    waits: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def wait(self, kind: str) -> Wait:
        """Of all clicks of a kind."""
        found = self.waits[kind]
        if len(found) < 2:
            return Wait(len(found), None, None)
        return Wait(len(found), round(median(found), 1), round(quantiles(found, n=100)[98], 1))


async def measure(folder: Path, seconds: float) -> Grabbing:
    """As many matches as there is time for."""
    watch = Watch()
    async with AsyncExitStack() as stack:
        box = await stack.enter_async_context(Sandbox())
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in PEOPLE]
        await stack.enter_async_context(palmhouse(box, folder / "grabbing.sqlite3"))
        await box.ready(60)
        say(f"Six people click three times a second for {seconds:.0f} seconds.")
        left = seconds
        while left > 0:
            card = await _open(box, room, people)
            begin = time.perf_counter()
            await asyncio.gather(*(_grab(card, person, begin + left, watch) for person in people))
            left -= time.perf_counter() - begin
        clicks = sum(map(len, watch.waits.values()))
        calls = [each for each in box.requests if each.template.startswith(("/channels", "/interactions"))]
        return Grabbing(
            watch.wait("won"),
            watch.wait("changed"),
            watch.wait("silent"),
            sum(each.status == 429 for each in box.requests),
            round(len(calls) / clicks, 2),
            round(sum(each.method == "PATCH" for each in calls) / seconds, 2),
        )


async def _open(box: Sandbox, room: Channel, people: list[Person]) -> Message:
    """A match that lasts, dealt and shown."""
    card = (await people[0].slash(room, "twin-it start", sets_to_win=9, singles=1)).message
    assert card is not None
    for person in people[1:]:
        await asyncio.sleep(JOINING)
        await person.click(card, "Join")
    await asyncio.sleep(JOINING)
    await people[0].click(card, "Start")
    await box.until(lambda: card.thread and any(map(_usable, card.thread.log.values())), 20)
    return card


async def _grab(card: Message, person: Person, until: float, watch: Watch) -> None:
    """Until the match is over: what matches, else the next card or some face."""
    rng = Random(person.name)
    assert card.thread is not None
    await asyncio.sleep(rng.random() * PACE)
    clicks = []
    while time.perf_counter() < until and "🏁" not in card.text:
        if choice := _choice(card.thread, person, rng):
            clicks.append(asyncio.create_task(_click(person, *choice, watch)))
        await asyncio.sleep(PACE)
    await asyncio.gather(*clicks)


def _choice(place: Channel, person: Person, rng: Random) -> tuple[Message, str] | None:
    """A message with a button, and its custom id."""
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


async def _click(person: Person, message: Message, custom_id: str, watch: Watch) -> None:
    begin = time.perf_counter()
    answer = await person.press(message, custom_id)
    watch.waits[_kind(person, answer)].append((time.perf_counter() - begin) * 1000)


def _kind(person: Person, answer: Answer) -> str:
    if answer.failed is not None:
        raise TimeoutError(f"{person.name} was not answered: {answer.failed}.")
    if answer.interaction.answer != UPDATE:
        return "silent"
    last = answer.text.splitlines()[-2:]
    return "won" if any(line.startswith(f"**{person.name} ") for line in last) else "changed"
