"""Texts of actions as people type them."""

import re
from collections.abc import Callable, Sequence

from games.contract import Illegal


def gist(text: str) -> tuple[str, ...]:
    """What of a text matters: not case, nor spaces, nor the order of the cards after its first word."""
    first, *cards = re.sub(r"\s*=\s*", "=", text.upper()).split() or [""]
    return first, *sorted(cards)


def reader(texts: Sequence[str], refusal: str) -> Callable[[str], int]:
    """What finds the action that a text names, given the texts of all actions in order. Any other text raises Illegal
    with the sentence `refusal`, which says the form."""
    actions = {gist(text): action for action, text in enumerate(texts)}

    def parse(text: str) -> int:
        action = actions.get(gist(text))
        if action is None:
            raise Illegal(refusal)
        return action

    return parse
