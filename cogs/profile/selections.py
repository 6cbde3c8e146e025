"""Selections of matches in custom ids and menus: a text of at most 60 characters, such as "gpalace,p1"."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Final

from bot.match.refusal import Refusal
from bot.messages.router import DEAD_BUTTON
from bot.store import Selection
from games import GAMES

MOST: Final = 2**63 - 1
"""Largest number in the database."""
LETTERS: Final[Mapping[str, str]] = {
    "g": "game",
    "p": "placing",
    "o": "other",
    "a": "ahead",
    "r": "pool",
    "s": "since",
    "u": "until",
    "f": "fact",
    "v": "value",
    "e": "season",
}
"""Fields of a selection by the letter that stands for them. Person and server are not part of the text."""
ALL: Final = "all"
"""The text of a selection of all matches: a value of a menu must not be empty."""


def coded(selection: Selection) -> str:
    """Return a selection as text, without its person and its server."""
    parts = [(letter, getattr(selection, name)) for letter, name in LETTERS.items()]
    return ",".join(f"{letter}{value}" for letter, value in parts if value is not None) or ALL


def decoded(text: str, user: int, guild: int | None) -> Selection:
    """Return the selection that `coded` wrote, for this person and server. Raises Refusal for any other text."""
    selection = Selection(user, guild)
    try:
        for letter, value in _parts(text):
            name = LETTERS[letter]
            known: Any = value if name in ("game", "pool", "fact") else whole(value)
            selection = replace(selection, **{name: known})
    except (KeyError, ValueError) as error:
        raise Refusal(DEAD_BUTTON) from error
    if not _makes_sense(selection) or coded(selection) != text:
        raise Refusal(DEAD_BUTTON)
    return selection


def whole(digits: str) -> int:
    """Return a number written in a custom id. Raises ValueError for any other text, and for too large ones."""
    amount = digits.removeprefix("-")
    if not (amount.isascii() and amount.isdigit() and len(amount) < 20 and int(amount) <= MOST):
        raise ValueError(f"not a number: {digits[:40]!r}")
    return int(digits)


def pools() -> dict[str, str]:
    """Return the titles of the rating pools of all games."""
    return {pool: title for game in GAMES.values() for pool, title in game.pools.items()}


def _parts(text: str) -> Iterator[tuple[str, str]]:
    if text != ALL:
        yield from ((part[:1], part[1:]) for part in text.split(","))


def _makes_sense(selection: Selection) -> bool:
    """Return whether game, pool and fact are known, and no field needs another one that is missing.

    A season is looked up in the store, by `history_page`."""
    game = GAMES.get(selection.game or "")
    kinds = game.facts.KINDS if game else {}
    return (
        (selection.game is None or game is not None)
        and (selection.pool is None or selection.pool in pools())
        and (selection.fact is None or selection.fact in kinds)
        and (selection.value is None or selection.fact is not None)
        and (selection.ahead is None or (selection.other is not None and abs(selection.ahead) <= 1))
    )


assert {*LETTERS.values()} | {"user", "guild"} == {field.name for field in fields(Selection)}
