"""Parsing of the actions that people type."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from games.contract import Illegal
from games.types import Action


def normalized(text: str) -> tuple[str, ...]:
    """Return the words of a text in upper case, those after the first one sorted: case, spaces and the order of
    cards do not matter."""
    first, *cards = "=".join(part.strip() for part in text.upper().split("=")).split() or [""]
    return first, *sorted(cards)


def parser(
    texts: Sequence[str], refusal: str, also: Mapping[str, Action] = MappingProxyType({})
) -> Callable[[str], Action]:
    """Return a function that parses a text into its index in `texts`, the texts of all actions in order; `also` has
    other words for some of them, such as those on the screen.

    The function raises Illegal(refusal) for any other text, so `refusal` should say how to write an action."""
    actions = {normalized(text): action for text, action in also.items()}
    actions |= {normalized(text): Action(action) for action, text in enumerate(texts)}

    def parse(text: str) -> Action:
        action = actions.get(normalized(text))
        if action is None:
            raise Illegal(refusal)
        return action

    return parse
