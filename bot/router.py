"""From a click to what answers it: every button, select and modal is known by its custom id alone.

A custom id reads `verb:match:rest`, and `rest` is the verb's own. Nothing is registered per message, so the buttons
of yesterday work after a restart, and so does a modal that was open while the bot was down.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.answers import Interaction, explain
from bot.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Click:
    """What a custom id says. `values` are a select's choices or a modal's texts, in order."""

    verb: str
    match: int
    rest: str
    values: tuple[str, ...] = ()


Route = Callable[[Interaction, Click], Awaitable[None]]

UNKNOWN = "This button does not work any more. `/tables` lists your tables, `/hand` shows your hand."


class Router:
    """The routes by verb. Cogs add theirs when they are loaded; the client passes every interaction in."""

    def __init__(self) -> None:
        self._routes: dict[str, Route] = {}

    def add(self, verb: str, route: Route) -> None:
        """Answer clicks on `verb:…` by `route`."""
        self._routes[verb] = route

    async def dispatch(self, interaction: Interaction) -> None:
        """Answer a component or a modal. Whatever happens, the person gets an answer."""
        try:
            click = read(interaction)
            route = self._routes.get(click.verb) if click else None
            if click is None or route is None:
                raise Refusal(UNKNOWN)
            await route(interaction, click)
        except Exception as error:
            await explain(interaction, error)


def read(interaction: Interaction) -> Click | None:
    """The click an interaction carries, None when its custom id is not of our making."""
    data: Mapping[str, Any] = {**(interaction.data or {})}
    verb, _, after = str(data.get("custom_id", "")).partition(":")
    digits, _, rest = after.partition(":")
    match = number(digits)
    return None if match is None else Click(verb, match, rest, tuple(_values(data)))


def number(digits: str) -> int | None:
    """The number that people or custom ids give by its digits; None for anything else, and for one too long for any
    of ours."""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def _values(data: object) -> list[str]:
    """The chosen or typed strings, in the order of the components they stand in."""
    if isinstance(data, list):
        return [value for part in data for value in _values(part)]
    if not isinstance(data, Mapping):
        return []
    own = [str(value) for value in data.get("values", [data["value"]] if "value" in data else ())]
    return own + _values(data.get("components")) + _values(data.get("component"))
