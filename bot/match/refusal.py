"""The exceptions for a request that is refused."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from games import Illegal
from games.phrases import addressed


class Refusal(Exception):
    """A request that cannot be fulfilled. Nothing has changed.

    `str()` is for the person: what happened, what is allowed and what to do now.
    """


class AgainstTheRules(Refusal, Illegal):
    """A move that the rules of a game refuse, with names instead of seats. People are never shown an Illegal that is
    not a Refusal."""


@contextmanager
def naming(who: Sequence[str]) -> Iterator[None]:
    """Raise AgainstTheRules for an Illegal of an engine. `who` are the players by seat."""
    try:
        yield
    except Illegal as illegal:
        if isinstance(illegal, Refusal):
            raise
        raise AgainstTheRules(addressed(str(illegal), who)) from illegal
