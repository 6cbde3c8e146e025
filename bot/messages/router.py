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
from bot.messages.custom_ids import CustomId


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
    """A route, and the kinds of component that it takes. With a `game` (its slug) it answers at tables of that game
    alone."""

    route: Route
    takes: Kind
    game: str | None


class Router:
    """The routes by verb. Cogs add theirs when they are loaded; the client passes every interaction in."""

    def __init__(self) -> None:
        self.verbs: dict[str, Registered] = {}

    def add(self, verb: str, route: Route, takes: Kind = Kind.BUTTON, *, formerly: str | None = None) -> None:
        """Answer clicks on `verb:…` by `route`.

        A verb of a game begins with the game's slug and a dot, "twin-it.press": so two games cannot collide, and the
        route gets clicks at tables of that game alone. `formerly` is the verb on messages of older versions; it
        still works. Raises ValueError for a verb that is taken.
        """
        game, dot, _ = verb.partition(".")
        for name in filter(None, (verb, formerly)):
            if name in self.verbs:
                raise ValueError(f"The verb {name!r} has a route already.")
            self.verbs[name] = Registered(route, takes, game if dot else None)

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
    custom_id, values = CustomId.read(str(data.get("custom_id", ""))), tuple(_values(data))
    kind = _kind(interaction, data, values)
    if custom_id is None or kind is None:
        return None
    chosen = () if kind is Kind.BUTTON else values
    return Click(custom_id.verb, custom_id.match, custom_id.rest, kind, chosen)


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
