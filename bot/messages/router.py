"""From a click to what answers it: every button, select and modal is known by its custom id alone.

A custom id reads `verb:match:rest`, and `rest` is the verb's own. Nothing is registered per message, so the buttons
of yesterday work after a restart, and so does a modal that was open while the bot was down.

Custom ids can be forged. Here it is seen to that a route gets only the kinds of component it takes, and a game's verb
only tables of that game; `rest` and `values` are for the route to doubt.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

import discord

from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, explain


class Kind(Flag):
    """The component that was used: a button, a select with something chosen in it, or a modal."""

    BUTTON = auto()
    SELECT = auto()
    MODAL = auto()


@dataclass(frozen=True, slots=True)
class Click:
    """The contents of a custom id. `values` are a select's choices or a modal's texts, in order; a button has none."""

    verb: str
    match: int
    rest: str
    kind: Kind
    values: tuple[str, ...] = ()


Route = Callable[[Interaction, Click], Awaitable[None]]

UNKNOWN = "This button does not work any more. `/tables` lists your tables, `/hand` shows your hand."


@dataclass(frozen=True, slots=True)
class Registered:
    """A route, and what it takes. With a `game` (its slug) the verb is one of that game's tables alone."""

    route: Route
    takes: Kind
    game: str | None


class Router:
    """The routes by verb. Cogs add theirs when they are loaded; the client passes every interaction in."""

    def __init__(self) -> None:
        self.verbs: dict[str, Registered] = {}

    def add(self, verb: str, route: Route, takes: Kind = Kind.BUTTON, *, game: str | None = None) -> None:
        """Answer the use of `verb:…` by `route`. Raises ValueError for a verb that is taken."""
        if verb in self.verbs:
            raise ValueError(f"The verb {verb!r} has a route already.")
        self.verbs[verb] = Registered(route, takes, game)

    async def dispatch(self, interaction: Interaction) -> None:
        """Answer a component or a modal. Whatever happens, the person gets an answer."""
        try:
            click = read(interaction)
            if click is None:
                raise Refusal(UNKNOWN)
            route = await self._find(interaction, click)
            await route(interaction, click)
        except Exception as error:
            await explain(interaction, error)

    async def _find(self, interaction: Interaction, click: Click) -> Route:
        """Return the route of a click. Raises Refusal when it does not take that."""
        found = self.verbs.get(click.verb)
        if found is None or click.kind not in found.takes:
            raise Refusal(UNKNOWN)
        if found.game is not None:
            table = await interaction.client.tables.get(click.match)
            if table.match.game != found.game:
                raise Refusal(UNKNOWN)
        return found.route


def read(interaction: Interaction) -> Click | None:
    """Return the click an interaction carries, None when its custom id or its component is none of ours."""
    data: Mapping[str, Any] = {**(interaction.data or {})}
    verb, _, after = str(data.get("custom_id", "")).partition(":")
    digits, _, rest = after.partition(":")
    match, values = number(digits), tuple(_values(data))
    kind = _kind(interaction, data, values)
    if match is None or kind is None:
        return None
    return Click(verb, match, rest, kind, () if kind is Kind.BUTTON else values)


def number(digits: str) -> int | None:
    """Return the number that people or custom ids give by its digits; None for anything else, and for one too long for
    any of ours."""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def _kind(interaction: Interaction, data: Mapping[str, Any], values: tuple[str, ...]) -> Kind | None:
    """Return what was used; None for a select of people or channels, and for one in which nothing was chosen."""
    if interaction.type is discord.InteractionType.modal_submit:
        return Kind.MODAL
    if data.get("component_type") == discord.ComponentType.button.value:
        return Kind.BUTTON
    chosen = data.get("component_type") == discord.ComponentType.select.value and values
    return Kind.SELECT if chosen else None


def _values(data: object) -> list[str]:
    """Return the chosen or typed strings, in the order of the components they stand in."""
    if isinstance(data, list):
        return [value for part in data for value in _values(part)]
    if not isinstance(data, Mapping):
        return []
    own = [str(value) for value in data.get("values", [data["value"]] if "value" in data else ())]
    return own + _values(data.get("components")) + _values(data.get("component"))
