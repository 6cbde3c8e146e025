"""Find and make the shortest series of taps on a hand's form that makes a move."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import combinations, count
from typing import Any

from bot.match.refusal import Refusal
from bot.messages.game_ui import Form, GameUI, MoveText, Picks
from bot.messages.panel import Panel
from games import Illegal
from games.types import Action
from sandbox import Channel, Message, Person

BUTTON = 2
LONGEST = 6
"""Steps in a form; no game needs more."""
MOST_FORMS = 3_000
"""Forms to examine before the search gives up."""


@dataclass(frozen=True)
class Step:
    """One use of a form: a button, or a menu and the choices in it."""

    name: str
    """Last part of the custom id."""
    values: tuple[str, ...] = ()
    several: bool = False
    """True when the menu takes more than one choice, which must be confirmed by closing it."""

    @property
    def taps(self) -> int:
        """Return the number of taps on a phone: open a menu, tap each choice, close a menu of several choices."""
        return 1 + len(self.values) + self.several if self.values else 1


def way(ui: GameUI, view: Any, names: Sequence[str], form: Form, action: Action) -> list[Step]:
    """Return the steps with the fewest taps from a newly opened hand to `action`. Raise LookupError without any."""
    numbers, seen = count(), set[str]()
    queue: list[tuple[int, int, Picks | MoveText, list[Step]]] = [(0, next(numbers), Picks(form.picks), [])]
    while queue and len(seen) < MOST_FORMS:
        taps, _, here, steps = heappop(queue)
        if isinstance(here, MoveText):
            return steps
        if here.text in seen or len(steps) > LONGEST:
            continue
        seen.add(here.text)
        picked = replace(form, picks=here.text)
        for step in _steps(ui, view, names, picked):
            there = _picked(ui, view, picked, step)
            if isinstance(there, Picks) or (there is not None and ui.game.parse(there.text) == action):
                heappush(queue, (taps + step.taps, next(numbers), there, [*steps, step]))
    raise LookupError(f"The form has no way to {ui.game.text(action)!r}.")


def nearest(ui: GameUI, view: Any, names: Sequence[str], form: Form, action: Action) -> list[Step]:
    """Return the steps to an action, or to another one where the form does not offer it.

    A form leaves out actions that equal another one: a half bet and a max bet when both are 1.
    """
    for each in (action, *form.legal):
        with suppress(LookupError):
            return way(ui, view, names, form, each)
    raise LookupError("The form has no way to any action.")


def _picked(ui: GameUI, view: Any, form: Form, step: Step) -> Picks | MoveText | None:
    try:
        return ui.pick(view, form, step.name, step.values)
    except (Illegal, Refusal):
        return None


def _steps(ui: GameUI, view: Any, names: Sequence[str], form: Form) -> Iterator[Step]:
    """Yield all steps that are possible in a form."""
    payload = json.loads(json.dumps(Panel(*ui.hand(view, names, form)).payload()))
    for part in _controls(payload):
        if not part["custom_id"].startswith("form:") or part.get("disabled"):
            continue
        name = part["custom_id"].split(":")[-1]
        if part["type"] == BUTTON:
            yield Step(name)
            continue
        values = [option["value"] for option in part["options"]]
        most = part.get("max_values", 1)
        for number in range(max(1, part.get("min_values", 1)), most + 1):
            yield from (Step(name, chosen, most > 1) for chosen in combinations(values, number))


def _controls(components: Sequence[Any]) -> Iterator[Any]:
    for part in components:
        if "custom_id" in part:
            yield part
        yield from _controls(part.get("components", ()))


async def latest(person: Person, place: Channel, prefix: str) -> tuple[Message, str]:
    """Wait for a public message with a button whose custom id begins with `prefix`. Return the last one and that id."""

    def found() -> Iterator[tuple[Message, str]]:
        for message in reversed(person.sees(place)):
            ids = [] if message.ephemeral else message.custom_ids
            yield from ((message, custom_id) for custom_id in ids if custom_id.startswith(prefix))

    await person.world.clock.wait_for(lambda: any(found()), 20)
    return next(found())


async def go(person: Person, hand: Message, step: Step) -> Message:
    """Do one step on the form that the bot shows, and return the form after it. Raise LookupError for a step that the
    form does not have, TimeoutError when nothing is shown."""
    parts = [part for part in [*hand.buttons, *hand.selects] if part["custom_id"].startswith("form:")]
    part = next((each for each in parts if each["custom_id"].split(":")[-1] == step.name), None)
    if part is None:
        raise LookupError(f"The form has no step {step.name!r}.")
    if not step.values:
        answer = await person.click(hand, part["custom_id"])
    else:
        answer = await person.select(hand, part["custom_id"], step.values)
    if answer.message is None:
        raise TimeoutError(f"{person.name} was shown nothing.")
    return answer.message
