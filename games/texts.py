"""Texts of actions as people type them."""

import re


def gist(text: str) -> tuple[str, ...]:
    """What of a text matters: not case, nor spaces, nor the order of the cards after its first word."""
    first, *cards = re.sub(r"\s*=\s*", "=", text.upper()).split() or [""]
    return first, *sorted(cards)
