"""Parsing of the actions that people type."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from games.contract import AnyGame, Illegal
from games.phrases import listed
from games.types import Action, Seat

NOTHING: Final = "You have nothing to decide right now."


class Unread(Illegal):
    """The refusal of a text that names no action of the game."""

    def __init__(self) -> None:
        super().__init__("There is no such move.")


def read_move(game: AnyGame, state: Any, seat: Seat, text: str) -> Action:
    """Return the action that a text names: that of the log, or the label of a legal action. Raises Illegal, which for a
    text that names none has what the seat may write now."""
    try:
        return game.parse(text)
    except Unread as unread:
        legal, words = game.legal(state, seat), text.casefold().split()
        for action in legal:  # as `/move` suggests it
            if game.words.label(action).casefold().split() == words:
                return action
        if legal:
            now = [*map(game.text, legal)]
            raise Illegal(f"{unread} {_writable(now)}") from None
        for other in game.awaited(state):  # the game's own words: a player who is out has no turn to wait for
            game.check(state, seat, game.legal(state, other)[0])
        raise Illegal(NOTHING) from None


def _writable(texts: Sequence[str]) -> str:
    """Return "You can now write `draw` or `take TL` … `take BR`.", with the first and the last text of each verb."""
    verbs: dict[str, list[str]] = {}
    for text in texts:
        verbs.setdefault(text.split()[0], []).append(f"`{text}`")
    spans = [" … ".join(dict.fromkeys((each[0], each[-1]))) for each in verbs.values()]
    return f"You can now write {listed(spans, 'or')}."


def normalized(text: str) -> tuple[str, ...]:
    """Return the words of a text in upper case, those after the first one sorted: case, spaces, colons, commas and the
    order of cards do not matter."""
    text = text.upper().replace(":", " ").replace(",", " ")
    first, *cards = "=".join(part.strip() for part in text.split("=")).split() or [""]
    return first, *sorted(cards)


def parser(
    texts: Sequence[str], also: Mapping[str, Action] = MappingProxyType({})
) -> Callable[[str], Action]:
    """Return a function that parses a text into its index in `texts`, the texts of all actions in order; `also` has
    other words for some of them, such as those on the screen. The function raises Unread for any other text."""
    actions = {normalized(text): action for text, action in also.items()}
    actions |= {normalized(text): Action(action) for action, text in enumerate(texts)}

    def parse(text: str) -> Action:
        action = actions.get(normalized(text))
        if action is None:
            raise Unread
        return action

    return parse
