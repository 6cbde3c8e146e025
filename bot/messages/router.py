"""Finding the route that answers a click, by the verb of its custom id.

Nothing is registered per message. So old buttons work after a restart, and so does a modal that was open meanwhile.

Custom ids can be forged. The router calls a route only for the kinds of component that it takes, and a game's route
only for tables of that game. A route must check `rest` and `values` itself.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any, Final
from weakref import WeakValueDictionary

import discord

from bot.match.refusal import Refusal
from bot.messages.answers import Interaction, explain, is_hand
from bot.messages.custom_ids import CustomId


class Kind(Flag):
    """Kind of component: a button, a menu with something chosen in it, one that a person has emptied, a menu of
    channels or roles (in which nothing may be chosen), or a modal."""

    BUTTON = auto()
    SELECT = auto()
    EMPTIED = auto()
    CHANNELS = auto()
    ROLES = auto()
    MODAL = auto()


_MENUS: Final = {
    discord.ComponentType.channel_select.value: Kind.CHANNELS,
    discord.ComponentType.role_select.value: Kind.ROLES,
}


@dataclass(frozen=True, slots=True)
class Click:
    """The parts of a custom id, and the values, in order: a menu's choices (ids of channels or roles) or a modal's
    texts; a button has none."""

    verb: str
    match: int
    rest: str
    kind: Kind
    values: tuple[str, ...] = ()


Route = Callable[[Interaction, Click], Awaitable[None]]

NOTHING_CHOSEN = "Nothing is chosen in this menu. Open it again, and choose something."
DEAD_BUTTON = "This button does not work any more. `/tables` lists your tables, `/hand` shows your hand."


@dataclass(frozen=True, slots=True)
class Registered:
    """A route, the kinds of component that it takes, and the slug of its game; None for a route of all games."""

    route: Route
    takes: Kind
    game: str | None
    at_once: bool


class Router:
    """The routes by verb. Cogs add their routes when they are loaded; the client calls `dispatch` for each click."""

    def __init__(self) -> None:
        self.verbs: dict[str, Registered] = {}
        self._turns = WeakValueDictionary[int, asyncio.Lock]()
        """By private message: the lock that is held while a click on it is answered."""

    def add(
        self,
        verb: str,
        route: Route,
        takes: Kind = Kind.BUTTON,
        *,
        at_once: bool = False,
    ) -> None:
        """Call `route` for clicks on components with this verb.

        Its answer may be deferred before it is called or meanwhile (`bot.messages.admission`), so it answers by `show`
        and `send`, or after `settle`. On a private message that is no hand, a person's clicks wait for each other: each
        answer shows what is stored then, so the last one is right. A route that is called `at_once` opens a modal,
        answers one of a command by a card, or counts in the order of the clicks: it is never deferred and waits for
        nothing.

        A verb of a game begins with the game's slug and a dot: "twin-it.press". The route is then called at tables of
        that game alone. Raises ValueError if the verb is in use.
        """
        game, dot, _ = verb.partition(".")
        if verb in self.verbs:
            raise ValueError(f"The verb {verb!r} has a route already.")
        self.verbs[verb] = Registered(route, takes, game if dot else None, at_once)

    def may_wait(self, click: Click | None) -> bool:
        """Return whether a click or modal may be deferred before its route is called."""
        found = self.verbs.get(click.verb) if click is not None else None
        return found is not None and not found.at_once

    def turn(self, message: discord.Message | None) -> AbstractAsyncContextManager[None]:
        """Return a context that begins once the earlier clicks on a private message are answered, if it is no hand."""
        if message is None or not message.flags.ephemeral or is_hand(message):  # a hint may take long
            return nullcontext()
        return self._turns.setdefault(message.id, asyncio.Lock())

    async def dispatch(self, interaction: Interaction, click: Click | None) -> None:
        """Call the route of a click or modal, which `click_of` has read. If it fails, tell the person why."""
        try:
            if click is None:
                raise Refusal(DEAD_BUTTON)
            route = await self._find(interaction, click)
            await route(interaction, click)
        except Exception as error:
            await explain(interaction, error)

    async def _find(self, interaction: Interaction, click: Click) -> Route:
        """Return the route of a click. Raises Refusal if there is none for this verb, component and game."""
        found = self.verbs.get(click.verb)
        if found is None or click.kind not in found.takes:
            is_emptied = found is not None and click.kind is Kind.EMPTIED and Kind.SELECT in found.takes
            raise Refusal(NOTHING_CHOSEN if is_emptied else DEAD_BUTTON)
        if found.game is not None:
            table = await interaction.client.tables.get(click.match)
            if table.match.game != found.game:
                raise Refusal(DEAD_BUTTON)
        return found.route


def click_of(interaction: Interaction) -> Click | None:
    """Return the click of an interaction; None if the bot makes no such custom id or component."""
    data: Mapping[str, Any] = {**(interaction.data or {})}
    custom_id, values = CustomId.read(str(data.get("custom_id", ""))), tuple(_values(data))
    kind = _kind(interaction, data, values)
    if custom_id is None or kind is None:
        return None
    chosen = () if kind is Kind.BUTTON else values
    return Click(custom_id.verb, custom_id.match, custom_id.rest, kind, chosen)


def _kind(interaction: Interaction, data: Mapping[str, Any], values: tuple[str, ...]) -> Kind | None:
    """Return the kind of component; None for a menu of people."""
    if interaction.type is discord.InteractionType.modal_submit:
        return Kind.MODAL
    if data.get("component_type") == discord.ComponentType.button.value:
        return Kind.BUTTON
    if data.get("component_type") == discord.ComponentType.select.value:
        return Kind.SELECT if values else Kind.EMPTIED
    return _menu(data.get("component_type"))


def _menu(component_type: object) -> Kind | None:
    return _MENUS.get(component_type) if isinstance(component_type, int) else None


def _values(data: object) -> list[str]:
    """Return the strings that were chosen or typed, in the order of the components."""
    if isinstance(data, list):
        return [value for part in data for value in _values(part)]
    if not isinstance(data, Mapping):
        return []
    own = [str(value) for value in data.get("values", [data["value"]] if "value" in data else ())]
    return own + _values(data.get("components")) + _values(data.get("component"))
