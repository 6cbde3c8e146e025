"""Measure answers while six people play Twin It!, each clicking three times a second, under Discord's rate limits.

Waits are from a click to its answer, including the delay that waits for earlier clicks, by the effect of the click: it
won a set, changed faces in another way, or neither. `refused` are requests that Discord answered with 429.
"""

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

from bench.process import Lab
from bench.report import Figures, say, wait
from sandbox import Answer, Channel, Message, Person, Sandbox

PEOPLE: Final = ("Alice", "Ben", "Cleo", "Dana", "Eve", "Fay")
PACE: Final = 1 / 3
"""Seconds between two clicks of one person."""
IMPATIENT: Final = 0.9
"""Share of clicks on the next card, in turn or not, while no two faces match. The other clicks go to a random face;
they are few, because a wrong hand must rest."""
JOINING: Final = 0.5
"""Seconds before each of them joins. The bot draws the designs meanwhile."""
UPDATE: Final = 7
"""Type of an interaction's answer that edits the message of the button."""
FACE: Final = re.compile(r"(\d+): ([a-z ]+)")
EFFECTS: Final = ("won", "changed", "silent")

Waits: TypeAlias = defaultdict[str, list[float]]
"""Waits in ms by the effect of the click."""


@dataclass(frozen=True)
class Sizes:
    """Amounts to measure."""

    seconds: float = 60.0


TINY: Final = Sizes(seconds=2)


async def measure(lab: Lab, sizes: Sizes) -> Figures:
    """Play matches for some seconds."""
    waits: Waits = defaultdict(list)
    async with Sandbox() as box, lab.palmhouse(box, lab.folder / "twin_it.sqlite3"):
        room = box.guild("Palm Beach").channel("card-room")
        people = [box.person(name, room.guild) for name in PEOPLE]
        say(f"Six people click three times a second for {sizes.seconds:.0f} seconds.")
        left = sizes.seconds
        while left > 0:
            card = await _open(box, room, people)
            begin = time.perf_counter()
            await asyncio.gather(*(_play(card, person, begin + left, waits) for person in people))
            left -= time.perf_counter() - begin
    clicks = sum(map(len, waits.values()))
    calls = [each for each in box.requests if each.template.startswith(("/channels", "/interactions"))]
    return {
        "waits": {effect: {"clicks": len(waits[effect]), **wait(waits[effect])} for effect in EFFECTS},
        "refused": sum(each.status == 429 for each in box.requests),
        "calls_per_click": len(calls) / clicks,
        "edits_per_second": sum(each.method == "PATCH" for each in calls) / sizes.seconds,
    }


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
    waits[_effect(person, answer)].append((time.perf_counter() - begin) * 1000)


def _effect(person: Person, answer: Answer) -> str:
    if answer.failed is not None:
        raise TimeoutError(f"{person.name} was not answered: {answer.failed}.")
    if answer.interaction.answer != UPDATE:
        return "silent"
    last = answer.text.splitlines()[-2:]
    return "won" if any(line.startswith(f"**{person.name} ") for line in last) else "changed"
