"""High Card, a toy game: it proves that a new game needs no change in other files. One module says all about it."""

from types import SimpleNamespace
from typing import Any, Final

from tests.toy import rules
from tests.toy.rules import HighCard

GAME: Final = HighCard(words=rules, rulebook=rules, record=rules, facts=rules)


def toy(kind: type[HighCard] = HighCard, **own: Any) -> HighCard:
    """Return the toy under the rules of `kind`, with these functions and constants in place of its module's."""
    module: Any = SimpleNamespace(**vars(rules) | own)
    return kind(words=module, rulebook=module, record=module, facts=module)
