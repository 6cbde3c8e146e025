"""The taps that a step of a lesson offers, read from its buttons and menus."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from bot.match.refusal import Refusal
from bot.messages.custom_ids import CustomId
from bot.messages.game_ui import GameUI
from cogs.learn import LessonPlace, tapped
from games import Illegal


class Click(NamedTuple):
    """A button, or a menu and the choices in it."""

    custom_id: str
    values: tuple[str, ...] = ()


def taps(ui: GameUI, parts: Iterable[Any]) -> dict[str, Click]:
    """Return everything that can be tapped on the form of a step, as lessons write it."""
    return dict(_taps(ui, parts))


def _taps(ui: GameUI, parts: Iterable[Any]) -> Iterator[tuple[str, Click]]:
    for click in (click for part in parts if not part.get("disabled") for click in _clicks(part)):
        found = CustomId.read(click.custom_id)
        if found is None or found.verb != "lesson":
            continue
        place, _, step = found.rest.partition(":")
        try:
            yield tapped(ui, LessonPlace.read(place), step, click.values), click
        except (Illegal, Refusal) as refusal:
            raise AssertionError(f"{click} is offered, but refused: {refusal}") from refusal


def _clicks(part: Any) -> Iterator[Click]:
    """Yield a click on a button, or every choice in a menu."""
    if "options" not in part:
        yield Click(part["custom_id"])
        return
    values = [option["value"] for option in part["options"]]
    for count in range(part.get("min_values", 1), part.get("max_values", 1) + 1):
        yield from (Click(part["custom_id"], chosen) for chosen in combinations(values, count))
