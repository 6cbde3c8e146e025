"""Run a game's forms without a bot, and read messages as people read them."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, TypeVar

from bot.client import cog_of
from bot.messages.game_ui import MOST_PICKS, Form, MoveText, Picks
from bot.messages.panel import Item, Panel
from bot.messages.router import Router
from cogs.common.game import GameCog
from games import GAMES
from games.types import Action, Seat
from tests.contract.subjects import package
from tests.games.position import NAMES

Cog = TypeVar("Cog", bound=GameCog)

ALL_COGS: dict[str, Any] = {slug: cog_of(f"cogs.{package(game)}.cog") for slug, game in GAMES.items()}
"""The cog of each game, by slug."""


class NoBot:
    """The parts of the bot that a game's cog needs: places to register itself."""

    def __init__(self) -> None:
        self.game_uis: dict[str, Any] = {}
        self.router = Router()


def new(cog: type[Cog]) -> Cog:
    """Return the cog of a game."""
    bot: Any = NoBot()
    return cog(bot)


def shown(face: GameCog, state: Any, seat: Seat, picks: str = "") -> tuple[list[Any], Form, Any]:
    """Return the payload of the hand, its form and its view."""
    view, form = face.game.view(state, seat), Form(1, 2, face.game.legal(state, seat), picks)
    return Panel(*face.hand(view, NAMES[: state.seats], form)).payload(), form, view


def action(face: GameCog, chosen: Picks | MoveText) -> Action:
    """The action of a click by which a move is made."""
    assert isinstance(chosen, MoveText)
    return face.game.parse(chosen.text)


def picks(chosen: Picks | MoveText) -> str:
    """Return the picks of a click that makes no move."""
    assert isinstance(chosen, Picks)
    return chosen.text


def banner(face: GameCog) -> Item:
    """The picture in the lobby of a game that has one."""
    found = face.banner()
    assert found is not None
    return found


def rows(components: Sequence[Any]) -> list[list[Any]]:
    """Return the rows of buttons and menus, in order."""
    return [part["components"] for part in components if part["type"] == 1]


def controls(components: Sequence[Any]) -> list[Any]:
    """Return the buttons and menus, in order."""
    return [part for row in rows(components) for part in row]


def labels(components: Sequence[Any]) -> list[str]:
    """Return the labels of the buttons, in order."""
    return [part["label"] for part in controls(components) if part["type"] == 2]


def step(part: Any) -> str:
    """Return the step of the form that a button or menu stands for."""
    return str(part["custom_id"].split(":")[-1])


def steps(components: Sequence[Any]) -> list[str]:
    """Return the steps of everything that can be pressed or chosen from."""
    return [step(part) for part in controls(components) if not part.get("disabled")]


def usable(components: Sequence[Any]) -> list[Any]:
    """Return the parts of the form that can be used."""
    return [
        part
        for part in controls(components)
        if part["custom_id"].startswith("form:") and not part.get("disabled")
    ]


def made(face: GameCog, state: Any, seat: Seat, taps: int = 2, chosen: str = "") -> list[Action]:
    """Return the actions that can be made within so many taps; as many choices in a menu as it takes are one tap."""
    components, form, view = shown(face, state, seat, chosen)
    found = set[Action]()
    for part in usable(components):
        if taps == 1 and "options" in part:  # a choice in a menu makes no move
            continue
        options = [option["value"] for option in part.get("options", ())]
        for values in combinations(options, part["max_values"]) if options else [()]:
            next_ = face.pick(view, form, step(part), values)
            if isinstance(next_, MoveText):
                found.add(action(face, next_))
            elif taps > 1:
                assert len(next_.text) <= MOST_PICKS
                found.update(made(face, state, seat, taps - 1, next_.text))
    return sorted(found)


def said(components: Sequence[Any]) -> str:
    """Return what a reader without pictures gets: the texts, and the alt texts of the pictures, in order."""
    return "\n".join(_parts(components))


def _parts(components: Sequence[Any]) -> Iterator[str]:
    for part in components:
        if part["type"] == 10:
            yield part["content"].replace("\u00a0", " ").replace("\u2060", "")
        elif part["type"] == 12:
            yield from (item["description"] for item in part["items"])
        elif part["type"] == 17:
            yield from _parts(part["components"])
